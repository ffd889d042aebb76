//! Traces and metrics.

settings! {
    "TRACING_ENABLED" Flag "false" "Sends a trace of every request." .not_yet();
    "TRACING_EXPORTER" Text "opentelemetry" "Only `opentelemetry`." .not_yet();
    "METRICS_ENABLED" Flag "false" "Measures requests and the process." .not_yet();
    "METRICS_EXPORTER" Text "opentelemetry" "`opentelemetry` or `prometheus`." .not_yet();
    "OTEL_EXPORTER_PROMETHEUS_HOST" Text "0.0.0.0" "Where metrics are served, on path `/`." .bare().not_yet();
    "OTEL_EXPORTER_PROMETHEUS_PORT" Number "9100" "The port of that." .bare().not_yet();
    "OTEL_RESOURCE_ATTRIBUTES" Text "" "Further attributes, `key=value,…`; `auth.version` is always there." .bare().not_yet();
    "DEBUG" Flag "false" "The log tells more of sending traces and metrics." .not_yet();
}
