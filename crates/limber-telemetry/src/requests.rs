//! Request metrics, named after OpenTelemetry's semantic conventions for HTTP servers.

use std::time::Duration;

use opentelemetry::metrics::{Counter, Histogram, UpDownCounter};
use opentelemetry::{KeyValue, global};

/// Request instruments of one service; no-ops while metrics are off.
#[derive(Debug)]
pub struct RequestMeasures {
    duration: Histogram<f64>,
    active: UpDownCounter<i64>,
    refused: Counter<u64>,
}

/// Histogram boundaries in seconds: from a single-row query to the request timeout.
const BOUNDARIES: [f64; 13] =
    [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

impl RequestMeasures {
    /// Creates the instruments. `service` is the name in [`Origin`](crate::Origin), `refusals` the
    /// name of the counter of rejected requests.
    #[must_use]
    pub fn new(service: &'static str, refusals: &'static str) -> Self {
        let meter = global::meter(service);
        Self {
            duration: meter
                .f64_histogram("http.server.request.duration")
                .with_unit("s")
                .with_description("Duration of requests.")
                .with_boundaries(BOUNDARIES.to_vec())
                .build(),
            active: meter
                .i64_up_down_counter("http.server.active_requests")
                .with_description("Requests in progress.")
                .build(),
            refused: meter
                .u64_counter(refusals)
                .with_description("Rejected requests, by error code.")
                .build(),
        }
    }

    /// Records the start of a request.
    pub fn begin(&self) {
        self.active.add(1, &[]);
    }

    /// Records the end of a request. `route` is the route pattern and not the path, which contains
    /// IDs. `code` is the error code of a rejection.
    pub fn end(&self, method: &str, route: &str, status: u16, code: Option<&str>, took: Duration) {
        self.active.add(-1, &[]);
        let of_request = [
            KeyValue::new("http.request.method", known_method(method)),
            KeyValue::new("http.route", route.to_owned()),
            KeyValue::new("http.response.status_code", i64::from(status)),
        ];
        self.duration.record(took.as_secs_f64(), &of_request);
        if let Some(code) = code {
            self.refused.add(1, &[KeyValue::new("error_code", code.to_owned())]);
        }
    }
}

/// Maps unknown methods to `_OTHER`, so that clients cannot create new time series.
fn known_method(method: &str) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    KNOWN.into_iter().find(|known| *known == method).unwrap_or("_OTHER")
}
