//! Requests that wait for a database which stands still.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::ApiError;
use crate::service::Service;

/// Answers 503 instead of hanging. What the request had begun is rolled back, or is found done by
/// whoever asks again with the same key; of a file on its way, what has arrived is kept.
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
