//! Settings for monitoring: metrics, traces and the log.

use std::net::SocketAddr;

use limber_telemetry::{LogConfig, MetricsExporter, TelemetryConfig, parse_pairs};
use secrecy::SecretString;
use url::Url;

use super::problems::Reader;

/// Monitoring settings.
#[derive(Debug, Clone)]
pub struct Watching {
    /// `MOTIONSVC_METRICS_LISTEN`: address and port, for example `127.0.0.1:9101`, where Prometheus
    /// reads metrics at `/metrics`; each server and each worker needs its own port. Off by default.
    pub metrics: Option<SocketAddr>,
    /// `MOTIONSVC_TRACES`: `off` (default) or `on`: whether a trace of every request and of every
    /// attempt at a job is sent to the collector.
    pub traces: bool,
    /// `OTEL_EXPORTER_OTLP_ENDPOINT`: the collector, OTLP over HTTP. Default:
    /// `http://localhost:4318`.
    pub endpoint: Url,
    /// `OTEL_EXPORTER_OTLP_HEADERS`: headers for the collector, `name=value,…`; secret. None by
    /// default.
    pub headers: Vec<(String, SecretString)>,
    /// `OTEL_RESOURCE_ATTRIBUTES`: attributes of every trace and metric, in addition to the name
    /// and version of the program, `key=value,…`. None by default.
    pub attributes: Vec<(String, String)>,
    /// `MOTIONSVC_LOG`: what is logged, as a `tracing-subscriber` filter. Default:
    /// `limber=info,warn`.
    pub log: String,
}

impl Default for Watching {
    fn default() -> Self {
        Self {
            metrics: None,
            traces: false,
            endpoint: TelemetryConfig::default().endpoint,
            headers: Vec::new(),
            attributes: Vec::new(),
            log: "limber=info,warn".to_owned(),
        }
    }
}

impl Watching {
    pub(super) fn read(reader: &mut Reader<'_>) -> Self {
        let usual = Self::default();
        let endpoint = reader.parsed::<Url>("OTEL_EXPORTER_OTLP_ENDPOINT", COLLECTOR);
        if endpoint.as_ref().is_some_and(|url| !matches!(url.scheme(), "http" | "https")) {
            reader.problem("OTEL_EXPORTER_OTLP_ENDPOINT", &format!("must be {COLLECTOR}"));
        }
        let headers = pairs(reader, "OTEL_EXPORTER_OTLP_HEADERS");
        Self {
            metrics: reader.parsed("MOTIONSVC_METRICS_LISTEN", "an address and port"),
            traces: reader.choice("MOTIONSVC_TRACES", ["off", "on"], 0) == 1,
            endpoint: endpoint.unwrap_or(usual.endpoint),
            headers: headers.into_iter().map(|(name, value)| (name, value.into())).collect(),
            attributes: pairs(reader, "OTEL_RESOURCE_ATTRIBUTES"),
            log: reader.text("MOTIONSVC_LOG").unwrap_or(usual.log),
        }
    }

    pub(crate) fn log(&self) -> LogConfig {
        LogConfig { filter: self.log.clone(), file: None }
    }

    pub(crate) fn telemetry(&self) -> TelemetryConfig {
        let usual = TelemetryConfig::default();
        let page = self.metrics.map(|address| (address.ip().to_string(), address.port()));
        let (page_host, page_port) = page.unwrap_or((usual.page_host, usual.page_port));
        TelemetryConfig {
            traces: self.traces,
            metrics: self.metrics.map(|_| MetricsExporter::Prometheus),
            endpoint: self.endpoint.clone(),
            headers: self.headers.clone(),
            page_host,
            page_port,
            attributes: self.attributes.clone(),
            ..usual
        }
    }
}

const COLLECTOR: &str = "an address such as http://localhost:4318";

fn pairs(reader: &mut Reader<'_>, name: &str) -> Vec<(String, String)> {
    let text = reader.text(name).unwrap_or_default();
    parse_pairs(&text).unwrap_or_else(|| {
        reader.problem(name, "must be key=value pairs separated by commas");
        Vec::new()
    })
}
