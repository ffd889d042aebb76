//! Settings of rate limits and captchas.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, TestService};
use crate::stand_in::{Reply, StandIn};

/// A call with its body, and the seconds after which an empty bucket admits the next one.
type Gate = (Method, &'static str, Value, u64);

/// Makes one call more than the burst allows. Each call has its own bucket, and the refusal states
/// after how many seconds the next call will pass.
async fn is_limited(service: &TestService, token: &str, gate: Gate) {
    let (method, path, body, seconds) = gate;
    let ask = || {
        let request = service.request(method.clone(), path).json(&body).bearer_auth(token);
        Answer::of(request.header("X-Caller", "forged, one"))
    };
    for number in 0..30 {
        assert_ne!(ask().await.status, 429, "{path}: {number}");
    }
    let refused = ask().await;
    refused.is_error(429, "over_request_rate_limit", "Request rate limit reached");
    let wait: u64 =
        refused.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert_eq!(wait, seconds, "{path}");
}

#[tokio::test]
async fn every_gate_has_an_allowance_of_its_own() {
    let service = TestService::start_from(&[
        ("MAILER_AUTOCONFIRM", "true"),
        ("RATE_LIMIT_HEADER", "X-Caller"),
        ("RATE_LIMIT_TOKEN_REFRESH", "20"),
        ("RATE_LIMIT_VERIFY", "15"),
        ("RATE_LIMIT_OTP", "10"),
        ("RATE_LIMIT_ANONYMOUS_USERS", "90"),
        ("MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", "1"),
    ])
    .await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let token = service.post("/signup", body).await.ok().access();
    let post = |path, seconds| (Method::POST, path, json!({}), seconds);
    let gates: [Gate; 11] = [
        post("/token", 15),
        post("/verify", 20),
        post("/otp", 30),
        post("/recover", 30),
        post("/resend", 30),
        post("/magiclink", 30),
        (Method::POST, "/signup", json!({"email": "x"}), 30),
        (Method::PUT, "/user", json!({}), 30),
        // Without an address this is an anonymous sign-up, where these are allowed.
        post("/signup", 40),
        post("/factors/x/challenge", 60),
        post("/factors/x/verify", 60),
    ];
    for gate in gates {
        is_limited(&service, &token, gate).await;
    }
    service.clock.advance(Duration::from_secs(16));
    let ask = |caller: &'static str| {
        let request = service.request(Method::POST, "/token").json(&json!({}));
        Answer::of(request.header("X-Caller", caller))
    };
    assert_eq!((ask("one").await.status, ask("one").await.status), (400, 429));
    assert_eq!(ask("two").await.status, 400);
}

#[tokio::test]
async fn the_peer_is_counted_where_no_header_names_the_caller() {
    let service =
        TestService::start_from(&[("RATE_LIMIT_BY_IP", "true"), ("RATE_LIMIT_HEADER", "X-Caller")])
            .await;
    for _ in 0..30 {
        assert_eq!(service.post("/verify", json!({})).await.status, 400);
    }
    assert_eq!(service.post("/verify", json!({})).await.status, 429);
    let named = service.request(Method::POST, "/verify").json(&json!({}));
    assert_eq!(Answer::of(named.header("X-Caller", "two")).await.status, 400);
}

#[tokio::test]
async fn no_call_sends_mail_where_none_may_be_sent() {
    let service = TestService::start_from(&[("RATE_LIMIT_EMAIL_SENT", "0")]).await;
    let admin = service.admin_token();
    let body = json!({"email": "ann@b.co", "password": PASSWORD, "email_confirm": true});
    service.send_as(&admin, Method::POST, "/admin/users", body).await.ok();
    let person = service.sign_in("ann@b.co", PASSWORD).await.ok().access();
    let calls: [(&str, Method, &str, Value); 8] = [
        ("", Method::POST, "/signup", json!({"email": "new@b.co", "password": PASSWORD})),
        (&admin, Method::POST, "/invite", json!({"email": "inv@b.co"})),
        ("", Method::POST, "/magiclink", json!({"email": "new@b.co"})),
        ("", Method::POST, "/otp", json!({"email": "ann@b.co"})),
        ("", Method::POST, "/recover", json!({"email": "ann@b.co"})),
        ("", Method::POST, "/resend", json!({"email": "new@b.co", "type": "signup"})),
        (&person, Method::PUT, "/user", json!({"email": "other@b.co"})),
        (&person, Method::GET, "/reauthenticate", json!({})),
    ];
    for (token, method, path, body) in calls {
        let refused = service.send_as(token, method, path, body).await;
        refused.is_error(429, "over_email_send_rate_limit", "email rate limit exceeded");
        assert!(refused.headers.contains_key("retry-after"), "{path}");
    }
    assert!(service.mailbox.all().is_empty());
    let unconfirmed =
        TestService::start_from(&[("RATE_LIMIT_EMAIL_SENT", "0"), ("MAILER_AUTOCONFIRM", "true")])
            .await;
    let refused = unconfirmed.post("/magiclink", json!({"email": "ann@b.co"})).await;
    refused.is_error(429, "over_email_send_rate_limit", "email rate limit exceeded");
}

#[tokio::test]
async fn a_bucket_of_mail_is_refilled_one_by_one() {
    let service = TestService::start_from(&[("RATE_LIMIT_EMAIL_SENT", "2/10m")]).await;
    let sign_up = async |number: usize| {
        let body = json!({"email": format!("u{number}@b.co"), "password": PASSWORD});
        service.post("/signup", body).await.status
    };
    assert_eq!((sign_up(0).await, sign_up(1).await, sign_up(2).await), (200, 200, 429));
    service.clock.advance(Duration::from_secs(601));
    assert_eq!((sign_up(3).await, sign_up(4).await), (200, 429));
}

#[tokio::test]
async fn one_setting_is_the_pause_between_all_mails() {
    let service = TestService::start_from(&[("SMTP_MAX_FREQUENCY", "5s")]).await;
    let sign_up = || service.post("/signup", json!({"email": "ann@b.co", "password": PASSWORD}));
    let recover = || service.post("/recover", json!({"email": "ann@b.co"}));
    let message = "For security purposes, you can only request this after 5 seconds.";
    sign_up().await.ok();
    sign_up().await.is_error(429, "over_email_send_rate_limit", message);
    recover().await.ok();
    recover().await.is_error(429, "over_email_send_rate_limit", message);
    service.clock.advance(Duration::from_secs(6));
    sign_up().await.ok();
    recover().await.ok();
}

#[tokio::test]
async fn unless_told_otherwise_a_confirmation_waits_a_quarter_of_an_hour_and_the_rest_a_minute() {
    let service = TestService::start().await;
    let body = json!({"type": "signup", "email": "ann@b.co", "password": PASSWORD});
    service.post("/signup", body.clone()).await.ok();
    service.clock.advance(Duration::from_secs(880));
    for path in ["/signup", "/resend"] {
        let soon = service.post(path, body.clone()).await;
        assert_eq!(soon.text("error_code"), "over_email_send_rate_limit", "{path}");
    }
    service.clock.advance(Duration::from_secs(21));
    service.post("/resend", body.clone()).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    let verify = json!({"type": "signup", "token_hash": mail.parameter("token")});
    let token = service.post("/verify", verify).await.ok().access();
    let change = || service.send_as(&token, Method::PUT, "/user", json!({"email": "new@b.co"}));
    change().await.ok();
    for path in ["/recover", "/magiclink"] {
        service.clock.advance(Duration::from_secs(61));
        service.post(path, body.clone()).await.ok();
        service.clock.advance(Duration::from_secs(50));
        assert_eq!(service.post(path, body.clone()).await.status, 429, "{path}");
    }
    change().await.ok();
    service.clock.advance(Duration::from_secs(50));
    assert_eq!(change().await.status, 429);
}

/// Makes a call with a captcha token; `timeout` is the time that the provider may take.
async fn recover(provider: &StandIn, name: &str, timeout: &str) -> Answer {
    let address = provider.base.join("/siteverify").expect("a valid path");
    let service = TestService::start_from(&[
        ("SECURITY_CAPTCHA_ENABLED", "true"),
        ("SECURITY_CAPTCHA_PROVIDER", name),
        ("SECURITY_CAPTCHA_SECRET", "captcha secret"),
        ("SECURITY_CAPTCHA_TIMEOUT", timeout),
        ("SECURITY_CAPTCHA_URL", address.as_str()),
    ])
    .await;
    service.post("/recover", json!({"email": "ann@b.co", "captcha_token": "solved"})).await
}

#[tokio::test]
async fn either_captcha_provider_is_asked_with_the_operators_secret() {
    for name in ["hCaptcha", "Turnstile"] {
        let yes = Reply::json(200, &json!({"success": true}));
        let provider = StandIn::start(yes.clone()).await;
        recover(&provider, name, "50s").await.ok();
        let form = provider.last().form;
        assert_eq!(
            (form["secret"].as_str(), form["response"].as_str()),
            ("captcha secret", "solved")
        );
        // The reply would be positive, but comes too late.
        let silent = StandIn::start(Reply { delay: Duration::from_secs(40), ..yes }).await;
        assert_eq!(recover(&silent, name, "300ms").await.status, 503);
    }
}
