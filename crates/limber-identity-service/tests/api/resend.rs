//! `POST /resend`.

use std::time::Duration;

use serde_json::{Value, json};

use crate::service::{PASSWORD, TestService};

#[tokio::test]
async fn a_confirmation_comes_again_and_the_newer_code_alone_counts() {
    let service = TestService::start().await;
    service.post("/signup", json!({"email": "ann@b.co", "password": PASSWORD})).await.ok();
    let first = service.mailbox.nth("ann@b.co", 1).await;
    let resend = || service.post("/resend", json!({"type": "signup", "email": "ann@b.co"}));
    assert_eq!(resend().await.status, 429);
    service.clock.advance(Duration::from_secs(901));
    assert!(!resend().await.ok().text("message_id").is_empty());
    let second = service.mailbox.nth("ann@b.co", 2).await;
    let verify =
        |token: String| service.post("/verify", json!({"type": "signup", "token_hash": token}));
    assert_eq!(verify(first.parameter("token")).await.status, 403);
    verify(second.parameter("token")).await.ok();
}

#[tokio::test]
async fn unknown_and_confirmed_addresses_get_the_same_answer_and_no_mail() {
    let service = TestService::start().await;
    service.confirmed("known@b.co").await;
    for (email, mails) in [("known@b.co", 1), ("unknown@b.co", 0)] {
        let body = json!({"type": "signup", "email": email});
        let answer = service.post("/resend", body).await.ok();
        assert!(!answer.text("message_id").is_empty());
        assert_eq!(answer.body.as_object().expect("an object").len(), 1);
        assert_eq!(service.mailbox.count(email).await, mails, "{email}");
    }
}

#[tokio::test]
async fn wrong_requests_get_their_exact_error() {
    let service = TestService::start().await;
    let cases: &[(Value, &str)] = &[
        (
            json!({"email": "a@b.co"}),
            "Missing one of these types: signup, email_change, sms, phone_change",
        ),
        (json!({"type": "signup", "phone": "417"}), "Type provided requires an email address"),
        (json!({"type": "sms", "email": "a@b.co"}), "Type provided requires a phone number"),
        (
            json!({"type": "sms", "email": "a@b.co", "phone": "417"}),
            "Only an email address or phone number should be provided.",
        ),
        (json!({"type": "signup"}), "Missing email address or phone number"),
    ];
    for (body, message) in cases {
        let answer = service.post("/resend", body.clone()).await;
        answer.is_error(400, "validation_failed", message);
    }
    let body = json!({"type": "sms", "phone": "+41791234567"});
    let message = "Phone logins are disabled";
    service.post("/resend", body).await.is_error(400, "phone_provider_disabled", message);
}
