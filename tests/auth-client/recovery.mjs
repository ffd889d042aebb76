// Password recovery by link and by code, and the sessions that a new password ends.
import assert from 'node:assert/strict';
import {
  claims, confirmed, fragment, good, mail, newClient, password, refused, site, travel,
} from './journey.mjs';

const email = 'ann@example.co';
const elsewhere = newClient();
await confirmed(elsewhere, email);

// the answer does not reveal whether an account exists
good(await newClient().resetPasswordForEmail('nobody@example.co'));

const client = newClient();
good(await client.resetPasswordForEmail(email, { redirectTo: site }));
const landing = fragment(await travel((await mail(email, 2)).link));
assert.equal(landing.get('type'), 'recovery');
const [access_token, refresh_token] = [landing.get('access_token'), landing.get('refresh_token')];
good(await client.setSession({ access_token, refresh_token }));
refused(await client.updateUser({ password }), 'same_password');
good(await client.updateUser({ password: 'another horse' }));

refused(await newClient().signInWithPassword({ email, password }), 'invalid_credentials');
good(await newClient().signInWithPassword({ email, password: 'another horse' }));
refused(await elsewhere.refreshSession(), 'refresh_token_not_found');
good(await client.refreshSession());

good(await client.resetPasswordForEmail(email));
const { code } = await mail(email, 3);
const { session } = good(await newClient().verifyOtp({ email, token: code, type: 'recovery' }));
assert.equal(claims(session.access_token).amr[0].method, 'otp');
