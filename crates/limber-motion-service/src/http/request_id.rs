//! Numbers every request, and writes the body of every error with that number in it.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Request, State},
    http::{HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tracing::Instrument as _;

use super::ApiError;
use crate::service::Service;

const REQUEST_ID: &str = "x-request-id";

pub(super) async fn number_and_finish(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Response {
    let id = service.surroundings.token(12);
    let span =
        tracing::info_span!("motion.http.request", request.id = %id, method = %request.method());
    let mut response = next.run(request).instrument(span).await;
    let carried = response.extensions_mut().remove::<ApiError>();
    if let Some(error) = carried.or_else(|| unnamed(&response)) {
        response = with_body(&response, &error, &id);
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// An error of the HTTP library that says nothing yet.
fn unnamed(response: &Response) -> Option<ApiError> {
    let json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    match response.status().as_u16() {
        503 if !json => Some(ApiError::unavailable("the answer took too long; try again", 2)),
        _ => None,
    }
}

fn with_body(old: &Response, error: &ApiError, id: &str) -> Response {
    let mut response = (old.status(), Json(error.body(id))).into_response();
    for (name, value) in old.headers() {
        // CORS, Allow and the like stay; what described the empty body goes
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
