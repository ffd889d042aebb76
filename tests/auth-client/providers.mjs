// Signing in through a provider with PKCE, linking and unlinking another identity, and signing in
// by ID token; then the same without PKCE, where the session is in the fragment.
import assert from 'node:assert/strict';
import { fragment, given, good, newClient, refused, site, travel } from './journey.mjs';

const client = newClient({ flowType: 'pkce' });
const options = { redirectTo: site, skipBrowserRedirect: true };
const codeFrom = async ({ url }) => (await travel(url)).searchParams.get('code');

// signing in, with an additional scope
const wanted = { provider: 'gitlab', options: { ...options, scopes: 'api' } };
const away = good(await client.signInWithOAuth(wanted));
const { session } = good(await client.exchangeCodeForSession(await codeFrom(away)));
assert.equal(session.user.email, 'ann@example.co');
assert.equal(session.provider_token, 'access/token+of=them');
assert.equal(session.provider_refresh_token, 'refresh-of-them');
const { claims } = good(await client.getClaims());
assert.deepEqual(claims.amr.map(({ method }) => method), ['oauth']);

// linking, which the client requests with its session
const link = good(await client.linkIdentity({ provider: 'google', options }));
good(await client.exchangeCodeForSession(await codeFrom(link)));
const { identities } = good(await client.getUserIdentities());
assert.deepEqual(identities.map(({ provider }) => provider), ['gitlab', 'google']);

// an ID token of the linked identity signs in to the same account
const handed = { provider: 'google', token: given.idToken };
const { user } = good(await newClient().signInWithIdToken(handed));
assert.equal(user.id, session.user.id);

// unlinking works only until one identity is left
good(await client.unlinkIdentity(identities[1]));
refused(await client.unlinkIdentity(identities[0]), 'single_identity_not_deletable');

// without PKCE, the browser that starts has to be the one that returns; if the client requests the
// address first, a page asks the user for confirmation
const plain = newClient({ flowType: 'implicit' });
const landed = async ({ url }) => {
  const session = fragment(await travel(url));
  return good(
    await plain.setSession({
      access_token: session.get('access_token'),
      refresh_token: session.get('refresh_token'),
    }),
  );
};
const signedIn = await landed(good(await plain.signInWithOAuth({ provider: 'gitlab', options })));
assert.equal(signedIn.user.id, session.user.id);
const linked = await landed(good(await plain.linkIdentity({ provider: 'google', options })));
assert.equal(linked.user.id, session.user.id);
const again = good(await plain.getUserIdentities()).identities;
assert.deepEqual(again.map(({ provider }) => provider), ['gitlab', 'google']);

// errors have the form that the client expects
const unknown = { provider: 'github', token: given.idToken };
refused(await newClient().signInWithIdToken(unknown), 'validation_failed');
await client.signInWithOAuth({ provider: 'gitlab', options });
const early = await client.exchangeCodeForSession('00000000-0000-4000-8000-000000000000');
refused(early, 'flow_state_not_found');
