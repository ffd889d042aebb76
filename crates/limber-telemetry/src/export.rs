//! Export of traces and metrics by OTLP over HTTP.

use std::collections::HashMap;
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{MetricExporter, SpanExporter, WithExportConfig, WithHttpConfig};
use secrecy::ExposeSecret;
use tokio::runtime::Handle;

use crate::{TelemetryConfig, TelemetryError};

const PATIENCE: Duration = Duration::from_secs(10);
/// Size limit of a response; a collector answers with next to nothing.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

pub(super) fn spans(config: &TelemetryConfig) -> Result<SpanExporter, TelemetryError> {
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Client::new()?)
        .with_endpoint(endpoint(config, "v1/traces"))
        .with_headers(headers(config))
        .with_timeout(PATIENCE);
    exporter.build().map_err(|error| TelemetryError::Setup(error.to_string()))
}

pub(super) fn metrics(config: &TelemetryConfig) -> Result<MetricExporter, TelemetryError> {
    let exporter = MetricExporter::builder()
        .with_http()
        .with_http_client(Client::new()?)
        .with_endpoint(endpoint(config, "v1/metrics"))
        .with_headers(headers(config))
        .with_timeout(PATIENCE);
    exporter.build().map_err(|error| TelemetryError::Setup(error.to_string()))
}

fn endpoint(config: &TelemetryConfig, path: &str) -> String {
    format!("{}/{path}", config.endpoint.as_str().trim_end_matches('/'))
}

fn headers(config: &TelemetryConfig) -> HashMap<String, String> {
    let pairs = config.headers.iter();
    pairs.map(|(name, value)| (name.clone(), value.expose_secret().to_owned())).collect()
}

/// HTTP client for the exporters, which run on threads without a runtime; each request is spawned
/// as a task on ours.
#[derive(Debug)]
struct Client {
    http: reqwest::Client,
    runtime: Handle,
}

impl Client {
    fn new() -> Result<Self, TelemetryError> {
        let http = reqwest::Client::builder().timeout(PATIENCE).build();
        let http = http.map_err(|error| TelemetryError::Setup(error.to_string()))?;
        Ok(Self { http, runtime: Handle::current() })
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let request = self
            .http
            .request(parts.method, parts.uri.to_string())
            .headers(parts.headers)
            .body(body);
        let task = self.runtime.spawn(async move {
            let mut answer = request.send().await?;
            let mut bytes = Vec::new();
            while let Some(chunk) = answer.chunk().await? {
                if bytes.len() + chunk.len() <= MAX_ANSWER_BYTES {
                    bytes.extend_from_slice(&chunk);
                }
            }
            Ok::<_, reqwest::Error>((answer.status(), bytes))
        });
        let (status, bytes) = task.await??;
        Ok(Response::builder().status(status).body(bytes.into())?)
    }
}
