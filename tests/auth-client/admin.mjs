// Account administration by operators.
import assert from 'node:assert/strict';
import { confirmed, good, newAdmin, newClient, password, refused } from './journey.mjs';

const admin = newAdmin();
const email = 'ann@example.co';
const signIn = () => newClient().signInWithPassword({ email, password });

const made = { email, password, email_confirm: true, user_metadata: { a: 1 } };
const { user } = good(await admin.createUser({ ...made, app_metadata: { team: 'blue' } }));
assert.deepEqual([user.user_metadata.a, user.app_metadata.team], [1, 'blue']);
refused(await admin.createUser(made), 'email_exists');
const { session } = good(await signIn());
refused(await newAdmin(session.access_token).listUsers(), 'not_admin');

// pagination
for (const name of ['bob', 'cid', 'dan', 'eve']) {
  good(await admin.createUser({ email: `${name}@example.co` }));
}
const pages = [];
for (let page = 1; page; page = pages.at(-1).nextPage) {
  pages.push(good(await admin.listUsers({ page, perPage: 2 })));
}
assert.deepEqual(pages.map(({ users }) => users.length), [2, 2, 1]);
assert.deepEqual([pages[0].total, pages[0].lastPage], [5, 3]);
assert.equal(new Set(pages.flatMap(({ users }) => users.map(({ id }) => id))).size, 5);

// a single account
assert.equal(good(await admin.getUserById(user.id)).user.email, email);
refused(await admin.getUserById('00000000-0000-4000-8000-000000000000'), 'user_not_found');
const banned = good(await admin.updateUserById(user.id, { ban_duration: '24h' }));
assert.ok(banned.user.banned_until);
refused(await signIn(), 'user_banned');
good(await admin.updateUserById(user.id, { ban_duration: 'none', app_metadata: { team: null } }));
const back = good(await signIn());
assert.equal(back.user.app_metadata.team, undefined);
const taken = await admin.updateUserById(user.id, { email: 'bob@example.co' });
refused(taken, 'email_exists');

// signing a user out
good(await admin.signOut(back.session.access_token, 'global'));
const { refresh_token } = back.session;
refused(await newClient().refreshSession({ refresh_token }), 'refresh_token_not_found');

// soft and hard deletion
const other = (await confirmed(newClient(), 'fay@example.co')).user;
good(await admin.deleteUser(other.id, true));
const left = good(await admin.getUserById(other.id)).user;
assert.ok(left.deleted_at);
assert.notEqual(left.email, 'fay@example.co');
good(await admin.deleteUser(user.id));
refused(await admin.getUserById(user.id), 'user_not_found');
refused(await admin.deleteUser(user.id), 'user_not_found');
