//! `POST /token`: passwords, refresh tokens, PKCE codes.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use limber_identity_service::Config;
use reqwest::Method;
use serde_json::{Value, json};

use crate::concurrency::exchange;
use crate::service::{Answer, PASSWORD, TestService};

pub(crate) fn claims(token: &str) -> Value {
    let payload = token.split('.').nth(1).expect("three parts");
    let bytes = URL_SAFE_NO_PAD.decode(payload).expect("base64url");
    serde_json::from_slice(&bytes).expect("JSON")
}

fn autoconfirm(config: &mut Config) {
    config.mailer.autoconfirm = true;
}

/// Signs up an account whose address needs no confirmation.
async fn ann(service: &TestService) -> Answer {
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    service.post("/signup", body).await.ok()
}

#[tokio::test]
async fn a_session_carries_the_claims_the_specification_lists() {
    let service = TestService::start_with(|config| {
        autoconfirm(config);
        config.jwt.audience = "authenticated".into();
        config.jwt.default_role = "authenticated".into();
    })
    .await;
    ann(&service).await;
    let session = service.sign_in("ANN@b.co", PASSWORD).await.ok();
    assert_eq!(
        (session.text("token_type").as_str(), &session.body["expires_in"]),
        ("bearer", &json!(3600))
    );
    let claims = claims(&session.access());
    assert_eq!(claims["sub"], session.body["user"]["id"]);
    assert_eq!(
        (&claims["aud"], &claims["role"]),
        (&json!("authenticated"), &json!("authenticated"))
    );
    assert_eq!((&claims["email"], &claims["phone"]), (&json!("ann@b.co"), &json!("")));
    assert_eq!((&claims["aal"], &claims["amr"][0]["method"]), (&json!("aal1"), &json!("password")));
    assert_eq!(claims["is_anonymous"], false);
    assert_eq!(claims["exp"], session.body["expires_at"]);
    assert_eq!(claims["iss"], service.base.as_str().trim_end_matches('/'));
    for name in ["iat", "session_id", "app_metadata", "user_metadata"] {
        assert!(!claims[name].is_null(), "{name}");
    }
    service.get_as(&session.access(), "/user").await.ok();
}

#[tokio::test]
async fn unknown_address_and_wrong_password_look_alike() {
    let service = TestService::start_with(autoconfirm).await;
    ann(&service).await;
    for email in ["ann@b.co", "nobody@b.co", "no address"] {
        let answer = service.sign_in(email, "wrong").await;
        answer.is_error(400, "invalid_credentials", "Invalid login credentials");
    }
}

#[tokio::test]
async fn incomplete_and_unknown_grants_get_their_exact_error() {
    let service = TestService::start().await;
    let grant = |body| service.post("/token?grant_type=password", body);
    grant(json!({"password": "x"})).await.is_error(
        400,
        "validation_failed",
        "missing email or phone",
    );
    grant(json!({"email": "a@b.co", "phone": "417", "password": "x"})).await.is_error(
        400,
        "validation_failed",
        "Only an email address or phone number should be provided on login.",
    );
    grant(json!({"phone": "417", "password": "x"})).await.is_error(
        422,
        "phone_provider_disabled",
        "Phone logins are disabled",
    );
    for path in ["/token", "/token?grant_type=magic"] {
        let message = "unsupported_grant_type";
        service.post(path, json!({})).await.is_error(400, "invalid_credentials", message);
    }
    let message = "Web3 provider is disabled";
    service.post("/token?grant_type=web3", json!({})).await.is_error(
        422,
        "web3_provider_disabled",
        message,
    );
}

#[tokio::test]
async fn a_weak_old_password_still_signs_in_with_a_warning() {
    let service = TestService::start_with(|config| {
        autoconfirm(config);
        config.passwords.min_length = 20;
    })
    .await;
    let body = json!({"email": "old@b.co", "password": "short", "email_confirm": true});
    service.send_as(&service.admin_token(), Method::POST, "/admin/users", body).await.ok();
    let session = service.sign_in("old@b.co", "short").await.ok();
    assert_eq!(session.body["weak_password"]["reasons"], json!(["length"]));
}

#[tokio::test]
async fn an_exchange_retires_the_token_and_keeps_the_session() {
    let service = TestService::start_with(autoconfirm).await;
    let first = ann(&service).await;
    let second = service.refresh(&first.refresh()).await.ok();
    assert_ne!(first.refresh(), second.refresh());
    let (before, after) = (claims(&first.access()), claims(&second.access()));
    assert_eq!(before["session_id"], after["session_id"]);
    assert_eq!(before["amr"], after["amr"]);
    service.refresh(&second.refresh()).await.ok();
}

#[tokio::test]
async fn a_lost_answer_can_be_asked_for_again_within_the_interval() {
    let service = TestService::start_with(autoconfirm).await;
    let first = ann(&service).await;
    let second = service.refresh(&first.refresh()).await.ok();
    service.clock.advance(Duration::from_secs(8));
    let again = service.refresh(&first.refresh()).await.ok();
    assert_eq!(again.refresh(), second.refresh(), "the same child, not a new one");
    service.refresh(&second.refresh()).await.ok();
}

const USED: (u16, &str, &str) =
    (400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");

#[tokio::test]
async fn the_parent_after_the_interval_ends_the_whole_family() {
    let service = TestService::start_with(autoconfirm).await;
    let first = ann(&service).await;
    let second = service.refresh(&first.refresh()).await.ok();
    service.clock.advance(Duration::from_secs(12));
    for token in [first.refresh(), second.refresh(), first.refresh()] {
        service.refresh(&token).await.is_error(USED.0, USED.1, USED.2);
    }
    service.get_as(&second.access(), "/user").await.ok();
    service.sign_in("ann@b.co", PASSWORD).await.ok();
}

#[tokio::test]
async fn an_older_ancestor_ends_the_family_even_within_the_interval() {
    let service = TestService::start_with(autoconfirm).await;
    let first = ann(&service).await;
    let second = service.refresh(&first.refresh()).await.ok();
    let third = service.refresh(&second.refresh()).await.ok();
    for token in [first.refresh(), third.refresh()] {
        service.refresh(&token).await.is_error(USED.0, USED.1, USED.2);
    }
}

#[tokio::test]
async fn with_rotation_off_reuse_is_refused_but_the_family_lives() {
    let service = TestService::start_with(|config| {
        autoconfirm(config);
        config.sessions.end_on_reuse = false;
    })
    .await;
    let first = ann(&service).await;
    let second = service.refresh(&first.refresh()).await.ok();
    service.clock.advance(Duration::from_secs(12));
    service.refresh(&first.refresh()).await.is_error(USED.0, USED.1, USED.2);
    service.refresh(&second.refresh()).await.ok();
}

#[tokio::test]
async fn parallel_exchanges_of_one_token_give_one_child() {
    let service = TestService::start_with(autoconfirm).await;
    let token = ann(&service).await.refresh();
    let asking = (0..12).map(|_| exchange(&service, &token));
    let answers = futures_util::future::join_all(asking).await;
    let mut children: Vec<String> = answers.into_iter().map(|a| a.ok().refresh()).collect();
    children.sort();
    children.dedup();
    assert_eq!(children.len(), 1);
    service.refresh(&children[0]).await.ok();
}

#[tokio::test]
async fn what_is_no_refresh_token_is_told_apart_from_what_is_unknown() {
    let service = TestService::start().await;
    for short in ["", "short"] {
        let message = "Refresh token is not valid";
        service.refresh(short).await.is_error(400, "validation_failed", message);
    }
    for unknown in ["abcdefghijkl".to_owned(), "A".repeat(43)] {
        let message = "Invalid Refresh Token: Refresh Token Not Found";
        service.refresh(&unknown).await.is_error(400, "refresh_token_not_found", message);
    }
}

#[tokio::test]
async fn sessions_end_by_age_by_silence_and_by_a_newer_one_where_the_operator_says_so() {
    let hour = Duration::from_secs(3600);
    let service = TestService::start_with(|config| {
        autoconfirm(config);
        config.sessions.timebox = Some(hour * 3);
        config.sessions.inactivity = Some(hour);
        config.sessions.single_per_account = true;
    })
    .await;
    let old = ann(&service).await;
    service.clock.advance(Duration::from_secs(1));
    let new = service.sign_in("ann@b.co", PASSWORD).await.ok();
    service.refresh(&old.refresh()).await.is_error(
        400,
        "session_expired",
        "Invalid Refresh Token: Session Expired (Revoked by Newer Login)",
    );
    service.clock.advance(hour * 2);
    service.refresh(&new.refresh()).await.is_error(
        400,
        "session_expired",
        "Invalid Refresh Token: Session Expired (Inactivity)",
    );
    service.clock.advance(hour);
    service.refresh(&new.refresh()).await.is_error(
        400,
        "session_expired",
        "Invalid Refresh Token: Session Expired",
    );
}

#[tokio::test]
async fn a_link_asked_for_with_a_challenge_gives_a_code_for_the_verifier() {
    // The example from RFC 7636, appendix B.
    let (verifier, challenge) = (
        "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    );
    let service = TestService::start().await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD,
        "code_challenge": challenge, "code_challenge_method": "s256"});
    service.post("/signup", body).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 1).await;
    assert!(mail.parameter("token").starts_with("pkce_"));
    let path = mail.link().trim_start_matches(service.base.as_str().trim_end_matches('/'));
    let answer = Answer::of(service.request(Method::GET, path)).await;
    let location = answer.headers["location"].to_str().expect("text").to_owned();
    let code = location.split_once("?code=").expect("a code in the query").1.to_owned();
    let exchange = |code: &str, verifier: &str| {
        let body = json!({"auth_code": code, "code_verifier": verifier});
        service.post("/token?grant_type=pkce", body)
    };
    exchange(&code, "").await.is_error(
        400,
        "validation_failed",
        "invalid request: both auth code and code verifier should be non-empty",
    );
    exchange(&code, "wrong").await.is_error(
        400,
        "bad_code_verifier",
        "code challenge does not match previously saved code verifier",
    );
    let session = exchange(&code, verifier).await.ok();
    assert_eq!(claims(&session.access())["amr"][0]["method"], "email/signup");
    exchange(&code, verifier).await.is_error(
        404,
        "flow_state_not_found",
        "invalid flow state, no valid flow state found",
    );
}
