// An anonymous account, which is converted to one with an email address and a password.
import assert from 'node:assert/strict';
import { claims, good, mail, newClient, password, refused } from './journey.mjs';

const email = 'ann@example.co';
const client = newClient();
const { user, session } = good(await client.signInAnonymously({ options: { data: { a: 1 } } }));
assert.deepEqual([user.is_anonymous, user.user_metadata], [true, { a: 1 }]);
assert.deepEqual(user.identities, []);
const { is_anonymous, amr } = claims(session.access_token);
assert.deepEqual([is_anonymous, amr[0].method], [true, 'anonymous']);
refused(await client.mfa.enroll({ factorType: 'totp' }), 'no_authorization');
refused(await client.updateUser({ password }), 'validation_failed');

assert.equal(good(await client.updateUser({ email })).user.new_email, email);
const proof = { email, token: (await mail(email)).code, type: 'email_change' };
const known = good(await client.verifyOtp(proof));
assert.deepEqual([known.user.id, known.user.is_anonymous], [user.id, false]);
good(await client.updateUser({ password }));
const signedIn = good(await newClient().signInWithPassword({ email, password }));
assert.equal(signedIn.user.id, user.id);
assert.equal(claims(signedIn.session.access_token).is_anonymous, false);
