//! `GET /reauthenticate` and the code it sends.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, TestService};

const DAY: Duration = Duration::from_secs(86_400);

async fn strict() -> TestService {
    TestService::start_with(|config| {
        config.sessions.password_change_needs_nonce = true;
        config.jwt.lifetime = DAY * 30;
    })
    .await
}

async fn put(service: &TestService, token: &str, body: Value) -> Answer {
    service.send_as(token, Method::PUT, "/user", body).await
}

#[tokio::test]
async fn a_day_after_sign_in_a_new_password_needs_the_emailed_code() {
    let service = strict().await;
    let token = service.confirmed("ann@b.co").await.access();
    put(&service, &token, json!({"password": "battery staple"})).await.ok();
    service.clock.advance(DAY);
    let next = |nonce: Option<&str>| {
        put(&service, &token, json!({"password": "third one", "nonce": nonce}))
    };
    let message = "Password update requires reauthentication";
    next(None).await.is_error(400, "reauthentication_needed", message);
    let invalid = "Nonce has expired or is invalid";
    next(Some("000000")).await.is_error(422, "reauthentication_not_valid", invalid);
    assert_eq!(service.get_as(&token, "/reauthenticate").await.ok().body, json!({}));
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    assert_eq!(mail.subject, "Confirm reauthentication");
    let code = mail.text.split("code: ").nth(1).expect("a code")[..6].to_owned();
    let wrong = if code == "000000" { "000001" } else { "000000" };
    next(Some(wrong)).await.is_error(422, "reauthentication_not_valid", invalid);
    let body = json!({"type": "email", "email": "ann@b.co", "token": code});
    assert_eq!(service.post("/verify", body).await.status, 403, "the code signs nobody in");
    next(Some(&code)).await.ok();
    service.sign_in("ann@b.co", "third one").await.ok();
    let again = put(&service, &token, json!({"password": "fourth one", "nonce": code})).await;
    again.is_error(422, "reauthentication_not_valid", invalid);
}

#[tokio::test]
async fn the_code_allows_ten_guesses_and_is_sent_once_a_minute() {
    let service = TestService::start_with(|config| {
        config.sessions.password_change_needs_nonce = true;
        config.sessions.reauthentication_max_age = Duration::ZERO;
    })
    .await;
    let token = service.confirmed("ann@b.co").await.access();
    service.get_as(&token, "/reauthenticate").await.ok();
    let again = service.get_as(&token, "/reauthenticate").await;
    assert_eq!(again.text("error_code"), "over_email_send_rate_limit");
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    let code = mail.text.split("code: ").nth(1).expect("a code")[..6].to_owned();
    let wrong = if code == "000000" { "000001" } else { "000000" };
    let guess = |nonce| put(&service, &token, json!({"password": "third one", "nonce": nonce}));
    for _ in 0..10 {
        assert_eq!(guess(wrong).await.text("error_code"), "reauthentication_not_valid");
    }
    assert_eq!(guess(&code).await.text("error_code"), "over_request_rate_limit");
    service.sign_in("ann@b.co", PASSWORD).await.ok();
    service.clock.advance(Duration::from_secs(61));
    let user = service.get_as(&token, "/user").await.ok();
    assert!(user.body["reauthentication_sent_at"].is_string());
    service.get_as(&token, "/reauthenticate").await.ok();
    assert_eq!(service.count_mails("ann@b.co").await, 3);
}

#[tokio::test]
async fn reauthentication_requires_an_email_or_phone() {
    let service = TestService::start_with(|config| config.signup.anonymous = true).await;
    let token = service.post("/signup", json!({})).await.ok().access();
    let message = "Reauthentication requires the user to have an email or a phone number";
    let answer = service.get_as(&token, "/reauthenticate").await;
    answer.is_error(400, "validation_failed", message);
    let body = json!({"email": "ann@b.co"});
    let id = service.post("/admin/users", body.clone()).await.status;
    assert_eq!(id, 401);
    let made = service.send_as(&service.admin_token(), Method::POST, "/admin/users", body).await;
    let claims = json!({"sub": made.ok().text("id"), "role": "x"});
    let unconfirmed = service.get_as(&service.token(&claims), "/reauthenticate").await;
    unconfirmed.is_error(422, "email_not_confirmed", "Please verify your email first.");
}
