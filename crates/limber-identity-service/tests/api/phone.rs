//! Sign-up and sign-in by phone number, and changing the number.

use std::time::Duration;

use limber_identity_service::config::MailKind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, TestService};
use crate::stand_in::{Reply, StandIn};
use crate::texts::{by_twilio, carrier, last_code};
use crate::token::claims;

const NUMBER: &str = "+41791234567";
const DIGITS: &str = "41791234567";
const EXPIRED: &str = "Token has expired or is invalid";

async fn start() -> (TestService, StandIn) {
    let carrier = carrier().await;
    (TestService::start_with(by_twilio(&carrier)).await, carrier)
}

async fn verify(service: &TestService, kind: &str, number: &str, code: &str) -> Answer {
    service.post("/verify", json!({"type": kind, "phone": number, "token": code})).await
}

async fn sign_up(service: &TestService, number: &str) -> Answer {
    service.post("/signup", json!({"phone": number, "password": PASSWORD})).await
}

async fn sign_in(service: &TestService, number: &str) -> Answer {
    let body = json!({"phone": number, "password": PASSWORD});
    service.post("/token?grant_type=password", body).await
}

/// Creates a confirmed account with this number.
async fn confirmed(service: &TestService, carrier: &StandIn, number: &str) -> Answer {
    sign_up(service, number).await.ok();
    verify(service, "sms", number, &last_code(carrier)).await.ok()
}

#[tokio::test]
async fn phones_sign_up_confirm_and_sign_in_by_password() {
    let (service, carrier) = start().await;
    let body = json!({"phone": "+41 79 123 45 67", "password": PASSWORD, "data": {"a": 1}});
    let account = service.post("/signup", body).await.ok();
    assert_eq!((account.text("phone").as_str(), account.text("email").as_str()), (DIGITS, ""));
    assert!(account.body["confirmation_sent_at"].is_string());
    assert_eq!(account.body["identities"][0]["provider"], "phone");
    assert_eq!(account.body["user_metadata"]["a"], 1);
    assert_eq!(account.body["user_metadata"]["phone"], DIGITS);
    sign_in(&service, NUMBER).await.is_error(400, "phone_not_confirmed", "Phone not confirmed");
    let code = last_code(&carrier);
    let session = verify(&service, "sms", NUMBER, &code).await.ok();
    assert!(session.body.get("type").is_none(), "only for email verifications");
    assert!(session.body["user"]["phone_confirmed_at"].is_string());
    assert_eq!(session.body["user"]["identities"][0]["identity_data"]["phone_verified"], true);
    let claims = claims(&session.access());
    assert_eq!((&claims["phone"], &claims["amr"][0]["method"]), (&json!(DIGITS), &json!("otp")));
    verify(&service, "sms", NUMBER, &code).await.is_error(403, "otp_expired", EXPIRED);
    let again = sign_in(&service, "41791234567").await.ok();
    assert_eq!(
        again.body["user"]["app_metadata"],
        json!({"provider": "phone", "providers": ["phone"]})
    );
}

#[tokio::test]
async fn taken_phones_are_not_revealed_and_unconfirmed_ones_get_a_new_code() {
    let (service, carrier) = start().await;
    sign_up(&service, NUMBER).await.ok();
    let soon = sign_up(&service, NUMBER).await;
    assert_eq!((soon.status, soon.text("error_code").as_str()), (429, "over_sms_send_rate_limit"));
    assert!(
        soon.text("msg").starts_with("For security purposes, you can only request this after ")
    );
    service.clock.advance(Duration::from_secs(60));
    sign_up(&service, NUMBER).await.ok();
    assert_eq!(carrier.asked().len(), 2);
    let session = verify(&service, "sms", NUMBER, &last_code(&carrier)).await.ok();
    service.clock.advance(Duration::from_secs(60));
    let made_up = sign_up(&service, NUMBER).await.ok();
    assert_ne!(made_up.text("id"), session.body["user"]["id"].as_str().expect("an id"));
    assert_eq!((&made_up.body["identities"], made_up.text("role")), (&json!([]), String::new()));
    assert_eq!(made_up.body["app_metadata"], json!({"provider": "phone", "providers": ["phone"]}));
    assert_eq!(carrier.asked().len(), 2, "nothing is sent");
}

#[tokio::test]
async fn with_phone_autoconfirm_a_sign_up_signs_in() {
    let service = TestService::start_with(|config| {
        config.signup.phone = true;
        config.signup.phone_autoconfirm = true;
    })
    .await;
    let session = sign_up(&service, NUMBER).await.ok();
    assert_eq!(claims(&session.access())["amr"][0]["method"], "password");
    let taken = sign_up(&service, NUMBER).await;
    taken.is_error(400, "user_already_exists", "User already registered");
    let body = json!({"phone": "+41790000000"});
    let changed = service.send_as(&session.access(), Method::PUT, "/user", body).await.ok();
    assert_eq!(changed.text("phone"), "41790000000");
}

#[tokio::test]
async fn texted_codes_sign_in_known_and_new_users() {
    let (service, carrier) = start().await;
    let body = json!({"phone": NUMBER, "data": {"name": "Ann"}});
    assert_eq!(service.post("/otp", body).await.ok().body, json!({"message_id": "SM1"}));
    let first = verify(&service, "sms", NUMBER, &last_code(&carrier)).await.ok();
    assert_eq!(first.body["user"]["user_metadata"]["name"], "Ann");
    service.clock.advance(Duration::from_secs(60));
    service.post("/otp", json!({"phone": NUMBER, "create_user": false})).await.ok();
    let second = verify(&service, "sms", NUMBER, &last_code(&carrier)).await.ok();
    assert_eq!(first.body["user"]["id"], second.body["user"]["id"]);
    // No password was set, so none is accepted.
    sign_in(&service, NUMBER).await.is_error(
        400,
        "invalid_credentials",
        "Invalid login credentials",
    );
}

#[tokio::test]
async fn codes_by_phone_are_refused_as_specified() {
    let (service, carrier) = start().await;
    let otp = |body| service.post("/otp", body);
    let text = "Signups not allowed for otp";
    otp(json!({"phone": NUMBER, "create_user": false})).await.is_error(422, "otp_disabled", text);
    let text = "Invalid phone number format (E.164 required)";
    otp(json!({"phone": "079"})).await.is_error(400, "validation_failed", text);
    assert!(carrier.asked().is_empty());
    let closed = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        config.signup.disabled = true;
    })
    .await;
    let text = "Signups not allowed for this instance";
    let answer = closed.post("/otp", json!({"phone": NUMBER})).await;
    answer.is_error(422, "signup_disabled", text);
    let off = TestService::start().await;
    let answer = off.post("/otp", json!({"phone": NUMBER})).await;
    answer.is_error(400, "phone_provider_disabled", "Unsupported phone provider");
    let answer = verify(&off, "sms", NUMBER, "123456").await;
    answer.is_error(403, "otp_expired", EXPIRED);
}

#[tokio::test]
async fn texted_codes_expire_after_a_minute() {
    let (service, carrier) = start().await;
    sign_up(&service, NUMBER).await.ok();
    service.clock.advance(Duration::from_secs(62));
    let late = verify(&service, "sms", NUMBER, &last_code(&carrier)).await;
    late.is_error(403, "otp_expired", EXPIRED);
}

#[tokio::test]
async fn code_guesses_are_counted_per_phone_known_or_not() {
    let (service, carrier) = start().await;
    sign_up(&service, NUMBER).await.ok();
    for (number, known) in [(NUMBER, true), ("+41790000009", false)] {
        for _ in 0..30 {
            verify(&service, "sms", number, "00000x").await.is_error(403, "otp_expired", EXPIRED);
        }
        let closed = verify(&service, "sms", number, "00000x").await;
        closed.is_error(429, "over_request_rate_limit", "Request rate limit reached");
        assert!(closed.headers.contains_key("retry-after"), "{known}");
    }
    service.clock.advance(Duration::from_secs(60));
    sign_up(&service, NUMBER).await.ok();
    let right = last_code(&carrier);
    assert_eq!(
        verify(&service, "sms", NUMBER, &right).await.status,
        429,
        "a new code does not help"
    );
    service.clock.advance(Duration::from_secs(3600));
    sign_up(&service, NUMBER).await.ok();
    verify(&service, "sms", NUMBER, &last_code(&carrier)).await.ok();
}

#[tokio::test]
async fn resend_responses_do_not_reveal_whether_anything_is_pending() {
    let (service, carrier) = start().await;
    sign_up(&service, NUMBER).await.ok();
    let resend = |number: &str| service.post("/resend", json!({"type": "sms", "phone": number}));
    assert_eq!(resend(NUMBER).await.status, 429, "the code was sent just now");
    service.clock.advance(Duration::from_secs(60));
    for number in [NUMBER, "+41790000009"] {
        let answer = resend(number).await.ok();
        assert_eq!(answer.body.as_object().map(serde_json::Map::len), Some(1));
        assert!(!answer.text("message_id").is_empty());
        assert_eq!(resend(number).await.text("error_code"), "over_sms_send_rate_limit");
    }
    assert_eq!(carrier.asked().len(), 2);
    // A carrier failure would reveal that a text was to be sent, as would a shorter waiting time
    // after it.
    service.clock.advance(Duration::from_secs(60));
    carrier.next(Reply::json(400, &json!({"message": "no"})));
    resend(NUMBER).await.ok();
    assert_eq!(resend(NUMBER).await.text("error_code"), "over_sms_send_rate_limit");
    service.clock.advance(Duration::from_secs(60));
    resend(NUMBER).await.ok();
    verify(&service, "sms", NUMBER, &last_code(&carrier)).await.ok();
    let off = TestService::start().await;
    let answer = off.post("/resend", json!({"type": "sms", "phone": NUMBER})).await;
    answer.is_error(400, "phone_provider_disabled", "Phone logins are disabled");
}

#[tokio::test]
async fn new_phones_take_effect_when_confirmed() {
    let (service, carrier) = start().await;
    let session = confirmed(&service, &carrier, NUMBER).await;
    let (token, new) = (session.access(), "+41790000001");
    let put = |body: Value| service.send_as(&token, Method::PUT, "/user", body);
    let waiting = put(json!({"phone": new})).await.ok();
    assert_eq!(
        (waiting.text("phone").as_str(), waiting.text("new_phone").as_str()),
        (DIGITS, "41790000001")
    );
    assert!(waiting.body["phone_change_sent_at"].is_string());
    assert_eq!(carrier.last().form["To"], new);
    assert_eq!(
        put(json!({"phone": "+41790000002"})).await.text("error_code"),
        "over_sms_send_rate_limit"
    );
    service.clock.advance(Duration::from_secs(60));
    let body = json!({"type": "phone_change", "phone": NUMBER});
    service.post("/resend", body).await.ok();
    assert_eq!(
        carrier.last().form["To"],
        new,
        "sent to the new phone at the request of the current one"
    );
    let code = last_code(&carrier);
    verify(&service, "sms", new, &code).await.is_error(403, "otp_expired", EXPIRED);
    let changed = verify(&service, "phone_change", new, &code).await.ok();
    let user = &changed.body["user"];
    assert_eq!((&user["phone"], user.get("new_phone")), (&json!("41790000001"), None));
    assert_eq!(user["identities"][0]["identity_data"]["phone"], "41790000001");
    sign_in(&service, new).await.ok();
    sign_in(&service, NUMBER).await.is_error(
        400,
        "invalid_credentials",
        "Invalid login credentials",
    );
    put(json!({"phone": new})).await.ok();
}

#[tokio::test]
async fn phones_of_other_users_cannot_be_taken_even_concurrently() {
    let (service, carrier) = start().await;
    confirmed(&service, &carrier, NUMBER).await;
    let other = confirmed(&service, &carrier, "+41790000001").await;
    let put = |number: &str| {
        let body = json!({"phone": number});
        let token = other.access();
        let service = &service;
        async move { service.send_as(&token, Method::PUT, "/user", body).await }
    };
    let text = "A user with this phone number has already been registered";
    put(NUMBER).await.is_error(422, "phone_exists", text);
    put("+41790000002").await.ok();
    let code = last_code(&carrier);
    let body = json!({"phone": "+41790000002", "phone_confirm": true});
    let admin = service.admin_token();
    service.send_as(&admin, Method::POST, "/admin/users", body).await.ok();
    let late = verify(&service, "phone_change", "+41790000002", &code).await;
    late.is_error(422, "phone_exists", text);
}

#[tokio::test]
async fn anonymous_accounts_become_permanent_with_a_phone() {
    let carrier = carrier().await;
    let service = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        config.signup.anonymous = true;
    })
    .await;
    let anonymous = service.post("/signup", json!({})).await.ok();
    let body = json!({"phone": NUMBER});
    service.send_as(&anonymous.access(), Method::PUT, "/user", body).await.ok();
    let known = verify(&service, "phone_change", NUMBER, &last_code(&carrier)).await.ok();
    let user = &known.body["user"];
    assert_eq!(
        (&user["is_anonymous"], &user["id"]),
        (&json!(false), &anonymous.body["user"]["id"])
    );
    assert_eq!(user["identities"][0]["provider"], "phone");
}

#[tokio::test]
async fn without_an_email_the_nonce_is_sent_by_text_message() {
    let carrier = carrier().await;
    let service = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        config.sessions.password_change_needs_nonce = true;
        config.sessions.reauthentication_max_age = Duration::ZERO;
    })
    .await;
    let session = confirmed(&service, &carrier, NUMBER).await;
    let token = session.access();
    let put = |body: Value| service.send_as(&token, Method::PUT, "/user", body);
    let missing = put(json!({"password": "battery staple"})).await;
    assert_eq!(missing.text("error_code"), "reauthentication_needed");
    service.get_as(&token, "/reauthenticate").await.ok();
    let nonce = last_code(&carrier);
    let wrong = put(json!({"password": "battery staple", "nonce": "x"})).await;
    assert_eq!(wrong.text("error_code"), "reauthentication_not_valid");
    put(json!({"password": "battery staple", "nonce": nonce})).await.ok();
    let again = service.get_as(&token, "/reauthenticate").await;
    assert_eq!(again.text("error_code"), "over_sms_send_rate_limit");
}

#[tokio::test]
async fn settings_offer_phone_factors_only_if_they_can_be_used() {
    for (enroll, verify) in [(true, true), (true, false), (false, true)] {
        let service = TestService::start_with(|config| {
            config.factors.phone_enroll = enroll;
            config.factors.phone_verify = verify;
        })
        .await;
        let settings = Answer::of(service.request(Method::GET, "/settings")).await.ok();
        assert_eq!(settings.body["mfa_phone_enabled"], enroll && verify, "{enroll} {verify}");
    }
}

#[tokio::test]
async fn phones_are_second_factors_if_enabled() {
    let carrier = carrier().await;
    let service = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        config.mailer.autoconfirm = true;
        config.factors.phone_enroll = true;
        config.factors.phone_verify = true;
    })
    .await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let session = service.post("/signup", body).await.ok();
    let token = session.access();
    let post = |path: String, body: Value| {
        let (service, token) = (&service, &token);
        async move { service.send_as(token, Method::POST, &path, body).await }
    };
    let text = "Phone number required to enroll Phone factor";
    let missing = post("/factors".into(), json!({"factor_type": "phone"})).await;
    missing.is_error(400, "validation_failed", text);
    let body = json!({"factor_type": "phone", "phone": NUMBER, "friendly_name": "mine"});
    let enrolled = post("/factors".into(), body.clone()).await.ok();
    assert_eq!(enrolled.text("phone"), DIGITS);
    assert!(enrolled.body.get("totp").is_none());
    // An unverified factor with the same number is replaced.
    let enrolled = post("/factors".into(), body.clone()).await.ok();
    let path = format!("/factors/{}", enrolled.text("id"));
    let challenge = post(format!("{path}/challenge"), json!({"channel": "sms"})).await.ok();
    assert_eq!(challenge.text("type"), "phone");
    assert_eq!(carrier.last().form["To"], NUMBER);
    let soon = post(format!("{path}/challenge"), json!({})).await;
    assert_eq!(soon.text("error_code"), "over_sms_send_rate_limit");
    let give = |code: String| {
        post(format!("{path}/verify"), json!({"challenge_id": challenge.text("id"), "code": code}))
    };
    let text = "Invalid MFA Phone code entered";
    give("00000x".into()).await.is_error(422, "mfa_verification_failed", text);
    let lifted = give(last_code(&carrier)).await.ok();
    let claims = claims(&lifted.access());
    assert_eq!(
        (&claims["aal"], &claims["amr"][0]["method"]),
        (&json!("aal2"), &json!("mfa/phone"))
    );
    let again = service.send_as(&lifted.access(), Method::POST, "/factors", body).await;
    let text = "A verified phone factor already exists, unenroll the existing factor to continue";
    again.is_error(422, "mfa_verified_factor_exists", text);
}

#[tokio::test]
async fn phone_changes_are_notified_by_email_if_enabled() {
    let carrier = carrier().await;
    let service = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        config.mailer.notifications.insert(MailKind::PhoneChanged);
    })
    .await;
    let body = json!({"email": "ann@b.co", "email_confirm": true, "phone": NUMBER,
        "phone_confirm": true, "password": PASSWORD});
    service.send_as(&service.admin_token(), Method::POST, "/admin/users", body).await.ok();
    let session = service.sign_in("ann@b.co", PASSWORD).await.ok();
    let body = json!({"phone": "+41790000001"});
    service.send_as(&session.access(), Method::PUT, "/user", body).await.ok();
    verify(&service, "phone_change", "+41790000001", &last_code(&carrier)).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 1).await;
    assert_eq!(mail.subject, "Your phone number has been changed");
    assert!(mail.text.contains("41790000001") && mail.text.contains(DIGITS), "{}", mail.text);
}

#[tokio::test]
async fn admins_set_phones_without_confirmation() {
    let (service, carrier) = start().await;
    let admin = service.admin_token();
    let send = |method, path: String, body: Value| {
        let (service, admin) = (&service, &admin);
        async move { service.send_as(admin, method, &path, body).await }
    };
    let body = json!({"phone": NUMBER, "password": PASSWORD, "phone_confirm": true});
    let made = send(Method::POST, "/admin/users".into(), body.clone()).await.ok();
    sign_in(&service, NUMBER).await.ok();
    let again = send(Method::POST, "/admin/users".into(), body).await;
    let text = "Phone number already registered by another user";
    again.is_error(422, "phone_exists", text);
    let path = format!("/admin/users/{}", made.text("id"));
    let changed = send(Method::PUT, path, json!({"phone": "+41790000001"})).await.ok();
    assert_eq!(changed.text("phone"), "41790000001");
    assert!(carrier.asked().is_empty());
}

#[tokio::test]
async fn concurrent_calls_with_one_phone_create_one_account_and_one_text() {
    let (service, carrier) = start().await;
    let calls = (0..8).map(|number| {
        let path = if number % 2 == 0 { "/otp" } else { "/signup" };
        service.post(path, json!({"phone": NUMBER, "password": PASSWORD}))
    });
    let answers = futures_util::future::join_all(calls).await;
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(200), count(429)), (1, 7), "{answers:?}");
    let listed = service.get_as(&service.admin_token(), "/admin/users").await.ok();
    assert_eq!(listed.headers["x-total-count"], "1");
    assert_eq!(carrier.asked().len(), 1);
    verify(&service, "sms", NUMBER, &last_code(&carrier)).await.ok();
}
