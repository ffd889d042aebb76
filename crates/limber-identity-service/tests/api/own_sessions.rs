//! `GET /sessions` and `DELETE /sessions/{id}`.

use reqwest::Method;
use serde_json::json;

use crate::service::{Answer, PASSWORD, TestService};

#[tokio::test]
async fn users_list_their_sessions_and_end_unknown_ones() {
    let service = TestService::start().await;
    let here = service.confirmed("ann@b.co").await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let request = service.request(Method::POST, "/token?grant_type=password").json(&body);
    let there = Answer::of(request.header("User-Agent", "a stranger's phone")).await.ok();
    service.confirmed("bob@b.co").await;
    let listed = service.get_as(&here.access(), "/sessions").await.ok();
    let sessions = listed.body["sessions"].as_array().expect("a list").clone();
    assert_eq!(sessions.len(), 2, "sessions of others are not shown");
    assert_eq!(sessions[0]["user_agent"], "a stranger's phone", "newest first");
    assert_eq!((&sessions[0]["current"], &sessions[1]["current"]), (&json!(false), &json!(true)));
    assert_eq!((&sessions[0]["aal"], &sessions[0]["ip"]), (&json!("aal1"), &json!("127.0.0.1")));
    let path = format!("/sessions/{}", sessions[0]["id"].as_str().expect("an id"));
    let ended = service.send_as(&here.access(), Method::DELETE, &path, json!({})).await;
    assert_eq!((ended.status, ended.body), (204, json!(null)));
    assert_eq!(
        service.refresh(&there.refresh()).await.text("error_code"),
        "refresh_token_not_found"
    );
    service.refresh(&here.refresh()).await.ok();
    let again = service.send_as(&here.access(), Method::DELETE, &path, json!({})).await;
    again.is_error(404, "session_not_found", "Session not found");
}

#[tokio::test]
async fn sessions_of_other_users_cannot_be_ended() {
    let service = TestService::start().await;
    let ann = service.confirmed("ann@b.co").await;
    let bob = service.confirmed("bob@b.co").await;
    let listed = service.get_as(&ann.access(), "/sessions").await.ok();
    let path = format!("/sessions/{}", listed.body["sessions"][0]["id"].as_str().expect("an id"));
    let refused = service.send_as(&bob.access(), Method::DELETE, &path, json!({})).await;
    refused.is_error(404, "session_not_found", "Session not found");
    service.refresh(&ann.refresh()).await.ok();
    let odd = service.send_as(&bob.access(), Method::DELETE, "/sessions/x", json!({})).await;
    odd.is_error(404, "validation_failed", "session_id must be an UUID");
    let nobody = Answer::of(service.request(Method::GET, "/sessions")).await;
    assert_eq!(nobody.status, 401);
}

#[tokio::test]
async fn access_tokens_end_with_their_session_if_configured() {
    let service =
        TestService::start_with(|config| config.sessions.access_needs_session = true).await;
    let session = service.confirmed("ann@b.co").await;
    service.get_as(&session.access(), "/user").await.ok();
    service.send_as(&session.access(), Method::POST, "/logout", json!({})).await.ok();
    let message = "Session from session_id claim in JWT does not exist";
    service.get_as(&session.access(), "/user").await.is_error(403, "session_not_found", message);
}
