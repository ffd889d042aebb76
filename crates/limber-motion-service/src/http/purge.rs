//! `DELETE /job/v1/purge/{rid}`, an addition to the specification.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State, rejection::PathRejection},
    http::StatusCode,
};
use limber_api::motion::{ErrorBody, JobId, PurgeAnswer};

use super::{ApiError, caller::Caller};
use crate::{service::Service, store::artifacts::Purging, sweeping::remove_now_or_later};

/// Removes the files of an ended job before their retention period ends; the job stays listed.
#[utoipa::path(delete, path = "/job/v1/purge/{rid}", tag = "Jobs", security(("session" = []), ("bearer" = [])),
    params(("rid" = String, Path, description = "The job.")),
    responses((status = 200, body = PurgeAnswer), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub(super) async fn purge(
    State(service): State<Arc<Service>>,
    caller: Caller,
    rid: Result<Path<String>, PathRejection>,
) -> Result<Json<PurgeAnswer>, ApiError> {
    let Path(rid) = rid.map_err(|_| ApiError::malformed("the rid cannot be decoded"))?;
    let rid = JobId::parse(&rid).map_err(|_| ApiError::job_not_found())?;
    match service.store.purge_job(caller.account.as_str(), &rid).await? {
        Purging::Purged(contents) => {
            remove_now_or_later(&service.store, &service.files, &contents).await?;
            Ok(Json(PurgeAnswer { result: true }))
        }
        Purging::Unknown => Err(ApiError::job_not_found()),
        Purging::Refused(refusal) => {
            let message = format!("{refusal}; cancel it first, or wait until it has ended");
            Err(ApiError::new(StatusCode::CONFLICT, "invalid_state", message))
        }
    }
}
