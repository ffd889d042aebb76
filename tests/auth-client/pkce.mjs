// Mailed links with PKCE: only the client that requested a link can redeem its code.
import assert from 'node:assert/strict';
import { good, mail, newClient, password, refused, site, travel } from './journey.mjs';

const email = 'ann@example.co';
const client = newClient({ flowType: 'pkce' });
const methods = async () => good(await client.getClaims()).claims.amr.map(({ method }) => method);

// Opens the nth mail's link and returns the code it brings.
async function codeFrom(nth) {
  const landing = await travel((await mail(email, nth)).link);
  assert.equal(landing.hash, '', 'nothing to steal in the address');
  return landing.searchParams.get('code');
}

const options = { emailRedirectTo: `${site}?from=mail` };
good(await client.signUp({ email, password, options }));
const code = await codeFrom(1);
const stranger = await newClient({ flowType: 'pkce' }).exchangeCodeForSession(code);
assert.ok(stranger.error, 'a stranger has no verifier');
const { session } = good(await client.exchangeCodeForSession(code));
assert.equal(session.user.email, email);
assert.deepEqual(await methods(), ['email/signup']);

good(await client.signInWithOtp({ email, options: { ...options, shouldCreateUser: false } }));
good(await client.exchangeCodeForSession(await codeFrom(2)));
assert.deepEqual(await methods(), ['magiclink']);

// a link works once
const again = await travel((await mail(email, 2)).link);
assert.equal(again.searchParams.get('error_code'), 'otp_expired');
assert.equal(again.searchParams.get('from'), 'mail');

good(await client.resetPasswordForEmail(email, { redirectTo: site }));
good(await client.exchangeCodeForSession(await codeFrom(3)));
assert.deepEqual(await methods(), ['recovery']);

// codes are single-use, too
good(await client.signInWithOtp({ email, options }));
const once = await codeFrom(4);
good(await client.exchangeCodeForSession(once));
await client.signInWithOtp({ email, options });
refused(await client.exchangeCodeForSession(once), 'flow_state_not_found');
