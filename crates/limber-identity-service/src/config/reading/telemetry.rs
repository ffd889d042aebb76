//! Reads the settings of traces and metrics.

use std::time::Duration;

use limber_telemetry::MetricsExporter;
use url::Url;

use crate::config::Config;
use crate::config::environment::Environment;

pub(super) fn read(env: &mut Environment, config: &mut Config) {
    let telemetry = &mut config.telemetry;
    telemetry.traces = env.flag("TRACING_ENABLED");
    if env.text("TRACING_EXPORTER").as_deref() != Some("opentelemetry") {
        env.problem("AUTHSVC_TRACING_EXPORTER must be opentelemetry");
    }
    let exporter = match env.text("METRICS_EXPORTER").unwrap_or_default().as_str() {
        "opentelemetry" => Some(MetricsExporter::OpenTelemetry),
        "prometheus" => Some(MetricsExporter::Prometheus),
        _ => {
            env.problem("AUTHSVC_METRICS_EXPORTER must be opentelemetry or prometheus");
            None
        }
    };
    telemetry.metrics = exporter.filter(|_| env.flag("METRICS_ENABLED"));
    telemetry.metrics_interval =
        Duration::from_millis(env.number::<u64>("OTEL_METRIC_EXPORT_INTERVAL").max(100));
    let endpoint = env.text("OTEL_EXPORTER_OTLP_ENDPOINT").unwrap_or_default();
    match Url::parse(&endpoint) {
        Ok(url) if url.has_host() => telemetry.endpoint = url,
        _ => env.problem("OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://host:4318"),
    }
    let headers = pairs(env, "OTEL_EXPORTER_OTLP_HEADERS");
    telemetry.headers = headers.into_iter().map(|(name, value)| (name, value.into())).collect();
    telemetry.page_host = env.text("OTEL_EXPORTER_PROMETHEUS_HOST").unwrap_or_default();
    telemetry.page_port = env.number("OTEL_EXPORTER_PROMETHEUS_PORT");
    telemetry.attributes = pairs(env, "OTEL_RESOURCE_ATTRIBUTES");
    telemetry.debug = env.flag("DEBUG");
}

/// Parses `key=value,…`, with values percent-encoded as in the OpenTelemetry specification.
fn pairs(env: &mut Environment, name: &str) -> Vec<(String, String)> {
    let text = env.text(name).unwrap_or_default();
    limber_telemetry::parse_pairs(&text).unwrap_or_else(|| {
        env.problem(format!("{name} must be key=value pairs separated by commas"));
        Vec::new()
    })
}
