//! Traces and metrics.

settings! {
    "TRACING_ENABLED" Flag "false" "Sends a trace of every request.";
    "TRACING_EXPORTER" Text "opentelemetry" "Only `opentelemetry`.";
    "METRICS_ENABLED" Flag "false" "Measures requests and the process.";
    "METRICS_EXPORTER" Text "opentelemetry" "`opentelemetry` or `prometheus`.";
    "OTEL_EXPORTER_PROMETHEUS_HOST" Text "0.0.0.0" "Where metrics are served, on path `/`." .bare();
    "OTEL_EXPORTER_PROMETHEUS_PORT" Number "9100" "The port of that." .bare();
    "OTEL_EXPORTER_OTLP_ENDPOINT" Address "http://localhost:4318" "Collector that traces and metrics are sent to, by OTLP over HTTP." .bare();
    "OTEL_EXPORTER_OTLP_HEADERS" List "" "Headers for it, `name=value,…`." .bare().secret();
    "OTEL_METRIC_EXPORT_INTERVAL" Number "60000" "Milliseconds between two sendings of metrics." .bare();
    "OTEL_RESOURCE_ATTRIBUTES" Text "" "Further attributes, `key=value,…`; `auth.version` is always there." .bare();
    "DEBUG" Flag "false" "The log tells more of sending traces and metrics.";
}
