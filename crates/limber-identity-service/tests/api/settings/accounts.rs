//! Settings of sign-up, passwords and second factors.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, TestService};

#[tokio::test]
async fn email_can_be_disabled_everywhere() {
    let service = TestService::start_from(&[("EXTERNAL_EMAIL_ENABLED", "false")]).await;
    let logins = "Email logins are disabled";
    let body = json!({"type": "signup", "email": "ann@b.co", "password": PASSWORD});
    for (path, status, message) in [
        ("/signup", 400, "Email signups are disabled"),
        ("/token?grant_type=password", 422, logins),
        ("/recover", 400, logins),
        ("/resend", 400, logins),
        ("/magiclink", 422, logins),
        ("/otp", 422, logins),
    ] {
        let answer = service.post(path, body.clone()).await;
        answer.is_error(status, "email_provider_disabled", message);
    }
    let settings = Answer::of(service.request(Method::GET, "/settings")).await.ok();
    assert_eq!(settings.body["external"]["email"], false);
    // A code sent earlier does not help: codes are not a separate way to sign in.
    let body = json!({"type": "signup", "email": "ann@b.co", "token": "123456"});
    assert_eq!(service.post("/verify", body).await.text("error_code"), "otp_expired");
}

#[tokio::test]
async fn sign_up_settings_control_who_can_create_accounts() {
    let open = TestService::start_from(&[
        ("EXTERNAL_ANONYMOUS_USERS_ENABLED", "true"),
        ("MAILER_AUTOCONFIRM", "true"),
        ("EXTERNAL_EMAIL_MAGIC_LINK_ENABLED", "false"),
    ])
    .await;
    assert_eq!(open.post("/signup", json!({})).await.ok().body["user"]["is_anonymous"], true);
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    open.post("/signup", body.clone()).await.ok().access();
    let refused = open.post("/magiclink", json!({"email": "ann@b.co"})).await;
    refused.is_error(422, "email_provider_disabled", "Login with magic link is disabled");
    let settings = Answer::of(open.request(Method::GET, "/settings")).await.ok().body;
    assert_eq!(settings["external"]["anonymous_users"], true);
    assert_eq!(
        (&settings["autoconfirm"], &settings["disable_signup"]),
        (&json!(true), &json!(false))
    );

    let closed = TestService::start_from(&[
        ("DISABLE_SIGNUP", "true"),
        ("EXTERNAL_ANONYMOUS_USERS_ENABLED", "true"),
    ])
    .await;
    let message = "Signups not allowed for this instance";
    for body in [body, json!({})] {
        closed.post("/signup", body).await.is_error(422, "signup_disabled", message);
    }
    let invite = json!({"email": "bob@b.co"});
    closed.send_as(&closed.admin_token(), Method::POST, "/invite", invite).await.ok();
    let settings = Answer::of(closed.request(Method::GET, "/settings")).await.ok().body;
    assert_eq!(settings["disable_signup"], true);
}

#[tokio::test]
async fn password_rules_follow_the_settings() {
    let service = TestService::start_from(&[
        ("MAILER_AUTOCONFIRM", "true"),
        ("PASSWORD_MIN_LENGTH", "8"),
        ("PASSWORD_REQUIRED_CHARACTERS", "abcdefgh:01234:\\:;"),
        ("PASSWORD_PARALLEL_HASHES", "1"),
    ])
    .await;
    let sign_up = |password: &'static str| {
        service.post("/signup", json!({"email": "ann@b.co", "password": password}))
    };
    let weak = sign_up("ab0").await;
    let message = "Password should be at least 8 characters. Password should contain at least \
                   one character of each: abcdefgh, 01234, :;.";
    assert_eq!((weak.status, weak.text("msg").as_str()), (422, message));
    assert_eq!(weak.body["weak_password"]["reasons"], json!(["length", "characters"]));
    let weak = sign_up("abcdefg0").await;
    assert_eq!(weak.body["weak_password"]["reasons"], json!(["characters"]));
    sign_up("abcdef0:").await.ok();
}

#[tokio::test]
async fn password_changes_require_what_the_settings_demand() {
    let service = TestService::start_from(&[
        ("MAILER_AUTOCONFIRM", "true"),
        ("SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD", "true"),
        ("SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION", "true"),
        ("SECURITY_REAUTHENTICATION_MAX_AGE", "10m"),
    ])
    .await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let token = service.post("/signup", body).await.ok().access();
    let put = |body: Value| service.send_as(&token, Method::PUT, "/user", body);
    let missing = put(json!({"password": "battery staple"})).await;
    assert_eq!(missing.text("error_code"), "current_password_required");
    put(json!({"password": "battery staple", "current_password": PASSWORD})).await.ok();
    service.clock.advance(Duration::from_secs(601));
    let body = json!({"password": "third one", "current_password": "battery staple"});
    assert_eq!(put(body).await.text("error_code"), "reauthentication_needed");
}

async fn factor(service: &TestService, token: &str, body: Value) -> Answer {
    service.send_as(token, Method::POST, "/factors", body).await
}

#[tokio::test]
async fn second_factor_limits_follow_the_settings() {
    let service = TestService::start_from(&[
        ("MAILER_AUTOCONFIRM", "true"),
        ("MFA_MAX_ENROLLED_FACTORS", "1"),
        ("MFA_CHALLENGE_EXPIRY_DURATION", "10"),
        ("MFA_FACTOR_EXPIRY_DURATION", "20m"),
        ("MFA_PHONE_ENROLL_ENABLED", "true"),
        ("MFA_PHONE_VERIFY_ENABLED", "false"),
        ("SMS_TEST_OTP", "41791234567:123456"),
    ])
    .await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let token = service.post("/signup", body).await.ok().access();
    let phone = json!({"factor_type": "phone", "phone": "+41791234567", "friendly_name": "p"});
    let id = factor(&service, &token, phone).await.ok().text("id");
    let path = format!("/factors/{id}/challenge");
    let answer = service.send_as(&token, Method::POST, &path, json!({})).await;
    let message = "MFA verification is disabled for Phone";
    answer.is_error(422, "mfa_phone_verify_not_enabled", message);
    let app = || factor(&service, &token, json!({"factor_type": "totp", "friendly_name": "a"}));
    service.clock.advance(Duration::from_secs(19 * 60));
    app().await.is_error(
        422,
        "too_many_enrolled_mfa_factors",
        "Maximum number of verified factors reached, unenroll to continue",
    );
    service.clock.advance(Duration::from_secs(61));
    let id = app().await.ok().text("id");
    let path = format!("/factors/{id}/challenge");
    let challenge = service.send_as(&token, Method::POST, &path, json!({})).await.ok().text("id");
    service.clock.advance(Duration::from_secs(11));
    let body = json!({"challenge_id": challenge, "code": "123456"});
    let path = format!("/factors/{id}/verify");
    let late = service.send_as(&token, Method::POST, &path, body).await;
    assert_eq!(late.text("error_code"), "mfa_challenge_expired");
}

#[tokio::test]
async fn second_factors_can_be_disabled_by_kind() {
    let service = TestService::start_from(&[
        ("MAILER_AUTOCONFIRM", "true"),
        ("MFA_TOTP_ENROLL_ENABLED", "false"),
        ("MFA_TOTP_VERIFY_ENABLED", "false"),
        ("MFA_PHONE_ENROLL_ENABLED", "false"),
        ("MFA_WEB_AUTHN_ENROLL_ENABLED", "false"),
        ("MFA_WEB_AUTHN_VERIFY_ENABLED", "false"),
        ("MFA_SAME_ADDRESS_REQUIRED", "false"),
    ])
    .await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let token = service.post("/signup", body).await.ok().access();
    for (kind, code, message) in [
        ("totp", "mfa_totp_enroll_not_enabled", "MFA enroll is disabled for TOTP"),
        ("phone", "mfa_phone_enroll_not_enabled", "MFA enroll is disabled for Phone"),
        ("webauthn", "mfa_webauthn_enroll_not_enabled", "MFA enroll is disabled for WebAuthn"),
    ] {
        let answer = factor(&service, &token, json!({"factor_type": kind, "phone": "+4179"})).await;
        answer.is_error(422, code, message);
    }
}
