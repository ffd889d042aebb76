// providers.mjs SERVICE ID_TOKEN: the client signs in by a provider with PKCE, links another
// identity, unlinks it, and hands in an ID token. Ends with 0 when everything is as it should be.
import assert from 'node:assert/strict';
import { AuthClient } from '@supabase/auth-js';

const [service, idToken] = process.argv.slice(2);
const site = 'http://site.example/in';

function newClient() {
  const kept = new Map();
  return new AuthClient({
    url: service,
    flowType: 'pkce',
    autoRefreshToken: false,
    detectSessionInUrl: false,
    persistSession: true,
    storage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    },
  });
}

// The browser: to the provider, where the person agrees, and back to the site.
async function travel(address) {
  let next = address;
  for (let hop = 0; hop < 6 && !next.startsWith(site); hop += 1) {
    const response = await fetch(next, { redirect: 'manual' });
    next = response.headers.get('location');
    assert.ok(next, `${response.status} leads nowhere`);
  }
  return new URL(next).searchParams;
}

const good = ({ data, error }) => {
  assert.equal(error, null);
  return data;
};

const client = newClient();
const options = { redirectTo: site, skipBrowserRedirect: true };

// signing in, with one scope more than usual
const away = good(
  await client.signInWithOAuth({ provider: 'gitlab', options: { ...options, scopes: 'api' } }),
);
const { session } = good(await client.exchangeCodeForSession((await travel(away.url)).get('code')));
assert.equal(session.user.email, 'ann@example.co');
assert.equal(session.provider_token, 'access/token+of=them');
assert.equal(session.provider_refresh_token, 'refresh-of-them');
const { claims } = good(await client.getClaims());
assert.deepEqual(claims.amr.map(({ method }) => method), ['oauth']);

// linking, which the client asks for with its own session
const link = good(await client.linkIdentity({ provider: 'google', options }));
good(await client.exchangeCodeForSession((await travel(link.url)).get('code')));
const { identities } = good(await client.getUserIdentities());
assert.deepEqual(identities.map(({ provider }) => provider), ['gitlab', 'google']);

// an ID token of the linked person signs in to the same account
const other = newClient();
const { user } = good(await other.signInWithIdToken({ provider: 'google', token: idToken }));
assert.equal(user.id, session.user.id);

// unlinking, once: the last one stays
good(await client.unlinkIdentity(identities[1]));
const last = await client.unlinkIdentity(identities[0]);
assert.equal(last.error.code, 'single_identity_not_deletable');

// errors arrive as the client expects them
const unknown = await client.signInWithIdToken({ provider: 'github', token: idToken });
assert.equal(unknown.error.code, 'validation_failed');
const stale = await client.exchangeCodeForSession('00000000-0000-4000-8000-000000000000');
assert.equal(stale.error.name, 'AuthPKCECodeVerifierMissingError');
await client.signInWithOAuth({ provider: 'gitlab', options });
const early = await client.exchangeCodeForSession('00000000-0000-4000-8000-000000000000');
assert.equal(early.error.code, 'flow_state_not_found');
