//! `GET /health`: the program runs. `GET /health/ready`: and its database answers.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use limber_api::identity::Health;

use crate::instance::Instance;

/// The program runs.
#[utoipa::path(get, path = "/health", tag = "Service", responses((status = 200, body = Health)))]
pub(super) async fn get() -> Json<Health> {
    Json(Health {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        name: crate::NAME.to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
    })
}

/// The program runs and its database answers.
#[utoipa::path(get, path = "/health/ready", tag = "Service",
    responses((status = 200, body = Health), (status = 503, body = Health)))]
pub(super) async fn ready(State(instance): State<Arc<Instance>>) -> (StatusCode, Json<Health>) {
    let answers = crate::store::ping(&instance.pool).await;
    let status = if answers.is_ok() { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, get().await)
}
