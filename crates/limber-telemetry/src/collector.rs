//! A fake OpenTelemetry collector for tests: it accepts OTLP requests, decodes them with the
//! protocol's types, and records them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use limber_domain::lock;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{KeyValue, any_value};
use prost::Message;
use tokio::net::TcpListener;

pub use opentelemetry_proto::tonic::trace::v1::Span;

/// Everything received.
#[derive(Debug, Default)]
pub struct Received {
    /// Export requests with traces.
    pub traces: Vec<ExportTraceServiceRequest>,
    /// Export requests with metrics.
    pub metrics: Vec<ExportMetricsServiceRequest>,
    /// Values of the `x-api-key` header.
    pub keys: Vec<String>,
}

/// The fake collector.
#[derive(Debug, Clone, Default)]
pub struct Collector(Arc<Mutex<Received>>);

impl Collector {
    /// Starts a collector on a free loopback port; returns it with its address.
    ///
    /// # Errors
    /// If there is no free port.
    pub async fn start() -> std::io::Result<(Self, String)> {
        let collector = Self::default();
        let app = Router::new()
            .route("/v1/traces", post(Self::traces))
            .route("/v1/metrics", post(Self::metrics))
            .with_state(collector.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        tokio::spawn(async move { axum::serve(listener, app).await });
        Ok((collector, format!("http://{address}")))
    }

    async fn traces(State(this): State<Self>, headers: HeaderMap, body: Bytes) -> StatusCode {
        let Ok(request) = ExportTraceServiceRequest::decode(body) else {
            return StatusCode::BAD_REQUEST;
        };
        let mut received = this.received();
        let key = headers.get("x-api-key").and_then(|key| key.to_str().ok());
        received.keys.extend(key.map(str::to_owned));
        received.traces.push(request);
        StatusCode::OK
    }

    async fn metrics(State(this): State<Self>, body: Bytes) -> StatusCode {
        let Ok(request) = ExportMetricsServiceRequest::decode(body) else {
            return StatusCode::BAD_REQUEST;
        };
        this.received().metrics.push(request);
        StatusCode::OK
    }

    /// Returns everything received so far.
    pub fn received(&self) -> MutexGuard<'_, Received> {
        lock(&self.0)
    }

    /// Returns all spans received so far.
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        let received = self.received();
        let scopes = received.traces.iter().flat_map(|t| &t.resource_spans);
        scopes.flat_map(|r| &r.scope_spans).flat_map(|s| s.spans.clone()).collect()
    }
}

/// Returns attributes by name, with their values as text.
#[must_use]
pub fn attributes(pairs: &[KeyValue]) -> BTreeMap<String, String> {
    let text = |pair: &KeyValue| match pair.value.as_ref().and_then(|v| v.value.clone()) {
        Some(any_value::Value::StringValue(text)) => text,
        Some(any_value::Value::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    };
    pairs.iter().map(|pair| (pair.key.clone(), text(pair))).collect()
}
