//! `/verify`.

use std::collections::HashMap;
use std::time::Duration;

use reqwest::{Method, Url};
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, SITE, TestService};

/// Opens a mailed link as a browser does and returns the redirect target with its parameters.
pub(crate) async fn open(service: &TestService, link: &str) -> (Url, HashMap<String, String>) {
    let path = link.trim_start_matches(service.base.as_str().trim_end_matches('/'));
    let answer = Answer::of(service.request(Method::GET, path)).await;
    assert_eq!(answer.status, 303, "{answer:?}");
    let location = answer.headers["location"].to_str().expect("text");
    let url = Url::parse(location).expect("an address");
    let pairs = Url::parse(&format!("x:?{}", url.fragment().unwrap_or_default()));
    let pairs = pairs.expect("a fragment of pairs").query_pairs().into_owned().collect();
    (url, pairs)
}

async fn sign_up(service: &TestService, email: &str) -> crate::mailbox::Mail {
    service.post("/signup", json!({"email": email, "password": PASSWORD})).await.ok();
    service.mailbox.nth(email, 1).await
}

#[tokio::test]
async fn emailed_links_sign_in_on_the_site_once() {
    let service = TestService::start().await;
    let mail = sign_up(&service, "ann@b.co").await;
    let path = mail.link().trim_start_matches(service.base.as_str().trim_end_matches('/'));
    let looked = Answer::of(service.request(Method::HEAD, path)).await;
    assert_eq!(looked.status, 200, "opening the link does not use it up");
    let (url, pairs) = open(&service, mail.link()).await;
    assert!(url.as_str().starts_with(SITE));
    let expected =
        ["access_token", "expires_at", "expires_in", "refresh_token", "sb", "token_type", "type"];
    let mut names: Vec<&str> = pairs.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!((pairs["type"].as_str(), pairs["token_type"].as_str()), ("signup", "bearer"));
    let user = service.get_as(&pairs["access_token"], "/user").await.ok();
    assert!(user.body["email_confirmed_at"].is_string() && user.body["confirmed_at"].is_string());
    assert_eq!(user.body["user_metadata"]["email_verified"], true);
    assert_eq!(user.body["identities"][0]["identity_data"]["email_verified"], true);
    service.refresh(&pairs["refresh_token"]).await.ok();

    let (_, pairs) = open(&service, mail.link()).await;
    assert_eq!(pairs["error"], "access_denied");
    assert_eq!(pairs["error_code"], "otp_expired");
    assert_eq!(pairs["error_description"], "Email link is invalid or has expired");
    assert!(pairs.contains_key("sb") && !pairs.contains_key("access_token"));
}

#[tokio::test]
async fn emailed_codes_work_with_their_address_for_a_day() {
    let service = TestService::start().await;
    let verify = |body| service.post("/verify", body);
    let mail = sign_up(&service, "ann@b.co").await;
    let body = json!({"type": "email", "email": "ANN@b.co", "token": mail.code()});
    let session = verify(body).await.ok();
    assert_eq!(session.text("type"), "email");
    let late = sign_up(&service, "late@b.co").await;
    service.clock.advance(Duration::from_secs(86_401));
    let body = json!({"type": "signup", "email": "late@b.co", "token": late.code()});
    verify(body).await.is_error(403, "otp_expired", "Token has expired or is invalid");
    let body = json!({"type": "signup", "token_hash": late.parameter("token")});
    verify(body).await.is_error(403, "otp_expired", "Email link is invalid or has expired");
}

#[tokio::test]
async fn a_token_alone_is_accepted_as_the_links_token() {
    let service = TestService::start().await;
    let mail = sign_up(&service, "ann@b.co").await;
    let body = json!({"type": "signup", "token": mail.parameter("token")});
    assert_eq!(service.post("/verify", body).await.ok().text("type"), "signup");
}

#[tokio::test]
async fn ten_wrong_guesses_invalidate_the_code() {
    let service = TestService::start().await;
    let mail = sign_up(&service, "ann@b.co").await;
    let wrong = if mail.code() == "000000" { "000001" } else { "000000" };
    let guess = |code: String| {
        service.post("/verify", json!({"type": "signup", "email": "ann@b.co", "token": code}))
    };
    for _ in 0..10 {
        guess(wrong.to_owned()).await.is_error(
            403,
            "otp_expired",
            "Token has expired or is invalid",
        );
    }
    guess(mail.code()).await.is_error(403, "otp_expired", "Token has expired or is invalid");
}

#[tokio::test]
async fn every_wrong_request_gets_its_exact_error() {
    let service = TestService::start().await;
    let failed = "validation_failed";
    let cases: &[(Value, u16, &str, &str)] = &[
        (json!({"token": "1"}), 400, failed, "Verify requires a verification type"),
        (json!({"type": "signup"}), 400, failed, "Verify requires either a token or a token hash"),
        (
            json!({"type": "signup", "token": "1", "token_hash": "2"}),
            400,
            failed,
            "Verify requires either a token or a token hash",
        ),
        (
            json!({"type": "signup", "token_hash": "2", "email": "a@b.co"}),
            400,
            failed,
            "Only the token_hash and type should be provided",
        ),
        (
            json!({"type": "signup", "token": "1", "email": "a@b.co", "phone": "417"}),
            400,
            failed,
            "Only an email address or phone number should be provided on verify",
        ),
        (
            json!({"type": "signup", "token": "1", "email": "a"}),
            422,
            failed,
            "Invalid email format",
        ),
        (
            json!({"type": "x", "token": "1", "email": "a@b.co"}),
            400,
            failed,
            "Unsupported verification type",
        ),
        (json!({"type": "x", "token_hash": "1"}), 400, failed, "Invalid email verification type"),
        (
            json!({"type": "signup", "token": "123456", "email": "nobody@b.co"}),
            403,
            "otp_expired",
            "Token has expired or is invalid",
        ),
        (
            json!({"type": "sms", "token": "123456", "phone": "+41791234567"}),
            403,
            "otp_expired",
            "Token has expired or is invalid",
        ),
        (
            json!({"type": "signup", "token_hash": "nothing"}),
            403,
            "otp_expired",
            "Email link is invalid or has expired",
        ),
    ];
    for (body, status, code, message) in cases {
        service.post("/verify", body.clone()).await.is_error(*status, code, message);
    }
    let get = |path| Answer::of(service.request(Method::GET, path));
    let message = "Verify requires a verification type";
    get("/verify?token=x").await.is_error(400, failed, message);
    let message = "Verify requires a token or a token hash";
    get("/verify?type=signup").await.is_error(400, failed, message);
}

#[tokio::test]
async fn links_redirect_only_to_allowed_urls() {
    let service =
        TestService::start_with(|c| c.uri_allow_list = vec!["limber://auth/**".into()]).await;
    for (asked, leads_to) in [
        ("limber://auth/callback?x=1", "limber://auth/callback?x=1#"),
        ("https://evil.example/", SITE),
    ] {
        let request = service.request(Method::GET, "/verify").query(&[
            ("type", "signup"),
            ("token", "x"),
            ("redirect_to", asked),
        ]);
        let answer = Answer::of(request).await;
        let location = answer.headers["location"].to_str().expect("text");
        assert!(location.starts_with(leads_to), "{location}");
    }
}

#[tokio::test]
async fn the_emailed_link_contains_the_redirect_of_the_sign_up() {
    let service = TestService::start().await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let path = format!("/signup?redirect_to={SITE}/welcome%3Fa%3D1");
    service.post(&path, body).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 1).await;
    assert!(mail.link().ends_with("redirect_to=http%3A%2F%2Fsite.example%2Fwelcome%3Fa%3D1"));
    let (url, pairs) = open(&service, mail.link()).await;
    assert_eq!((url.path(), url.query()), ("/welcome", Some("a=1")));
    assert!(pairs.contains_key("access_token"));
}
