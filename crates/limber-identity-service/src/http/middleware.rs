//! Middleware around every request: request ID, time limit, error shape and CORS.

use std::any::Any;
use std::str::FromStr;
use std::sync::Arc;

use axum::RequestPartsExt;
use axum::Router;
use axum::extract::{MatchedPath, RawPathParams, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use limber_telemetry::trace;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tracing::Instrument;
use tracing::field::Empty;

use super::answer::{ApiError, CODE_HEADER, shape};
use crate::domain::refresh::Exchange;
use crate::instance::Instance;
use crate::refusal::{NO_SUCH_PATH, Refusal, RequestError, TIMED_OUT, WRONG_METHOD};

pub(super) async fn no_such_path() -> ApiError {
    NO_SUCH_PATH.into()
}

pub(super) async fn wrong_method() -> ApiError {
    WRONG_METHOD.into()
}

/// Wraps the routes in the middleware, innermost first.
pub(super) fn wrap(routes: Router, instance: Arc<Instance>) -> Router {
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

/// Limits the time of a request. An unresponsive database is reported separately from a slow
/// request, so that clients know to retry later or with another instance.
async fn limit_time(
    State(instance): State<Arc<Instance>>,
    request: Request,
    next: Next,
) -> Response {
    let refusal = tokio::select! {
        response = next.run(request) => {
            // Nothing outside this time limit replaces the response by an error.
            if let Some(exchange) = response.extensions().get::<Exchange>() {
                exchange.note_answered(&instance).await;
            }
            return response;
        }
        () = instance.pulse.lost() => Refusal::database_away(),
        () = tokio::time::sleep(instance.config.max_request_duration) => TIMED_OUT,
    };
    ApiError::from(refusal).into_response()
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
    route: Option<MatchedPath>,
    request: Request,
    next: Next,
) -> Response {
    let id = request_id(&instance, &request);
    let asked = request.headers().clone();
    let method = request.method().clone();
    let route = route.as_ref().map_or("", |path| plain_route(path.as_str()));
    let span = tracing::info_span!(
        "identity.http.request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        otel.status_code = Empty,
        request.id = id,
        http.method = %method,
        http.route = route,
        http.status_code = Empty,
    );
    trace::continue_from_headers(&span, &asked);
    let (mut parts, body) = request.into_parts();
    if let Ok(parameters) = parts.extract::<RawPathParams>().await {
        for (key, value) in &parameters {
            trace::annotate(&span, format!("http.route.params.{key}"), value.to_owned());
        }
    }
    let began = instance.now();
    instance.measures.begin();
    let response = next.run(Request::from_parts(parts, body)).instrument(span.clone()).await;
    let mut response = span.in_scope(|| shape(response, &asked, &id));
    let status = response.status().as_u16();
    span.record("http.status_code", status);
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
    let took = (instance.now() - began).to_std().unwrap_or_default();
    let code = response.headers().get(CODE_HEADER).and_then(|code| code.to_str().ok());
    instance.measures.end(method.as_str(), route, status, code, took);
    span.in_scope(|| tracing::info!(status, took_ms = took.as_millis(), "answered"));
    // Responses carry tokens and personal data, so no cache may store them.
    response
        .headers_mut()
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Strips the `/auth/v1` prefix: every route is served at two paths but reported as one in metrics.
fn plain_route(route: &str) -> &str {
    route.strip_prefix("/auth/v1").filter(|rest| !rest.is_empty()).unwrap_or(route)
}

/// Returns the request ID from the configured header if it is harmless, otherwise a new one.
fn request_id(instance: &Instance, request: &Request) -> String {
    let named = instance.config.request_id_header.as_deref();
    named
        .and_then(|name| request.headers().get(name)?.to_str().ok())
        .filter(|id| (1..=128).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_graphic()))
        .map_or_else(|| instance.random.uuid().to_string(), str::to_owned)
}
