//! `POST /recover`.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::service::TestService;
use crate::verify::open;

#[tokio::test]
async fn forgotten_passwords_are_reset_through_the_emailed_link() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let answer = service.post("/recover", json!({"email": "Ann@b.co"})).await.ok();
    assert_eq!(answer.body, json!({}));
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    assert_eq!(
        (mail.subject.as_str(), mail.parameter("type").as_str()),
        ("Reset Your Password", "recovery")
    );
    let (_, pairs) = open(&service, mail.link()).await;
    assert_eq!(pairs["type"], "recovery");
    let body = json!({"password": "battery staple"});
    service.send_as(&pairs["access_token"], Method::PUT, "/user", body).await.ok();
    service.sign_in("ann@b.co", "battery staple").await.ok();
}

#[tokio::test]
async fn known_and_unknown_addresses_cannot_be_told_apart() {
    let service = TestService::start().await;
    service.confirmed("known@b.co").await;
    for email in ["known@b.co", "unknown@b.co"] {
        let ask = || service.post("/recover", json!({"email": email}));
        assert_eq!(ask().await.ok().body, json!({}));
        let again = ask().await;
        assert_eq!(
            (again.status, again.text("error_code").as_str()),
            (429, "over_email_send_rate_limit")
        );
        service.clock.advance(Duration::from_secs(61));
        ask().await.ok();
    }
    assert_eq!(service.count_mails("unknown@b.co").await, 0);
}

#[tokio::test]
async fn wrong_requests_get_their_exact_error() {
    let service = TestService::start().await;
    let message = "Password recovery requires an email";
    service.post("/recover", json!({})).await.is_error(400, "validation_failed", message);
    let message = "Unable to validate email address: invalid format";
    let bad = json!({"email": "a"});
    service.post("/recover", bad).await.is_error(400, "validation_failed", message);
    let closed = TestService::start_with(|config| config.signup.email = false).await;
    let body = json!({"email": "a@b.co"});
    let message = "Email logins are disabled";
    closed.post("/recover", body).await.is_error(400, "email_provider_disabled", message);
}
