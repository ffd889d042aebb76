//! Metrics and traces of server and worker, read by third-party code.

use std::collections::BTreeMap;

use limber_client::motion::JobId;
use limber_domain::hex;
use limber_telemetry::collector::{Collector, Span, attributes};

use crate::{
    port::Port,
    python,
    studio::{Studio, finished, until, walk},
};

const STAGES: [&str; 5] = ["generate", "tracking", "correction", "bvh", "bake"];

type Sample = (String, BTreeMap<String, String>, f64);

/// Parses the metrics page with Prometheus's own library; `None` if it is not installed.
async fn scrape(studio: &Studio, port: &Port) -> Option<Vec<Sample>> {
    let page = studio.http.get(format!("http://{}/metrics", port.address)).send().await;
    let page = page.expect("it answers").text().await.expect("text");
    let read = python::run(("motion-client", "metrics.py"), &[], page).await?;
    Some(serde_json::from_str(&python::printed(&read)).expect("JSON"))
}

/// Returns the value of the only series with this name and these labels.
fn value(samples: &[Sample], name: &str, labels: &[(&str, &str)]) -> Option<f64> {
    let fits = |(found, of, _): &&Sample| {
        found == name && labels.iter().all(|(k, v)| of.get(*k).is_some_and(|value| value == v))
    };
    let mut fitting = samples.iter().filter(fits).map(|sample| sample.2);
    let first = fitting.next();
    assert!(fitting.next().is_none(), "{name} {labels:?} is not one series");
    first
}

#[tokio::test(flavor = "multi_thread")]
async fn prometheus_metrics_cover_queue_workers_stages_and_requests() {
    let (of_server, of_worker) = (Port::take(), Port::take());
    let mut studio = Studio::open_with(|config| {
        config.billing = Some(limber_motion_service::Billing::default());
    })
    .await;
    let left = limber_motion_service::grant_credits(&studio.config, &studio.id, 1000).await;
    left.expect("the database").expect("the account");
    studio.set("MOTIONSVC_METRICS_LISTEN", &of_server.address.to_string());
    let _server = studio.start_server_process().await;
    let client = studio.client();
    let mut jobs = Vec::new();
    for _ in 0..3 {
        jobs.push(client.submit(&walk(), None).await.expect("a job").job);
    }
    let (status, _) = studio.process(&["prompt=", "model=default"]).await;
    assert_eq!(status, 422);
    if scrape(&studio, &of_server).await.is_none() {
        return;
    }
    let queued = [("state", "queued")];
    let seen = until("the queue is seen", async || {
        let seen = scrape(&studio, &of_server).await?;
        (value(&seen, "limber_motion_jobs", &queued) == Some(3.0)).then_some(seen)
    })
    .await;
    assert_eq!(value(&seen, "limber_motion_workers", &[]), Some(0.0));
    assert!(value(&seen, "limber_motion_queue_oldest_seconds", &[]) > Some(0.0));
    assert!(value(&seen, "limber_motion_credits_reserved", &[]) > Some(0.0));
    let refused = [("error_code", "invalid_parameter")];
    assert_eq!(value(&seen, "limber_motion_refusals_total", &refused), Some(1.0));
    let submits = [
        ("http_route", "/job/v1/process/{processor}"),
        ("http_request_method", "POST"),
        ("http_response_status_code", "200"),
    ];
    let took = "http_server_request_duration_seconds_count";
    assert_eq!(value(&seen, took, &submits), Some(3.0));

    // a spec that cannot be parsed fails with its error code
    studio.sql(&format!("update jobs set spec = '{{}}' where rid = '{}'", jobs[2])).await;
    studio.set("MOTIONSVC_METRICS_LISTEN", &of_worker.address.to_string());
    let _worker = studio.worker("cpu-0");
    for job in &jobs {
        finished(&client, job).await;
    }
    let seen = until("the attempts are counted", async || {
        let seen = scrape(&studio, &of_worker).await?;
        let failed = value(&seen, "limber_motion_attempts_total", &[("outcome", "failed")]);
        (failed == Some(1.0)).then_some(seen)
    })
    .await;
    let succeeded = [("outcome", "succeeded")];
    assert_eq!(value(&seen, "limber_motion_attempts_total", &succeeded), Some(2.0));
    assert_eq!(value(&seen, "limber_motion_failures_total", &[("code", "494")]), Some(1.0));
    assert_eq!(value(&seen, "limber_motion_job_wait_seconds_count", &[]), Some(3.0));
    for stage in STAGES {
        let name = "limber_motion_stage_duration_seconds_count";
        assert_eq!(value(&seen, name, &[("stage", stage)]), Some(2.0), "{stage}");
    }
    let seen = until("the queue is seen to be empty", async || {
        let seen = scrape(&studio, &of_server).await?;
        (value(&seen, "limber_motion_jobs", &queued) == Some(0.0)).then_some(seen)
    })
    .await;
    assert_eq!(value(&seen, "limber_motion_workers", &[]), Some(1.0));
    assert_eq!(value(&seen, "limber_motion_queue_oldest_seconds", &[]), Some(0.0));
}

const REQUEST: &str = "POST /job/v1/process/{processor}";
const ATTEMPT: &str = "motion.worker.attempt";
/// Several attempts: a process has five seconds to export its last spans when it stops, which may
/// not suffice on a busy computer.
const TRACES: [&str; 3] = [
    "0af7651916cd43dd8448eb211c80319c",
    "0af7651916cd43dd8448eb211c80319d",
    "0af7651916cd43dd8448eb211c80319e",
];

fn is_whole(spans: &[Span]) -> bool {
    let mut wanted = [REQUEST, ATTEMPT].into_iter().chain(STAGES);
    wanted.all(|name| spans.iter().any(|span| span.name == name))
}

/// Runs a job in this trace, stops server and worker, and returns the exported spans.
async fn traced(studio: &mut Studio, collector: &Collector, trace: &str) -> (JobId, Vec<Span>) {
    let server = studio.start_server_process().await;
    let worker = studio.worker("cpu-0");
    let request = studio.http.post(studio.url("/job/v1/process/text2motion"));
    let request = request
        .header("cookie", studio.cookie().await)
        .header("traceparent", format!("00-{trace}-b7ad6b7169203331-01"))
        .json(&walk().to_process_request());
    let (status, body) = crate::studio::read(request).await;
    assert_eq!(status, 200, "{body}");
    let job = serde_json::from_value(body["rid"].clone()).expect("an id");
    finished(&studio.client(), &job).await;
    // both export their last spans while they stop
    assert!(worker.stop().success() && server.stop().success());
    let spans = collector.spans();
    (job, spans.into_iter().filter(|span| hex(&span.trace_id) == trace).collect())
}

fn named<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    let names: Vec<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    spans.iter().find(|span| span.name == name).unwrap_or_else(|| panic!("{name}: {names:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_links_the_callers_span_the_request_and_every_stage() {
    let (collector, endpoint) = Collector::start().await.expect("a free port");
    let mut studio = Studio::open().await;
    studio.set("MOTIONSVC_TRACES", "on");
    studio.set("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint);
    studio.set("OTEL_EXPORTER_OTLP_HEADERS", "x-api-key=hush");
    studio.set("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test");
    let mut told = traced(&mut studio, &collector, TRACES[0]).await;
    for trace in &TRACES[1..] {
        if is_whole(&told.1) {
            break;
        }
        told = traced(&mut studio, &collector, trace).await;
    }
    let (job, ours) = told;
    let request = named(&ours, REQUEST);
    assert_eq!(hex(&request.parent_span_id), "b7ad6b7169203331");
    let attempt = named(&ours, ATTEMPT);
    assert_eq!(attempt.parent_span_id, request.span_id);
    let found = attributes(&attempt.attributes);
    assert_eq!((found["job.id"].as_str(), found["outcome"].as_str()), (job.as_str(), "succeeded"));
    for stage in STAGES {
        let span = named(&ours, stage);
        assert_eq!(span.parent_span_id, attempt.span_id, "{stage}");
        assert!(span.end_time_unix_nano >= span.start_time_unix_nano, "{stage}");
    }
    let told = format!("{:?}", collector.received().traces);
    assert!(!told.contains("walks") && !told.contains("hush"), "traces contain no prompts");
    let received = collector.received();
    assert_eq!(received.keys.first().map(String::as_str), Some("hush"));
    let resource = received.traces[0].resource_spans[0].resource.as_ref().expect("a resource");
    let resource = attributes(&resource.attributes);
    assert_eq!(resource["service.name"], "limber-motion");
    assert_eq!(resource["deployment.environment"], "test");
}

#[tokio::test]
async fn an_unreachable_collector_does_not_block_work() {
    let mut studio = Studio::open().await;
    studio.set("MOTIONSVC_TRACES", "on");
    studio.set("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
    let server = studio.start_server_process().await;
    let worker = studio.worker("cpu-0");
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    let done = finished(&client, &job).await;
    assert!(matches!(done, limber_client::motion::JobStatus::Succeeded { .. }));
    assert_eq!((worker.stop().code(), server.stop().code()), (Some(0), Some(0)));
}

#[tokio::test]
async fn a_port_in_use_is_reported_at_startup() {
    let studio = Studio::open().await;
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let settings = [("MOTIONSVC_METRICS_LISTEN", address.as_str())];
    let output = studio.run("serve", &settings).await;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(told.contains("MOTIONSVC_METRICS_LISTEN") && told.contains(&address), "{told}");
}
