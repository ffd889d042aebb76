// Reading a token's claims: with public keys locally, with a shared secret by asking the service.
import assert from 'node:assert/strict';
import { confirmed, given, good, newClient } from './journey.mjs';

const asked = [];
const client = newClient({
  fetch: (address, options) => {
    asked.push(new URL(address).pathname.split('/').at(-1));
    return fetch(address, options);
  },
});
const { access_token: token, user } = await confirmed(client, 'ann@example.co');
const header = JSON.parse(Buffer.from(token.split('.')[0], 'base64url'));
assert.equal(header.alg, given.algorithm);

asked.length = 0;
const first = good(await client.getClaims());
assert.deepEqual([first.claims.sub, first.claims.email], [user.id, 'ann@example.co']);
good(await client.getClaims());
const expected = { HS256: ['user', 'user'] }[given.algorithm] ?? ['jwks.json'];
assert.deepEqual(asked, expected);

// forged claims are detected
const [head, body, signature] = token.split('.');
const claims = JSON.parse(Buffer.from(body, 'base64url'));
const forged = Buffer.from(JSON.stringify({ ...claims, role: 'service_role' }));
const told = await client.getClaims([head, forged.toString('base64url'), signature].join('.'));
assert.match(told.error.message, /signature/);
