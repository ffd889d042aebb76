//! `GET /job/v1/cancel/{rid}`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State, rejection::PathRejection},
    http::StatusCode,
};
use limber_api::motion::{CancelAnswer, ErrorBody, JobId};

use super::{ApiError, acting::Acting, caller::Caller};
use crate::{service::Service, store::jobs::Cancelling};

/// Cancels a job that has not ended.
#[utoipa::path(get, path = "/job/v1/cancel/{rid}", tag = "Jobs", security(("session" = []), ("bearer" = [])),
    params(("rid" = String, Path, description = "The job.")),
    responses((status = 200, body = CancelAnswer), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub(super) async fn cancel(
    _: Acting,
    State(service): State<Arc<Service>>,
    caller: Caller,
    rid: Result<Path<String>, PathRejection>,
) -> Result<Json<CancelAnswer>, ApiError> {
    let Path(rid) = rid.map_err(|_| ApiError::malformed("the rid cannot be decoded"))?;
    let rid = JobId::parse(&rid).map_err(|_| ApiError::job_not_found())?;
    match service.store.cancel_job(caller.account.as_str(), &rid).await? {
        Cancelling::Cancelled => Ok(Json(CancelAnswer { result: true })),
        Cancelling::Unknown => Err(ApiError::job_not_found()),
        Cancelling::Refused(refusal) => {
            Err(ApiError::new(StatusCode::CONFLICT, "invalid_state", refusal.to_string()))
        }
    }
}
