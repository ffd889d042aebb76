//! The HTTP face: parses, authorises, calls one domain function, shapes the answer.
//!
//! Wire words and compatibility quirks live here and below and nowhere else.

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
mod films;
mod health;
mod json_body;
mod list;
mod list_models;
mod process;
mod rate;
mod request_id;
mod status;
mod store_model;
mod summary;
mod upload;

use std::{sync::Arc, time::Duration};

use axum::{
    Router, ServiceExt as _,
    extract::{DefaultBodyLimit, Request},
    http::Uri,
    middleware::{from_fn_with_state, map_request},
    routing::{delete, get, post, put},
};
use tower::Layer as _;
use tower_http::{
    catch_panic::CatchPanicLayer, compression::CompressionLayer, timeout::TimeoutLayer,
};

pub(crate) use rate::RateLimiter;

use crate::service::Service;
use error::ApiError;

/// JSON bodies are at most this long.
const LONGEST_BODY_BYTES: usize = 1 << 20;
/// No answer takes longer, files apart (their bodies stream).
const LONGEST_ANSWER: Duration = Duration::from_secs(60);

/// What is served, ready for `axum::serve`.
pub(crate) fn into_make_service(
    service: Arc<Service>,
) -> axum::extract::connect_info::IntoMakeServiceWithConnectInfo<
    impl tower::Service<
        Request,
        Response = axum::response::Response,
        Error = std::convert::Infallible,
        Future: Send,
    > + Clone
    + Send,
    std::net::SocketAddr,
> {
    // outside the router, so that routing sees the cleaned path
    let cleaned = map_request(collapse_slashes).layer(router(service));
    cleaned.into_make_service_with_connect_info::<std::net::SocketAddr>()
}

fn router(service: Arc<Service>) -> Router {
    Router::new()
        .route("/account/v1/auth", get(auth::authenticate))
        .route("/account/v1/creditBalance", get(credit_balance::credit_balance))
        .route("/job/v1/process/{processor}", post(process::process))
        .route("/job/v1/status/{rids}", get(status::status))
        .route("/job/v1/cancel/{rid}", get(cancel::cancel))
        .route("/job/v1/backdrops", get(backdrops::backdrops))
        .route("/job/v1/download/{rids}", get(download::download))
        .route("/job/v1/list", get(list::list_all))
        .route("/job/v1/list/{statuses}", get(list::list_by_status))
        .route("/job/v1/list/{statuses}/{processor}", get(list::list_by_status_and_processor))
        .route("/character/v1/listModels", get(list_models::list_models))
        .route("/character/v1/storeModel", post(store_model::store_model))
        .route("/character/v1/deleteModel/{model_id}", delete(store_model::delete_model))
        .route("/character/v1/getModelUploadUrl", get(upload::model_upload_url))
        .route("/health", get(health::health))
        .layer(CompressionLayer::new())
        // events must not wait for a full buffer
        .route("/job/v1/events", get(events::events))
        // files are served outside the compression: a range of packed bytes is no range
        .route("/files/v1/{content}/{name}", get(file::file))
        .layer(DefaultBodyLimit::max(LONGEST_BODY_BYTES))
        .layer(TimeoutLayer::with_status_code(
            axum::http::StatusCode::SERVICE_UNAVAILABLE,
            LONGEST_ANSWER,
        ))
        // files arrive outside the limits of other requests; they have their own
        .route("/upload/v1/object/{key}/{name}", post(upload::start).put(upload::put_whole))
        .route("/upload/v1/session/{token}", put(upload::put).delete(upload::cancel))
        .fallback(async || ApiError::route_not_found())
        .method_not_allowed_fallback(async || ApiError::method_not_allowed())
        .layer(CatchPanicLayer::custom(|_| {
            axum::response::IntoResponse::into_response(ApiError::internal())
        }))
        .layer(from_fn_with_state(Arc::clone(&service), cross_origin::admit))
        .layer(from_fn_with_state(Arc::clone(&service), request_id::number_and_finish))
        .with_state(service)
}

/// `/job/v1//download` is `/job/v1/download`: the vendor's documentation has such addresses.
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
