//! A trace that goes on elsewhere: from a caller's headers, and through anything that keeps a text.

use std::collections::HashMap;

use axum::http::HeaderMap;
use opentelemetry::Context;
use opentelemetry::global::get_text_map_propagator;
use opentelemetry::trace::TraceContextExt;
use opentelemetry_http::HeaderExtractor;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The header, and the key, by which W3C carries a trace.
const TRACEPARENT: &str = "traceparent";

/// Makes the span a part of the caller's trace, if its headers name one.
pub fn continue_from_headers(span: &Span, headers: &HeaderMap) {
    continue_from(span, &get_text_map_propagator(|p| p.extract(&HeaderExtractor(headers))));
}

/// Makes the span a part of the trace that [`carried`] wrote down.
pub fn continue_from_text(span: &Span, traceparent: &str) {
    let map = HashMap::from([(TRACEPARENT.to_owned(), traceparent.to_owned())]);
    continue_from(span, &get_text_map_propagator(|p| p.extract(&map)));
}

/// The span's place in its trace as a text that outlives the process; nothing where no traces are
/// kept.
#[must_use]
pub fn carried(span: &Span) -> Option<String> {
    let mut map = HashMap::new();
    get_text_map_propagator(|p| p.inject_context(&span.context(), &mut map));
    map.remove(TRACEPARENT)
}

/// An attribute whose name is known only now.
pub fn annotate(span: &Span, key: String, value: String) {
    span.set_attribute(key, value);
}

fn continue_from(span: &Span, context: &Context) {
    if context.span().span_context().is_valid() {
        // fails where no traces are kept, and then nothing is lost
        let _ = span.set_parent(context.clone());
    }
}
