// Refreshing sessions, reusing old refresh tokens, and the three scopes of signing out.
import assert from 'node:assert/strict';
import { claims, confirmed, good, later, newClient, password, refused } from './journey.mjs';

const email = 'ann@example.co';
const client = newClient();
const first = await confirmed(client, email);
const sessionOf = ({ access_token: token }) => claims(token).session_id;

const second = good(await client.refreshSession()).session;
assert.notEqual(second.refresh_token, first.refresh_token);
assert.equal(sessionOf(second), sessionOf(first));

// tabs that refresh at the same time get the same token
const tabs = Array.from({ length: 4 }, () =>
  newClient().refreshSession({ refresh_token: second.refresh_token }));
const renewed = (await Promise.all(tabs)).map((answer) => good(answer).session.refresh_token);
assert.equal(new Set(renewed).size, 1);

// reusing an old refresh token revokes the session for everyone who holds it
await later(11);
const stale = await newClient().refreshSession({ refresh_token: first.refresh_token });
refused(stale, 'refresh_token_already_used');
const device = newClient();
refused(await device.refreshSession({ refresh_token: renewed[0] }), 'refresh_token_already_used');
assert.equal(good(await device.getSession()).session, null);
const unknown = await newClient().refreshSession({ refresh_token: 'nobodysToken' });
refused(unknown, 'refresh_token_not_found');

async function signedIn() {
  const device = newClient();
  return { device, ...good(await device.signInWithPassword({ email, password })) };
}
const ended = async ({ session: { refresh_token } }) =>
  refused(await newClient().refreshSession({ refresh_token }), 'refresh_token_not_found');

const [one, two, three] = [await signedIn(), await signedIn(), await signedIn()];
good(await one.device.signOut({ scope: 'local' }));
await ended(one);
good(await two.device.signOut({ scope: 'others' }));
await ended(three);
good(await two.device.refreshSession());
const four = await signedIn();
good(await two.device.signOut({ scope: 'global' }));
await ended(four);
assert.equal(good(await two.device.getSession()).session, null);
