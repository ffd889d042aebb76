// Changing the email address, which both the old and the new address have to confirm.
import assert from 'node:assert/strict';
import {
  confirmed, fragment, good, mail, newClient, password, refused, site, travel,
} from './journey.mjs';

const [old, next, last] = ['ann@example.co', 'ann@new.example', 'ann@last.example'];
const client = newClient();
const { user } = await confirmed(client, old);
await confirmed(newClient(), 'bob@example.co');
refused(await client.updateUser({ email: 'bob@example.co' }), 'email_exists');

const asked = good(await client.updateUser({ email: next }));
assert.deepEqual([asked.user.email, asked.user.new_email], [old, next]);
const half = { email: old, token: (await mail(old, 2)).code, type: 'email_change' };
assert.equal(good(await client.verifyOtp(half)).session, null);
assert.equal(good(await client.getUser()).user.email, old);
refused(await client.verifyOtp(half), 'otp_expired');
const whole = { email: next, token: (await mail(next)).code, type: 'email_change' };
const changed = good(await client.verifyOtp(whole));
assert.deepEqual([changed.user.id, changed.session.user.email], [user.id, next]);
refused(await newClient().signInWithPassword({ email: old, password }), 'invalid_credentials');

// the same by links
good(await client.updateUser({ email: last }, { emailRedirectTo: site }));
const first = fragment(await travel((await mail(last)).link));
assert.match(first.get('message'), /^Confirmation link accepted/);
const second = fragment(await travel((await mail(next, 2)).link));
assert.equal(second.get('type'), 'email_change');
good(await newClient().signInWithPassword({ email: last, password }));
