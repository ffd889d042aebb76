//! Log, traces and metrics: whether, and where to.

use std::path::PathBuf;
use std::time::Duration;

use secrecy::SecretString;
use url::Url;

/// The log.
#[derive(Debug, Clone)]
pub struct LogConfig {
    /// What is told, in the words of `tracing-subscriber`: `warn,limber=info`.
    pub filter: String,
    /// A file, in JSON lines, instead of standard error.
    pub file: Option<PathBuf>,
}

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
    /// Whether traces are sent. Default false.
    pub traces: bool,
    /// How metrics leave. Default: they do not.
    pub metrics: Option<MetricsExporter>,
    /// Time between two sendings. Default 60 s.
    pub metrics_interval: Duration,
    /// The collector, OTLP over HTTP. Default `http://localhost:4318`.
    pub endpoint: Url,
    /// Headers for it.
    pub headers: Vec<(String, SecretString)>,
    /// Where the page is served. Default `0.0.0.0`.
    pub page_host: String,
    /// The port of that. Default 9100.
    pub page_port: u16,
    /// Further attributes of everything that is told.
    pub attributes: Vec<(String, String)>,
    /// The log tells more of sending. Default false.
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

/// `key=value,…`, values percent-encoded as OpenTelemetry says; nothing where it is not.
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

/// `%41` is `A`; a `+` stays a plus, which form decoding would make a space.
fn decoded(value: &str) -> String {
    let text = format!("v={}", value.replace('+', "%2B").replace('&', "%26"));
    let found = url::form_urlencoded::parse(text.as_bytes()).next();
    found.map(|(_, value)| value.into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_pairs_are_decoded() {
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
