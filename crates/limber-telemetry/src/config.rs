//! Configuration of log, traces and metrics.

use std::path::PathBuf;
use std::time::Duration;

use limber_serve::Limits;
use secrecy::SecretString;
use url::Url;

/// Configuration of the log.
#[derive(Debug, Clone)]
pub struct LogConfig {
    /// Filter directives of `tracing-subscriber`, for example `warn,limber=info`.
    pub filter: String,
    /// File that receives JSON lines; `None` logs to standard error.
    pub file: Option<PathBuf>,
}

/// How metrics are exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricsExporter {
    /// Pushed by OTLP.
    OpenTelemetry,
    /// Served on a page that Prometheus scrapes.
    Prometheus,
}

/// Configuration of traces and metrics.
#[derive(Debug, Clone)]
pub struct TelemetryConfig {
    /// Whether traces are exported. Default: false.
    pub traces: bool,
    /// How metrics are exported. Default: not at all.
    pub metrics: Option<MetricsExporter>,
    /// Interval between two pushes of metrics. Default: 60 s.
    pub metrics_interval: Duration,
    /// Base URL of the collector, which speaks OTLP over HTTP. Default: `http://localhost:4318`.
    pub endpoint: Url,
    /// Additional headers for requests to the collector.
    pub headers: Vec<(String, SecretString)>,
    /// Host that the Prometheus page is served on. Default: `0.0.0.0`.
    pub page_host: String,
    /// Port of the Prometheus page. Default: 9100.
    pub page_port: u16,
    /// Limits on connections to the Prometheus page, which never has more than 100. Default: those
    /// of [`Limits::default`].
    pub page_limits: Limits,
    /// Additional resource attributes.
    pub attributes: Vec<(String, String)>,
    /// Whether the telemetry libraries log debug messages. Default: false.
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
            page_limits: Limits::default(),
            attributes: Vec::new(),
            debug: false,
        }
    }
}

/// Parses `key=value,…` with percent-encoded values, as in OpenTelemetry's variables; `None` if it
/// is malformed.
#[must_use]
pub fn parse_pairs(text: &str) -> Option<Vec<(String, String)>> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    let pairs = words.map(|pair| {
        let (key, value) = pair.split_once('=')?;
        let key = key.trim();
        (!key.is_empty()).then(|| (key.to_owned(), decoded(value.trim())))
    });
    pairs.collect()
}

/// Decodes percent-encoding. A `+` stays a plus, which form decoding would turn into a space.
fn decoded(value: &str) -> String {
    let text = format!("v={}", value.replace('+', "%2B").replace('&', "%26"));
    let found = url::form_urlencoded::parse(text.as_bytes()).next();
    found.map(|(_, value)| value.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pair_values_are_percent_decoded() {
        assert_eq!(decoded("a%20b+c%3D"), "a b+c=");
        assert_eq!(decoded("plain"), "plain");
    }

    #[test]
    fn pairs_have_a_key_and_a_value() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(parse_pairs("a=1, b=%20 ,"), Some(vec![pair("a", "1"), pair("b", " ")]));
        assert_eq!(parse_pairs(""), Some(Vec::new()));
        assert_eq!(parse_pairs("a=1,=2"), None);
        assert_eq!(parse_pairs("a"), None);
    }
}
