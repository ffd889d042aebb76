// provider.mjs keycloak|gitlab REDIRECT_URI: an OpenID provider on a free port, with the paths of
// that product, one client (`our-client`) and a user for every login that is entered. Prints its
// base address as one line; ends when its standard input is closed.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [product, redirectUri] = process.argv.slice(2);
const products = {
  keycloak: {
    mount: '/realms/studio',
    scopes: ['openid', 'profile', 'email'],
    routes: {
      authorization: '/protocol/openid-connect/auth',
      token: '/protocol/openid-connect/token',
      userinfo: '/protocol/openid-connect/userinfo',
      jwks: '/protocol/openid-connect/certs',
    },
  },
  gitlab: {
    mount: '',
    scopes: ['openid', 'read_user'],
    routes: { authorization: '/oauth/authorize', token: '/oauth/token', jwks: '/oauth/discovery/keys' },
  },
};
const { mount, scopes, routes } = products[product];

const claimsOf = (login) => ({
  sub: login,
  name: `Person ${login}`,
  preferred_username: login,
  email: `${login}@example.co`,
  email_verified: !login.startsWith('unproven'),
});

const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${server.address().port}${mount}`;
const provider = new Provider(base, {
  clients: [
    {
      client_id: 'our-client',
      client_secret: 'our secret & more',
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: [redirectUri],
    },
  ],
  scopes,
  routes,
  claims: { email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
  // the ID token contains the claims, too, as with Keycloak
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  cookies: { keys: ['only for tests'] },
  findAccount: (_, login) => ({ accountId: login, claims: async () => claimsOf(login) }),
});

// GitLab's own API endpoints about a user, for tokens of this provider.
provider.use(async (ctx, next) => {
  const answers = {
    '/api/v4/user': ({ sub, name, email, email_verified }) => ({
      id: [...sub].reduce((sum, c) => sum * 31 + c.codePointAt(0), 7) % 1_000_000,
      username: sub,
      name,
      email,
      state: 'active',
      confirmed_at: email_verified ? '2012-05-23T09:05:22Z' : null,
    }),
    '/api/v4/user/emails': ({ sub }) => [{ id: 1, email: `second-${sub}@example.co`, confirmed_at: null }],
  };
  const answer = product === 'gitlab' && answers[ctx.path];
  if (!answer) return next();
  const found = await provider.AccessToken.find(ctx.get('authorization').replace(/^Bearer /, ''));
  if (!found?.isValid || !found.scopes.has('read_user')) {
    ctx.status = 401;
    ctx.body = { message: '401 Unauthorized' };
    return undefined;
  }
  ctx.body = answer(claimsOf(found.accountId));
  return undefined;
});

const handle = provider.callback();
server.on('request', (request, response) => {
  if (!request.url.startsWith(mount)) {
    response.writeHead(404).end();
    return;
  }
  request.originalUrl = request.url;
  request.url = request.url.slice(mount.length) || '/';
  handle(request, response);
});
console.log(base);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
