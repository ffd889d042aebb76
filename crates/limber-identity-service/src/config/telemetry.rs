//! Traces and metrics: whether, and where to.

use std::time::Duration;

use secrecy::SecretString;
use url::Url;

/// How metrics leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricsExporter {
    /// Sent by OTLP.
    OpenTelemetry,
    /// Served on a page of their own.
    Prometheus,
}

/// Traces and metrics.
#[derive(Debug, Clone)]
pub struct TelemetryConfig {
    /// `TRACING_ENABLED`. Default false.
    pub traces: bool,
    /// `METRICS_ENABLED` and `METRICS_EXPORTER`. Default none.
    pub metrics: Option<MetricsExporter>,
    /// `OTEL_METRIC_EXPORT_INTERVAL`. Default 60 s.
    pub metrics_interval: Duration,
    /// `OTEL_EXPORTER_OTLP_ENDPOINT`. Default `http://localhost:4318`.
    pub endpoint: Url,
    /// `OTEL_EXPORTER_OTLP_HEADERS`.
    pub headers: Vec<(String, SecretString)>,
    /// `OTEL_EXPORTER_PROMETHEUS_HOST`. Default `0.0.0.0`.
    pub page_host: String,
    /// `OTEL_EXPORTER_PROMETHEUS_PORT`. Default 9100.
    pub page_port: u16,
    /// `OTEL_RESOURCE_ATTRIBUTES`.
    pub attributes: Vec<(String, String)>,
    /// `DEBUG`: the log tells more of sending. Default false.
    pub debug: bool,
}

impl Default for TelemetryConfig {
    fn default() -> Self {
        Self {
            traces: false,
            metrics: None,
            metrics_interval: Duration::from_secs(60),
            endpoint: Url::parse("http://localhost:4318").expect("a constant address parses"),
            headers: Vec::new(),
            page_host: "0.0.0.0".to_owned(),
            page_port: 9100,
            attributes: Vec::new(),
            debug: false,
        }
    }
}
