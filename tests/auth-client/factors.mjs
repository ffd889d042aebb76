// Second factors: an authenticator app and a phone, from enrolling to removing them.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import {
  claims, confirmed, good, newAdmin, newClient, password, refused, text,
} from './journey.mjs';

const email = 'ann@example.co';
const client = newClient();
const { user } = await confirmed(client, email);
const level = async (of) => good(await of.mfa.getAuthenticatorAssuranceLevel());

// The code that an authenticator app shows, `steps` periods of 30 s from now (RFC 6238).
function shown(secret, steps = 0) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((c) => letters.indexOf(c).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', key).update(counter).digest();
  const at = mac[19] & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

assert.deepEqual((await level(client)).nextLevel, 'aal1');
const app = good(await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone app' }));
assert.match(app.totp.qr_code, /^data:image\/svg\+xml;utf-8,<(\?xml|svg)/);
assert.ok(app.totp.uri.startsWith('otpauth://totp/'));
const twin = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'phone app' });
refused(twin, 'mfa_factor_name_conflict');
const { id: challengeId } = good(await client.mfa.challenge({ factorId: app.id }));
const attempt = { factorId: app.id, challengeId };
const wrong = shown(app.totp.secret) === '000000' ? '111111' : '000000';
refused(await client.mfa.verify({ ...attempt, code: wrong }), 'mfa_verification_failed');
const raised = good(await client.mfa.verify({ ...attempt, code: shown(app.totp.secret) }));
assert.equal(claims(raised.access_token).aal, 'aal2');
assert.deepEqual((await level(client)).currentLevel, 'aal2');

// the next sign-in is at aal1 only and may not make sensitive changes
const next = newClient();
good(await next.signInWithPassword({ email, password }));
const { currentLevel, nextLevel } = await level(next);
assert.deepEqual([currentLevel, nextLevel], ['aal1', 'aal2']);
refused(await next.updateUser({ password: 'another horse' }), 'insufficient_aal');
refused(await next.mfa.unenroll({ factorId: app.id }), 'insufficient_aal');
const step = { factorId: app.id, code: shown(app.totp.secret, 1) };
good(await next.mfa.challengeAndVerify(step));
assert.deepEqual(
  (await level(next)).currentAuthenticationMethods.map(({ method }) => method),
  ['totp', 'password'],
);

// a phone as another factor
const phone = good(await next.mfa.enroll({ factorType: 'phone', phone: '+41791234567' }));
const asked = good(await next.mfa.challenge({ factorId: phone.id, channel: 'sms' }));
const code = await text();
good(await next.mfa.verify({ factorId: phone.id, challengeId: asked.id, code }));
const factors = good(await next.mfa.listFactors());
assert.deepEqual(factors.all.map(({ status }) => status), ['verified', 'verified']);
assert.deepEqual([factors.totp.length, factors.phone.length], [1, 1]);
const listed = good(await newAdmin().mfa.listFactors({ userId: user.id }));
assert.deepEqual(listed.factors.map(({ id }) => id).sort(), [app.id, phone.id].sort());

// removing them: one by the user, one by an operator
good(await next.mfa.unenroll({ factorId: app.id }));
good(await newAdmin().mfa.deleteFactor({ userId: user.id, id: phone.id }));
good(await next.refreshSession());
assert.deepEqual((await level(next)).nextLevel, 'aal1');
assert.deepEqual(good(await next.mfa.listFactors()).all, []);
