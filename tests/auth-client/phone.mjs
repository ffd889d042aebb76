// Signing up and in by phone number, and changing it.
import assert from 'node:assert/strict';
import { good, later, newClient, password, refused, text } from './journey.mjs';

const [phone, next] = ['+41791234567', '+41790000000'];
const client = newClient();
const { user, session } = good(await client.signUp({ phone, password }));
assert.deepEqual([user.phone, session], ['41791234567', null]);
refused(await client.signInWithPassword({ phone, password }), 'phone_not_confirmed');
await later(60);
const resent = good(await client.resend({ type: 'sms', phone }));
assert.ok(resent.messageId);
const confirmed = good(await client.verifyOtp({ phone, token: await text(), type: 'sms' }));
assert.ok(confirmed.user.phone_confirmed_at);
good(await newClient().signInWithPassword({ phone, password }));

await later(60);
const asked = good(await client.signInWithOtp({ phone, options: { shouldCreateUser: false } }));
assert.ok(asked.messageId);
const code = await text();
const wrong = code === '123456' ? '654321' : '123456';
refused(await client.verifyOtp({ phone, token: wrong, type: 'sms' }), 'otp_expired');
good(await client.verifyOtp({ phone, token: code, type: 'sms' }));
const nobody = { phone: '+41791111111', options: { shouldCreateUser: false } };
refused(await client.signInWithOtp(nobody), 'otp_disabled');

await later(60);
assert.equal(good(await client.updateUser({ phone: next })).user.new_phone, '41790000000');
const change = { phone: next, token: await text(), type: 'phone_change' };
const changed = good(await client.verifyOtp(change));
assert.deepEqual([changed.user.id, changed.user.phone], [user.id, '41790000000']);
refused(await newClient().signInWithPassword({ phone, password }), 'invalid_credentials');
