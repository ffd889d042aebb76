//! `POST /admin/generate_link`.

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, SITE, TestService};
use crate::verify::open;

async fn generate(service: &TestService, body: Value) -> Answer {
    service.send_as(&service.admin_token(), Method::POST, "/admin/generate_link", body).await
}

#[tokio::test]
async fn signup_links_create_the_account_with_the_data_sent() {
    let service = TestService::start_with(|config| config.signup.disabled = true).await;
    let body = json!({"type": "signup", "email": "Ann@b.co", "password": PASSWORD,
        "data": {"team": 7}, "redirect_to": format!("{SITE}/welcome")});
    let answer = generate(&service, body).await.ok();
    assert_eq!(answer.text("email"), "ann@b.co");
    assert_eq!(answer.body["user_metadata"], json!({"team": 7}));
    assert_eq!(answer.text("verification_type"), "signup");
    assert_eq!(answer.text("redirect_to"), format!("{SITE}/welcome"));
    assert_eq!(answer.text("email_otp").len(), 6);
    let base = service.base.as_str().trim_end_matches('/');
    let token = answer.text("hashed_token");
    let expected = format!("{base}/verify?token={token}&type=signup&redirect_to={SITE}/welcome");
    assert_eq!(answer.text("action_link"), expected);
    assert!(answer.body["id"].is_string() && answer.body["identities"].is_array());
    assert_eq!(service.count_mails("ann@b.co").await, 0, "no email is sent");
    let (url, pairs) = open(&service, &answer.text("action_link")).await;
    assert_eq!((url.path(), pairs["type"].as_str()), ("/welcome", "signup"));
    service.sign_in("ann@b.co", PASSWORD).await.ok();
    let taken = "A user with this email address has already been registered";
    for kind in ["signup", "invite"] {
        let body = json!({"type": kind, "email": "ann@b.co", "password": PASSWORD});
        generate(&service, body).await.is_error(422, "email_exists", taken);
    }
}

#[tokio::test]
async fn links_for_an_existing_account_work_by_link_hash_and_code() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    for kind in ["magiclink", "recovery"] {
        let link = || generate(&service, json!({"type": kind, "email": "ann@b.co"}));
        let answer = link().await.ok();
        assert_eq!(answer.text("verification_type"), kind);
        assert_eq!(answer.text("redirect_to"), SITE);
        let (_, pairs) = open(&service, &answer.text("action_link")).await;
        assert_eq!(pairs["type"], kind);
        let body = json!({"type": kind, "token_hash": link().await.ok().text("hashed_token")});
        service.post("/verify", body).await.ok();
        let code = link().await.ok().text("email_otp");
        let body = json!({"type": kind, "email": "ann@b.co", "token": code});
        service.post("/verify", body).await.ok();
    }
    assert_eq!(service.count_mails("ann@b.co").await, 1, "only the email of the sign-up was sent");
}

#[tokio::test]
async fn links_for_unknown_addresses_create_invite_or_are_rejected() {
    let service = TestService::start().await;
    let answer = generate(&service, json!({"type": "magiclink", "email": "new@b.co"})).await.ok();
    assert_eq!(answer.text("verification_type"), "signup");
    assert!(answer.text("action_link").contains("&type=signup&"));
    let answer = generate(&service, json!({"type": "invite", "email": "inv@b.co"})).await.ok();
    assert!(answer.body["invited_at"].is_string());
    let (_, pairs) = open(&service, &answer.text("action_link")).await;
    assert_eq!(pairs["type"], "invite");
    for kind in ["recovery", "email_change_current", "email_change_new"] {
        let body = json!({"type": kind, "email": "nobody@b.co", "new_email": "x@b.co"});
        let message = "User with this email not found";
        generate(&service, body).await.is_error(404, "user_not_found", message);
    }
}

#[tokio::test]
async fn generated_email_change_links_need_both_addresses() {
    let service = TestService::start().await;
    service.confirmed("old@b.co").await;
    let link = |kind: &str| {
        generate(&service, json!({"type": kind, "email": "old@b.co", "new_email": "new@b.co"}))
    };
    let current = link("email_change_current").await.ok();
    assert_eq!(current.text("verification_type"), "email_change_current");
    assert!(current.text("action_link").contains("&type=email_change&"));
    assert_eq!(current.text("new_email"), "new@b.co");
    let (_, pairs) = open(&service, &current.text("action_link")).await;
    assert!(pairs["message"].starts_with("Confirmation link accepted."), "{pairs:?}");
    let new = link("email_change_new").await.ok();
    let body = json!({"type": "email_change", "email": "new@b.co", "token": new.text("email_otp")});
    let done = service.post("/verify", body).await.ok();
    assert_eq!(done.body["user"]["email"], "new@b.co");
}

#[tokio::test]
async fn one_email_change_link_is_enough_if_configured() {
    let service = TestService::start_with(|config| config.mailer.secure_email_change = false).await;
    service.confirmed("old@b.co").await;
    let link = |kind: &str| {
        generate(&service, json!({"type": kind, "email": "old@b.co", "new_email": "new@b.co"}))
    };
    assert_eq!(link("email_change_current").await.status, 422);
    let answer = link("email_change_new").await.ok();
    let (_, pairs) = open(&service, &answer.text("action_link")).await;
    assert_eq!(pairs["type"], "email_change");
    service.sign_in("new@b.co", PASSWORD).await.ok();
}

#[tokio::test]
async fn wrong_requests_get_their_exact_error() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let failed = "validation_failed";
    let cases: &[(Value, u16, &str, &str)] = &[
        (
            json!({"type": "x", "email": "a@b.co"}),
            400,
            failed,
            "Invalid email action link type requested: x",
        ),
        (json!({"type": "signup"}), 400, failed, "An email address is required"),
        (
            json!({"type": "signup", "email": "a@b.co"}),
            400,
            failed,
            "Signup requires a valid password",
        ),
        (
            json!({"type": "email_change_new", "email": "ann@b.co"}),
            400,
            failed,
            "An email address is required",
        ),
        (
            json!({"type": "email_change_new", "email": "ann@b.co", "new_email": "ann@b.co"}),
            422,
            "email_exists",
            "A user with this email address has already been registered",
        ),
    ];
    for (body, status, code, message) in cases {
        generate(&service, body.clone()).await.is_error(*status, code, message);
    }
    let body = json!({"type": "magiclink", "email": "ann@b.co", "redirect_to": "https://evil.x"});
    assert_eq!(generate(&service, body).await.ok().text("redirect_to"), SITE);
    let person = service.sign_in("ann@b.co", PASSWORD).await.access();
    let body = json!({"type": "recovery", "email": "ann@b.co"});
    let refused = service.send_as(&person, Method::POST, "/admin/generate_link", body).await;
    refused.is_error(403, "not_admin", "User not allowed");
}
