// Invitations, and links that operators deliver themselves: one of each kind.
import assert from 'node:assert/strict';
import {
  fragment, good, mail, newAdmin, newClient, password, refused, site, travel,
} from './journey.mjs';

const admin = newAdmin();
const options = { redirectTo: site, data: { team: 'blue' } };

const invited = good(await admin.inviteUserByEmail('ann@example.co', options)).user;
assert.ok(invited.invited_at);
const landing = fragment(await travel((await mail('ann@example.co')).link));
assert.equal(landing.get('type'), 'invite');
const client = newClient();
const [access_token, refresh_token] = [landing.get('access_token'), landing.get('refresh_token')];
const { user } = good(await client.setSession({ access_token, refresh_token }));
assert.deepEqual([user.id, user.user_metadata.team], [invited.id, 'blue']);
good(await client.updateUser({ password }));
refused(await admin.inviteUserByEmail('ann@example.co', options), 'email_exists');

// Generates a link and redeems its hash, as with a custom mailer.
async function redeem(wanted, type) {
  const { properties, user } = good(await admin.generateLink({ options, ...wanted }));
  assert.equal(properties.verification_type, wanted.type);
  assert.equal(properties.redirect_to, site);
  assert.match(properties.email_otp, /^\d{6}$/);
  const token = new URL(properties.action_link).searchParams.get('token');
  assert.equal(token, properties.hashed_token);
  return { user, ...good(await newClient().verifyOtp({ token_hash: token, type })) };
}

const signedUp = await redeem({ type: 'signup', email: 'bob@example.co', password }, 'signup');
assert.ok(signedUp.session.user.email_confirmed_at);
const bob = { email: 'bob@example.co' };
for (const type of ['magiclink', 'recovery']) {
  assert.equal((await redeem({ type, ...bob }, type)).session.user.id, signedUp.user.id);
}
await redeem({ type: 'invite', email: 'cid@example.co' }, 'invite');
const change = { ...bob, newEmail: 'bob@new.example' };
const half = await redeem({ type: 'email_change_current', ...change }, 'email_change');
assert.equal(half.session, null);
const whole = await redeem({ type: 'email_change_new', ...change }, 'email_change');
assert.equal(whole.session.user.email, 'bob@new.example');
const unknown = await admin.generateLink({ type: 'recovery', email: 'nobody@example.co' });
refused(unknown, 'user_not_found');
