//! Endpoints that need no account: health, settings and keys; also unknown paths and CORS.

use reqwest::Method;
use serde_json::json;

use crate::service::{Answer, TestService};

#[tokio::test]
async fn health_is_served_at_both_paths() {
    let service = TestService::start().await;
    for path in ["/health", "/auth/v1/health", "/health/ready"] {
        let answer = Answer::of(service.request(Method::GET, path)).await.ok();
        assert_eq!(answer.body["name"], "limber-identity", "{path}");
        assert_eq!(answer.body["version"], env!("CARGO_PKG_VERSION"));
    }
}

#[tokio::test]
async fn settings_list_eighteen_providers_and_the_switches() {
    let service = TestService::start_with(|config| config.signup.anonymous = true).await;
    let answer = Answer::of(service.request(Method::GET, "/settings")).await.ok();
    let external = answer.body["external"].as_object().expect("an object");
    assert_eq!(external.len(), 21);
    assert_eq!(external["anonymous_users"], true);
    assert_eq!((&external["email"], &external["github"]), (&json!(true), &json!(false)));
    assert_eq!(answer.body["disable_signup"], false);
    assert_eq!(answer.body["autoconfirm"], false);
    assert_eq!(answer.body["mailer_autoconfirm"], false);
    assert_eq!(answer.body["mfa_phone_enabled"], false);
}

#[tokio::test]
async fn the_key_set_is_empty_with_a_shared_secret_and_cacheable() {
    let service = TestService::start().await;
    let answer = Answer::of(service.request(Method::GET, "/.well-known/jwks.json")).await.ok();
    assert_eq!(answer.body, json!({"keys": []}));
    assert_eq!(answer.headers["cache-control"], "public, max-age=600");
}

#[tokio::test]
async fn unknown_paths_and_methods_answer_in_json() {
    let service = TestService::start().await;
    for path in ["/nothing", "/auth/v1/nothing"] {
        let answer = Answer::of(service.request(Method::GET, path)).await;
        assert_eq!((answer.status, &answer.body["code"]), (404, &json!(404)), "{path}");
    }
    let answer = Answer::of(service.request(Method::DELETE, "/signup")).await;
    assert_eq!((answer.status, &answer.body["code"]), (405, &json!(405)));
    service.post("/sso", json!({})).await.is_error(
        404,
        "saml_provider_disabled",
        "SAML 2.0 is disabled",
    );
}

#[tokio::test]
async fn cors_allows_any_origin_with_the_clients_headers() {
    let service = TestService::start().await;
    let preflight = service
        .request(Method::OPTIONS, "/signup")
        .header("Origin", "tauri://localhost")
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "apikey,authorization,x-client-info");
    let answer = Answer::of(preflight).await.ok();
    assert_eq!(answer.headers["access-control-allow-origin"], "tauri://localhost");
    assert_eq!(answer.headers["access-control-allow-credentials"], "true");
    let allowed = answer.headers["access-control-allow-headers"].to_str().expect("text");
    assert!(allowed.contains("apikey") && allowed.contains("x-supabase-api-version"));
    let plain = service.request(Method::GET, "/health").header("Origin", "http://a.example");
    let exposed = Answer::of(plain).await.headers["access-control-expose-headers"].clone();
    assert!(exposed.to_str().expect("text").contains("x-supabase-api-version"));
}

#[tokio::test]
async fn newer_clients_get_the_newer_shape_of_errors() {
    let service = TestService::start().await;
    let ask = |version: &str| {
        let body = json!({"email": "a@b.co", "password": "wrong"});
        let request = service.request(Method::POST, "/token?grant_type=password").json(&body);
        Answer::of(request.header("X-Supabase-Api-Version", version))
    };
    let answer = ask("2024-01-01").await;
    let expected = json!({"code": "invalid_credentials", "message": "Invalid login credentials"});
    assert_eq!((answer.status, answer.body), (400, expected));
    assert_eq!(answer.headers["x-supabase-api-version"], "2024-01-01");
    for old in ["2023-12-31", "soon"] {
        let answer = ask(old).await;
        answer.is_error(400, "invalid_credentials", "Invalid login credentials");
        assert!(!answer.headers.contains_key("x-supabase-api-version"), "{old}");
    }
}
