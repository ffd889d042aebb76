// Common parts of the journeys: the client under test, the users' mailbox and phone, and helpers
// for assertions.
//
// AUTH_CLIENT names the package to drive. JOURNEY is JSON: `service` (its address), `admin` (an
// operator's token), `desk` (address of the test endpoint that reads mail and texts and moves the
// clock), and further values that a journey needs.
import assert from 'node:assert/strict';

const { AuthAdminApi, AuthClient } = await import(process.env.AUTH_CLIENT);

export const given = JSON.parse(process.env.JOURNEY);
export const site = 'http://site.example/in';
export const password = 'correct horse';

// A client with storage of its own, as on a separate device.
export function newClient(options = {}) {
  const kept = new Map();
  return new AuthClient({
    url: given.service,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    persistSession: true,
    storage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    },
    ...options,
  });
}

// An administration client with an operator's token.
export function newAdmin(token = given.admin) {
  return new AuthAdminApi({ url: given.service, headers: { Authorization: `Bearer ${token}` } });
}

// Asserts that a call succeeded, and returns its data.
export function good({ data, error }) {
  assert.equal(error, null);
  return data;
}

// Asserts that a call failed with this error code, and returns the error.
export function refused({ error }, code) {
  assert.equal(error?.code, code, `${error}`);
  return error;
}

async function ask(path, method = 'GET') {
  const response = await fetch(new URL(path, given.desk), { method });
  assert.ok(response.ok, `the desk has nothing for ${path}`);
  return response.json();
}

// The nth mail to an address, from 1: its `subject`, `link` and `code`.
export const mail = (to, nth = 1) => ask(`/mail?${new URLSearchParams({ to, nth })}`);

// The code in the text message that was sent last.
export const text = async () => (await ask('/text')).code;

// Advances the service's clock.
export const later = (seconds) => ask(`/later?seconds=${seconds}`, 'POST');

// A browser: follows redirects from an address until it reaches the site. It keeps cookies per host
// and presses the button of a page that has one.
export async function travel(address) {
  const jar = new Map();
  const open = async (at, options = {}) => {
    const { host } = new URL(at);
    const cookie = [...(jar.get(host) ?? [])].map((pair) => pair.join('=')).join('; ');
    const headers = cookie ? { cookie } : {};
    const response = await fetch(at, { redirect: 'manual', headers, ...options });
    const kept = jar.get(host) ?? new Map();
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0].split('=');
      kept.set(name, value);
    }
    jar.set(host, kept);
    return response;
  };
  let next = address;
  for (let hop = 0; hop < 8 && !next.startsWith(site); hop += 1) {
    let response = await open(next);
    if (response.status === 200) {
      const [, pressed] = (await response.text()).match(/name="pressed" value="([^"]+)"/);
      response = await open(next, { method: 'POST', body: new URLSearchParams({ pressed }) });
    }
    next = response.headers.get('location');
    assert.ok(next, `${response.status} leads nowhere`);
  }
  return new URL(next);
}

// The parameters in the fragment of an address.
export const fragment = (url) => new URLSearchParams(url.hash.slice(1));

// The claims of a token, without verifying its signature.
export const claims = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));

// Signs up and confirms by the mailed code.
export async function confirmed(client, email) {
  good(await client.signUp({ email, password }));
  const { code } = await mail(email);
  return good(await client.verifyOtp({ email, token: code, type: 'email' })).session;
}
