//! Captchas: which calls need one, where the token may be, and who is exempt.

use std::time::Duration;

use limber_identity_service::config::CaptchaConfig;
use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, TestService};
use crate::stand_in::{Reply, StandIn};

const MISSING: &str = "captcha protection: request disallowed (no captcha_token found)";

async fn start() -> (TestService, StandIn) {
    start_with(Duration::from_secs(50)).await
}

/// Starts a service and a captcha provider that may take this long to answer.
async fn start_with(timeout: Duration) -> (TestService, StandIn) {
    let provider = StandIn::start(Reply::json(200, &json!({"success": true}))).await;
    let address = provider.base.join("/siteverify").expect("a valid path");
    let service = TestService::start_with(|config| {
        config.mailer.autoconfirm = true;
        config.captcha = Some(CaptchaConfig { address, secret: "captcha secret".into(), timeout });
    })
    .await;
    (service, provider)
}

/// Returns every call that requires a captcha.
fn guarded() -> [(&'static str, Value); 6] {
    [
        ("/signup", json!({"email": "ann@b.co", "password": PASSWORD})),
        ("/token?grant_type=password", json!({"email": "ann@b.co", "password": PASSWORD})),
        ("/recover", json!({"email": "ann@b.co"})),
        ("/resend", json!({"type": "signup", "email": "ann@b.co"})),
        ("/magiclink", json!({"email": "bob@b.co"})),
        ("/otp", json!({"email": "eve@b.co"})),
    ]
}

#[tokio::test]
async fn captcha_tokens_are_required_and_accepted_in_both_places() {
    let (service, provider) = start().await;
    for (path, mut body) in guarded() {
        service.post(path, body.clone()).await.is_error(400, "captcha_failed", MISSING);
        body["gotrue_meta_security"] = json!({});
        service.post(path, body.clone()).await.is_error(400, "captcha_failed", MISSING);
        body["gotrue_meta_security"] = json!({"captcha_token": "nested"});
        body["captcha_token"] = json!("plain");
        let request = service.request(Method::POST, path).header("X-Forwarded-For", "203.0.113.9");
        Answer::of(request.json(&body)).await.ok();
        let asked = provider.last();
        let (line, form) = asked.whole();
        assert_eq!(line, "POST /siteverify");
        let expected =
            [("remoteip", "203.0.113.9"), ("response", "nested"), ("secret", "captcha secret")];
        assert_eq!(form, expected, "{path}");
    }
    assert_eq!(provider.asked().len(), 6);
    let body = json!({"email": "zoe@b.co", "password": PASSWORD, "captcha_token": "plain"});
    service.post("/signup", body).await.ok();
    assert_eq!(provider.last().form["response"], "plain");
}

#[tokio::test]
async fn other_grants_verification_and_admins_need_no_captcha() {
    let (service, provider) = start().await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD, "captcha_token": "x"});
    let session = service.post("/signup", body).await.ok();
    service.refresh(&session.refresh()).await.ok();
    let body = json!({"type": "signup", "email": "ann@b.co", "token": "000000"});
    assert_eq!(service.post("/verify", body).await.text("error_code"), "otp_expired");
    let body = json!({"auth_code": "x", "code_verifier": "y"});
    let answer = service.post("/token?grant_type=pkce", body).await;
    assert_eq!(answer.text("error_code"), "flow_state_not_found");
    let body = json!({"email": "bob@b.co", "password": PASSWORD});
    let admin = service.admin_token();
    service.send_as(&admin, Method::POST, "/signup", body.clone()).await.ok();
    let person = service.send_as(&session.access(), Method::POST, "/signup", body).await;
    person.is_error(400, "captcha_failed", MISSING);
    assert_eq!(provider.asked().len(), 1);
}

#[tokio::test]
async fn captcha_errors_are_passed_on_and_no_response_is_a_failure() {
    let (service, provider) = start().await;
    let body = json!({"email": "ann@b.co", "captcha_token": "x"});
    let ask = || service.post("/recover", body.clone());
    let codes = json!({"success": false, "error-codes": ["invalid-input-response", "bad-request"]});
    provider.next(Reply::json(200, &codes));
    let text = "captcha protection: request disallowed (invalid-input-response, bad-request)";
    ask().await.is_error(400, "captcha_failed", text);
    let is_failure = |answer: Answer| {
        assert_eq!(
            (answer.status, answer.text("msg").as_str()),
            (503, "captcha verification process failed")
        );
        assert!(!answer.text("error_id").is_empty());
    };
    for reply in [
        Reply::json(500, &json!({})),
        Reply { status: 200, body: b"<html>".to_vec(), delay: Duration::ZERO },
        Reply { status: 200, body: vec![b' '; 100_000], delay: Duration::ZERO },
    ] {
        provider.next(reply);
        is_failure(ask().await);
    }
    let (hasty, silent) = start_with(Duration::from_millis(300)).await;
    // The reply would be positive, but comes too late.
    let yes = Reply::json(200, &json!({"success": true}));
    silent.next(Reply { delay: Duration::from_secs(40), ..yes });
    is_failure(hasty.post("/recover", body.clone()).await);
    let long = json!({"email": "ann@b.co", "captcha_token": "x".repeat(20_000)});
    assert_eq!(service.post("/recover", long).await.text("error_code"), "captcha_failed");
    ask().await.ok();
}
