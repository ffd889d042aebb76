//! A process that may open no more files. Alone in its program, because the limit is the whole process's.
#![cfg(unix)]

use std::{fs::File, time::Duration};

use axum::{Router, routing::get};
use limber_serve::{Limits, serve};
use rustix::process::{Resource, Rlimit, setrlimit};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};
use tokio_util::sync::CancellationToken;

/// Longer than anything takes here.
const PATIENCE: Duration = Duration::from_secs(120);

#[tokio::test(flavor = "multi_thread")]
async fn accept_survives_that_no_file_may_be_opened() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let most = Rlimit { current: Some(120), maximum: Some(120) };
    setrlimit(Resource::Nofile, most).expect("it can always be lowered");
    let app = Router::new().route("/", get("here"));
    let stop = CancellationToken::new();
    let served = tokio::spawn(serve(listener, app, Limits::default(), |_| true, stop.clone()));
    // both ends of each are ours; they stay unanswered, because not even half a header comes
    let mut held = Vec::new();
    while let Ok(stream) = TcpStream::connect(address).await {
        held.push(stream);
    }
    let mut asks = held.pop().expect("some");
    // nothing is left for the server to take it with
    let mut files = Vec::new();
    while let Ok(file) = File::open("/dev/null") {
        files.push(file);
    }
    asks.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await.expect("open");
    let mut answer = String::new();
    let answering = tokio::time::timeout(PATIENCE, asks.read_to_string(&mut answer)).await;
    answering.expect("an answer").expect("it is whole");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("here"), "{answer}");
    drop(files);
    stop.cancel();
    let ended = tokio::time::timeout(PATIENCE, served).await;
    ended.expect("it ends").expect("it does not panic");
}
