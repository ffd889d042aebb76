//! Slow clients that send half a request and never finish, for flooding a service. Included by the
//! services' tests.
//!
//! `cargo xtask soak flood` uses thousands of them.

use std::{process::Command, time::Duration};

use reqwest::Client;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// An incomplete header.
const HALF: &[u8] = b"GET /health HTTP/1.1\r\nHost: a\r\nX-Half: ";
/// A generous timeout that only a hang exceeds, however busy the computer is.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns the number of half-sent requests that make a flood.
pub(crate) fn count() -> usize {
    if std::env::var_os("LIMBER_SOAK_SEED").is_some() { 5000 } else { 300 }
}

/// Connects to a service at host and port, and sends half a request.
pub(crate) async fn half_sent(place: &str) -> TcpStream {
    let mut stream = TcpStream::connect(place).await.expect("the service listens");
    // the service may already have closed the connection to make room
    let _ = stream.write_all(HALF).await;
    stream
}

/// Opens this many such connections.
pub(crate) async fn half_sent_by(callers: usize, place: &str) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for _ in 0..callers {
        streams.push(half_sent(place).await);
    }
    streams
}

/// Opens a flood of such connections, checking throughout that `url` is still served.
pub(crate) async fn flood(place: &str, url: &str) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    while streams.len() < count() {
        streams.extend(half_sent_by(50, place).await);
        answers(url).await;
    }
    streams
}

/// Checks that `url` is served.
pub(crate) async fn answers(url: &str) {
    let answer = fresh_client().get(url).send().await;
    assert_eq!(answer.expect("it answers throughout").status(), 200);
}

/// Returns a client that keeps no connections open.
pub(crate) fn fresh_client() -> Client {
    let http = Client::builder().pool_max_idle_per_host(0).tls_certs_only([]);
    http.build().expect("a client can be built")
}

/// Waits until the other side has closed the connection without sending anything.
pub(crate) async fn is_closed(stream: &mut TcpStream) {
    let mut bytes = Vec::new();
    let reading = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    // a reset counts as closed
    assert!(reading.is_ok(), "it is still open");
    assert!(bytes.is_empty(), "{}", String::from_utf8_lossy(&bytes));
}

/// Limits the number of open files of a running process. Files that are already open stay open.
pub(crate) fn limit_open_files(process: u32, most: usize) {
    let limited = Command::new("prlimit")
        .args(["--pid", &process.to_string(), &format!("--nofile={most}:{most}")])
        .status();
    assert!(limited.expect("prlimit is there").success());
}
