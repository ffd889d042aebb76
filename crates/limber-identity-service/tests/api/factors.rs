//! `/factors`: authenticator apps, and the effects of a second factor.

use std::time::Duration;

use limber_identity_service::Config;
use limber_identity_service::config::MailKind;
use reqwest::Method;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use crate::service::{Answer, PASSWORD, TestService};
use crate::token::claims;

const WRONG: &str = "Invalid TOTP code entered";

fn autoconfirm(config: &mut Config) {
    config.mailer.autoconfirm = true;
}

async fn ann(service: &TestService) -> Answer {
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    service.post("/signup", body).await.ok()
}

pub(crate) async fn enroll(service: &TestService, token: &str, name: &str) -> Answer {
    let body = json!({"factor_type": "totp", "friendly_name": name});
    service.send_as(token, Method::POST, "/factors", body).await
}

/// Returns the code that an authenticator app shows `steps` time steps from now.
pub(crate) fn code(service: &TestService, enrolled: &Answer, steps: i64) -> String {
    let secret = enrolled.body["totp"]["secret"].as_str().expect("a secret");
    let secret = Secret::try_from_base32(secret).expect("base32");
    let totp = Builder::new().with_secret(secret).build().expect("a good secret");
    let time_s = service.now().timestamp() + steps * 30;
    totp.generate(u64::try_from(time_s).expect("after 1970")).to_string()
}

async fn challenge(service: &TestService, token: &str, factor: &str) -> String {
    let path = format!("/factors/{factor}/challenge");
    service.send_as(token, Method::POST, &path, json!({})).await.ok().text("id")
}

pub(crate) async fn give(service: &TestService, token: &str, factor: &str, code: &str) -> Answer {
    let challenge = challenge(service, token, factor).await;
    let body = json!({"challenge_id": challenge, "code": code});
    let path = format!("/factors/{factor}/verify");
    service.send_as(token, Method::POST, &path, body).await
}

#[tokio::test]
async fn verifying_an_authenticator_app_raises_the_session_to_aal2() {
    let service = TestService::start_with(autoconfirm).await;
    let session = ann(&service).await;
    let enrolled = enroll(&service, &session.access(), "my phone").await.ok();
    assert_eq!(
        (enrolled.text("type").as_str(), enrolled.text("friendly_name").as_str()),
        ("totp", "my phone")
    );
    let uri = enrolled.body["totp"]["uri"].as_str().expect("an address");
    assert!(uri.starts_with("otpauth://totp/site.example:ann"), "{uri}");
    let picture = enrolled.body["totp"]["qr_code"].as_str().expect("a picture");
    assert!(picture.contains("<svg") && !picture.contains('#'), "it fits into a data: address");
    let id = enrolled.text("id");

    let user = service.get_as(&session.access(), "/user").await.ok();
    assert_eq!(user.body["factors"][0]["status"], "unverified");
    give(&service, &session.access(), &id, "000000").await.is_error(
        422,
        "mfa_verification_failed",
        WRONG,
    );
    let lifted = give(&service, &session.access(), &id, &code(&service, &enrolled, 0)).await.ok();
    let (before, after) = (claims(&session.access()), claims(&lifted.access()));
    assert_eq!((&after["aal"], &after["session_id"]), (&json!("aal2"), &before["session_id"]));
    let methods: Vec<&Value> =
        after["amr"].as_array().expect("a list").iter().map(|m| &m["method"]).collect();
    assert_eq!(methods, ["totp", "password"]);
    assert!(after["amr"][0]["timestamp"].is_i64());
    let factor = &lifted.body["user"]["factors"][0];
    assert_eq!((&factor["status"], &factor["factor_type"]), (&json!("verified"), &json!("totp")));
    assert_eq!(factor["id"], id.as_str());
    assert!(factor["last_challenged_at"].is_string() && factor.get("phone").is_none());
    let again = service.refresh(&lifted.refresh()).await.ok();
    assert_eq!(claims(&again.access())["aal"], "aal2", "a refresh keeps the assurance level");
}

#[tokio::test]
async fn refresh_tokens_from_before_mfa_are_rejected() {
    let service = TestService::start_with(autoconfirm).await;
    let session = ann(&service).await;
    let enrolled = enroll(&service, &session.access(), "").await.ok();
    let id = enrolled.text("id");
    let lifted = give(&service, &session.access(), &id, &code(&service, &enrolled, 0)).await.ok();
    let used = "Invalid Refresh Token: Already Used";
    service.refresh(&session.refresh()).await.is_error(400, "refresh_token_already_used", used);
    let next = service.refresh(&lifted.refresh()).await.ok();
    // The token is now two generations old; whoever presents it must have stolen it.
    service.refresh(&session.refresh()).await.is_error(400, "refresh_token_already_used", used);
    assert_eq!(service.refresh(&next.refresh()).await.status, 400, "the session has ended");
}

#[tokio::test]
async fn verifying_a_factor_ends_other_aal1_sessions_and_unverified_factors() {
    let service = TestService::start_with(autoconfirm).await;
    let session = ann(&service).await;
    let other = service.sign_in("ann@b.co", PASSWORD).await.ok();
    enroll(&service, &session.access(), "never used").await.ok();
    let enrolled = enroll(&service, &session.access(), "used").await.ok();
    let proof = code(&service, &enrolled, 0);
    let lifted = give(&service, &session.access(), &enrolled.text("id"), &proof).await.ok();
    let names: Vec<&Value> = lifted.body["user"]["factors"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|factor| &factor["friendly_name"])
        .collect();
    assert_eq!(names, ["used"]);
    assert_eq!(
        service.refresh(&other.refresh()).await.text("error_code"),
        "refresh_token_not_found"
    );
}

#[tokio::test]
async fn totp_codes_can_be_used_once() {
    let service = TestService::start_with(autoconfirm).await;
    let session = ann(&service).await;
    let enrolled = enroll(&service, &session.access(), "").await.ok();
    let (id, seen) = (enrolled.text("id"), code(&service, &enrolled, 0));
    let lifted = give(&service, &session.access(), &id, &seen).await.ok();
    let replay = give(&service, &lifted.access(), &id, &seen).await;
    replay.is_error(422, "mfa_verification_failed", WRONG);
    give(&service, &lifted.access(), &id, &code(&service, &enrolled, 1)).await.ok();
}

#[tokio::test]
async fn ten_wrong_codes_block_a_factor_for_an_hour() {
    let service = TestService::start_with(autoconfirm).await;
    let session = ann(&service).await;
    let enrolled = enroll(&service, &session.access(), "").await.ok();
    let id = enrolled.text("id");
    service.clock.advance(Duration::from_secs(30));
    for _ in 0..10 {
        give(&service, &session.access(), &id, "000000").await.is_error(
            422,
            "mfa_verification_failed",
            WRONG,
        );
    }
    let right = code(&service, &enrolled, 0);
    let refused = give(&service, &session.access(), &id, &right).await;
    refused.is_error(429, "over_request_rate_limit", "Request rate limit reached");
    assert!(refused.headers.contains_key("retry-after"));
    service.clock.advance(Duration::from_secs(3601));
    let session = service.sign_in("ann@b.co", PASSWORD).await.ok();
    give(&service, &session.access(), &id, &code(&service, &enrolled, 0)).await.ok();
}

#[tokio::test]
async fn concurrent_code_guesses_are_all_counted() {
    let service = TestService::start_with(autoconfirm).await;
    let session = ann(&service).await;
    let enrolled = enroll(&service, &session.access(), "").await.ok();
    let (id, token) = (enrolled.text("id"), session.access());
    let challenge = challenge(&service, &token, &id).await;
    let path = format!("/factors/{id}/verify");
    let right = [-1, 0, 1].map(|steps| code(&service, &enrolled, steps));
    let wrong = (0..100).map(|number| format!("9999{number:02}"));
    let guesses = wrong.filter(|wrong| !right.contains(wrong)).take(30).map(|wrong| {
        let body = json!({"challenge_id": challenge, "code": wrong});
        service.send_as(&token, Method::POST, &path, body)
    });
    let answers = futures_util::future::join_all(guesses).await;
    let looked_at = answers.iter().filter(|answer| answer.status == 422).count();
    assert_eq!(looked_at, 10, "{:?}", answers.iter().map(|a| a.status).collect::<Vec<_>>());
    assert_eq!(answers.iter().filter(|answer| answer.status == 429).count(), 20);
}

#[tokio::test]
async fn rejected_enrollments_give_the_reason() {
    let service = TestService::start_with(|config| {
        autoconfirm(config);
        config.signup.anonymous = true;
        config.factors.max_enrolled = 2;
    })
    .await;
    let session = ann(&service).await;
    let token = session.access();
    let post = |body| service.send_as(&token, Method::POST, "/factors", body);
    let kinds = "factor_type needs to be totp, phone, or webauthn";
    post(json!({})).await.is_error(400, "validation_failed", kinds);
    post(json!({"factor_type": "card"})).await.is_error(400, "validation_failed", kinds);
    let text = "MFA enroll is disabled for Phone";
    let body = json!({"factor_type": "phone", "phone": "+417"});
    post(body).await.is_error(422, "mfa_phone_enroll_not_enabled", text);
    let text = "MFA enroll is disabled for WebAuthn";
    let body = json!({"factor_type": "webauthn"});
    post(body).await.is_error(422, "mfa_webauthn_enroll_not_enabled", text);
    let long = json!({"factor_type": "totp", "friendly_name": "x".repeat(129)});
    assert_eq!(post(long).await.status, 400);

    enroll(&service, &token, "").await.ok();
    enroll(&service, &token, "").await.is_error(
        422,
        "mfa_factor_name_conflict",
        "A factor with the friendly name \"\" for this user already exists",
    );
    enroll(&service, &token, "second").await.ok();
    let third = enroll(&service, &token, "third").await;
    assert_eq!(
        (third.status, third.text("error_code").as_str()),
        (422, "too_many_enrolled_mfa_factors")
    );
    // Abandoned factors make room for new ones.
    service.clock.advance(Duration::from_secs(301));
    enroll(&service, &token, "third").await.ok();

    let anonymous = service.post("/signup", json!({})).await.ok();
    enroll(&service, &anonymous.access(), "").await.is_error(
        403,
        "no_authorization",
        "Anonymous user not allowed to perform these actions",
    );
    service.send_as(&token, Method::POST, "/logout", json!({})).await.ok();
    let gone = "Session from session_id claim in JWT does not exist";
    enroll(&service, &token, "x").await.is_error(403, "session_not_found", gone);
}

#[tokio::test]
async fn disabled_totp_cannot_be_enrolled_or_used() {
    let service = TestService::start_with(|config| {
        autoconfirm(config);
        config.factors.totp_verify = false;
    })
    .await;
    let session = ann(&service).await;
    let id = enroll(&service, &session.access(), "").await.ok().text("id");
    let path = format!("/factors/{id}/challenge");
    let text = "MFA verification is disabled for TOTP";
    let answer = service.send_as(&session.access(), Method::POST, &path, json!({})).await;
    answer.is_error(422, "mfa_totp_verify_not_enabled", text);

    let service = TestService::start_with(|config| {
        autoconfirm(config);
        config.factors.totp_enroll = false;
    })
    .await;
    let session = ann(&service).await;
    let text = "MFA enroll is disabled for TOTP";
    let answer = enroll(&service, &session.access(), "").await;
    answer.is_error(422, "mfa_totp_enroll_not_enabled", text);
}

#[tokio::test]
async fn challenges_expire_can_be_used_once_and_are_bound_to_the_ip_address() {
    let service = TestService::start_with(autoconfirm).await;
    let session = ann(&service).await;
    let token = session.access();
    let enrolled = enroll(&service, &token, "").await.ok();
    let id = enrolled.text("id");
    let path = format!("/factors/{id}/verify");
    let verify = |challenge: &str, code: &str| {
        let body = json!({"challenge_id": challenge, "code": code});
        service.send_as(&token, Method::POST, &path, body)
    };
    let unknown = "MFA factor with the provided challenge ID not found";
    for odd in ["", "x", "7f1bb1ee-3d0f-4b4e-9d7f-0d5a3d2c1b0a"] {
        verify(odd, "123456").await.is_error(422, "mfa_factor_not_found", unknown);
    }
    let first = challenge(&service, &token, &id).await;
    let empty = "Code needs to be non-empty";
    verify(&first, "").await.is_error(400, "validation_failed", empty);

    let moved = service.request(Method::POST, &path).bearer_auth(&token);
    let body = json!({"challenge_id": first, "code": code(&service, &enrolled, 0)});
    let moved = Answer::of(moved.header("X-Forwarded-For", "203.0.113.9").json(&body)).await;
    let text = "Challenge and verify IP addresses mismatch.";
    moved.is_error(422, "mfa_ip_address_mismatch", text);

    service.clock.advance(Duration::from_secs(301));
    let late = verify(&first, &code(&service, &enrolled, 0)).await;
    let text = format!(
        "MFA challenge {first} has expired, verify against another challenge or create a new \
         challenge."
    );
    late.is_error(422, "mfa_challenge_expired", &text);

    let second = challenge(&service, &token, &id).await;
    verify(&second, &code(&service, &enrolled, 0)).await.ok();
    let used = verify(&second, &code(&service, &enrolled, 1)).await;
    used.is_error(422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.");
}

#[tokio::test]
async fn challenges_can_be_allowed_to_change_the_ip_address() {
    let service = TestService::start_with(|config| {
        autoconfirm(config);
        config.factors.same_address = false;
    })
    .await;
    let session = ann(&service).await;
    let enrolled = enroll(&service, &session.access(), "").await.ok();
    let id = enrolled.text("id");
    let challenge = challenge(&service, &session.access(), &id).await;
    let body = json!({"challenge_id": challenge, "code": code(&service, &enrolled, 0)});
    let path = format!("/factors/{id}/verify");
    let request = service.request(Method::POST, &path).bearer_auth(session.access());
    Answer::of(request.header("X-Forwarded-For", "203.0.113.9").json(&body)).await.ok();
}

#[tokio::test]
async fn factors_of_other_users_are_not_found() {
    let service = TestService::start_with(autoconfirm).await;
    let session = ann(&service).await;
    let id = enroll(&service, &session.access(), "").await.ok().text("id");
    let body = json!({"email": "bob@b.co", "password": PASSWORD});
    let bob = service.post("/signup", body).await.ok();
    for factor in [id.as_str(), "7f1bb1ee-3d0f-4b4e-9d7f-0d5a3d2c1b0a"] {
        let path = format!("/factors/{factor}/challenge");
        let answer = service.send_as(&bob.access(), Method::POST, &path, json!({})).await;
        answer.is_error(404, "mfa_factor_not_found", "Factor not found");
        let path = format!("/factors/{factor}");
        let answer = service.send_as(&bob.access(), Method::DELETE, &path, json!({})).await;
        answer.is_error(404, "mfa_factor_not_found", "Factor not found");
    }
    let answer = service.send_as(&bob.access(), Method::DELETE, "/factors/x", json!({})).await;
    answer.is_error(404, "validation_failed", "factor_id must be an UUID");
    let missing = Answer::of(service.request(Method::POST, "/factors")).await;
    assert_eq!(missing.status, 401);
}

#[tokio::test]
async fn removing_a_verified_factor_requires_aal2_and_lowers_the_session() {
    let service = TestService::start_with(autoconfirm).await;
    let session = ann(&service).await;
    let enrolled = enroll(&service, &session.access(), "").await.ok();
    let (id, proof) = (enrolled.text("id"), code(&service, &enrolled, 0));
    let lifted = give(&service, &session.access(), &id, &proof).await.ok();
    let path = format!("/factors/{id}");
    let lesser = service.sign_in("ann@b.co", PASSWORD).await.ok();
    let remove = |token: String| {
        let (service, path) = (&service, path.as_str());
        async move { service.send_as(&token, Method::DELETE, path, json!({})).await }
    };
    let text = "AAL2 required to unenroll verified factor";
    remove(lesser.access()).await.is_error(422, "insufficient_aal", text);
    let text = "AAL2 required to enroll a new factor";
    enroll(&service, &lesser.access(), "x").await.is_error(403, "insufficient_aal", text);
    assert_eq!(remove(lifted.access()).await.ok().body, json!({"id": id}));
    let after = service.refresh(&lifted.refresh()).await.ok();
    let claims = claims(&after.access());
    assert_eq!((&claims["aal"], &claims["amr"][0]["method"]), (&json!("aal1"), &json!("password")));
    assert_eq!(claims["amr"].as_array().map(Vec::len), Some(1));
    assert!(after.body["user"].get("factors").is_none(), "an empty list is omitted");
}

#[tokio::test]
async fn with_mfa_credentials_can_be_changed_only_at_aal2() {
    let service = TestService::start_with(autoconfirm).await;
    let session = ann(&service).await;
    let enrolled = enroll(&service, &session.access(), "").await.ok();
    let proof = code(&service, &enrolled, 0);
    let lifted = give(&service, &session.access(), &enrolled.text("id"), &proof).await.ok();
    let lesser = service.sign_in("ann@b.co", PASSWORD).await.ok();
    for body in [json!({"password": "battery staple"}), json!({"email": "new@b.co"})] {
        let answer = service.send_as(&lesser.access(), Method::PUT, "/user", body).await;
        let text = "AAL2 session is required to update email or password when MFA is enabled.";
        answer.is_error(401, "insufficient_aal", text);
    }
    // An unchanged address requires no second factor.
    let data = json!({"data": {"colour": "blue"}, "email": "ann@b.co"});
    service.send_as(&lesser.access(), Method::PUT, "/user", data).await.ok();
    let password = json!({"password": "battery staple"});
    service.send_as(&lifted.access(), Method::PUT, "/user", password).await.ok();
}

#[tokio::test]
async fn administrators_list_rename_and_remove_factors() {
    let service = TestService::start_with(autoconfirm).await;
    let session = ann(&service).await;
    let enrolled = enroll(&service, &session.access(), "old").await.ok();
    let (id, proof) = (enrolled.text("id"), code(&service, &enrolled, 0));
    let lifted = give(&service, &session.access(), &id, &proof).await.ok();
    enroll(&service, &lifted.access(), "taken").await.ok();
    let user = session.body["user"]["id"].as_str().expect("an id");
    let (list, one) =
        (format!("/admin/users/{user}/factors"), format!("/admin/users/{user}/factors/{id}"));
    let admin = |method, path: String, body| {
        let service = &service;
        async move { service.send_as(&service.admin_token(), method, &path, body).await }
    };
    let factors = admin(Method::GET, list.clone(), json!({})).await.ok();
    assert_eq!(factors.body.as_array().map(Vec::len), Some(2), "a bare list");
    assert!(factors.body[0].get("sealed_secret").is_none());
    let renamed = admin(Method::PUT, one.clone(), json!({"friendly_name": "new"})).await.ok();
    assert_eq!(renamed.text("friendly_name"), "new");
    let taken = admin(Method::PUT, one.clone(), json!({"friendly_name": "taken"})).await;
    assert_eq!(taken.text("error_code"), "mfa_factor_name_conflict");
    assert_eq!(admin(Method::PUT, one.clone(), json!({"phone": "+417"})).await.status, 400);
    assert_eq!(admin(Method::DELETE, one.clone(), json!({})).await.ok().text("id"), id);
    let gone = admin(Method::DELETE, one, json!({})).await;
    gone.is_error(404, "mfa_factor_not_found", "Factor not found");
    assert_eq!(claims(&service.refresh(&lifted.refresh()).await.ok().access())["aal"], "aal1");
    let unknown = "/admin/users/7f1bb1ee-3d0f-4b4e-9d7f-0d5a3d2c1b0a/factors".to_owned();
    admin(Method::GET, unknown, json!({})).await.is_error(404, "user_not_found", "User not found");
    let person = service.get_as(&lifted.access(), &list).await;
    person.is_error(403, "not_admin", "User not allowed");
}

#[tokio::test]
async fn factor_changes_are_notified_by_email_if_enabled() {
    let service = TestService::start_with(|config| {
        autoconfirm(config);
        config.mailer.notifications.insert(MailKind::FactorEnrolled);
        config.mailer.notifications.insert(MailKind::FactorUnenrolled);
    })
    .await;
    let session = ann(&service).await;
    let enrolled = enroll(&service, &session.access(), "").await.ok();
    let (id, proof) = (enrolled.text("id"), code(&service, &enrolled, 0));
    let lifted = give(&service, &session.access(), &id, &proof).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 1).await;
    assert_eq!(mail.subject, "A new MFA factor has been enrolled");
    give(&service, &lifted.access(), &id, &code(&service, &enrolled, 1)).await.ok();
    let path = format!("/factors/{id}");
    service.send_as(&lifted.access(), Method::DELETE, &path, json!({})).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    assert_eq!(
        mail.subject, "An MFA factor has been unenrolled",
        "using the factor again sends no notification"
    );
}

#[tokio::test]
async fn the_database_contains_no_usable_factor_secret() {
    let service = TestService::start_with(autoconfirm).await;
    let session = ann(&service).await;
    let enrolled = enroll(&service, &session.access(), "").await.ok();
    let told = enrolled.body["totp"]["secret"].as_str().expect("a secret");
    let secret = Secret::try_from_base32(told).expect("base32");
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    let (sealed, whole): (Vec<u8>, String) =
        sqlx::query_as("SELECT sealed_secret, factors::text FROM factors")
            .fetch_one(&pool)
            .await
            .expect("the factor exists");
    assert!(!sealed.windows(20).any(|part| part == secret.as_bytes()));
    assert!(!whole.contains(told));
}
