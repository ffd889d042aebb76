// Reauthentication: changing the password requires a mailed code.
import assert from 'node:assert/strict';
import { confirmed, good, mail, newClient, refused } from './journey.mjs';

const email = 'ann@example.co';
const client = newClient();
await confirmed(client, email);
const wanted = { password: 'another horse' };
refused(await client.updateUser(wanted), 'reauthentication_needed');
good(await client.reauthenticate());
const { code } = await mail(email, 2);
const wrong = code === '123456' ? '654321' : '123456';
refused(await client.updateUser({ ...wanted, nonce: wrong }), 'reauthentication_not_valid');
const { user } = good(await client.updateUser({ ...wanted, nonce: code }));
assert.equal(user.email, email);
good(await newClient().signInWithPassword({ email, ...wanted }));
