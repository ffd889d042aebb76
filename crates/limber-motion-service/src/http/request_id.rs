//! Assigns an id to each request, records its trace and metrics, and writes the body of error
//! responses, which contains that id.

use std::{sync::Arc, time::Duration};

use axum::{
    Json,
    extract::{MatchedPath, Request, State},
    http::{HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use limber_telemetry::trace;
use tracing::{Instrument as _, field::Empty};

use super::ApiError;
use crate::service::Service;

const REQUEST_ID: &str = "x-request-id";

pub(super) async fn number_and_finish(
    State(service): State<Arc<Service>>,
    route: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let id = service.environment.token(12);
    let method = request.method().clone();
    // the route pattern, because paths contain ids and signatures
    let route = route.as_ref().map_or("", MatchedPath::as_str);
    let span = tracing::info_span!(
        "motion.http.request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        otel.status_code = Empty,
        request.id = %id,
        http.method = %method,
        http.route = route,
        http.status_code = Empty,
    );
    trace::continue_from_headers(&span, request.headers());
    let began_ms = service.environment.clock.now_ms();
    service.measures.begin();
    let mut response = next.run(request).instrument(span.clone()).await;
    let carried = response.extensions_mut().remove::<ApiError>();
    let error = carried.or_else(|| unnamed(&response));
    if let Some(error) = &error {
        response = with_body(&response, error, &id);
    }
    let status = response.status().as_u16();
    span.record("http.status_code", status);
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
    let took_ms = service.environment.clock.now_ms() - began_ms;
    let took = Duration::from_millis(u64::try_from(took_ms).unwrap_or(0));
    let kind = error.as_ref().map(ApiError::kind);
    service.measures.end(method.as_str(), route, status, kind, took);
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// Returns our error for a response that the HTTP library produced without a JSON body.
fn unnamed(response: &Response) -> Option<ApiError> {
    let json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    match response.status().as_u16() {
        503 if !json => Some(ApiError::unavailable("the response took too long; try again", 2)),
        _ => None,
    }
}

fn with_body(old: &Response, error: &ApiError, id: &str) -> Response {
    let mut response = (old.status(), Json(error.body(id))).into_response();
    for (name, value) in old.headers() {
        // keep CORS headers, `Allow` and the like; drop those that described the empty body
        if name != header::CONTENT_LENGTH && name != header::CONTENT_TYPE {
            response.headers_mut().append(name, value.clone());
        }
    }
    if let Some(seconds) = error.retry_after_s {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if error.ask_for_basic {
        let ask = HeaderValue::from_static("Basic realm=\"motion\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, ask);
    }
    response
}
