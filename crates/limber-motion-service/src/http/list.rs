//! `GET /job/v1/list`, optionally filtered by status and processor.

use std::sync::Arc;

use axum::{
    Json,
    extract::{
        Path, Query, State,
        rejection::{PathRejection, QueryRejection},
    },
};
use limber_api::motion::{ErrorBody, JobList, WireStatus};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{ApiError, caller::Caller, summary};
use crate::{service::Service, store::jobs::JobFilter};

/// Maximum number of jobs returned if no limit is given; clients then expect all of them.
const MOST_ENTRIES: i64 = 1000;
const LONGEST_SEARCH: usize = 200;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ListQuery {
    /// 1 to 500. Without it, all jobs are returned, at most 1000.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 500)]
    limit: Option<String>,
    /// `<ctime>,<rid>` of a job; only jobs before it in the list's order are returned.
    before: Option<String>,
    /// Text that the prompt must contain.
    search: Option<String>,
}

type ListResult = Result<Json<JobList>, ApiError>;
type MaybeQuery = Result<Query<ListQuery>, QueryRejection>;

/// Lists all jobs, newest first.
#[utoipa::path(get, path = "/job/v1/list", tag = "Jobs", security(("session" = []), ("bearer" = [])), params(ListQuery),
    responses((status = 200, body = JobList), (status = 400, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub(super) async fn list_all(
    State(service): State<Arc<Service>>,
    caller: Caller,
    query: MaybeQuery,
) -> ListResult {
    list(&service, &caller, filter_of(query)?).await
}

/// Lists jobs in the given states, newest first.
#[utoipa::path(get, path = "/job/v1/list/{statuses}", tag = "Jobs", security(("session" = []), ("bearer" = [])),
    params(("statuses" = String, Path, description = "PROGRESS, SUCCESS, RETRY, FAILURE, separated by commas."), ListQuery),
    responses((status = 200, body = JobList), (status = 400, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub(super) async fn list_by_status(
    State(service): State<Arc<Service>>,
    caller: Caller,
    statuses: Result<Path<String>, PathRejection>,
    query: MaybeQuery,
) -> ListResult {
    let Path(statuses) =
        statuses.map_err(|_| ApiError::malformed("the status cannot be decoded"))?;
    let states = stored_states(&statuses)?;
    list(&service, &caller, JobFilter { states, ..filter_of(query)? }).await
}

/// Lists the jobs of one processor in the given states, newest first.
#[utoipa::path(get, path = "/job/v1/list/{statuses}/{processor}", tag = "Jobs", security(("session" = []), ("bearer" = [])),
    params(("statuses" = String, Path, description = "PROGRESS, SUCCESS, RETRY, FAILURE, separated by commas."), ("processor" = String, Path, description = "`text2motion` or `render`."), ListQuery),
    responses((status = 200, body = JobList), (status = 400, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub(super) async fn list_by_status_and_processor(
    State(service): State<Arc<Service>>,
    caller: Caller,
    path: Result<Path<(String, String)>, PathRejection>,
    query: MaybeQuery,
) -> ListResult {
    let Path((statuses, processor)) =
        path.map_err(|_| ApiError::malformed("the path cannot be decoded"))?;
    let states = stored_states(&statuses)?;
    if !matches!(processor.as_str(), "text2motion" | "render") {
        let message = "the processor must be text2motion or render";
        return Err(ApiError::invalid("processor", 494, message));
    }
    let processor = Some(processor);
    list(&service, &caller, JobFilter { states, processor, ..filter_of(query)? }).await
}

async fn list(service: &Service, caller: &Caller, filter: JobFilter) -> ListResult {
    let rows = service.store.list_jobs(caller.account.as_str(), &filter).await?;
    let rids: Vec<String> = rows.iter().map(|row| row.rid.clone()).collect();
    let variants = service.store.variants_of(&rids).await?;
    let artifacts = service.store.artifacts_of(&rids).await?;
    let open = service.credits.open(&rids).await?;
    let mut list = Vec::with_capacity(rows.len());
    for row in &rows {
        let own: Vec<_> = artifacts.iter().filter(|file| file.rid == row.rid).collect();
        let variants = variants.get(&row.rid).map(Vec::as_slice).unwrap_or_default();
        list.push(summary::job_summary(service, row, (variants, &open), &own)?);
    }
    Ok(Json(JobList { count: list.len(), list }))
}

fn filter_of(query: MaybeQuery) -> Result<JobFilter, ApiError> {
    let Query(query) = query.map_err(|_| ApiError::malformed("the query cannot be parsed"))?;
    let limit = match query.limit.as_deref() {
        None | Some("") => MOST_ENTRIES,
        Some(text) => text
            .parse()
            .ok()
            .filter(|limit| (1..=500).contains(limit))
            .ok_or_else(|| ApiError::invalid("limit", 494, "limit must be 1 to 500"))?,
    };
    let before = query.before.as_deref().map(read_before).transpose()?;
    let search = query
        .search
        .filter(|search| !search.is_empty())
        .map(|search| search.chars().filter(|c| !c.is_control()).take(LONGEST_SEARCH).collect());
    Ok(JobFilter { limit, before, search, ..JobFilter::default() })
}

fn read_before(text: &str) -> Result<(i64, String), ApiError> {
    let parts =
        text.split_once(',').and_then(|(ctime, rid)| Some((ctime.parse().ok()?, rid.to_owned())));
    let parts = parts.filter(|(_, rid): &(i64, String)| rid.len() <= 40 && !rid.contains('\0'));
    parts.ok_or_else(|| {
        ApiError::invalid("before", 494, "before must be <ctime>,<rid> of a listed job")
    })
}

fn stored_states(statuses: &str) -> Result<Vec<String>, ApiError> {
    let all = [WireStatus::Progress, WireStatus::Success, WireStatus::Retry, WireStatus::Failure];
    let mut states = Vec::new();
    for word in statuses.split(',').map(str::trim) {
        // a state of the related product, which never occurs here but which its clients ask for
        if word == "STARTING" {
            states.push("starting".to_owned());
            continue;
        }
        let status = all.into_iter().find(|status| status.as_str() == word).ok_or_else(|| {
            ApiError::invalid("status", 494, "a status must be PROGRESS, SUCCESS, RETRY or FAILURE")
        })?;
        states.extend(summary::stored_words(status).iter().map(|word| (*word).to_owned()));
    }
    Ok(states)
}
