//! A process that has reached its limit on open files. This is a separate test program, because the
//! limit applies to the whole process.
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

/// Time limit, longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(120);

#[tokio::test(flavor = "multi_thread")]
async fn accept_survives_running_out_of_file_descriptors() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is available");
    let address = listener.local_addr().expect("the socket has an address");
    let most = Rlimit { current: Some(120), maximum: Some(120) };
    setrlimit(Resource::Nofile, most).expect("the limit can be lowered");
    let app = Router::new().route("/", get("here"));
    let stop = CancellationToken::new();
    let served = tokio::spawn(serve(listener, app, Limits::default(), |_| true, stop.clone()));
    // Both ends of each connection use our files. None is served, because not even half a header
    // arrives.
    let mut held = Vec::new();
    while let Ok(stream) = TcpStream::connect(address).await {
        held.push(stream);
    }
    let mut asks = held.pop().expect("there is a connection");
    // Leave no file with which the server could accept the connection.
    let mut files = Vec::new();
    while let Ok(file) = File::open("/dev/null") {
        files.push(file);
    }
    asks.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        .await
        .expect("the connection is open");
    let mut answer = String::new();
    let answering = tokio::time::timeout(PATIENCE, asks.read_to_string(&mut answer)).await;
    answering.expect("the server responds in time").expect("the response is complete");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("here"), "{answer}");
    drop(files);
    stop.cancel();
    let ended = tokio::time::timeout(PATIENCE, served).await;
    ended.expect("the server stops").expect("the server does not panic");
}
