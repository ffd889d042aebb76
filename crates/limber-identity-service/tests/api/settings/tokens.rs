//! Settings of access tokens and sessions.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, TestService};
use crate::token::claims;

fn header(token: &str) -> Value {
    let first = token.split('.').next().expect("three parts");
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(first).expect("base64url")).expect("JSON")
}

async fn ann(service: &TestService) -> Answer {
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    service.post("/signup", body).await.ok()
}

#[tokio::test]
async fn access_token_claims_and_lifetime_follow_the_settings() {
    let service = TestService::start_from(&[
        ("MAILER_AUTOCONFIRM", "true"),
        ("JWT_EXP", "2m"),
        ("JWT_AUD", "studio"),
        ("JWT_ISSUER", "https://issuer.example"),
        ("JWT_KEY_ID", "the-secret"),
        ("JWT_DEFAULT_GROUP_NAME", "animator"),
        ("JWT_ADMIN_ROLES", "boss, service_role_2"),
    ])
    .await;
    let session = ann(&service).await;
    let token = session.access();
    assert_eq!(header(&token), json!({"alg": "HS256", "typ": "JWT", "kid": "the-secret"}));
    let claims = claims(&token);
    for (name, value) in
        [("aud", "studio"), ("iss", "https://issuer.example"), ("role", "animator")]
    {
        assert_eq!(claims[name], value);
    }
    assert_eq!(session.body["expires_in"], 120);
    assert_eq!(claims["exp"].as_i64().zip(claims["iat"].as_i64()).map(|(e, i)| e - i), Some(120));
    service.get_as(&token, "/user").await.ok();
    service.clock.advance(Duration::from_secs(121));
    let late = service.get_as(&token, "/user").await;
    let message = "invalid JWT: unable to parse or verify signature, token has invalid claims: \
                   token is expired";
    late.is_error(403, "bad_jwt", message);
    for (role, status) in [("boss", 200), ("service_role_2", 200), ("service_role", 403)] {
        let token = service.token(&json!({"role": role}));
        assert_eq!(service.get_as(&token, "/admin/users").await.status, status, "{role}");
        let body = json!({"email": format!("{role}@b.co")});
        let invited = service.send_as(&token, Method::POST, "/invite", body).await;
        assert_eq!(invited.status, status, "{role}");
    }
}

#[tokio::test]
async fn the_refresh_token_reuse_interval_follows_the_setting() {
    let service = TestService::start_from(&[
        ("MAILER_AUTOCONFIRM", "true"),
        ("SECURITY_REFRESH_TOKEN_ROTATION_ENABLED", "true"),
        ("SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", "40"),
        ("SECURITY_ACCESS_TOKEN_REQUIRE_SESSION", "true"),
    ])
    .await;
    let first = ann(&service).await;
    let second = service.refresh(&first.refresh()).await.ok();
    service.clock.advance(Duration::from_secs(35));
    assert_eq!(service.refresh(&first.refresh()).await.ok().refresh(), second.refresh());
    service.clock.advance(Duration::from_secs(10));
    for token in [first.refresh(), second.refresh()] {
        let used = "Invalid Refresh Token: Already Used";
        service.refresh(&token).await.is_error(400, "refresh_token_already_used", used);
    }
}

#[tokio::test]
async fn session_limits_follow_the_settings() {
    let service = TestService::start_from(&[
        ("MAILER_AUTOCONFIRM", "true"),
        ("SESSIONS_TIMEBOX", "3h"),
        ("SESSIONS_INACTIVITY_TIMEOUT", "1h"),
        ("SESSIONS_SINGLE_PER_USER", "true"),
    ])
    .await;
    let hour = Duration::from_secs(3600);
    let expired = |answer: Answer, why: &str| {
        let message = format!("Invalid Refresh Token: Session Expired{why}");
        answer.is_error(400, "session_expired", &message);
    };
    let old = ann(&service).await;
    service.clock.advance(Duration::from_secs(1));
    let mut new = service.sign_in("ann@b.co", PASSWORD).await.ok();
    expired(service.refresh(&old.refresh()).await, " (Revoked by Newer Login)");
    for _ in 0..3 {
        service.clock.advance(hour - Duration::from_secs(10));
        new = service.refresh(&new.refresh()).await.ok();
    }
    service.clock.advance(Duration::from_secs(60));
    expired(service.refresh(&new.refresh()).await, "");
    let silent = service.sign_in("ann@b.co", PASSWORD).await.ok();
    service.clock.advance(hour + Duration::from_secs(1));
    expired(service.refresh(&silent.refresh()).await, " (Inactivity)");
}

#[tokio::test]
async fn without_rotation_reuse_is_rejected_but_ends_no_session() {
    let service = TestService::start_from(&[
        ("MAILER_AUTOCONFIRM", "true"),
        ("SECURITY_REFRESH_TOKEN_ROTATION_ENABLED", "false"),
    ])
    .await;
    let first = ann(&service).await;
    let second = service.refresh(&first.refresh()).await.ok();
    service.clock.advance(Duration::from_secs(11));
    assert_eq!(service.refresh(&first.refresh()).await.status, 400);
    service.refresh(&second.refresh()).await.ok();
}

#[tokio::test]
async fn every_kind_of_key_signs_and_the_secret_still_verifies() {
    let oct = json!([{"kty": "oct", "kid": "own", "alg": "HS256", "key_ops": ["sign", "verify"],
        "k": URL_SAFE_NO_PAD.encode("a key of thirty-two bytes or more")}]);
    let service =
        TestService::start_from(&[("MAILER_AUTOCONFIRM", "true"), ("JWT_KEYS", &oct.to_string())])
            .await;
    let token = ann(&service).await.access();
    assert_eq!(header(&token), json!({"alg": "HS256", "typ": "JWT", "kid": "own"}));
    service.get_as(&token, "/user").await.ok();
    // Issued by an operator with JWT_SECRET, which has no `kid`.
    service.get_as(&service.admin_token(), "/admin/users").await.ok();
    let set = Answer::of(service.request(Method::GET, "/.well-known/jwks.json")).await.ok();
    assert_eq!(set.body, json!({"keys": []}), "symmetric keys are never shown");
}
