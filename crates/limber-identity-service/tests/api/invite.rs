//! `POST /invite`.

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, SITE, TestService};
use crate::verify::open;

async fn invite(service: &TestService, body: Value) -> Answer {
    service.send_as(&service.admin_token(), Method::POST, "/invite", body).await
}

#[tokio::test]
async fn invited_users_follow_the_link_and_choose_a_password() {
    let service = TestService::start_with(|config| config.signup.disabled = true).await;
    let body = json!({"email": "Ann@b.co", "data": {"team": "motion"}});
    let answer = invite(&service, body).await.ok();
    assert_eq!(answer.text("email"), "ann@b.co");
    assert!(answer.body["invited_at"].is_string(), "{answer:?}");
    assert!(answer.body["confirmation_sent_at"].is_string());
    assert_eq!(answer.body["user_metadata"], json!({"team": "motion"}));
    let mail = service.mailbox.nth("ann@b.co", 1).await;
    assert_eq!(
        (mail.subject.as_str(), mail.parameter("type").as_str()),
        ("You have been invited", "invite")
    );
    let (_, pairs) = open(&service, mail.link()).await;
    assert_eq!(pairs["type"], "invite");
    let body = json!({"password": PASSWORD});
    service.send_as(&pairs["access_token"], Method::PUT, "/user", body).await.ok();
    service.sign_in("ann@b.co", PASSWORD).await.ok();
    invite(&service, json!({"email": "ann@b.co"})).await.is_error(
        422,
        "email_exists",
        "A user with this email address has already been registered",
    );
}

#[tokio::test]
async fn second_invitations_replace_the_first_at_once() {
    let service = TestService::start().await;
    let first = invite(&service, json!({"email": "ann@b.co"})).await.ok();
    let again = invite(&service, json!({"email": "ann@b.co"})).await.ok();
    assert_eq!(first.text("id"), again.text("id"));
    let (old, new) =
        (service.mailbox.nth("ann@b.co", 1).await, service.mailbox.nth("ann@b.co", 2).await);
    let verify =
        |token: String| service.post("/verify", json!({"type": "invite", "token_hash": token}));
    verify(old.parameter("token")).await.is_error(
        403,
        "otp_expired",
        "Email link is invalid or has expired",
    );
    assert_eq!(verify(new.parameter("token")).await.ok().text("type"), "invite");
}

#[tokio::test]
async fn completing_an_invitation_as_a_sign_up_requires_a_password() {
    let service = TestService::start().await;
    invite(&service, json!({"email": "ann@b.co"})).await.ok();
    let token = service.mailbox.nth("ann@b.co", 1).await.parameter("token");
    let verify = |body: Value| service.post("/verify", body);
    let message = "Password is required to complete signup";
    let body = json!({"type": "signup", "token": token});
    verify(body).await.is_error(422, "validation_failed", message);
    let body = json!({"type": "signup", "token": token, "password": "x"});
    assert_eq!(verify(body).await.text("error_code"), "weak_password");
    verify(json!({"type": "signup", "token": token, "password": PASSWORD})).await.ok();
    service.sign_in("ann@b.co", PASSWORD).await.ok();
}

#[tokio::test]
async fn signing_up_with_an_invited_email_does_not_reveal_the_invitation() {
    let service = TestService::start().await;
    invite(&service, json!({"email": "ann@b.co", "data": {"secret": 1}})).await.ok();
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let answer = service.post("/signup", body).await.ok();
    assert_eq!(
        (&answer.body["user_metadata"], &answer.body["identities"]),
        (&json!({}), &json!([]))
    );
}

#[tokio::test]
async fn only_admins_invite_and_choose_the_redirect() {
    let service = TestService::start().await;
    let person = service.confirmed("ann@b.co").await.access();
    let body = json!({"email": "x@b.co"});
    let refused = service.send_as(&person, Method::POST, "/invite", body).await;
    refused.is_error(403, "not_admin", "User not allowed");
    let missing = invite(&service, json!({})).await;
    missing.is_error(400, "validation_failed", "An email address is required");
    let path = format!("/invite?redirect_to={SITE}/join");
    let token = service.token(&json!({"role": "platform_admin"}));
    service.send_as(&token, Method::POST, &path, json!({"email": "x@b.co"})).await.ok();
    let mail = service.mailbox.nth("x@b.co", 1).await;
    assert_eq!(mail.parameter("redirect_to"), format!("{SITE}/join"));
}
