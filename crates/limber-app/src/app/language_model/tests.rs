//! Tests against fake model servers over HTTP.

use std::{
    future::{pending, ready},
    net::SocketAddr,
    path::Path,
    sync::{Arc, Mutex},
};

use axum::{
    Json, Router,
    body::Body,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::{MethodRouter, post},
};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::*;
use crate::{app::HERE, testing};

const KEY: &str = "sk-hush-hush";
const PROMPT: &str = "walks, then waves";
const SCRIPT: &str = r#"{"events":[{"do":"walk"},{"do":"wave"}],"version":2}"#;

/// A request that the server received.
struct Heard {
    key: Option<String>,
    body: Value,
}

impl Heard {
    /// The content of the last message.
    fn last(&self) -> &str {
        let turns = self.body["messages"].as_array().expect("turns");
        turns.last().expect("one")["content"].as_str().expect("words")
    }
}

struct StandIn {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl StandIn {
    fn times(&self) -> usize {
        self.heard.lock().expect("not poisoned").len()
    }
}

async fn serve(handler: MethodRouter) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let router = Router::new().route("/v1/chat/completions", handler);
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

fn completion(words: &str) -> Json<Value> {
    Json(json!({ "choices": [{ "message": { "role": "assistant", "content": words } }] }))
}

/// A server that returns these answers in order, repeating the last one.
async fn saying(words: &[&str]) -> StandIn {
    let words: Vec<String> = words.iter().map(|&words| words.to_owned()).collect();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = Arc::clone(&heard);
    let handler = move |headers: HeaderMap, Json(body): Json<Value>| {
        let key = headers.get("authorization").map(|key| key.to_str().expect("ASCII").to_owned());
        let mut heard = hears.lock().expect("not poisoned");
        let answer = completion(&words[heard.len().min(words.len() - 1)]);
        heard.push(Heard { key, body });
        drop(heard);
        ready(answer)
    };
    StandIn { address: serve(post(handler)).await, heard }
}

fn entry(address: SocketAddr) -> LanguageModelEntry {
    LanguageModelEntry {
        address: format!("http://{address}/v1"),
        name: "small".into(),
        key: Some(KEY.into()),
        limit_s: 60,
        allow_unencrypted: false,
    }
}

async fn connected(folder: &Path, entry: LanguageModelEntry) -> App {
    let app = testing::app(folder);
    app.connect_language_model(entry).await.expect("connected");
    app
}

async fn read(app: &App) -> LanguageModelReading {
    app.read_with_language_model(PROMPT).await.expect("asked").expect("not stopped")
}

/// Prompts submitted to the local studio.
fn queued(app: &App) -> Vec<String> {
    let entries = app.inner.journal.of(HERE);
    entries.into_iter().map(|entry| entry.prompt).collect()
}

/// Reads a prompt with a model that gives these answers.
async fn reading(words: &[&str]) -> (LanguageModelReading, StandIn) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = saying(words).await;
    let app = connected(folder.path(), entry(server.address)).await;
    let reading = read(&app).await;
    assert!(queued(&app).is_empty());
    (reading, server)
}

fn code(reading: &LanguageModelReading) -> &str {
    match &reading.outcome {
        LanguageModelOutcome::Failed { error } => &error.message.code,
        LanguageModelOutcome::Script { text, .. } => panic!("it read {text}"),
    }
}

fn is_script(reading: &LanguageModelReading) -> bool {
    let LanguageModelOutcome::Script { json, text } = &reading.outcome else { return false };
    let [json, expected] =
        [json.as_str(), SCRIPT].map(|text| serde_json::from_str::<Value>(text).ok());
    json == expected && text.ends_with("walk > wave")
}

#[tokio::test]
async fn a_valid_response_is_a_script_and_the_exchange_is_shown() {
    let (reading, server) = reading(&[SCRIPT]).await;
    assert!(is_script(&reading), "{reading:?}");
    let heard = server.heard.lock().expect("not poisoned");
    assert_eq!(heard.len(), 1);
    assert_eq!(heard[0].key.as_deref(), Some(&*format!("Bearer {KEY}")));
    assert_eq!(heard[0].body["model"], "small");
    let sent = heard[0].body["messages"].as_array().expect("turns");
    let shown: Vec<&str> = reading.exchange.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(shown, [&sent[0]["content"], &sent[1]["content"], &json!(SCRIPT)]);
    assert!(heard[0].last().contains(PROMPT));
    let speakers: Vec<_> = reading.exchange.iter().map(|turn| turn.speaker).collect();
    use LanguageModelSpeaker::{Limber, Model};
    assert_eq!(speakers, [Limber, Limber, Model]);
}

#[tokio::test]
async fn a_script_in_a_code_fence_is_accepted() {
    let fenced = format!("Here you are:\n```json\n{SCRIPT}\n```");
    let (reading, server) = reading(&[&fenced]).await;
    assert!(is_script(&reading), "{reading:?}");
    assert_eq!(server.times(), 1);
}

#[tokio::test]
async fn an_invalid_script_may_be_corrected_twice_with_the_error_given() {
    let none = r#"{"version":2,"events":[{"do":"walk","count":0}]}"#;
    let unknown = r#"{"version":2,"events":[{"do":"walk"},{"do":"wave","colour":"red"}]}"#;
    let (reading, server) = reading(&[none, unknown, SCRIPT]).await;
    assert!(is_script(&reading), "{reading:?}");
    let heard = server.heard.lock().expect("not poisoned");
    assert_eq!(heard.len(), 3);
    assert!(heard[1].last().contains("events[0].count: 0 is below 1"), "{}", heard[1].last());
    let second = heard[2].last();
    assert!(second.contains("events[1]") && second.contains("colour"), "{second}");
    assert_eq!(reading.exchange.len(), 7);
}

#[tokio::test]
async fn prose_is_rejected_after_three_attempts() {
    let (reading, server) = reading(&["Ignore your schema! The person walks."]).await;
    assert_eq!(code(&reading), "language-model-no-script");
    assert_eq!((server.times(), reading.exchange.len()), (3, 7));
}

#[tokio::test]
async fn a_long_invalid_response_is_not_sent_back_or_shown_in_full() {
    let long = "x".repeat(900_000);
    let (reading, server) = reading(&[&long, SCRIPT]).await;
    assert!(is_script(&reading));
    let heard = server.heard.lock().expect("not poisoned");
    assert!(heard[1].body.to_string().len() < 300_000);
    assert!(reading.exchange.iter().all(|turn| turn.text.len() < 200_000));
}

#[tokio::test]
async fn an_unreachable_server_is_reported_and_nothing_is_queued() {
    let elsewhere = saying(&[SCRIPT]).await;
    let there = format!("http://{}/v1/chat/completions", elsewhere.address);
    let redirect = move || ready((StatusCode::TEMPORARY_REDIRECT, [("location", there.clone())]));
    let huge = || ready(Response::new(Body::from(vec![b'a'; 50 << 20])));
    let refused = || ready((StatusCode::UNAUTHORIZED, Json(json!({ "error": "Who?" }))));
    let fails = || ready(StatusCode::BAD_GATEWAY);
    // bound but not listening, so that nobody else gets the port meanwhile
    let down = tokio::net::TcpSocket::new_v4().expect("a socket");
    down.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
    for (address, expected) in [
        (serve(post(redirect)).await, "language-model-redirects"),
        (serve(post(huge)).await, "language-model-too-long"),
        (serve(post(refused)).await, "language-model-rejects-key"),
        (serve(post(fails)).await, "language-model-fails"),
        (serve(post(|| ready("<html>"))).await, "no-language-model-server"),
        (down.local_addr().expect("it"), "language-model-unreachable"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let app = connected(folder.path(), entry(address)).await;
        let reading = read(&app).await;
        assert_eq!(code(&reading), expected);
        assert_eq!(reading.exchange.len(), 2, "the request is shown");
        assert!(queued(&app).is_empty());
    }
    assert_eq!(elsewhere.times(), 0);
}

#[tokio::test]
async fn a_hanging_server_times_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let address = serve(post(pending::<Response>)).await;
    let app = connected(folder.path(), LanguageModelEntry { limit_s: 1, ..entry(address) }).await;
    let reading = read(&app).await;
    assert_eq!(code(&reading), "language-model-silent");
    assert_eq!(reading.exchange.len(), 2);
    assert!(queued(&app).is_empty());
}

#[tokio::test]
async fn the_exchange_before_a_server_failure_is_shown() {
    let asked = Arc::new(Mutex::new(0));
    let handler = move || {
        let mut asked = asked.lock().expect("not poisoned");
        *asked += 1;
        ready(if *asked == 1 {
            completion("Hm.").into_response()
        } else {
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        })
    };
    let folder = tempfile::tempdir().expect("a folder");
    let app = connected(folder.path(), entry(serve(post(handler)).await)).await;
    let reading = read(&app).await;
    assert_eq!(code(&reading), "language-model-fails");
    assert_eq!(reading.exchange.len(), 4);
    assert_eq!(reading.exchange[2].text, "Hm.");
}

#[tokio::test]
async fn a_reading_can_be_stopped() {
    let asked = Arc::new(Notify::new());
    let tells = Arc::clone(&asked);
    let handler = move || {
        tells.notify_one();
        pending::<Response>()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let app = connected(folder.path(), entry(serve(post(handler)).await)).await;
    let (read, ()) = tokio::join!(app.read_with_language_model(PROMPT), async {
        asked.notified().await;
        app.stop_language_model();
    });
    assert_eq!(read, Ok(None));
}

#[tokio::test]
async fn a_model_is_queried_only_on_user_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = saying(&[SCRIPT]).await;
    let app = connected(folder.path(), entry(server.address)).await;
    app.snapshot().await;
    app.start();
    app.set_theme(crate::views::Theme::Light).await.expect("saved");
    let request =
        crate::views::PromptDraft { text: PROMPT.into(), ..crate::views::PromptDraft::default() };
    app.save_prompt_draft(request).await.expect("saved");
    let again = testing::app(folder.path());
    assert!(again.snapshot().await.settings.language_model.is_some(), "it stays connected");
    assert_eq!(server.times(), 0);
    read(&app).await;
    assert_eq!(server.times(), 1);
}

#[tokio::test]
async fn without_a_model_or_prompt_nothing_is_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = testing::app(folder.path());
    assert_eq!(app.settings().await.language_model, None, "none is connected by default");
    let refused = app.read_with_language_model(PROMPT).await.expect_err("none is connected");
    assert_eq!(refused.message.code, "language-model-missing");
    let server = saying(&[SCRIPT]).await;
    app.connect_language_model(entry(server.address)).await.expect("connected");
    for (prompt, expected) in [(" \n", "no-prompt"), (&*"x".repeat(1025), "prompt-too-long")] {
        let refused = app.read_with_language_model(prompt).await.expect_err("no prompt");
        assert_eq!(refused.message.code, expected);
    }
    assert_eq!(server.times(), 0);
}

#[tokio::test]
async fn trying_a_model_before_connecting_saves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = testing::app(folder.path());
    let server = saying(&[SCRIPT]).await;
    let tried = app.test_language_model(entry(server.address)).await.expect("asked");
    assert!(is_script(&tried.expect("not stopped")));
    assert_eq!(server.times(), 1);
    assert_eq!(app.settings().await.language_model, None);
}

#[tokio::test]
async fn a_key_is_stored_in_the_keychain_and_sent_to_its_server_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (saying(&[SCRIPT]).await, saying(&[SCRIPT]).await);
    let app = connected(folder.path(), entry(first.address)).await;
    let kept = std::fs::read_to_string(app.inner.folders.settings()).expect("settings");
    assert!(kept.contains("small") && !kept.contains(KEY), "{kept}");
    let without = |address| LanguageModelEntry { key: None, ..entry(address) };
    let renamed = LanguageModelEntry { name: "large".into(), ..without(first.address) };
    let shown = app.connect_language_model(renamed).await.expect("connected");
    assert!(shown.language_model.expect("it").has_key, "the key of this server is kept");
    read(&app).await;
    let shown = app.connect_language_model(without(second.address)).await.expect("connected");
    assert!(!shown.language_model.expect("it").has_key);
    let reading = read(&app).await;
    assert!(!format!("{reading:?} {}", app.diagnostics()).contains(KEY));
    let keys =
        [&first, &second].map(|server| server.heard.lock().expect("not poisoned")[0].key.clone());
    assert_eq!(keys, [Some(format!("Bearer {KEY}")), None]);
    let back = app.connect_language_model(without(first.address)).await.expect("connected");
    assert!(!back.language_model.expect("it").has_key, "the key was removed with its server");
}

#[tokio::test]
async fn removing_a_model_removes_its_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = saying(&[SCRIPT]).await;
    let app = connected(folder.path(), entry(server.address)).await;
    let model = lock(&app.inner.settings).language_model.clone().expect("it");
    assert!(app.inner.secrets.get(&model.key_name()).await.is_some());
    let settings = app.forget_language_model().await.expect("forgotten");
    assert_eq!(settings.language_model, None);
    assert!(app.inner.secrets.get(&model.key_name()).await.is_none());
}

#[tokio::test]
async fn a_model_that_needs_a_key_is_not_queried_without_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = saying(&[SCRIPT]).await;
    let app = connected(folder.path(), entry(server.address)).await;
    let model = lock(&app.inner.settings).language_model.clone().expect("it");
    app.inner.secrets.remove(&model.key_name()).await;
    let refused = app.read_with_language_model(PROMPT).await.expect_err("no key");
    assert_eq!(refused.message.code, "language-model-key-gone");
    assert_eq!(server.times(), 0);
}
