//! Redirect targets are matched as a browser would read them, and exactly what was matched is sent.

use limber_identity_service::Config;
use reqwest::{Method, Url};
use serde_json::json;

use crate::service::{Answer, SITE, TestService};

/// Targets as written, and where they lead.
const TARGETS: [(&str, &str); 19] = [
    ("https://app.example/in/a?b=c", "https://app.example/in/a?b=c"),
    ("HTTPS://App.EXAMPLE/in/A", "https://app.example/in/A"),
    ("https://app.example:443/in/a", "https://app.example/in/a"),
    ("https://app.example/out/../in/a", "https://app.example/in/a"),
    ("https://app.example/in/./x/%2E%2e/a", "https://app.example/in/a"),
    ("https:\\\\app.example\\in\\a", "https://app.example/in/a"),
    ("https://app.example/in/a%2Fb", "https://app.example/in/a%2Fb"),
    ("https://app.example/in/a+b%20c", "https://app.example/in/a+b%20c"),
    ("https://b\u{fc}cher.example/", "https://xn--bcher-kva.example/"),
    ("https://B\u{dc}CHER.example", "https://xn--bcher-kva.example/"),
    ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
    ("limber://auth/callback", "limber://auth/callback"),
    // Leaves the allowed path.
    ("https://app.example/in/../out", SITE),
    ("https://app.example/in/%2e%2e/out", SITE),
    ("https://app.example/in/.%2E/out", SITE),
    ("https://app.example/in\\..\\out", SITE),
    ("https://app.example/in/..%2fout", SITE),
    ("https://app.example/in/%2e%2e%5cout", SITE),
    ("https://app.example:8443/in/a", SITE),
];

fn places(config: &mut Config) {
    config.uri_allow_list =
        ["https://app.example:443/in/**", "https://B\u{fc}cher.example", "limber://auth/**"]
            .map(str::to_owned)
            .into();
}

#[tokio::test]
async fn browsers_are_redirected_to_exactly_the_matched_url() {
    let service = TestService::start_with(places).await;
    for (target, leads_to) in TARGETS {
        let request = service.request(Method::GET, "/verify").query(&[
            ("type", "signup"),
            ("token", "x"),
            ("redirect_to", target),
        ]);
        let answer = Answer::of(request).await;
        let location = answer.headers["location"].to_str().expect("text").to_owned();
        let mut url = Url::parse(&location).expect("an address");
        url.set_fragment(None);
        // Error parameters are added to the existing query.
        let ours = |name: &str| matches!(name, "error" | "error_code" | "error_description");
        let kept: Vec<String> = url
            .query()
            .into_iter()
            .flat_map(|query| query.split('&'))
            .filter(|pair| !ours(pair.split('=').next().unwrap_or_default()))
            .map(str::to_owned)
            .collect();
        url.set_query((!kept.is_empty()).then(|| kept.join("&")).as_deref());
        assert_eq!(url.as_str().trim_end_matches('/'), leads_to.trim_end_matches('/'), "{target}");
    }
}

#[tokio::test]
async fn emailed_links_contain_exactly_the_matched_url() {
    let service = TestService::start_with(places).await;
    for (number, (target, leads_to)) in TARGETS.into_iter().enumerate() {
        let email = format!("n{number}@b.co");
        let request = service.request(Method::POST, "/otp").query(&[("redirect_to", target)]);
        Answer::of(request.json(&json!({"email": email}))).await.ok();
        let mail = service.mailbox.nth(&email, 1).await;
        assert_eq!(mail.parameter("redirect_to"), leads_to, "{target}");
    }
}

#[tokio::test]
async fn loopback_redirects_must_be_listed() {
    let service = TestService::start_with(|config| {
        config.uri_allow_list = vec!["http://127.0.0.1:*/in".to_owned()];
    })
    .await;
    for (number, (target, leads_to)) in [
        ("http://127.0.0.1:9999/in", "http://127.0.0.1:9999/in"),
        ("http://127.0.0.1:9999/x", SITE),
        ("http://[::1]:9999/in", SITE),
        ("http://127.0.0.2/in", SITE),
        ("http://localhost:9999/in", SITE),
    ]
    .into_iter()
    .enumerate()
    {
        let email = format!("n{number}@b.co");
        let request = service.request(Method::POST, "/otp").query(&[("redirect_to", target)]);
        Answer::of(request.json(&json!({"email": email}))).await.ok();
        let mail = service.mailbox.nth(&email, 1).await;
        assert_eq!(mail.parameter("redirect_to"), leads_to, "{target}");
    }
}
