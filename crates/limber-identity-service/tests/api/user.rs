//! `GET /user` and `PUT /user`.

use reqwest::Method;
use serde_json::json;

use crate::service::{Answer, PASSWORD, TestService};

#[tokio::test]
async fn every_wrong_token_gets_its_exact_error() {
    let service = TestService::start().await;
    let missing = Answer::of(service.request(Method::GET, "/user")).await;
    let message = "This endpoint requires a valid Bearer token";
    missing.is_error(401, "no_authorization", message);
    let cases = [
        (json!({"aud": ""}), 403, "bad_jwt", "invalid claim: missing sub claim"),
        (json!({"sub": "x"}), 400, "bad_jwt", "invalid claim: sub claim must be a UUID"),
        (
            json!({"sub": "7f1bb1ee-3d0f-4b4e-9d7f-0d5a3d2c1b0a"}),
            403,
            "user_not_found",
            "User from sub claim in JWT does not exist",
        ),
    ];
    for (claims, status, code, message) in cases {
        service.get_as(&service.token(&claims), "/user").await.is_error(status, code, message);
    }
    for token in ["nonsense".to_owned(), service.token(&json!({"sub": "x", "exp": 1}))] {
        let answer = service.get_as(&token, "/user").await;
        assert_eq!((answer.status, answer.text("error_code").as_str()), (403, "bad_jwt"));
        let message = answer.text("msg");
        let start = "invalid JWT: unable to parse or verify signature, ";
        assert!(message.starts_with(start), "{message}");
    }
}

#[tokio::test]
async fn tokens_for_another_audience_are_rejected() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    let request = service.request(Method::GET, "/user").bearer_auth(session.access());
    Answer::of(request.header("X-JWT-AUD", "elsewhere")).await.is_error(
        400,
        "validation_failed",
        "Token audience doesn't match request audience",
    );
}

#[tokio::test]
async fn user_metadata_is_merged_and_null_deletes_keys() {
    let service = TestService::start().await;
    let token = service.confirmed("ann@b.co").await.access();
    let put = |body| service.send_as(&token, Method::PUT, "/user", body);
    put(json!({"data": {"a": 1, "b": {"c": 2}}})).await.ok();
    let answer = put(json!({"data": {"a": null, "d": 3}})).await.ok();
    let data = &answer.body["user_metadata"];
    assert_eq!((&data["b"], &data["d"]), (&json!({"c": 2}), &json!(3)));
    assert!(data.get("a").is_none());
    put(json!({"app_metadata": {"role": "king"}})).await.is_error(
        403,
        "not_admin",
        "Updating app_metadata requires admin privileges",
    );
}

#[tokio::test]
async fn a_new_password_ends_only_the_other_sessions() {
    let service = TestService::start().await;
    let other = service.confirmed("ann@b.co").await;
    let own = service.sign_in("ann@b.co", PASSWORD).await.ok();
    let token = own.access();
    let put = |body| service.send_as(&token, Method::PUT, "/user", body);
    let same = "New password should be different from the old password.";
    put(json!({"password": PASSWORD})).await.is_error(422, "same_password", same);
    assert_eq!(put(json!({"password": ""})).await.text("error_code"), "weak_password");
    put(json!({"password": "battery staple"})).await.ok();
    service.refresh(&own.refresh()).await.ok();
    let gone = "Invalid Refresh Token: Refresh Token Not Found";
    service.refresh(&other.refresh()).await.is_error(400, "refresh_token_not_found", gone);
    service.sign_in("ann@b.co", "battery staple").await.ok();
    assert_eq!(service.sign_in("ann@b.co", PASSWORD).await.status, 400);
}

#[tokio::test]
async fn the_current_password_is_required_if_configured() {
    let service =
        TestService::start_with(|c| c.sessions.password_change_needs_current = true).await;
    service.confirmed("ann@b.co").await;
    // Signed in by password, because a session from a mailed link would itself be a proof.
    let token = service.sign_in("ann@b.co", PASSWORD).await.ok().access();
    let put = |body| service.send_as(&token, Method::PUT, "/user", body);
    let message = "Current password required when setting new password.";
    put(json!({"password": "battery staple"})).await.is_error(
        400,
        "current_password_required",
        message,
    );
    put(json!({"password": "battery staple", "current_password": "wrong"})).await.is_error(
        400,
        "current_password_invalid",
        message,
    );
    put(json!({"password": "battery staple", "current_password": PASSWORD})).await.ok();
}

#[tokio::test]
async fn email_changes_wait_for_both_addresses() {
    let service = TestService::start().await;
    let token = service.confirmed("old@b.co").await.access();
    service.confirmed("taken@b.co").await;
    let put = |email: &str| service.send_as(&token, Method::PUT, "/user", json!({"email": email}));
    put("taken@b.co").await.is_error(
        422,
        "email_exists",
        "A user with this email address has already been registered",
    );
    let answer = put("new@b.co").await.ok();
    assert_eq!(
        (answer.text("email").as_str(), answer.text("new_email").as_str()),
        ("old@b.co", "new@b.co")
    );
    assert!(answer.body["email_change_sent_at"].is_string());
    let to_new = service.mailbox.nth("new@b.co", 1).await;
    let to_old = service.mailbox.nth("old@b.co", 2).await;
    assert_eq!(
        (to_new.subject.as_str(), to_new.parameter("type").as_str()),
        ("Confirm Email Change", "email_change")
    );
    assert_ne!(to_new.code(), to_old.code());

    let verify = |email: &str, code: String| {
        service.post("/verify", json!({"type": "email_change", "email": email, "token": code}))
    };
    let half = verify("new@b.co", to_new.code()).await.ok();
    let message =
        "Confirmation link accepted. Please proceed to confirm link sent to the other email";
    assert_eq!(half.body, json!({"code": "200", "msg": message}));
    verify("new@b.co", to_new.code()).await.is_error(
        403,
        "otp_expired",
        "Token has expired or is invalid",
    );
    let done = verify("old@b.co", to_old.code()).await.ok();
    assert_eq!(done.body["user"]["email"], "new@b.co");
    assert_eq!(done.text("type"), "email_change");
    assert!(done.body["user"].get("new_email").is_none());
    service.sign_in("new@b.co", PASSWORD).await.ok();
    assert_eq!(service.sign_in("old@b.co", PASSWORD).await.status, 400);
}

#[tokio::test]
async fn anonymous_accounts_become_permanent_with_email_and_password() {
    let service = TestService::start_with(|config| config.signup.anonymous = true).await;
    let session = service.post("/signup", json!({"data": {"seen": true}})).await.ok();
    let user = &session.body["user"];
    assert_eq!((&user["is_anonymous"], &user["identities"]), (&json!(true), &json!([])));
    assert_eq!(user["user_metadata"], json!({"seen": true}));
    assert_eq!(user["app_metadata"], json!({}));
    let token = session.access();
    let put = |body| service.send_as(&token, Method::PUT, "/user", body);
    put(json!({"password": PASSWORD})).await.is_error(
        422,
        "validation_failed",
        "Updating password of an anonymous user without an email or phone is not allowed",
    );
    let waiting = put(json!({"email": "ann@b.co", "password": PASSWORD})).await.ok();
    assert_eq!(
        (&waiting.body["is_anonymous"], &waiting.body["new_email"]),
        (&json!(true), &json!("ann@b.co"))
    );
    let mail = service.mailbox.nth("ann@b.co", 1).await;
    let body = json!({"type": "email_change", "token_hash": mail.parameter("token")});
    let done = service.post("/verify", body).await.ok();
    assert_eq!(done.body["user"]["id"], user["id"], "the account stays the same");
    assert_eq!(done.body["user"]["is_anonymous"], false);
    assert_eq!(done.body["user"]["identities"][0]["provider"], "email");
    assert_eq!(done.body["user"]["app_metadata"]["provider"], "email");
    service.sign_in("ann@b.co", PASSWORD).await.ok();
}

#[tokio::test]
async fn with_autoconfirm_anonymous_accounts_become_permanent_at_once() {
    let service = TestService::start_with(|config| {
        config.signup.anonymous = true;
        config.mailer.autoconfirm = true;
    })
    .await;
    let session = service.post("/signup", json!({})).await.ok();
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let answer = service.send_as(&session.access(), Method::PUT, "/user", body).await.ok();
    assert_eq!(
        (&answer.body["is_anonymous"], answer.text("email").as_str()),
        (&json!(false), "ann@b.co")
    );
    service.sign_in("ann@b.co", PASSWORD).await.ok();
}
