//! Trace context propagation: from request headers, and through anything that stores a text.

use std::collections::HashMap;

use axum::http::HeaderMap;
use opentelemetry::Context;
use opentelemetry::global::get_text_map_propagator;
use opentelemetry::trace::TraceContextExt;
use opentelemetry_http::HeaderExtractor;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// Name of the W3C trace context header and of the stored key.
const TRACEPARENT: &str = "traceparent";

/// Makes the span a child of the caller's trace, if its headers contain one.
pub fn continue_from_headers(span: &Span, headers: &HeaderMap) {
    continue_from(span, &get_text_map_propagator(|p| p.extract(&HeaderExtractor(headers))));
}

/// Makes the span a child of the trace context serialised by [`carried`].
pub fn continue_from_text(span: &Span, traceparent: &str) {
    let map = HashMap::from([(TRACEPARENT.to_owned(), traceparent.to_owned())]);
    continue_from(span, &get_text_map_propagator(|p| p.extract(&map)));
}

/// Serialises the span's trace context to a text that outlives the process; `None` if traces are
/// off.
#[must_use]
pub fn carried(span: &Span) -> Option<String> {
    let mut map = HashMap::new();
    get_text_map_propagator(|p| p.inject_context(&span.context(), &mut map));
    map.remove(TRACEPARENT)
}

/// Sets a span attribute whose name is only known at run time.
pub fn annotate(span: &Span, key: String, value: String) {
    span.set_attribute(key, value);
}

fn continue_from(span: &Span, context: &Context) {
    if context.span().span_context().is_valid() {
        // fails when traces are off, which is fine
        let _ = span.set_parent(context.clone());
    }
}
