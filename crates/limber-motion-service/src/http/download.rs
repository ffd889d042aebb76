//! `GET /job/v1/download/{rid,…}?variant_id=…&peek=…`.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json,
    extract::{
        Path, Query, State,
        rejection::{PathRejection, QueryRejection},
    },
    http::Method,
};
use limber_api::motion::{
    DownloadAnswer, DownloadEntry, ErrorBody, FileGroup, JobId, RenderEntry, VariantId,
};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{
    ApiError,
    caller::Caller,
    status::{is_shown, split_places},
    summary::{job_id, parameters},
    videos::Videos,
};
use crate::{
    credits::{Unlock, credits},
    jobs::{JobState, Outcome},
    service::Service,
    store::{
        artifacts::ArtifactRow,
        rows::{JobRow, VariantRow},
    },
};

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct DownloadQuery {
    /// Comma-separated variant numbers, one for each rid; missing ones default to 1. Repeat a rid
    /// to request several of its variants.
    variant_id: Option<String>,
    /// 1: reports the price without charging it.
    peek: Option<String>,
    /// 1: also links the canonical clip (`clip`), from which all other files can be regenerated.
    canonical: Option<String>,
}

/// Returns links to the files of jobs; charges for each variant on its first download.
#[utoipa::path(get, path = "/job/v1/download/{rids}", tag = "Jobs", security(("session" = []), ("bearer" = [])),
    params(("rids" = String, Path, description = "1 to 100 rids, separated by commas."), DownloadQuery),
    responses((status = 200, body = DownloadAnswer), (status = 400, body = ErrorBody), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub(super) async fn download(
    State(service): State<Arc<Service>>,
    caller: Caller,
    method: Method,
    rids: Result<Path<String>, PathRejection>,
    query: Result<Query<DownloadQuery>, QueryRejection>,
) -> Result<Json<DownloadAnswer>, ApiError> {
    let rids = split_places(rids)?;
    let Query(query) = query.map_err(|_| ApiError::malformed("the query cannot be parsed"))?;
    let rows = service.store.find_jobs(caller.account.as_str(), &rids).await?;
    if rows.is_empty() {
        return Err(ApiError::job_not_found());
    }
    let variants = variant_ids(query.variant_id.as_deref().unwrap_or_default(), rids.len())?;
    let artifacts = service.store.artifacts_of(&rids).await?;
    let made = service.store.variants_of(&rids).await?;
    let videos = Videos::of(&service, &caller, &made).await?;
    // a HEAD request gets no links, so it is not charged
    let peek = switch("peek", query.peek.as_deref())? || method == Method::HEAD;
    let with_clip = switch("canonical", query.canonical.as_deref())?;
    let mut links = Vec::new();
    for (rid, variant_id) in each_once(&rids, variants) {
        let Some(row) = rows.iter().find(|row| row.rid == *rid) else { continue };
        let own =
            artifacts.iter().filter(|file| file.rid == *rid && (with_clip || is_shown(&file.kind)));
        let own = own
            .filter(|file| row.is_render() || u32::try_from(file.number) == Ok(variant_id.get()));
        let own: Vec<&ArtifactRow> = own.collect();
        let variant = made.get(rid).into_iter().flatten().find(|made| {
            made.cause.is_none() && u32::try_from(made.number) == Ok(variant_id.get())
        });
        let videos = videos.about(&service, rid, variant_id)?;
        links.push(entry(&service, &caller, (row, variant, &own, videos), peek).await?);
    }
    Ok(Json(DownloadAnswer { count: links.len(), links }))
}

fn switch(name: &'static str, value: Option<&str>) -> Result<bool, ApiError> {
    match value {
        None | Some("" | "0" | "false") => Ok(false),
        Some("1" | "true") => Ok(true),
        Some(_) => Err(ApiError::invalid(name, 494, format!("{name} must be 0 or 1"))),
    }
}

/// Parses one variant number per rid; missing ones are 1.
fn variant_ids(text: &str, rids: usize) -> Result<Vec<VariantId>, ApiError> {
    let wrong = |message: &str| ApiError::invalid("variant_id", 502, message);
    let mut variants = Vec::new();
    for word in text.split(',').map(str::trim).filter(|_| !text.trim().is_empty()) {
        let variant = if word.is_empty() { Some(1) } else { word.parse().ok() };
        let variant = variant.and_then(VariantId::new);
        variants.push(variant.ok_or_else(|| wrong("a variant_id must be a whole number from 1"))?);
    }
    if variants.len() > rids {
        return Err(wrong("there are more variant ids than rids; send one for each rid"));
    }
    variants.resize(rids, VariantId::FIRST);
    Ok(variants)
}

/// Pairs rids with variants, without duplicates, in the order of the request.
fn each_once(rids: &[String], variants: Vec<VariantId>) -> Vec<(&String, VariantId)> {
    let mut asked: Vec<(&String, VariantId)> = Vec::new();
    for result in rids.iter().zip(variants) {
        if !asked.contains(&result) {
            asked.push(result);
        }
    }
    asked
}

/// The videos of a variant, and their files.
type VariantVideos = (Vec<RenderEntry>, Vec<FileGroup>);

/// Builds the entry of one job, paying for its variant unless it has been paid for or `peek` is
/// set.
async fn entry(
    service: &Service,
    caller: &Caller,
    (row, variant, files, videos): (&JobRow, Option<&VariantRow>, &[&ArtifactRow], VariantVideos),
    peek: bool,
) -> Result<DownloadEntry, ApiError> {
    let rid = job_id(row)?;
    let done = row.state()? == JobState::Finished(Outcome::Success);
    if !done || row.purged_ms.is_some() {
        return Ok(bare(rid, row.purged_ms.is_some()));
    }
    if row.is_render() {
        let urls = Some(group(service, files));
        return Ok(DownloadEntry { parameters: Some(parameters(row)), urls, ..bare(rid, false) });
    }
    let (render_jobs, video_files) = videos;
    let closed = DownloadEntry {
        parameters: Some(parameters(row)),
        render_job_list: Some(render_jobs),
        variant_download_status: Some(false),
        urls: Some(Vec::new()),
        ..bare(rid, false)
    };
    let mut groups = group(service, files);
    let (Some(variant), false) = (variant, groups.is_empty()) else { return Ok(closed) };
    groups.extend(video_files);
    let now_ms = service.environment.clock.now_ms();
    let (which, length) = ((&row.rid[..], variant.number), (variant.frames, variant.fps));
    match service.credits.unlock(&caller.account, which, length, peek, now_ms).await? {
        Unlock::Open => {
            Ok(DownloadEntry { variant_download_status: Some(true), urls: Some(groups), ..closed })
        }
        Unlock::Locked(short) => Ok(DownloadEntry {
            required: Some(credits(short.required)),
            available: Some(credits(short.available)),
            ..closed
        }),
    }
}

fn bare(rid: JobId, purged: bool) -> DownloadEntry {
    DownloadEntry {
        rid,
        parameters: None,
        render_job_list: None,
        variant_download_status: None,
        urls: None,
        required: None,
        available: None,
        purged,
    }
}

/// Groups links to the files in the order that clients expect: bvh, fbx, glb, then the rest.
pub(super) fn group(service: &Service, files: &[&ArtifactRow]) -> Vec<FileGroup> {
    let order =
        ["bvh", "fbx", "glb", "fbx_raw", "vrma", "png", "json", "mp4", "gif", "zip", "clip"];
    let in_order: Vec<&&ArtifactRow> =
        order.iter().filter_map(|kind| files.iter().find(|file| file.kind == *kind)).collect();
    let Some(first) = in_order.first() else { return Vec::new() };
    let name = first.file_name.rsplit_once('.').map_or(first.file_name.as_str(), |(stem, _)| stem);
    let files = in_order.iter().map(|file| {
        let link = service.link(&file.content_id, &file.file_name);
        BTreeMap::from([(file.kind.clone(), link)])
    });
    vec![FileGroup { name: name.to_owned(), files: files.collect() }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_variant_ids_default_to_the_first() {
        let numbers = |text: &str, rids| {
            variant_ids(text, rids)
                .map(|all| all.into_iter().map(VariantId::get).collect::<Vec<_>>())
                .ok()
        };
        assert_eq!(numbers("", 2), Some(vec![1, 1]));
        assert_eq!(numbers("3", 2), Some(vec![3, 1]));
        assert_eq!(numbers("3,,2", 3), Some(vec![3, 1, 2]));
        assert_eq!(numbers("1,2", 1), None);
        assert_eq!(numbers("0", 1), None);
        assert_eq!(numbers("x", 1), None);
    }

    #[test]
    fn a_job_may_be_listed_once_per_variant() {
        let [first, second] = [1, 2].map(|number| VariantId::new(number).expect("not 0"));
        let rids = ["walk", "walk", "bow", "walk"].map(str::to_owned);
        let asked = each_once(&rids, vec![first, second, first, first]);
        assert_eq!(asked, [(&rids[0], first), (&rids[0], second), (&rids[2], first)]);
    }
}
