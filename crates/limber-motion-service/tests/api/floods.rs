//! Callers that begin to speak and never end: the service answers everybody else, and stops in time.

use std::{process::Command, time::Duration};

use limber_text_to_motion::Seed;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::studio::{PATIENCE, Studio, in_work, until, walk};

/// Half a header.
const HALF: &[u8] = b"GET /health HTTP/1.1\r\nHost: a\r\nX-Half: ";

/// How many half headers: `cargo xtask soak flood` sends the large number.
fn count() -> usize {
    if std::env::var_os("LIMBER_SOAK_SEED").is_some() { 5000 } else { 300 }
}

async fn connect(studio: &Studio) -> TcpStream {
    let place = studio.base.trim_start_matches("http://");
    TcpStream::connect(place).await.expect("the service listens")
}

async fn half_sent(studio: &Studio) -> TcpStream {
    let mut stream = connect(studio).await;
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

/// A caller who keeps nothing open.
fn fresh_client() -> reqwest::Client {
    let http = reqwest::Client::builder().pool_max_idle_per_host(0).tls_certs_only([]);
    http.build().expect("a client")
}

async fn answers(http: &reqwest::Client, studio: &Studio) {
    let answer = http.get(studio.url("/health")).send().await;
    assert_eq!(answer.expect("it answers throughout").status(), 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn half_sent_headers_push_out_one_another_and_nobody_who_asks() {
    let room = count() / 5;
    let studio = Studio::open_with(|config| config.max_connections_of_one = room).await;
    let http = fresh_client();
    let mut flood = Vec::new();
    for number in 0..count() {
        flood.push(half_sent(&studio).await);
        if number % 50 == 0 {
            answers(&http, &studio).await;
        }
    }
    studio.client().submit(&walk(), None).await.expect("a job is taken in");
    for stream in flood.iter_mut().take(count() - room) {
        is_closed(stream).await;
    }
    answers(&http, &studio).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_that_takes_too_long_ends_its_connection() {
    let studio = Studio::open_with(|config| config.header_time = Duration::from_millis(300)).await;
    is_closed(&mut half_sent(&studio).await).await;
    is_closed(&mut connect(&studio).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_may_open_no_more_files_goes_on_answering() {
    let mut studio = Studio::open().await;
    let server = studio.start_server_process().await;
    let limited = Command::new("prlimit")
        .args(["--pid", &server.id().to_string(), "--nofile=80:80"])
        .status();
    assert!(limited.expect("prlimit is there").success());
    let http = fresh_client();
    let mut flood = Vec::new();
    for _ in 0..200 {
        flood.push(half_sent(&studio).await);
    }
    until("an answer although no file may be opened", async || {
        let answer = http.get(studio.url("/health")).send().await;
        answer.is_ok_and(|answer| answer.status() == 200).then_some(())
    })
    .await;
    assert!(server.stop().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn server_and_worker_stop_in_order_whoever_holds_connections_and_whatever_they_do() {
    let mut studio = Studio::open().await;
    let server = studio.start_server_process().await;
    let client = studio.client();
    let held = studio.hold_results().await;
    let worker = studio.worker("cpu-0");
    let request =
        limber_client::motion::TextToMotion { variants: 8, seed: Some(Seed(7).0), ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    in_work(&client, &job).await;
    let mut half = Vec::new();
    for _ in 0..20 {
        half.push(half_sent(&studio).await);
    }
    // a stream of events, which lasts
    let events = studio.http.get(studio.url("/job/v1/events"));
    let events = events.header("cookie", studio.cookie().await).send().await.expect("a stream");
    assert_eq!(events.status(), 200);
    // a request whose body never ends
    let mut body = connect(&studio).await;
    let head = "POST /job/v1/process/text2motion HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n";
    let cookie = format!("Cookie: {}\r\n", studio.cookie().await);
    let head = format!("{head}{cookie}Content-Type: application/json\r\n\r\n{{");
    body.write_all(head.as_bytes()).await.expect("it listens");
    assert!(server.stop().success());
    for stream in &mut half {
        is_closed(stream).await;
    }
    // what it has in hand cannot be handed in
    assert!(worker.stop().success());
    held.let_go().await;
}
