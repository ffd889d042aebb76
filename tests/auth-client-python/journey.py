"""Tests the service with the Python client that integrators use, as a user and as an operator.

    journey.py        with JSON on standard input: `service` (its address), `admin` (an operator's token) and
                      `desk` (address of the test endpoint that reads mail and moves the clock)

Prints `ok NAME` for each part that passed. The first failure ends the program with a message.
"""

import base64
import hashlib
import hmac
import json
import struct
import sys
import time
from urllib.parse import parse_qs, urlsplit

import httpx
from supabase_auth import SyncGoTrueAdminAPI, SyncGoTrueClient
from supabase_auth.errors import AuthApiError, AuthError, AuthWeakPasswordError

GIVEN = json.load(sys.stdin)
SITE = "http://site.example/in"
PASSWORD = "correct horse"
PATIENCE_S = 300


class Broken(Exception):
    """The service does not do what the client expects."""


def check(holds, sentence):
    if not holds:
        raise Broken(sentence)


def refused(code, work, *arguments):
    """Checks that a call fails with this error code, and returns the error."""
    try:
        work(*arguments)
    except AuthError as error:
        check(error.code == code, f"refused as {error.code}, not as {code}: {error.message}")
        return error
    raise Broken(f"{code} was expected, and it was done")


def patient():
    """An HTTP client with a long timeout: on a busy machine, password hashing can exceed the 5 s default of httpx."""
    return httpx.Client(timeout=PATIENCE_S, follow_redirects=True)


def new_client(**more):
    """A client with a session of its own, as on a separate device."""
    return SyncGoTrueClient(url=GIVEN["service"], auto_refresh_token=False, http_client=patient(), **more)


def new_admin():
    return SyncGoTrueAdminAPI(
        url=GIVEN["service"], headers={"Authorization": f"Bearer {GIVEN['admin']}"}, http_client=patient()
    )


def ask(method, path, **query):
    answer = httpx.request(method, f"{GIVEN['desk'].rstrip('/')}/{path}", params=query, timeout=PATIENCE_S)
    check(answer.status_code == 200, f"the desk has nothing for {path} {query}")
    return answer.json()


def mail(to, nth=1):
    """Returns the nth mail to an address: its subject, link and code."""
    return ask("GET", "mail", to=to, nth=nth)


def land(link):
    """Opens a mailed link and returns the address it redirects to, without following it."""
    answer = httpx.get(link, follow_redirects=False, timeout=PATIENCE_S)
    location = answer.headers.get("location", "")
    check(location.startswith(SITE), f"{answer.status_code} leads to {location!r}")
    return location


def claims(token):
    return json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))


def confirmed(client, email):
    client.sign_up({"email": email, "password": PASSWORD})
    return client.verify_otp({"email": email, "token": mail(email)["code"], "type": "email"})


def shown(secret, steps=0):
    """Returns the code that an authenticator app shows, offset by some 30 s steps from now (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // 30 + steps)
    mac = hmac.new(base64.b32decode(secret + "=" * (-len(secret) % 8)), counter, hashlib.sha1).digest()
    at = mac[19] & 15
    return f"{(struct.unpack('>I', mac[at : at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def passwords():
    email, client = "ann@example.co", new_client()
    events = []
    client.on_auth_state_change(lambda event, session: events.append(event))
    weak = refused("weak_password", client.sign_up, {"email": email, "password": "short"})
    check(isinstance(weak, AuthWeakPasswordError) and weak.reasons == ["length"], f"another reason: {weak.reasons}")
    options = {"data": {"name": "Ann"}, "email_redirect_to": SITE}
    signed_up = client.sign_up({"email": email, "password": PASSWORD, "options": options})
    check(signed_up.session is None and signed_up.user.identities, "a session without a confirmation")
    credentials = {"email": email, "password": PASSWORD}
    refused("email_not_confirmed", client.sign_in_with_password, credentials)
    code = mail(email)["code"]
    inside = client.verify_otp({"email": email, "token": code, "type": "email"})
    check(inside.user.id == signed_up.user.id and inside.user.email_confirmed_at, "not confirmed")
    check(client.get_user().user.user_metadata == {**inside.user.user_metadata, "name": "Ann"}, "other data")
    changed = client.update_user({"data": {"name": "Anna"}})
    check(changed.user.user_metadata["name"] == "Anna", "the data stay as they were")
    check([identity.provider for identity in client.get_user_identities().identities] == ["email"], "identities")
    check(client.get_claims()["claims"]["email"] == email, "other claims")
    # signing up with a taken address does not reveal that it is taken
    taken = new_client().sign_up(credentials)
    check(taken.user.identities == [] and taken.user.id != signed_up.user.id, "an address is given away")
    # a session can be moved to another device
    session, other = client.get_session(), new_client()
    other.set_session(session.access_token, session.refresh_token)
    check(other.get_user().user.id == signed_up.user.id, "another account")
    client.sign_out()
    check(client.get_session() is None, "still signed in")
    wrong = refused("invalid_credentials", client.sign_in_with_password, {**credentials, "password": "wrong horse"})
    check(wrong.message == "Invalid login credentials", wrong.message)
    client.sign_in_with_password({**credentials, "email": email.upper()})
    check(events == ["SIGNED_IN", "USER_UPDATED", "SIGNED_OUT", "SIGNED_IN"], f"other events: {events}")


def sessions():
    email, client = "bob@example.co", new_client()
    first = confirmed(client, email).session
    second = client.refresh_session().session
    check(second.refresh_token != first.refresh_token, "the same token again")
    check(claims(second.access_token)["session_id"] == claims(first.access_token)["session_id"], "another session")
    # reusing an old refresh token revokes the session for everyone who holds it
    third = client.refresh_session().session
    ask("POST", "later", seconds=11)
    refused("refresh_token_already_used", new_client().refresh_session, first.refresh_token)
    refused("refresh_token_already_used", new_client().refresh_session, third.refresh_token)
    refused("refresh_token_not_found", new_client().refresh_session, "nobodysToken")

    def signed_in():
        device = new_client()
        return device, device.sign_in_with_password({"email": email, "password": PASSWORD}).session

    def ended(session):
        refused("refresh_token_not_found", new_client().refresh_session, session.refresh_token)

    (one, ones), (two, _), (_, threes) = signed_in(), signed_in(), signed_in()
    one.sign_out({"scope": "local"})
    ended(ones)
    two.sign_out({"scope": "others"})
    ended(threes)
    two.refresh_session()
    _, fours = signed_in()
    two.sign_out({"scope": "global"})
    ended(fours)
    check(two.get_session() is None, "still signed in")


def links():
    email, client = "cid@example.co", new_client()
    options = {"email_redirect_to": SITE}
    client.sign_in_with_otp({"email": email, "options": options})
    client.initialize_from_url(land(mail(email)["link"]))
    check(client.get_user().user.email == email, "another account")
    check(client.get_session().expires_in > 0, "it is over already")
    # the code of a sign-in mail, and that of a recovery mail
    client.sign_in_with_otp({"email": email, "options": {**options, "should_create_user": False}})
    by_code = new_client().verify_otp({"email": email, "token": mail(email, 2)["code"], "type": "email"})
    check(by_code.user.email == email, "another account")
    refused("otp_expired", new_client().verify_otp, {"email": email, "token": mail(email, 2)["code"], "type": "email"})
    nobody = {"email": "nobody@example.co", "options": {"should_create_user": False}}
    refused("otp_disabled", new_client().sign_in_with_otp, nobody)
    client.reset_password_for_email(email, {"redirect_to": SITE})
    recovered = new_client()
    recovered.verify_otp({"email": email, "token": mail(email, 3)["code"], "type": "recovery"})
    recovered.update_user({"password": "another horse"})
    new_client().sign_in_with_password({"email": email, "password": "another horse"})


def codes_for_the_one_who_asked():
    email, client = "dan@example.co", new_client(flow_type="pkce")
    options = {"email_redirect_to": SITE}
    client.sign_up({"email": email, "password": PASSWORD, "options": options})
    address = urlsplit(land(mail(email)["link"]))
    check(address.fragment == "", "a token in the address")
    code = parse_qs(address.query)["code"][0]
    stranger = new_client(flow_type="pkce")
    try:
        stranger.exchange_code_for_session({"auth_code": code})
        raise Broken("a stranger without the verifier gets in")
    except AuthError:
        pass
    session = client.exchange_code_for_session({"auth_code": code}).session
    check(session.user.email == email, "another account")


def second_factors():
    email, client = "eve@example.co", new_client()
    user = confirmed(client, email).user
    app = client.mfa.enroll({"factor_type": "totp", "friendly_name": "phone app"})
    check(app.totp.qr_code.startswith("data:image/svg+xml"), "no picture")
    check(app.totp.uri.startswith("otpauth://totp/"), "no address for the app")
    challenge = client.mfa.challenge({"factor_id": app.id})
    attempt = {"factor_id": app.id, "challenge_id": challenge.id}
    wrong = "111111" if shown(app.totp.secret) == "000000" else "000000"
    refused("mfa_verification_failed", client.mfa.verify, {**attempt, "code": wrong})
    client.mfa.verify({**attempt, "code": shown(app.totp.secret)})
    check(client.mfa.get_authenticator_assurance_level().current_level == "aal2", "not raised")
    # the next sign-in is at aal1 only and may not make sensitive changes
    following = new_client()
    following.sign_in_with_password({"email": email, "password": PASSWORD})
    level = following.mfa.get_authenticator_assurance_level()
    check((level.current_level, level.next_level) == ("aal1", "aal2"), f"another level: {level}")
    refused("insufficient_aal", following.update_user, {"password": "another horse"})
    refused("insufficient_aal", following.mfa.unenroll, {"factor_id": app.id})
    following.mfa.challenge_and_verify({"factor_id": app.id, "code": shown(app.totp.secret, 1)})
    check([factor.id for factor in following.mfa.list_factors().totp] == [app.id], "other factors")
    listed = new_admin().mfa.list_factors({"user_id": user.id})
    check([factor.id for factor in getattr(listed, "factors", listed)] == [app.id], "an operator sees others")
    check(following.mfa.unenroll({"factor_id": app.id}).id == app.id, "another factor is given up")
    check(following.mfa.list_factors().all == [], "it is still there")


def operators():
    admin, email = new_admin(), "fay@example.co"
    made = {"email": email, "password": PASSWORD, "email_confirm": True, "user_metadata": {"a": 1}}
    user = admin.create_user({**made, "app_metadata": {"team": "blue"}}).user
    check((user.user_metadata["a"], user.app_metadata["team"]) == (1, "blue"), "other data")
    refused("email_exists", admin.create_user, made)
    device = new_client()
    session = device.sign_in_with_password({"email": email, "password": PASSWORD}).session
    ordinary = SyncGoTrueAdminAPI(
        url=GIVEN["service"], headers={"Authorization": f"Bearer {session.access_token}"}, http_client=patient()
    )
    refused("not_admin", ordinary.list_users)
    check(user.id in [one.id for one in admin.list_users(page=1, per_page=50)], "not listed")
    check(admin.get_user_by_id(user.id).user.email == email, "another account")
    refused("user_not_found", admin.get_user_by_id, "00000000-0000-4000-8000-000000000000")
    check(admin.update_user_by_id(user.id, {"ban_duration": "24h"}).user.id == user.id, "another account")
    refused("user_banned", new_client().sign_in_with_password, {"email": email, "password": PASSWORD})
    admin.update_user_by_id(user.id, {"ban_duration": "none"})
    back = new_client().sign_in_with_password({"email": email, "password": PASSWORD}).session
    admin.sign_out(back.access_token, "global")
    refused("refresh_token_not_found", new_client().refresh_session, back.refresh_token)
    # an invitation, and a link that the operator delivers
    invited = admin.invite_user_by_email("gus@example.co", {"redirect_to": SITE, "data": {"team": "blue"}}).user
    guest = new_client()
    guest.initialize_from_url(land(mail("gus@example.co")["link"]))
    check(guest.get_user().user.id == invited.id, "another account")
    link = admin.generate_link({"type": "magiclink", "email": email, "options": {"redirect_to": SITE}})
    check(link.properties.redirect_to == SITE and link.user.id == user.id, f"another link: {link}")
    by_hash = {"token_hash": link.properties.hashed_token, "type": "magiclink"}
    check(new_client().verify_otp(by_hash).user.id == user.id, "another account")
    admin.delete_user(user.id)
    refused("user_not_found", admin.get_user_by_id, user.id)


PARTS = [passwords, sessions, links, codes_for_the_one_who_asked, second_factors, operators]

for part in PARTS:
    name = part.__name__.replace("_", " ")
    try:
        part()
    except (Broken, AuthApiError) as broken:
        sys.exit(f"broken: {name}: {broken}")
    print(f"ok {name}", flush=True)
