//! Rows of `jobs` and `variants`, and conversions between columns and [`JobState`].

use serde_json::Value;

use super::StoreError;
use crate::jobs::{Cause, JobState, Outcome};

/// A row of `jobs`.
#[derive(Debug, Clone)]
pub(crate) struct JobRow {
    pub(crate) rid: String,
    pub(crate) processor: String,
    pub(crate) parameters: Value,
    pub(crate) state: String,
    pub(crate) attempts: i32,
    pub(crate) step: i32,
    pub(crate) worker_name: Option<String>,
    pub(crate) retry_at_ms: Option<i64>,
    pub(crate) cause: Option<Value>,
    pub(crate) stages: Value,
    pub(crate) charged_tenths: i64,
    pub(crate) version: String,
    /// `rid/variant` of the source clips.
    pub(crate) sources: Vec<String>,
    pub(crate) ctime: i64,
    pub(crate) mtime: i64,
    pub(crate) started_ms: Option<i64>,
    pub(crate) finished_ms: Option<i64>,
    pub(crate) purged_ms: Option<i64>,
    /// Rank of a waiting job among the waiting jobs of its account, from 1. Only loaded when jobs
    /// are looked up by id.
    pub(crate) rank: Option<i64>,
}

/// A row of `variants`.
#[derive(Debug, Clone)]
pub(crate) struct VariantRow {
    pub(crate) rid: String,
    pub(crate) number: i32,
    pub(crate) seed: String,
    pub(crate) frames: i32,
    pub(crate) fps: i32,
    pub(crate) metrics: Option<Value>,
    pub(crate) cause: Option<Value>,
}

impl JobRow {
    /// Returns whether this is a render job.
    pub(crate) fn is_render(&self) -> bool {
        self.processor == "render"
    }

    pub(crate) fn state(&self) -> Result<JobState, StoreError> {
        state_of(&self.state, self.step, self.retry_at_ms, self.cause.as_ref())
    }
}

pub(super) fn state_of(
    word: &str,
    step: i32,
    retry_at_ms: Option<i64>,
    cause: Option<&Value>,
) -> Result<JobState, StoreError> {
    let cause = || -> Result<Cause, StoreError> {
        let stored = cause.cloned().ok_or(StoreError::Unreadable("a failed job has no cause"))?;
        serde_json::from_value(stored)
            .map_err(|_| StoreError::Unreadable("a cause has an unexpected form"))
    };
    Ok(match word {
        "queued" => JobState::Queued,
        "running" => JobState::Running { step: u32::try_from(step).unwrap_or(0) },
        "retry_wait" => {
            let until_ms =
                retry_at_ms.ok_or(StoreError::Unreadable("a waiting job has no time"))?;
            JobState::RetryWait { until_ms, cause: cause()? }
        }
        "success" => JobState::Finished(Outcome::Success),
        "failure" => JobState::Finished(Outcome::Failure(cause()?)),
        "cancelled" => JobState::Finished(Outcome::Cancelled),
        _ => return Err(StoreError::Unreadable("a job has an unknown state")),
    })
}

/// The columns that represent a state.
#[derive(Debug)]
pub(super) struct StateColumns {
    pub(super) word: &'static str,
    pub(super) step: i32,
    pub(super) retry_at_ms: Option<i64>,
    pub(super) cause: Option<Value>,
    pub(super) finished: bool,
}

impl StateColumns {
    pub(super) fn of(state: &JobState) -> Self {
        let json = |cause: &Cause| serde_json::to_value(cause).ok();
        let columns = |word, step, retry_at_ms, cause, finished| Self {
            word,
            step,
            retry_at_ms,
            cause,
            finished,
        };
        match state {
            JobState::Queued => columns("queued", 0, None, None, false),
            JobState::Running { step } => {
                columns("running", i32::try_from(*step).unwrap_or(99), None, None, false)
            }
            JobState::RetryWait { until_ms, cause } => {
                columns("retry_wait", 0, Some(*until_ms), json(cause), false)
            }
            JobState::Finished(Outcome::Success) => columns("success", 100, None, None, true),
            JobState::Finished(Outcome::Failure(cause)) => {
                columns("failure", 0, None, json(cause), true)
            }
            JobState::Finished(Outcome::Cancelled) => columns("cancelled", 0, None, None, true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_survives_a_round_trip_through_its_columns() {
        let cause = Cause::of_code(607, "why");
        for state in [
            JobState::Queued,
            JobState::Running { step: 12 },
            JobState::RetryWait { until_ms: 5, cause: cause.clone() },
            JobState::Finished(Outcome::Success),
            JobState::Finished(Outcome::Failure(cause)),
            JobState::Finished(Outcome::Cancelled),
        ] {
            let columns = StateColumns::of(&state);
            let read =
                state_of(columns.word, columns.step, columns.retry_at_ms, columns.cause.as_ref());
            assert_eq!(read.expect("readable"), state);
        }
    }
}
