//! `GET /health`: the program is running. `GET /health/ready`: its database also answers and the
//! schema is current, so that a proxy sends no traffic to a service whose migrations are still
//! pending.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use limber_api::identity::Health;

use crate::instance::Instance;

/// Reports that the program is running.
#[utoipa::path(get, path = "/health", tag = "Service", responses((status = 200, body = Health)))]
pub(super) async fn get() -> Json<Health> {
    Json(Health {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        name: crate::NAME.to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
    })
}

/// Reports that the program is running and its database is ready.
#[utoipa::path(get, path = "/health/ready", tag = "Service",
    responses((status = 200, body = Health), (status = 503, body = Health)))]
pub(super) async fn ready(State(instance): State<Arc<Instance>>) -> Response {
    if crate::store::is_current(&instance.pool).await.unwrap_or(false) {
        return get().await.into_response();
    }
    let later = [(header::RETRY_AFTER, "2")];
    (StatusCode::SERVICE_UNAVAILABLE, later, get().await).into_response()
}
