//! Callers that begin to speak and never end: the service answers everybody else, and stops in time.

use std::time::Duration;

use limber_identity_service::Config;
use reqwest::{Client, Url};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::deployment::Deployment;
use crate::service::{PASSWORD, TestService};
use crate::waiting::{PATIENCE, until};
use crate::wire::connect;

/// Half a header.
const HALF: &[u8] = b"GET /settings HTTP/1.1\r\nHost: a\r\nX-Half: ";

/// How many half headers: `cargo xtask soak flood` sends the large number.
fn count() -> usize {
    if std::env::var_os("LIMBER_SOAK_SEED").is_some() { 5000 } else { 300 }
}

async fn half_sent(base: &Url) -> TcpStream {
    let mut stream = connect(base).await;
    // who has to make room may be gone already
    let _ = stream.write_all(HALF).await;
    stream
}

/// Waits until the other side has closed it.
async fn is_closed(stream: &mut TcpStream) {
    let mut bytes = Vec::new();
    let reading = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    // a reset is an end, too
    assert!(reading.is_ok(), "it is still open");
    assert!(bytes.is_empty(), "{}", String::from_utf8_lossy(&bytes));
}

async fn answers(http: &Client, base: &Url) {
    let answer = http.get(base.join("settings").expect("a path")).send().await;
    assert_eq!(answer.expect("it answers throughout").status(), 200);
}

/// From a caller who keeps nothing open.
fn fresh_client() -> Client {
    let http = Client::builder().pool_max_idle_per_host(0).tls_certs_only([]);
    http.build().expect("a client can be built")
}

#[tokio::test(flavor = "multi_thread")]
async fn half_sent_headers_push_out_one_another_and_nobody_who_asks() {
    let room = count() / 5;
    let service = TestService::start_with(|config: &mut Config| {
        config.mailer.autoconfirm = true;
        config.trusted_proxies.clear();
        config.connections.connections_of_one = room;
    })
    .await;
    let http = fresh_client();
    let mut flood = Vec::new();
    for number in 0..count() {
        flood.push(half_sent(&service.base).await);
        if number % 50 == 0 {
            answers(&http, &service.base).await;
        }
    }
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    service.post("/signup", body).await.ok();
    for stream in flood.iter_mut().take(count() - room) {
        is_closed(stream).await;
    }
    answers(&http, &service.base).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_known_proxy_may_have_more_connections_than_one_caller() {
    let service = TestService::start_with(|config| config.connections.connections_of_one = 2).await;
    let mut flood = Vec::new();
    for _ in 0..20 {
        flood.push(half_sent(&service.base).await);
    }
    for stream in &mut flood {
        stream.write_all(b"a\r\nConnection: close\r\n\r\n").await.expect("it is still open");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_that_takes_too_long_ends_its_connection() {
    let service = TestService::start_with(|config| {
        config.connections.header_time = Duration::from_millis(300);
    })
    .await;
    is_closed(&mut half_sent(&service.base).await).await;
    is_closed(&mut connect(&service.base).await).await;
}

/// Only what is opened from then on counts.
fn limit_open_files(process: u32, most: usize) {
    let limited = std::process::Command::new("prlimit")
        .args(["--pid", &process.to_string(), &format!("--nofile={most}:{most}")])
        .status();
    assert!(limited.expect("prlimit is there").success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_may_open_no_more_files_goes_on_answering() {
    let deployment = Deployment::new().await;
    let running = deployment.serve().await;
    let (base, http) = (deployment.url("/"), fresh_client());
    limit_open_files(running.id(), 80);
    let mut flood = Vec::new();
    for _ in 0..200 {
        flood.push(half_sent(&base).await);
    }
    let settings = base.join("settings").expect("a path");
    until("an answer although no file may be opened", async || {
        let answer = http.get(settings.clone()).send().await;
        answer.is_ok_and(|answer| answer.status() == 200).then_some(())
    })
    .await;
    running.terminate();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_stops_in_order_whoever_holds_its_connections() {
    let deployment = Deployment::new().await;
    let running = deployment.serve().await;
    let base = deployment.url("/");
    let mut held = Vec::new();
    for _ in 0..20 {
        held.push(half_sent(&base).await);
    }
    // a request that never ends by itself
    let mut body = connect(&base).await;
    let head = b"POST /signup HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{";
    body.write_all(head).await.expect("it listens");
    // and a caller who keeps the connection for more
    let mut idle = connect(&base).await;
    idle.write_all(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n").await.expect("it listens");
    let mut first = [0; 15];
    idle.read_exact(&mut first).await.expect("an answer");
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    running.terminate();
    for stream in &mut held {
        is_closed(stream).await;
    }
}
