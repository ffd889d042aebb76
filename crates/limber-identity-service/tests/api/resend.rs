//! `POST /resend`.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{PASSWORD, TestService};

#[tokio::test]
async fn confirmations_are_resent_and_only_the_newest_code_works() {
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
        assert_eq!(service.count_mails(email).await, mails, "{email}");
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

#[tokio::test]
async fn both_email_change_confirmations_are_resent_and_invalidate_older_codes() {
    let service = TestService::start().await;
    let token = service.confirmed("old@b.co").await.access();
    let body = json!({"email": "new@b.co"});
    service.send_as(&token, Method::PUT, "/user", body).await.ok();
    let first = service.mailbox.nth("new@b.co", 1).await;
    let resend = || service.post("/resend", json!({"type": "email_change", "email": "old@b.co"}));
    assert_eq!(resend().await.status, 429);
    service.clock.advance(Duration::from_secs(61));
    resend().await.ok();
    let to_new = service.mailbox.nth("new@b.co", 2).await;
    let to_old = service.mailbox.nth("old@b.co", 3).await;
    let verify = |email: &str, code: String| {
        service.post("/verify", json!({"type": "email_change", "email": email, "token": code}))
    };
    assert_eq!(verify("new@b.co", first.code()).await.status, 403);
    verify("old@b.co", to_old.code()).await.ok();
    assert_eq!(verify("new@b.co", to_new.code()).await.ok().body["user"]["email"], "new@b.co");
}

#[tokio::test]
async fn resend_does_not_reveal_pending_changes() {
    let service = TestService::start().await;
    let token = service.confirmed("old@b.co").await.access();
    service.confirmed("still@b.co").await;
    service.send_as(&token, Method::PUT, "/user", json!({"email": "new@b.co"})).await.ok();
    service.clock.advance(Duration::from_secs(61));
    for email in ["old@b.co", "still@b.co", "unknown@b.co"] {
        for status in [200, 429] {
            let body = json!({"type": "email_change", "email": email});
            assert_eq!(service.post("/resend", body).await.status, status, "{email}");
        }
    }
    assert_eq!(service.count_mails("unknown@b.co").await, 0);
    assert_eq!(service.count_mails("still@b.co").await, 1);
}

#[tokio::test]
async fn a_resent_email_change_does_not_undo_the_confirmed_half() {
    for (first, second) in [("new@b.co", "old@b.co"), ("old@b.co", "new@b.co")] {
        let service = TestService::start().await;
        let token = service.confirmed("old@b.co").await.access();
        service.send_as(&token, Method::PUT, "/user", json!({"email": "new@b.co"})).await.ok();
        let to_old = service.mailbox.nth("old@b.co", 2).await;
        let to_new = service.mailbox.nth("new@b.co", 1).await;
        let confirm = |email: &str| {
            let mail = if email == "old@b.co" { &to_old } else { &to_new };
            let body = json!({"type": "email_change", "token_hash": mail.parameter("token")});
            service.post("/verify", body)
        };
        assert!(confirm(first).await.ok().body.get("user").is_none());
        let before = (service.count_mails(first).await, service.count_mails(second).await);
        let body = json!({"type": "email_change", "email": "old@b.co"});
        service.clock.advance(Duration::from_secs(61));
        service.post_from("192.0.2.9", "/resend", body).await.ok();
        let after = (service.count_mails(first).await, service.count_mails(second).await);
        assert_eq!(after, (before.0, before.1 + 1), "{first}");
        assert_eq!(confirm(second).await.ok().body["user"]["email"], "new@b.co", "{first}");
    }
}

#[tokio::test]
async fn an_expired_half_of_an_email_change_does_not_count_as_confirmed() {
    let service = TestService::start().await;
    let token = service.confirmed("old@b.co").await.access();
    service.send_as(&token, Method::PUT, "/user", json!({"email": "new@b.co"})).await.ok();
    // As if the cleanup had deleted only the first of the two expired codes.
    let pool = sqlx::PgPool::connect(service.database.url()).await.expect("the test's database");
    let sql = "DELETE FROM one_time_tokens WHERE purpose = 'email_change_new'";
    sqlx::query(sql).execute(&pool).await.expect("the statement succeeds");
    service.clock.advance(Duration::from_secs(25 * 3600));
    service.post("/resend", json!({"type": "email_change", "email": "old@b.co"})).await.ok();
    let mail = service.mailbox.nth("old@b.co", 3).await;
    let body = json!({"type": "email_change", "token_hash": mail.parameter("token")});
    let half = service.post("/verify", body).await.ok();
    assert!(half.body.get("user").is_none(), "the new address has not confirmed: {half:?}");
}
