//! Fails requests that wait for a stalled database.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::ApiError;
use crate::service::Service;

/// Responds with 503 instead of hanging. The request's transaction is rolled back or, if it was
/// committed, a retry with the same idempotency key finds its result. Bytes of an upload that have
/// arrived are kept.
pub(super) async fn give_up(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Response {
    tokio::select! {
        response = next.run(request) => response,
        () = service.pulse.lost() => ApiError::database_away().into_response(),
    }
}
