// The client refreshes sessions that are about to expire. Access tokens last a minute here.
import assert from 'node:assert/strict';
import { claims, confirmed, newClient, password, good } from './journey.mjs';

const email = 'ann@example.co';
const first = await confirmed(newClient(), email);
assert.equal(claims(first.access_token).exp - claims(first.access_token).iat, 60);

// when the session is requested
const asking = newClient();
const before = good(await asking.signInWithPassword({ email, password })).session;
const after = good(await asking.getSession()).session;
assert.notEqual(after.refresh_token, before.refresh_token);

// and automatically
const waiting = newClient();
good(await waiting.signInWithPassword({ email, password }));
const renewed = new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error('nothing was renewed')), 60_000).unref();
  waiting.onAuthStateChange((event, session) => {
    if (event === 'TOKEN_REFRESHED') resolve(session);
  });
});
await waiting.startAutoRefresh();
assert.equal((await renewed).user.email, email);
await waiting.stopAutoRefresh();
