//! Clients that start a request and never finish it: the service keeps answering others and stops
//! in time.

use std::time::Duration;

use limber_identity_service::Config;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::deployment::Deployment;
use crate::flood::{
    answers, count, flood, fresh_client, half_sent, half_sent_by, is_closed, limit_open_files,
};
use crate::service::{PASSWORD, TestService};
use crate::waiting::until;
use crate::wire::connect;

#[tokio::test(flavor = "multi_thread")]
async fn half_sent_headers_push_out_one_another_and_nobody_who_asks() {
    let room = count() / 5;
    let service = TestService::start_with(|config: &mut Config| {
        config.mailer.autoconfirm = true;
        config.trusted_proxies.clear();
        config.connections.connections_of_one = room;
    })
    .await;
    let settings = service.base.join("settings").expect("a path");
    let mut flood = flood(service.base.authority(), settings.as_str()).await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    service.post("/signup", body).await.ok();
    for stream in flood.iter_mut().take(count() - room) {
        is_closed(stream).await;
    }
    answers(settings.as_str()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_known_proxy_may_have_more_connections_than_one_caller() {
    let service = TestService::start_with(|config| config.connections.connections_of_one = 2).await;
    for stream in &mut half_sent_by(20, service.base.authority()).await {
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
    is_closed(&mut half_sent(service.base.authority()).await).await;
    is_closed(&mut connect(&service.base).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_may_open_no_more_files_goes_on_answering() {
    let deployment = Deployment::new().await;
    let running = deployment.serve().await;
    let (base, http) = (deployment.url("/"), fresh_client());
    limit_open_files(running.id(), 80);
    let _flood = half_sent_by(200, base.authority()).await;
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
    let mut held = half_sent_by(20, base.authority()).await;
    // A request that never ends on its own.
    let mut body = connect(&base).await;
    let head = b"POST /signup HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{";
    body.write_all(head).await.expect("it listens");
    // A client that keeps its connection alive.
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
