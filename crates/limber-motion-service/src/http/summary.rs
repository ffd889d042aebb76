//! Converts job rows to API types; the only place where job states become wire values.

use std::collections::BTreeMap;

use limber_api::motion::{
    FailedVariants, JobId, JobSummary, ProcessingInfo, StatusDetails, StatusEntry, VariantEntry,
    WireStatus,
};
use serde_json::{Map, Value};

use crate::{
    StoreError,
    credits::Open,
    jobs::{Cause, JobState, Outcome},
    service::Service,
    store::{
        artifacts::ArtifactRow,
        rows::{JobRow, VariantRow},
    },
};

/// Maps a state to its wire status. Cancelled jobs are reported as FAILURE, because existing
/// clients wait for that value.
pub(super) const fn wire_status(state: &JobState) -> WireStatus {
    match state {
        JobState::Queued | JobState::Running { .. } => WireStatus::Progress,
        JobState::RetryWait { .. } => WireStatus::Retry,
        JobState::Finished(Outcome::Success) => WireStatus::Success,
        JobState::Finished(Outcome::Failure(_) | Outcome::Cancelled) => WireStatus::Failure,
    }
}

/// Returns the values of the `state` column that are reported as this status.
pub(super) fn stored_words(status: WireStatus) -> &'static [&'static str] {
    match status {
        WireStatus::Progress => &["queued", "running"],
        WireStatus::Retry => &["retry_wait"],
        WireStatus::Success => &["success"],
        WireStatus::Failure => &["failure", "cancelled"],
    }
}

pub(super) fn job_id(row: &JobRow) -> Result<JobId, StoreError> {
    JobId::parse(&row.rid).map_err(|_| StoreError::Unreadable("a job has an invalid id"))
}

pub(super) fn parameters(row: &JobRow) -> Map<String, Value> {
    row.parameters.as_object().cloned().unwrap_or_default()
}

/// Builds a status entry. `place` is the position in the queue, from 1; `files` are the names of
/// the job's files.
pub(super) fn status_entry(
    row: &JobRow,
    place: Option<u32>,
    files: Vec<String>,
) -> Result<StatusEntry, StoreError> {
    let state = row.state()?;
    let status = wire_status(&state);
    let (details, position_in_queue) = match state {
        JobState::Queued => {
            (StatusDetails::Progress { step: 0, total: 100 }, Some(place.unwrap_or(1)))
        }
        JobState::Running { step } => {
            (StatusDetails::Progress { step: step.clamp(1, 99), total: 100 }, Some(0))
        }
        JobState::RetryWait { cause, .. } | JobState::Finished(Outcome::Failure(cause)) => {
            (failed(cause), None)
        }
        JobState::Finished(Outcome::Success) => {
            (StatusDetails::Files { input: row.sources.clone(), out: files }, None)
        }
        JobState::Finished(Outcome::Cancelled) => {
            let exc_type = "Cancelled".to_owned();
            let (exc_message, messages) = (Vec::new(), Vec::new());
            (StatusDetails::Failed { exc_message, exc_type, exc_text: None, messages }, None)
        }
    };
    Ok(StatusEntry { rid: job_id(row)?, status, details, position_in_queue })
}

fn failed(cause: Cause) -> StatusDetails {
    StatusDetails::Failed {
        exc_message: code_texts(&cause),
        exc_type: cause.kind.as_str().to_owned(),
        exc_text: Some(cause.text),
        messages: cause.messages,
    }
}

fn code_texts(cause: &Cause) -> Vec<String> {
    cause.codes.iter().map(u16::to_string).collect()
}

/// Builds a list entry.
pub(super) fn job_summary(
    service: &Service,
    row: &JobRow,
    (variants, open): (&[VariantRow], &Open),
    artifacts: &[&ArtifactRow],
) -> Result<JobSummary, StoreError> {
    let state = row.state()?;
    let done = state == JobState::Finished(Outcome::Success);
    let mut entries = BTreeMap::new();
    let mut failed_variants = FailedVariants::new();
    // a video has no variants
    for variant in variants.iter().filter(|_| !row.is_render()) {
        match &variant.cause {
            Some(cause) => {
                let cause: Option<Cause> = serde_json::from_value(cause.clone()).ok();
                failed_variants.insert(
                    variant.number.to_string(),
                    cause.map(|c| code_texts(&c)).unwrap_or_default(),
                );
            }
            // variants that a failed job had finished are not offered
            None if !done => {}
            None => {
                let download = open.holds(&row.rid, variant.number);
                let entry = variant_entry(service, variant, artifacts);
                entries.insert(variant.number.to_string(), VariantEntry { download, ..entry });
            }
        }
    }
    Ok(JobSummary {
        rid: job_id(row)?,
        processor: row.processor.clone(),
        parameters: parameters(row),
        processing_info: ProcessingInfo {
            queued_at: row.ctime,
            started_at: row.started_ms,
            finished_at: row.finished_ms,
            attempts: u32::try_from(row.attempts).unwrap_or(0),
            stages: serde_json::from_value(row.stages.clone()).unwrap_or_default(),
            worker: row.worker_name.clone(),
            version: row.version.clone(),
        },
        variants: (!row.is_render()).then_some(entries),
        charged_amount: row.charged_tenths as f64 / 10.0,
        status: wire_status(&state),
        ctime: row.ctime,
        mtime: row.mtime,
        failed_variants,
    })
}

fn variant_entry(service: &Service, row: &VariantRow, artifacts: &[&ArtifactRow]) -> VariantEntry {
    let thumb = artifacts.iter().find(|file| file.number == row.number && file.kind == "png");
    VariantEntry {
        download: true,
        frames: u32::try_from(row.frames).unwrap_or(0),
        fps: u32::try_from(row.fps).unwrap_or(0),
        duration_s: f64::from(row.frames) / f64::from(row.fps.max(1)),
        seed: row.seed.clone(),
        thumb: thumb.map(|file| service.link(&file.content_id, &file.file_name)),
        metrics: row.metrics.clone().and_then(|metrics| serde_json::from_value(metrics).ok()),
    }
}
