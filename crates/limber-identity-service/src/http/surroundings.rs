//! What surrounds every request: its id, its time limit, the shape of its errors, what browsers
//! are told.

use std::any::Any;
use std::str::FromStr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tracing::Instrument;

use super::answer::{ApiError, shape};
use crate::instance::Instance;
use crate::refusal::{NO_SUCH_PATH, RequestError, TIMED_OUT, WRONG_METHOD};

pub(super) async fn no_such_path() -> ApiError {
    NO_SUCH_PATH.into()
}

pub(super) async fn wrong_method() -> ApiError {
    WRONG_METHOD.into()
}

/// Innermost first.
pub(super) fn around(routes: Router, instance: Arc<Instance>) -> Router {
    let cors = cors(&instance);
    routes
        .layer(from_fn_with_state(Arc::clone(&instance), limit_time))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(instance, identify_and_shape))
        .layer(cors)
}

fn cors(instance: &Instance) -> CorsLayer {
    let mut allowed: Vec<HeaderName> = [
        "accept",
        "authorization",
        "content-type",
        "x-client-ip",
        "x-client-info",
        "x-jwt-aud",
        "x-use-cookie",
        "x-supabase-api-version",
        "apikey",
    ]
    .map(HeaderName::from_static)
    .to_vec();
    for name in &instance.config.cors_allowed_headers {
        match HeaderName::from_str(name) {
            Ok(name) => allowed.push(name),
            Err(_) => tracing::warn!("CORS_ALLOWED_HEADERS holds a name that is no header"),
        }
    }
    CorsLayer::new()
        .allow_origin(AllowOrigin::mirror_request())
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(allowed)
        .expose_headers(
            ["x-total-count", "link", "x-supabase-api-version"].map(HeaderName::from_static),
        )
}

async fn limit_time(
    State(instance): State<Arc<Instance>>,
    request: Request,
    next: Next,
) -> Response {
    match tokio::time::timeout(instance.config.max_request_duration, next.run(request)).await {
        Ok(response) => response,
        Err(_) => ApiError::from(TIMED_OUT).into_response(),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the layer fixes this signature")]
fn panicked(payload: Box<dyn Any + Send + 'static>) -> Response {
    let text = payload
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string))
        .unwrap_or_default();
    ApiError::from(RequestError::Failed(format!("panic: {text}").into())).into_response()
}

async fn identify_and_shape(
    State(instance): State<Arc<Instance>>,
    request: Request,
    next: Next,
) -> Response {
    let id = request_id(&instance, &request);
    let asked = request.headers().clone();
    let span = tracing::info_span!(
        "identity.http.request",
        request.id = id,
        http.method = %request.method(),
        http.path = request.uri().path(),
    );
    let response = next.run(request).instrument(span.clone()).await;
    let mut response = span.in_scope(|| shape(response, &asked, &id));
    span.in_scope(|| tracing::info!(status = response.status().as_u16(), "answered"));
    // answers carry tokens and personal data: no cache may keep them
    response
        .headers_mut()
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The id of the operator's proxy if it is a harmless word, else our own.
fn request_id(instance: &Instance, request: &Request) -> String {
    let named = instance.config.request_id_header.as_deref();
    named
        .and_then(|name| request.headers().get(name)?.to_str().ok())
        .filter(|id| (1..=128).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_graphic()))
        .map_or_else(|| instance.chance.uuid().to_string(), str::to_owned)
}
