// What every journey stands on: the client under test, the mailbox and the phone of the people in
// it, and short words for what is expected.
//
// AUTH_CLIENT names the package to drive. JOURNEY is JSON: `service` (its address), `admin` (an
// operator's token), `desk` (where mail and texts are read and time is moved), and what a journey
// wants besides.
import assert from 'node:assert/strict';

const { AuthAdminApi, AuthClient } = await import(process.env.AUTH_CLIENT);

export const given = JSON.parse(process.env.JOURNEY);
export const site = 'http://site.example/in';
export const password = 'correct horse';

// A client of its own, as on a device of its own.
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

// What an operator holds.
export function newAdmin(token = given.admin) {
  return new AuthAdminApi({ url: given.service, headers: { Authorization: `Bearer ${token}` } });
}

// Must have succeeded.
export function good({ data, error }) {
  assert.equal(error, null);
  return data;
}

// Must have been refused for this reason.
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

// Moves the service's time.
export const later = (seconds) => ask(`/later?seconds=${seconds}`, 'POST');

// The browser: follows an address until it is back at the site. It keeps cookies for each host, and
// presses the button of a page that has one.
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

// What stands behind the `#` of an address.
export const fragment = (url) => new URLSearchParams(url.hash.slice(1));

// The claims of a token, unproven.
export const claims = (token) => JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));

// Signs up and confirms by the mailed code.
export async function confirmed(client, email) {
  good(await client.signUp({ email, password }));
  const { code } = await mail(email);
  return good(await client.verifyOtp({ email, token: code, type: 'email' })).session;
}
