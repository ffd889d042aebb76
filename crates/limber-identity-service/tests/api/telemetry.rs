//! Traces, metrics and the log of the program, with a simulated collector.

use limber_domain::hex;
use limber_telemetry::collector::{Collector, attributes};

use crate::deployment::{Deployment, METRICS_PORT};
use crate::waiting::wait_for;

#[tokio::test(flavor = "multi_thread")]
async fn every_call_is_traced_and_continues_the_callers_trace() {
    let (collector, endpoint) = Collector::start().await.expect("a free port");
    let mut deployment = Deployment::new().await;
    deployment.set("AUTHSVC_TRACING_ENABLED", "true");
    deployment.set("AUTHSVC_METRICS_ENABLED", "true");
    deployment.set("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint);
    deployment.set("OTEL_EXPORTER_OTLP_HEADERS", "x-api-key=hush");
    deployment.set("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test");
    let server = deployment.serve().await;
    let id = "7f1bb1ee-3d0f-4b4e-9d7f-0d5a3d2c1b0a";
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let http = reqwest::Client::new();
    let url = deployment.url(&format!("/auth/v1/admin/users/{id}?secret=hush"));
    let request = http.get(url).header("traceparent", format!("00-{trace}-b7ad6b7169203331-01"));
    assert_eq!(request.send().await.expect("the service responds").status(), 401);
    server.terminate();
    let spans = collector.spans();
    let span = spans.iter().find(|s| s.name == "GET /admin/users/{user_id}");
    let span =
        span.unwrap_or_else(|| panic!("{:?}", spans.iter().map(|s| &s.name).collect::<Vec<_>>()));
    let found = attributes(&span.attributes);
    for (key, value) in [
        ("http.method", "GET"),
        ("http.route", "/admin/users/{user_id}"),
        ("http.route.params.user_id", id),
        ("http.status_code", "401"),
    ] {
        assert_eq!(found.get(key).map(String::as_str), Some(value), "{key}: {found:?}");
    }
    assert_eq!(hex(&span.trace_id), trace);
    assert!(!format!("{spans:?}").contains("hush"), "traces contain no query strings");
    let received = collector.received();
    assert_eq!(received.keys.first().map(String::as_str), Some("hush"));
    let resource = received.traces[0].resource_spans[0].resource.as_ref().expect("a resource");
    let resource = attributes(&resource.attributes);
    assert_eq!(resource["service.name"], "limber-identity");
    assert_eq!(resource["auth.version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(resource["deployment.environment"], "test");
    let metrics = received.metrics.iter().flat_map(|m| &m.resource_metrics);
    let names: Vec<&str> = metrics
        .flat_map(|r| &r.scope_metrics)
        .flat_map(|s| s.metrics.iter().map(|m| m.name.as_str()))
        .collect();
    for name in ["http.server.request.duration", "tokio.workers", "process.memory.usage"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_metrics_have_their_own_port() {
    let mut deployment = Deployment::new().await;
    deployment.set("AUTHSVC_METRICS_ENABLED", "true");
    deployment.set("AUTHSVC_METRICS_EXPORTER", "prometheus");
    deployment.set("OTEL_EXPORTER_PROMETHEUS_HOST", "127.0.0.1");
    deployment.set("OTEL_EXPORTER_PROMETHEUS_PORT", METRICS_PORT);
    let server = deployment.serve().await;
    let http = reqwest::Client::new();
    let health = http.get(deployment.url("/health")).send().await.expect("the service responds");
    assert_eq!(health.status(), 200);
    let page = http.get(deployment.metrics_url()).send().await.expect("the service responds");
    let page = page.text().await.expect("text");
    for expected in [
        "http_server_request_duration_seconds_bucket",
        "http_route=\"/health\"",
        "tokio_tasks_alive",
        "process_cpu_time_seconds",
        "db_client_connections_open",
        "auth_version=",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
    server.terminate();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_file_has_the_configured_level_and_no_personal_data() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("identity.log");
    let mut deployment = Deployment::new().await;
    deployment.set("LOG_LEVEL", "info");
    deployment.set("AUTHSVC_LOG_FILE", file.to_str().expect("a plain path"));
    deployment.set("AUTHSVC_REQUEST_ID_HEADER", "X-Request-Id");
    deployment.set("AUTHSVC_OPERATOR_TOKEN", "hush");
    let server = deployment.serve().await;
    let http = reqwest::Client::new();
    let body = serde_json::json!({"email": "ann@b.co", "password": "correct horse"});
    let request = http.post(deployment.url("/signup")).header("X-Request-Id", "trace-7");
    assert_eq!(request.json(&body).send().await.expect("the service responds").status(), 200);
    // The mail task logs something, too.
    deployment.mailbox.nth("ann@b.co", 1).await;
    server.terminate();
    let log = std::fs::read_to_string(&file).expect("the log file exists");
    for line in log.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("each line is JSON");
    }
    assert!(log.contains("trace-7") && log.contains("user_confirmation_requested"), "{log}");
    assert!(log.contains("AUTHSVC_OPERATOR_TOKEN is accepted but has no effect"), "{log}");
    for secret in ["ann@b.co", "correct horse", "hush"] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn metrics_are_exported_at_the_configured_interval() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    for debug in ["true", "false"] {
        let (collector, endpoint) = Collector::start().await.expect("a free port");
        let file = folder.path().join(debug);
        let mut deployment = Deployment::new().await;
        deployment.set("AUTHSVC_METRICS_ENABLED", "true");
        deployment.set("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint);
        deployment.set("OTEL_METRIC_EXPORT_INTERVAL", "200");
        deployment.set("AUTHSVC_LOG_FILE", file.to_str().expect("a plain path"));
        deployment.set("AUTHSVC_DEBUG", debug);
        let server = deployment.serve().await;
        let sent = || collector.received().metrics.len();
        // Metrics are exported periodically, not only at the end.
        wait_for("a third export", async || sent() >= 3).await;
        server.terminate();
        let log = std::fs::read_to_string(&file).expect("the log file exists");
        let of_the_library = log.lines().any(|line| line.contains("\"target\":\"opentelemetry"));
        assert_eq!(of_the_library, debug == "true", "{log}");
    }
}
