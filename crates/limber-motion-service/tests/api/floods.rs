//! Clients that never finish their requests: the service still serves others and stops in time.

use std::time::Duration;

use limber_text_to_motion::Seed;
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use crate::{
    flood::{
        answers, count, flood, fresh_client, half_sent, half_sent_by, is_closed, limit_open_files,
    },
    port::Port,
    studio::{Studio, in_work, until, walk},
};

/// Returns host and port of the server.
pub(crate) fn place(studio: &Studio) -> &str {
    studio.base.trim_start_matches("http://")
}

#[tokio::test(flavor = "multi_thread")]
async fn incomplete_headers_displace_each_other_and_no_real_request() {
    let room = count() / 5;
    let studio = Studio::open_with(|config| config.max_connections_of_one = room).await;
    let health = studio.url("/health");
    let mut flood = flood(place(&studio), &health).await;
    studio.client().submit(&walk(), None).await.expect("a job is accepted");
    for stream in flood.iter_mut().take(count() - room) {
        is_closed(stream).await;
    }
    answers(&health).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_that_takes_too_long_ends_its_connection() {
    let studio = Studio::open_with(|config| config.header_time = Duration::from_millis(300)).await;
    is_closed(&mut half_sent(place(&studio)).await).await;
    is_closed(&mut TcpStream::connect(place(&studio)).await.expect("the service listens")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn incomplete_headers_on_the_metrics_port_displace_no_scraper() {
    let (of_server, of_worker) = (Port::take(), Port::take());
    let mut studio = Studio::open().await;
    studio.set("MOTIONSVC_MAX_CONNECTIONS_OF_ONE", "10");
    studio.set("MOTIONSVC_METRICS_LISTEN", &of_server.address.to_string());
    let _server = studio.start_server_process().await;
    studio.set("MOTIONSVC_METRICS_LISTEN", &of_worker.address.to_string());
    let _worker = studio.worker("cpu-0");
    for port in [of_server, of_worker] {
        let page = format!("http://{}/metrics", port.address);
        let http = fresh_client();
        until("the page exists", async || http.get(&page).send().await.ok()).await;
        let mut flood = half_sent_by(30, &port.address.to_string()).await;
        answers(&page).await;
        for stream in flood.iter_mut().take(20) {
            is_closed(stream).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_out_of_file_descriptors_keeps_responding() {
    let mut studio = Studio::open().await;
    let server = studio.start_server_process().await;
    limit_open_files(server.id(), 80);
    let http = fresh_client();
    let _flood = half_sent_by(200, place(&studio)).await;
    until("an answer although no file may be opened", async || {
        let answer = http.get(studio.url("/health")).send().await;
        answer.is_ok_and(|answer| answer.status() == 200).then_some(())
    })
    .await;
    assert!(server.stop().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn server_and_worker_stop_cleanly_despite_open_connections() {
    let mut studio = Studio::open().await;
    let server = studio.start_server_process().await;
    let client = studio.client();
    let held = studio.hold_results().await;
    let worker = studio.worker("cpu-0");
    let request =
        limber_client::motion::TextToMotion { variants: 8, seed: Some(Seed(7).0), ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    in_work(&client, &job).await;
    let mut half = half_sent_by(20, place(&studio)).await;
    // a long-lived event stream
    let events = studio.http.get(studio.url("/job/v1/events"));
    let events = events.header("cookie", studio.cookie().await).send().await.expect("a stream");
    assert_eq!(events.status(), 200);
    // a request whose body never ends
    let mut body = TcpStream::connect(place(&studio)).await.expect("it listens");
    let head = "POST /job/v1/process/text2motion HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n";
    let cookie = format!("Cookie: {}\r\n", studio.cookie().await);
    let head = format!("{head}{cookie}Content-Type: application/json\r\n\r\n{{");
    body.write_all(head.as_bytes()).await.expect("it listens");
    assert!(server.stop().success());
    for stream in &mut half {
        is_closed(stream).await;
    }
    // it cannot store its results while they are locked
    assert!(worker.stop().success());
    held.let_go().await;
}
