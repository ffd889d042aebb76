//! The HTTP layer: handlers parse and authorise a request, call one domain function and build the
//! response.
//!
//! Wire names and compatibility quirks are confined to this module and its submodules.

mod acting;
mod auth;
mod backdrops;
mod caller;
mod cancel;
mod credit_balance;
mod cross_origin;
mod download;
mod error;
mod events;
mod file;
mod health;
mod json_body;
mod list;
mod list_models;
mod openapi;
mod outage;
mod process;
mod purge;
mod rate;
mod request_id;
mod script_schema;
mod status;
mod store_model;
mod summary;
mod upload;
mod videos;

use std::{sync::Arc, time::Duration};

use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, Request},
    http::Uri,
    middleware::{from_fn_with_state, map_request},
};
use tower::Layer as _;
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::{
        CompressionLayer,
        predicate::{DefaultPredicate, Predicate as _, SizeAbove},
    },
    timeout::TimeoutLayer,
};

use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) use rate::RateLimiter;

use crate::service::Service;
use error::ApiError;

/// Maximum length of JSON bodies.
const LONGEST_BODY_BYTES: usize = 1 << 20;
/// Smaller responses fit into one packet anyway and are not worth compressing.
const LEAST_COMPRESSED_BYTES: u64 = 1024;
/// Time limit for a response. Does not apply to files, whose bodies are streamed.
const LONGEST_ANSWER: Duration = Duration::from_secs(60);

/// Builds the complete HTTP application.
pub(crate) fn app(
    service: Arc<Service>,
) -> impl tower::Service<
    Request,
    Response = axum::response::Response,
    Error = std::convert::Infallible,
    Future: Send,
> + Clone
+ Send
+ 'static {
    // outside the router, so that routing sees the normalised path
    map_request(collapse_slashes).layer(router(service))
}

fn router(service: Arc<Service>) -> Router {
    let (routes, api) = described().split_for_parts();
    routes
        .layer(Extension(openapi::finished(api)))
        .fallback(async || ApiError::route_not_found())
        .method_not_allowed_fallback(async || ApiError::method_not_allowed())
        .layer(CatchPanicLayer::custom(|_| {
            axum::response::IntoResponse::into_response(ApiError::internal())
        }))
        .layer(from_fn_with_state(Arc::clone(&service), outage::give_up))
        .layer(from_fn_with_state(Arc::clone(&service), cross_origin::admit))
        .layer(from_fn_with_state(Arc::clone(&service), request_id::number_and_finish))
        .with_state(service)
}

/// Returns the routes. The path, method and description of each are declared at its handler.
fn described() -> OpenApiRouter<Arc<Service>> {
    OpenApiRouter::with_openapi(openapi::frame())
        .routes(routes!(auth::authenticate))
        .routes(routes!(credit_balance::credit_balance))
        .routes(routes!(process::process))
        .routes(routes!(status::status))
        .routes(routes!(cancel::cancel))
        .routes(routes!(purge::purge))
        .routes(routes!(backdrops::backdrops))
        .routes(routes!(script_schema::script_schema))
        .routes(routes!(script_schema::corrections_schema))
        .routes(routes!(download::download))
        .routes(routes!(list::list_all))
        .routes(routes!(list::list_by_status))
        .routes(routes!(list::list_by_status_and_processor))
        .routes(routes!(list_models::list_models))
        .routes(routes!(store_model::store_model))
        .routes(routes!(store_model::delete_model))
        .routes(routes!(upload::model_upload_url))
        .routes(routes!(health::health))
        .routes(routes!(health::ready))
        .routes(routes!(openapi::get))
        .layer(
            CompressionLayer::new()
                .compress_when(DefaultPredicate::new().and(SizeAbove::new(LEAST_COMPRESSED_BYTES))),
        )
        // events must be sent at once and not wait for the compression buffer
        .routes(routes!(events::events))
        // files are served uncompressed: a byte range of a compressed body would not match the file
        .routes(routes!(file::file))
        .layer(DefaultBodyLimit::max(LONGEST_BODY_BYTES))
        .layer(TimeoutLayer::with_status_code(
            axum::http::StatusCode::SERVICE_UNAVAILABLE,
            LONGEST_ANSWER,
        ))
        // uploads are exempt from the limits of other requests and have their own limits
        .routes(routes!(upload::start, upload::put_whole))
        .routes(routes!(upload::put, upload::cancel))
}

/// Collapses repeated slashes: the vendor's documentation has URLs such as `/job/v1//download`.
async fn collapse_slashes(mut request: Request) -> Request {
    let path = request.uri().path();
    if path.contains("//") {
        let mut single = String::with_capacity(path.len());
        for c in path.chars() {
            if c != '/' || !single.ends_with('/') {
                single.push(c);
            }
        }
        if let Some(query) = request.uri().query() {
            single = format!("{single}?{query}");
        }
        if let Ok(uri) = single.parse::<Uri>() {
            *request.uri_mut() = uri;
        }
    }
    request
}
