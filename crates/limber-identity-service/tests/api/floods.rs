//! Clients that start a request and never finish it: the service keeps answering others and stops
//! in time.

use std::time::Duration;

use limber_identity_service::Config;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::deployment::{Deployment, METRICS_PORT};
use crate::flood::{
    answers, count, flood, fresh_client, half_sent, half_sent_by, is_closed, limit_open_files,
};
use crate::service::{PASSWORD, TestService};
use crate::waiting::until;
use crate::wire::connect;

#[tokio::test(flavor = "multi_thread")]
async fn half_sent_headers_displace_each_other_and_not_real_requests() {
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
async fn half_sent_headers_at_the_metrics_page_displace_each_other_and_no_scraper() {
    let mut deployment = Deployment::new().await;
    deployment.set("AUTHSVC_API_MAX_CONNECTIONS_OF_ONE", "10");
    deployment.set("AUTHSVC_METRICS_ENABLED", "true");
    deployment.set("AUTHSVC_METRICS_EXPORTER", "prometheus");
    deployment.set("OTEL_EXPORTER_PROMETHEUS_HOST", "127.0.0.1");
    deployment.set("OTEL_EXPORTER_PROMETHEUS_PORT", METRICS_PORT);
    let running = deployment.serve().await;
    let page = deployment.metrics_url();
    let mut flood = half_sent_by(30, page.authority()).await;
    answers(page.as_str()).await;
    for stream in flood.iter_mut().take(20) {
        is_closed(stream).await;
    }
    running.terminate();
}

#[tokio::test(flavor = "multi_thread")]
async fn trusted_proxies_may_exceed_the_connection_limit_per_caller() {
    let service = TestService::start_with(|config| config.connections.connections_of_one = 2).await;
    for stream in &mut half_sent_by(20, service.base.authority()).await {
        stream
            .write_all(b"a\r\nConnection: close\r\n\r\n")
            .await
            .expect("the connection is still open");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_request_headers_close_the_connection() {
    let service = TestService::start_with(|config| {
        config.connections.header_time = Duration::from_millis(300);
    })
    .await;
    is_closed(&mut half_sent(service.base.authority()).await).await;
    is_closed(&mut connect(&service.base).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_free_file_descriptors_the_service_still_answers() {
    let deployment = Deployment::new().await;
    let running = deployment.serve().await;
    let (base, http) = (deployment.url("/"), fresh_client());
    limit_open_files(running.id(), 80);
    let _flood = half_sent_by(200, base.authority()).await;
    let settings = base.join("settings").expect("a path");
    until("a response although no file can be opened", async || {
        let answer = http.get(settings.clone()).send().await;
        answer.is_ok_and(|answer| answer.status() == 200).then_some(())
    })
    .await;
    running.terminate();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_shuts_down_cleanly_despite_open_connections() {
    let deployment = Deployment::new().await;
    let running = deployment.serve().await;
    let base = deployment.url("/");
    let mut held = half_sent_by(20, base.authority()).await;
    // A request that never ends on its own.
    let mut body = connect(&base).await;
    let head = b"POST /signup HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{";
    body.write_all(head).await.expect("the service is listening");
    // A client that keeps its connection alive.
    let mut idle = connect(&base).await;
    idle.write_all(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        .await
        .expect("the service is listening");
    let mut first = [0; 15];
    idle.read_exact(&mut first).await.expect("an answer");
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    running.terminate();
    for stream in &mut held {
        is_closed(stream).await;
    }
}
