//! Settings of traces and metrics.

settings! {
    "TRACING_ENABLED" Flag "false" "Sends a trace of every request.";
    "TRACING_EXPORTER" Text "opentelemetry" "Must be `opentelemetry`.";
    "METRICS_ENABLED" Flag "false" "Collects metrics about requests and the process.";
    "METRICS_EXPORTER" Text "opentelemetry" "`opentelemetry` or `prometheus`.";
    "OTEL_EXPORTER_PROMETHEUS_HOST" Text "0.0.0.0" "Address on which metrics are served, at path `/`." .bare();
    "OTEL_EXPORTER_PROMETHEUS_PORT" Number "9100" "Port on which metrics are served." .bare();
    "OTEL_EXPORTER_OTLP_ENDPOINT" Address "http://localhost:4318" "Collector to which traces and metrics are sent, by OTLP over HTTP." .bare();
    "OTEL_EXPORTER_OTLP_HEADERS" List "" "Headers for the collector, `name=value,…`." .bare().secret();
    "OTEL_METRIC_EXPORT_INTERVAL" Number "60000" "Milliseconds between exports of metrics." .bare();
    "OTEL_RESOURCE_ATTRIBUTES" Text "" "Additional attributes, `key=value,…`; `auth.version` is always included." .bare();
    "DEBUG" Flag "false" "Logs more about the export of traces and metrics.";
}
