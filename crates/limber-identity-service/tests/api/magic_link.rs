//! `POST /magiclink` and `POST /otp` with an email.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::service::{PASSWORD, TestService};
use crate::verify::open;

#[tokio::test]
async fn users_sign_in_by_emailed_link_or_code() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    for (path, mail_number) in [("/magiclink", 2), ("/otp", 3)] {
        let answer = service.post(path, json!({"email": "ANN@b.co"})).await.ok();
        assert_eq!(answer.body, json!({}));
        let mail = service.mailbox.nth("ann@b.co", mail_number).await;
        assert_eq!(mail.subject, "Your Magic Link");
        assert_eq!(mail.parameter("type"), "magiclink");
        if mail_number == 2 {
            let (_, pairs) = open(&service, mail.link()).await;
            assert_eq!(pairs["type"], "magiclink");
            service.get_as(&pairs["access_token"], "/user").await.ok();
        } else {
            for (kind, status) in [("signup", 403), ("email", 200)] {
                let body = json!({"type": kind, "email": "ann@b.co", "token": mail.code()});
                assert_eq!(service.post("/verify", body).await.status, status, "{kind}");
            }
        }
        service.clock.advance(Duration::from_secs(61));
    }
}

#[tokio::test]
async fn unknown_addresses_sign_up_and_confirm_with_one_email() {
    let service = TestService::start().await;
    let body = json!({"email": "new@b.co", "data": {"first_name": "Nia"}});
    service.post("/otp", body).await.ok();
    let mail = service.mailbox.nth("new@b.co", 1).await;
    assert_eq!(
        (mail.subject.as_str(), mail.parameter("type").as_str()),
        ("Confirm Your Signup", "signup")
    );
    let body = json!({"type": "email", "email": "new@b.co", "token": mail.code()});
    let session = service.post("/verify", body).await.ok();
    let user = &session.body["user"];
    assert_eq!(user["user_metadata"]["first_name"], "Nia");
    assert_eq!(user["identities"][0]["provider"], "email");
    assert!(user["email_confirmed_at"].is_string());
    assert_eq!(
        service.sign_in("new@b.co", PASSWORD).await.status,
        400,
        "the account has no known password"
    );
}

#[tokio::test]
async fn with_autoconfirm_unknown_addresses_get_a_magic_link() {
    let service = TestService::start_with(|config| config.mailer.autoconfirm = true).await;
    service.post("/magiclink", json!({"email": "new@b.co"})).await.ok();
    let mail = service.mailbox.nth("new@b.co", 1).await;
    assert_eq!(mail.subject, "Your Magic Link");
    let body = json!({"type": "magiclink", "token_hash": mail.parameter("token")});
    assert_eq!(service.post("/verify", body).await.ok().text("type"), "magiclink");
}

#[tokio::test]
async fn links_requested_with_pkce_return_a_code() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    let verifier = "v".repeat(50);
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    let body = json!({"email": "ann@b.co", "code_challenge": challenge,
        "code_challenge_method": "s256"});
    service.post("/otp", body).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    assert!(mail.parameter("token").starts_with("pkce_"));
    let (url, pairs) = open(&service, mail.link()).await;
    assert!(pairs.is_empty(), "no fragment: {url}");
    let code = url.query_pairs().find(|(name, _)| name == "code").expect("a code").1.into_owned();
    let body = json!({"auth_code": code, "code_verifier": verifier});
    let session = service.post("/token?grant_type=pkce", body).await.ok();
    assert_eq!(session.body["user"]["email"], "ann@b.co");
}

#[tokio::test]
async fn known_and_unknown_addresses_have_the_same_send_limits() {
    let service = TestService::start().await;
    service.confirmed("known@b.co").await;
    for email in ["known@b.co", "unknown@b.co"] {
        for path in ["/otp", "/magiclink", "/otp"] {
            service.post(path, json!({"email": email})).await.ok();
            let again = service.post(path, json!({"email": email})).await;
            assert_eq!(again.status, 429, "{email}");
            let message = "For security purposes, you can only request this after 60 seconds.";
            again.is_error(429, "over_email_send_rate_limit", message);
            assert_eq!(again.headers["retry-after"], "60");
            assert_eq!(service.post("/recover", json!({"email": email})).await.status, 429);
            service.clock.advance(Duration::from_secs(61));
        }
    }
}

#[tokio::test]
async fn with_sign_up_disabled_only_existing_users_get_a_link() {
    let service = TestService::start_with(|config| config.signup.disabled = true).await;
    let body = json!({"email": "ann@b.co", "email_confirm": true});
    let token = service.admin_token();
    service.send_as(&token, reqwest::Method::POST, "/admin/users", body).await.ok();
    let body = json!({"email": "no@b.co"});
    let message = "Signups not allowed for this instance";
    service.post("/otp", body.clone()).await.is_error(422, "signup_disabled", message);
    service.post("/magiclink", body).await.is_error(422, "signup_disabled", message);
    service.post("/otp", json!({"email": "ann@b.co"})).await.ok();
    assert_eq!(service.mailbox.nth("ann@b.co", 1).await.subject, "Your Magic Link");
}

#[tokio::test]
async fn wrong_requests_get_their_exact_error() {
    let service = TestService::start().await;
    let failed = "validation_failed";
    let cases: &[(Value, u16, &str, &str)] = &[
        (json!({}), 400, failed, "One of email or phone must be set"),
        (
            json!({"email": "a@b.co", "phone": "+41791234567"}),
            400,
            failed,
            "Only an email address or phone number should be provided",
        ),
        (
            json!({"email": "a@b.co", "channel": "sms"}),
            400,
            failed,
            "Channel should only be specified with Phone OTP",
        ),
        (
            json!({"email": "a@b.co", "create_user": false}),
            422,
            "otp_disabled",
            "Signups not allowed for otp",
        ),
        (
            json!({"email": "a@b.co", "code_challenge": "x"}),
            400,
            failed,
            "PKCE flow requires code_challenge_method and code_challenge",
        ),
    ];
    for (body, status, code, message) in cases {
        service.post("/otp", body.clone()).await.is_error(*status, code, message);
    }
    let empty = service.post("/magiclink", json!({})).await;
    assert_eq!((empty.status, empty.text("error_code").as_str()), (422, failed));
    let closed = TestService::start_with(|config| config.signup.email = false).await;
    let body = json!({"email": "a@b.co"});
    let message = "Email logins are disabled";
    closed.post("/otp", body.clone()).await.is_error(422, "email_provider_disabled", message);
    let without = TestService::start_with(|config| config.mailer.magic_links = false).await;
    let message = "Login with magic link is disabled";
    without.post("/magiclink", body).await.is_error(422, "email_provider_disabled", message);
}
