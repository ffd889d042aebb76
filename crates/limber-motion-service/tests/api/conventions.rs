//! What all routes have in common: errors, request ids, methods, origins, limits.

use crate::studio::{HandClock, Studio, read};

#[tokio::test]
async fn every_error_has_a_message_and_its_request_id() {
    let studio = Studio::open().await;
    let answer = studio.http.get(studio.url("/nowhere")).send().await.expect("an answer");
    assert_eq!(answer.status(), 404);
    let number = answer.headers()["x-request-id"].to_str().expect("text").to_owned();
    assert!(
        answer.headers()["content-type"].to_str().expect("text").starts_with("application/json")
    );
    let body: serde_json::Value = answer.json().await.expect("JSON");
    assert_eq!(body["type"], "route_not_found");
    assert_eq!(body["requestId"], number);
    assert!(body["message"].as_str().is_some_and(|message| !message.is_empty()));
}

#[tokio::test]
async fn a_wrong_method_gets_the_allowed_ones_before_other_checks() {
    let studio = Studio::open().await;
    let answer = studio.http.delete(studio.url("/job/v1/list")).send().await.expect("an answer");
    assert_eq!(answer.status(), 405);
    let allow = answer.headers()["allow"].to_str().expect("text").to_owned();
    assert!(allow.contains("GET") && allow.contains("HEAD"), "{allow}");
    let body: serde_json::Value = answer.json().await.expect("JSON");
    assert_eq!(body["type"], "method_not_allowed");
}

#[tokio::test]
async fn a_double_slash_counts_as_one() {
    let studio = Studio::open().await;
    let (status, body) = studio.get("/job/v1//list").await;
    assert_eq!((status, &body["count"]), (200, &0.into()));
}

#[tokio::test]
async fn every_route_but_auth_requires_a_session() {
    let studio = Studio::open().await;
    for path in [
        "/account/v1/creditBalance",
        "/job/v1/list",
        "/job/v1/status/aaaaaaaaaaaaaaaa",
        "/job/v1/download/aaaaaaaaaaaaaaaa",
        "/job/v1/cancel/aaaaaaaaaaaaaaaa",
        "/character/v1/listModels",
    ] {
        let (status, body) = read(studio.http.get(studio.url(path))).await;
        assert_eq!((status, &body["type"]), (401, &"not_authenticated".into()), "{path}");
    }
}

#[tokio::test]
async fn only_listed_origins_may_call() {
    let studio = Studio::open().await;
    let health = studio.url("/health");
    let ask = async |origin: &str| {
        studio.http.get(&health).header("origin", origin).send().await.expect("an answer")
    };
    let allowed = ask("http://localhost:5173").await;
    assert_eq!(allowed.status(), 200);
    assert_eq!(allowed.headers()["access-control-allow-origin"], "http://localhost:5173");
    assert_eq!(allowed.headers()["access-control-allow-credentials"], "true");
    let refused = ask("http://evil.example").await;
    assert_eq!(refused.status(), 403);
    let body: serde_json::Value = refused.json().await.expect("JSON");
    assert_eq!(body["type"], "origin_not_allowed");
    let preflight = studio
        .http
        .request(reqwest::Method::OPTIONS, studio.url("/job/v1/process/text2motion"))
        .header("origin", "tauri://localhost")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type")
        .send()
        .await
        .expect("an answer");
    assert_eq!(preflight.status(), 200);
    assert_eq!(preflight.headers()["access-control-allow-headers"], "content-type");
}

#[tokio::test]
async fn too_many_requests_are_told_to_wait() {
    // with a stopped clock: on a busy computer, requests may arrive below the limit
    let clock = HandClock::now();
    let studio = Studio::open_at(&clock, |config| config.rate_limits = true).await;
    let cookie = studio.cookie().await;
    let mut refused = None;
    for _ in 0..100 {
        let request = studio.http.get(studio.url("/job/v1/list")).header("cookie", &cookie);
        let answer = request.send().await.expect("an answer");
        if answer.status() == 429 {
            refused = Some(answer);
            break;
        }
        assert_eq!(answer.status(), 200);
    }
    let refused = refused.expect("the burst ends");
    let wait: u64 =
        refused.headers()["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert!((1..=2).contains(&wait), "{wait}");
    clock.forward(1000);
    let again = studio.http.get(studio.url("/job/v1/list")).header("cookie", &cookie);
    assert_eq!(read(again).await.0, 200, "requests are answered after waiting");
    let mut last = 0;
    for _ in 0..12 {
        last = read(studio.http.get(studio.url("/account/v1/auth")).basic_auth("x", Some("y")))
            .await
            .0;
    }
    assert_eq!(last, 429, "guessing secrets is slow");
}

#[tokio::test]
async fn errors_never_contain_sql_or_paths() {
    let studio = Studio::open().await;
    let cookie = studio.cookie().await;
    studio.sql("alter table jobs rename to jobs_gone").await;
    let (status, body) =
        read(studio.http.get(studio.url("/job/v1/list")).header("cookie", cookie)).await;
    assert_eq!((status, &body["code"], &body["type"]), (500, &498.into(), &"internal".into()));
    let text = body.to_string();
    assert!(
        !text.contains("jobs_gone") && !text.contains("select") && !text.contains("relation"),
        "{text}"
    );
}
