//! Callers that begin to speak and never end, to flood a service with. The services' tests include this file.
//!
//! `cargo xtask soak flood` has thousands of them come.

use std::{process::Command, time::Duration};

use reqwest::Client;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// Half a header.
const HALF: &[u8] = b"GET /health HTTP/1.1\r\nHost: a\r\nX-Half: ";
/// So long that only what never happens takes longer, however busy the computer is.
const PATIENCE: Duration = Duration::from_secs(120);

/// How many half headers make a flood.
pub(crate) fn count() -> usize {
    if std::env::var_os("LIMBER_SOAK_SEED").is_some() { 5000 } else { 300 }
}

/// A caller who has said half of what it wants, to the service at this host and port.
pub(crate) async fn half_sent(place: &str) -> TcpStream {
    let mut stream = TcpStream::connect(place).await.expect("the service listens");
    // who has to make room may be gone already
    let _ = stream.write_all(HALF).await;
    stream
}

/// So many of them.
pub(crate) async fn half_sent_by(callers: usize, place: &str) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for _ in 0..callers {
        streams.push(half_sent(place).await);
    }
    streams
}

/// A whole flood of them, while somebody else asks for `url` and is answered throughout.
pub(crate) async fn flood(place: &str, url: &str) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    while streams.len() < count() {
        streams.extend(half_sent_by(50, place).await);
        answers(url).await;
    }
    streams
}

/// Somebody who asks for this is answered.
pub(crate) async fn answers(url: &str) {
    let answer = fresh_client().get(url).send().await;
    assert_eq!(answer.expect("it answers throughout").status(), 200);
}

/// A caller who keeps nothing open.
pub(crate) fn fresh_client() -> Client {
    let http = Client::builder().pool_max_idle_per_host(0).tls_certs_only([]);
    http.build().expect("a client can be built")
}

/// Waits until the other side has closed it, without a word.
pub(crate) async fn is_closed(stream: &mut TcpStream) {
    let mut bytes = Vec::new();
    let reading = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await;
    // a reset is an end, too
    assert!(reading.is_ok(), "it is still open");
    assert!(bytes.is_empty(), "{}", String::from_utf8_lossy(&bytes));
}

/// A running program may have no more files open than so many. Only what is opened from then on counts.
pub(crate) fn limit_open_files(process: u32, most: usize) {
    let limited = Command::new("prlimit")
        .args(["--pid", &process.to_string(), &format!("--nofile={most}:{most}")])
        .status();
    assert!(limited.expect("prlimit is there").success());
}
