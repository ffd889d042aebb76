//! Size limits, rate limits, malformed bodies and internal failures.

use std::time::Duration;

use limber_identity_service::config::{Allowance, MessageLimit};
use reqwest::Method;
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, TestService};

#[tokio::test]
async fn a_body_over_one_mebibyte_is_refused() {
    let service = TestService::start().await;
    let body = json!({"email": "a@b.co", "password": "x".repeat(1_048_600)});
    let message = "Request body too large (max 1048576 bytes)";
    service.post("/signup", body).await.is_error(413, "request_entity_too_large", message);
}

#[tokio::test]
async fn malformed_bodies_are_told_without_being_quoted() {
    let service = TestService::start().await;
    for body in ["", "{", "[]", r#"{"email": {"secret": 1}}"#, "\u{0}", r#"{"password": 5}"#] {
        let answer = Answer::of(service.request(Method::POST, "/signup").body(body)).await;
        assert_eq!(
            (answer.status, answer.text("error_code").as_str()),
            (400, "bad_json"),
            "{body}"
        );
        let text = answer.text("msg");
        assert!(text.starts_with("Could not parse request body as JSON: "), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
}

#[tokio::test]
async fn text_that_the_database_cannot_hold_is_no_failure_of_ours() {
    let service = TestService::start().await;
    let body = json!({"email": "a@b.co", "password": PASSWORD, "data": {"name": "a\u{0}b"}});
    let answer = service.post("/signup", body).await;
    assert!(answer.status < 500, "{answer:?}");
}

#[tokio::test]
async fn a_caller_over_the_rate_is_told_when_to_come_back() {
    let service = TestService::start_with(|config| {
        config.limits.header = Some("X-Caller".into());
        config.limits.token = Allowance { burst: 2.0, per_second: 0.5 };
    })
    .await;
    let ask = |caller: &str| {
        let body = json!({"email": "a@b.co", "password": "x"});
        let request = service.request(Method::POST, "/token?grant_type=password").json(&body);
        Answer::of(request.header("X-Caller", format!("forged, {caller}")))
    };
    for _ in 0..2 {
        assert_eq!(ask("one").await.status, 400);
    }
    let refused = ask("one").await;
    refused.is_error(429, "over_request_rate_limit", "Request rate limit reached");
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(ask("two").await.status, 400);
    // Without the header, callers are not counted.
    for _ in 0..5 {
        assert_eq!(service.sign_in("a@b.co", "x").await.status, 400);
    }
}

const BURST: u32 = 4;

#[tokio::test]
async fn only_refused_refreshes_count_against_the_caller() {
    let service = TestService::start_with(|config| {
        config.mailer.autoconfirm = true;
        config.limits.by_ip = true;
        config.limits.token = Allowance { burst: f64::from(BURST), per_second: 0.5 };
    })
    .await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let mut token = service.post("/signup", body).await.ok().refresh();
    for _ in 1..BURST {
        token = service.refresh(&token).await.ok().refresh();
    }
    let unknown = "A".repeat(43);
    for _ in 0..BURST {
        assert_eq!(service.refresh(&unknown).await.text("error_code"), "refresh_token_not_found");
    }
    for guess in [unknown.as_str(), "short"] {
        let refused = service.refresh(guess).await;
        refused.is_error(429, "over_request_rate_limit", "Request rate limit reached");
        assert!(refused.headers.contains_key("retry-after"));
    }
    assert_eq!(service.sign_in("ann@b.co", PASSWORD).await.status, 429);
    service.refresh(&token).await.ok();
}

#[tokio::test]
async fn refreshes_are_limited_per_session_without_ending_it() {
    let service = TestService::start_with(|config| {
        config.mailer.autoconfirm = true;
        config.limits.token = Allowance { burst: f64::from(BURST), per_second: 0.5 };
    })
    .await;
    let sign_up = async |email: &str| {
        let body = json!({"email": email, "password": PASSWORD});
        service.post("/signup", body).await.ok().refresh()
    };
    let mut token = sign_up("ann@b.co").await;
    let other = service.sign_in("ann@b.co", PASSWORD).await.ok().refresh();
    let mut parent = token.clone();
    for _ in 0..BURST {
        parent = std::mem::take(&mut token);
        token = service.refresh(&parent).await.ok().refresh();
    }
    let refused = service.refresh(&token).await;
    // Clients end their session at any 4xx status.
    assert_eq!((refused.status, refused.text("error_code").as_str()), (503, "conflict"));
    assert_eq!(refused.headers["retry-after"], "2");
    for _ in 0..BURST {
        let repeated = service.refresh(&parent).await.ok().refresh();
        assert_eq!(repeated, token, "a lost answer is repeated");
    }
    assert_eq!(service.refresh(&parent).await.status, 503, "but not without end");
    service.refresh(&other).await.ok();
    service.clock.advance(std::time::Duration::from_secs(2));
    service.refresh(&token).await.ok();
}

#[tokio::test]
async fn an_instance_sends_no_more_mail_than_it_may() {
    let service =
        TestService::start_with(|config| config.limits.emails = MessageLimit::PerHour(1)).await;
    let sign_up =
        |email: &str| service.post("/signup", json!({"email": email, "password": PASSWORD}));
    sign_up("a@b.co").await.ok();
    let refused = sign_up("b@b.co").await;
    refused.is_error(429, "over_email_send_rate_limit", "email rate limit exceeded");
    let listed = service.get_as(&service.admin_token(), "/admin/users").await.ok();
    assert_eq!(listed.headers["x-total-count"], "1", "nothing of the refused one is kept");
}

#[tokio::test]
async fn a_failure_of_ours_names_an_id_and_nothing_else() {
    let service =
        TestService::start_with(|c| c.request_id_header = Some("X-Request-Id".into())).await;
    let pool = sqlx::PgPool::connect(service.database.url()).await.expect("the test's database");
    let broken = sqlx::query("ALTER TABLE accounts RENAME TO gone").execute(&pool).await;
    broken.expect("the table is there");
    let body = json!({"email": "a@b.co", "password": "x"});
    let request = service.request(Method::POST, "/token?grant_type=password").json(&body);
    let answer = Answer::of(request.header("X-Request-Id", "trace-7")).await;
    let expected = json!({
        "code": 500, "error_code": "unexpected_failure",
        "msg": "Unexpected failure, please check server logs for more information",
        "error_id": "trace-7",
    });
    assert_eq!((answer.status, answer.body), (500, expected));
}

/// Returns how many emails an instance may still send after this call for an address.
async fn left_after(path: &str, mut body: Value, email: &str) -> usize {
    let service = TestService::start_with(|config| {
        config.limits.emails = MessageLimit::Bucket(8, Duration::from_secs(86_400));
    })
    .await;
    let token = service.confirmed("known@b.co").await.access();
    let waiting = json!({"email": "waiting@b.co", "password": PASSWORD});
    service.post("/signup", waiting).await.ok();
    service.send_as(&token, Method::PUT, "/user", json!({"email": "new@b.co"})).await.ok();
    service.clock.advance(Duration::from_secs(901));
    body["email"] = json!(email);
    service.post(path, body).await.ok();
    let mut left = 0;
    while service.post("/otp", json!({"email": format!("n{left}@b.co")})).await.status == 200 {
        left += 1;
    }
    left
}

#[tokio::test]
async fn the_email_limit_does_not_reveal_accounts() {
    let resend = |kind: &str| json!({"type": kind});
    for (path, body, known) in [
        ("/recover", json!({}), "known@b.co"),
        ("/resend", resend("signup"), "waiting@b.co"),
        ("/resend", resend("email_change"), "known@b.co"),
        ("/signup", json!({"password": PASSWORD}), "known@b.co"),
    ] {
        let left = left_after(path, body.clone(), known).await;
        assert!((1..4).contains(&left), "{path}: {left}");
        assert_eq!(left_after(path, body.clone(), "unknown@b.co").await, left, "{path} {body}");
    }
}
