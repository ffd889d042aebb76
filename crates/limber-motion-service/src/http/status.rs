//! `GET /job/v1/status/{rid,…}`.

use std::{collections::HashMap, sync::Arc};

use axum::{
    Json,
    extract::{Path, State, rejection::PathRejection},
};
use limber_api::motion::{ErrorBody, StatusAnswer, StatusEntry};

use super::{ApiError, caller::Caller, summary};
use crate::{accounts::AccountId, service::Service};

/// Maximum number of jobs per request.
pub(super) const MOST_IDS: usize = 100;

/// Returns the status of jobs.
#[utoipa::path(get, path = "/job/v1/status/{rids}", tag = "Jobs", security(("session" = []), ("bearer" = [])),
    params(("rids" = String, Path, description = "1 to 100 rids, separated by commas.")),
    responses((status = 200, body = StatusAnswer), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub(super) async fn status(
    State(service): State<Arc<Service>>,
    caller: Caller,
    rids: Result<Path<String>, PathRejection>,
) -> Result<Json<StatusAnswer>, ApiError> {
    let rids = split_ids(rids)?;
    let found = entries(&service, &caller.account, &rids).await?;
    if found.is_empty() {
        // never an empty list, because existing clients would poll forever
        return Err(ApiError::job_not_found());
    }
    let status: Vec<StatusEntry> = found.into_iter().map(|(entry, _)| entry).collect();
    let is_missing = |rid: &&String| status.iter().all(|entry| entry.rid.as_str() != rid.as_str());
    let missing = rids.iter().filter(is_missing).cloned().collect();
    Ok(Json(StatusAnswer { count: status.len(), status, missing }))
}

/// Returns the status of these jobs with the time when each ended, in the given order and without
/// jobs that the account does not have.
pub(super) async fn entries(
    service: &Service,
    account: &AccountId,
    rids: &[String],
) -> Result<Vec<(StatusEntry, Option<i64>)>, ApiError> {
    let found = service.store.find_jobs(account.as_str(), rids).await?;
    let rows: HashMap<&str, _> = found.iter().map(|row| (row.rid.as_str(), row)).collect();
    let made = found.iter().any(|row| row.state == "success");
    let known: Vec<String> = rows.keys().map(|&rid| rid.to_owned()).collect();
    let artifacts = if made { service.store.artifacts_of(&known).await? } else { Vec::new() };
    let mut entries = Vec::new();
    for row in rids.iter().filter_map(|rid| rows.get(rid.as_str())) {
        let files = artifacts.iter().filter(|file| file.rid == row.rid && is_shown(&file.kind));
        let files = files.map(|file| file.file_name.clone()).collect();
        let place = match row.rank {
            Some(rank) => Some(service.queue_positions.of(account.as_str(), rank).await?),
            None => None,
        };
        entries.push((summary::status_entry(row, place, files)?, row.finished_ms));
    }
    Ok(entries)
}

/// Returns whether clients see files of this kind by default. Canonical clips are only listed by
/// downloads that ask for them.
pub(super) fn is_shown(kind: &str) -> bool {
    kind != "clip"
}

/// Parses comma-separated ids, 1 to 100, keeping their order and dropping duplicates.
pub(super) fn split_ids(
    rids: Result<Path<String>, PathRejection>,
) -> Result<Vec<String>, ApiError> {
    let mut ids: Vec<String> = Vec::new();
    for id in split_places(rids)? {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

/// Like [`split_ids`], but keeps duplicates: a download lists a job once per requested variant.
pub(super) fn split_places(
    rids: Result<Path<String>, PathRejection>,
) -> Result<Vec<String>, ApiError> {
    let Path(rids) = rids.map_err(|_| ApiError::malformed("the rids are not readable text"))?;
    let named = rids.split(',').map(str::trim).filter(|id| !id.is_empty());
    // PostgreSQL text cannot contain NUL; ids are at most 40 characters long
    let plain = |id: &str| id.chars().filter(|c| !c.is_control()).take(64).collect::<String>();
    let ids: Vec<String> = named.take(MOST_IDS + 1).map(plain).collect();
    match ids.len() {
        0 => Err(ApiError::job_not_found()),
        1..=MOST_IDS => Ok(ids),
        _ => Err(ApiError::invalid("rid", 494, "at most 100 rids can be asked for at once")),
    }
}
