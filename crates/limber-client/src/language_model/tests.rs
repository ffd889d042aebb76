//! Tests against mock servers over HTTP.

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{
    Json, Router,
    body::Body,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::post,
};
use serde_json::json;

use super::*;
use crate::Unencrypted;

const KEY: &str = "sk-hush-hush";
const AMPLE: Duration = Duration::from_secs(60);

async fn serve(router: Router) -> SocketAddr {
    // fails if another test has installed a provider already, which is fine
    let _ = rustls::crypto::ring::default_provider().install_default();
    let listener =
        tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is available");
    let address = listener.local_addr().expect("the socket has an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// Starts a server that gives this response to every request.
async fn answering(answer: impl IntoResponse + Clone + Send + Sync + 'static) -> SocketAddr {
    let handler = move || std::future::ready(answer.clone().into_response());
    serve(Router::new().route("/v1/chat/completions", post(handler))).await
}

fn options(address: SocketAddr) -> LanguageModelOptions {
    LanguageModelOptions {
        address: format!("http://{address}/v1").parse().expect("the address is valid"),
        name: "small".into(),
        key: Some(KEY.into()),
        connection: ConnectionPolicy::default(),
        timeout: AMPLE,
    }
}

fn question() -> Vec<Turn> {
    vec![Turn { role: Role::User, content: "Well?".into() }]
}

async fn ask(options: LanguageModelOptions) -> Result<String, LanguageModelError> {
    LanguageModel::new(options).expect("the client can be created").answer(&question()).await
}

fn completion(words: &str) -> serde_json::Value {
    json!({ "id": "1", "choices": [{ "index": 0, "message": { "role": "assistant", "content": words } }] })
}

#[tokio::test]
async fn requests_contain_model_and_key_and_return_the_text() {
    let heard = Arc::new(Mutex::new(None));
    let hears = Arc::clone(&heard);
    let handler = move |headers: HeaderMap, Json(body): Json<Value>| {
        let key = headers
            .get("authorization")
            .map(|value| value.to_str().expect("the header is text").to_owned());
        *hears.lock().expect("the mutex is not poisoned") = Some((key, body));
        std::future::ready(Json(completion("Very well.")))
    };
    let address = serve(Router::new().route("/v1/chat/completions", post(handler))).await;
    assert_eq!(ask(options(address)).await.as_deref(), Ok("Very well."));
    let body = json!({
        "model": "small", "stream": false, "messages": [{ "role": "user", "content": "Well?" }],
    });
    let expected = Some((Some(format!("Bearer {KEY}")), body));
    assert_eq!(*heard.lock().expect("the mutex is not poisoned"), expected);
    let without_key = LanguageModelOptions { key: None, ..options(address) };
    ask(without_key).await.expect("the server responds");
    let heard =
        heard.lock().expect("the mutex is not poisoned").take().expect("a request was received");
    assert_eq!(heard.0, None);
}

#[test]
fn the_endpoint_is_appended_to_the_address_once() {
    for (typed, meant) in [
        ("http://localhost:11434/v1", "http://localhost:11434/v1/chat/completions"),
        ("http://localhost:11434/v1/", "http://localhost:11434/v1/chat/completions"),
        ("http://localhost:8080", "http://localhost:8080/chat/completions"),
        ("https://a.example/v1/chat/completions", "https://a.example/v1/chat/completions"),
        ("https://a.example/x?version=1#top", "https://a.example/x/chat/completions?version=1"),
    ] {
        let typed: Url = typed.parse().expect("the address is valid");
        assert_eq!(endpoint(&typed).expect("the address is valid").as_str(), meant);
    }
    for wrong in ["file:///etc/passwd", "ftp://a.example", "https://ann:secret@a.example"] {
        let wrong: Url = wrong.parse().expect("the address is valid");
        assert_eq!(endpoint(&wrong), Err(LanguageModelError::BadAddress), "{wrong}");
    }
}

#[test]
fn unencrypted_remote_servers_are_rejected_unless_allowed() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let here: SocketAddr = "127.0.0.1:9".parse().expect("the address is valid");
    let address: Url = "http://192.168.1.10:11434/v1".parse().expect("the address is valid");
    let elsewhere = LanguageModelOptions { address, ..options(here) };
    let refused = LanguageModel::new(elsewhere.clone()).err();
    assert_eq!(refused, Some(LanguageModelError::Unencrypted));
    let connection =
        ConnectionPolicy { unencrypted: Unencrypted::ToThisServer, ..ConnectionPolicy::default() };
    LanguageModel::new(LanguageModelOptions { connection, ..elsewhere })
        .expect("unencrypted connections are allowed");
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let reached = Arc::new(AtomicUsize::new(0));
    let counts = Arc::clone(&reached);
    let target = move || {
        counts.fetch_add(1, Ordering::SeqCst);
        std::future::ready(Json(completion("Here.")))
    };
    let address = serve(Router::new().route("/elsewhere", post(target))).await;
    let there = format!("http://{address}/elsewhere");
    let sends_on = answering((StatusCode::TEMPORARY_REDIRECT, [("location", there)])).await;
    assert_eq!(ask(options(sends_on)).await, Err(LanguageModelError::Redirected));
    assert_eq!(reached.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn oversized_responses_are_not_read_to_the_end() {
    const MEGABYTES: usize = 50;
    let sent = Arc::new(AtomicUsize::new(0));
    let counts = Arc::clone(&sent);
    let handler = move || {
        let counts = Arc::clone(&counts);
        let megabytes = (0..MEGABYTES).map(move |_| {
            counts.fetch_add(1, Ordering::SeqCst);
            Ok::<_, Infallible>(vec![b'a'; 1 << 20])
        });
        let body = Body::from_stream(futures_util::stream::iter(megabytes));
        std::future::ready(Response::new(body))
    };
    let address = serve(Router::new().route("/v1/chat/completions", post(handler))).await;
    assert_eq!(ask(options(address)).await, Err(LanguageModelError::TooLong { most_kib: 1024 }));
    assert!(sent.load(Ordering::SeqCst) < MEGABYTES, "most of the response was never sent");
}

#[tokio::test]
async fn hanging_servers_time_out_before_and_during_the_response() {
    let silent = || std::future::pending::<Response>();
    let begun = || {
        let first = futures_util::stream::iter([Ok::<_, Infallible>(b"{".to_vec())]);
        let endless = futures_util::StreamExt::chain(first, futures_util::stream::pending());
        std::future::ready(Response::new(Body::from_stream(endless)))
    };
    for handler in [post(silent), post(begun)] {
        let address = serve(Router::new().route("/v1/chat/completions", handler)).await;
        let soon = LanguageModelOptions { timeout: Duration::from_millis(200), ..options(address) };
        assert_eq!(ask(soon).await, Err(LanguageModelError::TimedOut));
    }
}

#[tokio::test]
async fn stopped_servers_are_reported_as_unreachable() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    // bound but not listening, so that nothing else gets the port in the meantime
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket can be created");
    socket.bind("127.0.0.1:0".parse().expect("the address is valid")).expect("a port is available");
    let address = socket.local_addr().expect("the socket has an address");
    assert_eq!(ask(options(address)).await, Err(LanguageModelError::Unreachable));
}

#[tokio::test]
async fn refusals_quote_the_server_unless_it_quotes_the_key() {
    let long = "x".repeat(1000);
    for (status, body, reason) in [
        (401, json!({ "error": { "message": "Who are you?" } }), Some("Who are you?")),
        (404, json!({ "error": "model \"small\" not found" }), Some("model \"small\" not found")),
        (401, json!({ "error": { "message": format!("{KEY} is not a key") } }), None),
        (500, json!([]), None),
        (400, json!({ "message": long }), Some(&long[..LONGEST_REASON])),
    ] {
        let status = StatusCode::from_u16(status).expect("the status code is valid");
        let address = answering((status, Json(body))).await;
        let expected = LanguageModelError::Refused {
            status: status.as_u16(),
            reason: reason.map(str::to_owned),
        };
        assert_eq!(ask(options(address)).await, Err(expected));
    }
}

#[tokio::test]
async fn invalid_and_empty_completions_are_distinguished() {
    for (body, expected) in [
        (json!({ "hello": "world" }), LanguageModelError::NotUnderstood),
        (json!([1, 2]), LanguageModelError::NotUnderstood),
        (json!({ "choices": [] }), LanguageModelError::NoWords),
        (json!({ "choices": [{ "message": { "content": null } }] }), LanguageModelError::NoWords),
        (completion("  \n"), LanguageModelError::NoWords),
    ] {
        let address = answering(Json(body.clone())).await;
        assert_eq!(ask(options(address)).await, Err(expected), "{body}");
    }
    let address = answering("<html>Welcome</html>").await;
    assert_eq!(ask(options(address)).await, Err(LanguageModelError::NotUnderstood));
}

#[tokio::test]
async fn debug_output_hides_the_key_and_invalid_keys_are_rejected() {
    let address = answering(Json(completion("Well."))).await;
    let model = LanguageModel::new(options(address)).expect("the client can be created");
    assert!(!format!("{model:?} {:?}", options(address)).contains(KEY));
    let broken = LanguageModelOptions { key: Some("two\nlines".into()), ..options(address) };
    assert_eq!(ask(broken).await, Err(LanguageModelError::BadKey));
}
