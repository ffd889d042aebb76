// Signing up, confirming by mail, signing in by password, and the errors that the client reports.
import assert from 'node:assert/strict';
import { good, mail, newClient, password, refused, site } from './journey.mjs';

const email = 'ann@example.co';
const client = newClient();
const events = [];
client.onAuthStateChange((event) => void events.push(event));

const weak = refused(await client.signUp({ email, password: 'short' }), 'weak_password');
assert.deepEqual([weak.name, weak.reasons], ['AuthWeakPasswordError', ['length']]);
const options = { data: { name: 'Ann' }, emailRedirectTo: site };
const signedUp = good(await client.signUp({ email, password, options }));
assert.equal(signedUp.session, null);
assert.equal(signedUp.user.identities.length, 1);
refused(await client.signInWithPassword({ email, password }), 'email_not_confirmed');

// resending the mail; only the newest is valid
const first = await mail(email);
good(await client.resend({ type: 'signup', email }));
const second = await mail(email, 2);
if (first.code !== second.code) {
  refused(await client.verifyOtp({ email, token: first.code, type: 'email' }), 'otp_expired');
}
const confirmed = good(await client.verifyOtp({ email, token: second.code, type: 'email' }));
assert.equal(confirmed.user.id, signedUp.user.id);
assert.ok(confirmed.user.email_confirmed_at);
assert.equal(confirmed.user.user_metadata.name, 'Ann');

// signing up with a taken address does not reveal that it is taken
const taken = good(await newClient().signUp({ email, password }));
assert.deepEqual(taken.user.identities, []);
assert.notEqual(taken.user.id, signedUp.user.id);

const changed = good(await client.updateUser({ data: { name: 'Anna' } }));
assert.equal(changed.user.user_metadata.name, 'Anna');
assert.equal(good(await client.getUser()).user.user_metadata.name, 'Anna');

// a session can be moved to another device
const { session } = good(await client.getSession());
const other = newClient();
good(await other.setSession(session));
assert.equal(good(await other.getUser()).user.id, signedUp.user.id);

good(await client.signOut());
assert.equal(good(await client.getSession()).session, null);
for (const wrong of [{ email, password: 'wrong horse' }, { email: 'bob@example.co', password }]) {
  const told = refused(await client.signInWithPassword(wrong), 'invalid_credentials');
  assert.equal(told.message, 'Invalid login credentials');
}
good(await client.signInWithPassword({ email: 'ANN@example.co', password }));
assert.deepEqual(
  events,
  ['INITIAL_SESSION', 'SIGNED_IN', 'USER_UPDATED', 'SIGNED_OUT', 'SIGNED_IN'],
);
