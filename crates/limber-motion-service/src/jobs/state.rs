//! The states of a job, and the transitions between them.
//!
//! ```text
//! Queued ──take──▶ Running ──succeed──▶ Finished(Success)
//!   ▲ ▲               │ ├─────fail────▶ Finished(Failure)
//!   │ └──give back────┘ └─────fail────▶ RetryWait
//!   └──────────────time is up──────────────┘
//! cancel: from every unfinished state to Finished(Cancelled)
//! ```
//! A transition consumes the state and returns the next one, or an error if it is not allowed.

use std::time::Duration;

use limber_pipeline::{ErrorCode, Message, Retry};
use serde::{Deserialize, Serialize};

use crate::credits::{Short, credits};

/// State of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JobState {
    /// Waiting for a worker.
    Queued,
    /// Claimed by a worker.
    Running {
        /// Progress, 1 to 99.
        step: u32,
    },
    /// Failed; will be queued again.
    RetryWait {
        /// Time at which the job is queued again.
        until_ms: i64,
        /// Why the last attempt failed.
        cause: Cause,
    },
    /// Final; the state does not change any more.
    Finished(Outcome),
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Success,
    Failure(Cause),
    Cancelled,
}

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cause {
    /// Error codes of the specification; several if variants failed for different reasons.
    pub(crate) codes: Vec<u16>,
    /// Reported as `exc_type`.
    pub(crate) kind: CauseKind,
    /// What happened, to what, and what to do about it.
    pub(crate) text: String,
    /// The same in structured form; empty if only the text is known, as in rows of older versions.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        with = "limber_pipeline::message::told"
    )]
    pub(crate) messages: Vec<Message>,
}

/// Values of `exc_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum CauseKind {
    PipelineError,
    Timeout,
    CreditError,
    InputError,
    InternalError,
}

impl CauseKind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::PipelineError => "PipelineError",
            Self::Timeout => "Timeout",
            Self::CreditError => "CreditError",
            Self::InputError => "InputError",
            Self::InternalError => "InternalError",
        }
    }

    /// Returns the kind that an error code belongs to.
    pub(crate) const fn of_code(code: u16) -> Self {
        match code {
            101 => Self::CreditError,
            599 | 699 | 799 | 899 | 999 => Self::Timeout,
            494 | 502 | 603 | 703 | 803 | 1102 => Self::InputError,
            498 | 1101 => Self::InternalError,
            _ => Self::PipelineError,
        }
    }
}

impl Cause {
    pub(crate) fn of_code(code: u16, message: impl Into<Message>) -> Self {
        let message = message.into();
        let text = message.to_string();
        let messages = match message {
            Message::Sentence { .. } => Vec::new(),
            known => vec![known],
        };
        Self { codes: vec![code], kind: CauseKind::of_code(code), text, messages }
    }

    /// The worker was lost or stopped sending heartbeats.
    pub(crate) fn stuck() -> Self {
        Self::of_code(1101, "the worker stopped in the middle of the job; submit it again")
    }

    /// The operator removed the credits that were reserved for the job.
    pub(crate) fn unpaid(short: Short) -> Self {
        let text = format!(
            "the job costs {} credits, but only {} of its reserved credits are left; ask the \
             operator for more",
            credits(short.required),
            credits(short.available)
        );
        Self::of_code(101, text)
    }

    /// Returns how often a job may be retried after this.
    pub(crate) fn retries(&self) -> u32 {
        self.codes.iter().map(|code| retries_after(*code)).min().unwrap_or(0)
    }
}

fn retries_after(code: u16) -> u32 {
    match ErrorCode::from_number(code).map_or(Retry::Never, ErrorCode::retry) {
        Retry::Never => 0,
        Retry::Once => 1,
        Retry::Yes => 2,
    }
}

/// The transition is not allowed in this state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the job cannot be {wanted}: it {stands}")]
pub(crate) struct InvalidTransition {
    wanted: &'static str,
    stands: &'static str,
}

impl JobState {
    /// A worker claims the job.
    pub(crate) fn take(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Queued => Ok(Self::Running { step: 1 }),
            other => Err(other.refuse("taken")),
        }
    }

    /// The attempt succeeded.
    pub(crate) fn succeed(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Running { .. } => Ok(Self::Finished(Outcome::Success)),
            other => Err(other.refuse("finished")),
        }
    }

    /// The attempt failed; `attempts` counts it and all earlier ones.
    pub(crate) fn fail(
        self,
        cause: Cause,
        attempts: u32,
        delays: &[Duration],
        now_ms: i64,
    ) -> Result<Self, InvalidTransition> {
        let Self::Running { .. } = self else { return Err(self.refuse("failed")) };
        let delay = delays.get(attempts.saturating_sub(1) as usize);
        match delay {
            Some(delay) if attempts <= cause.retries() => {
                let delay_ms = i64::try_from(delay.as_millis()).unwrap_or(i64::MAX);
                Ok(Self::RetryWait { until_ms: now_ms.saturating_add(delay_ms), cause })
            }
            _ => Ok(Self::Finished(Outcome::Failure(cause))),
        }
    }

    /// The worker disappeared; `attempts` includes the lost attempt.
    pub(crate) fn lose_worker(self, attempts: u32) -> Result<Self, InvalidTransition> {
        match self {
            Self::Running { .. } if attempts <= Cause::stuck().retries() => Ok(Self::Queued),
            Self::Running { .. } => Ok(Self::Finished(Outcome::Failure(Cause::stuck()))),
            other => Err(other.refuse("given up")),
        }
    }

    /// The worker shuts down in an orderly way; the attempt does not count.
    pub(crate) fn give_back(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Running { .. } => Ok(Self::Queued),
            other => Err(other.refuse("given back")),
        }
    }

    /// Cancels the job. Cancelling twice is not an error.
    pub(crate) fn cancel(self) -> Result<Self, InvalidTransition> {
        match self {
            Self::Finished(Outcome::Success | Outcome::Failure(_)) => Err(self.refuse("cancelled")),
            _ => Ok(Self::Finished(Outcome::Cancelled)),
        }
    }

    /// Checks that the job has ended, so that no files are added after they are removed.
    pub(crate) fn may_be_purged(&self) -> Result<(), InvalidTransition> {
        match self {
            Self::Finished(_) => Ok(()),
            _ => Err(self.refuse("purged")),
        }
    }

    fn refuse(&self, wanted: &'static str) -> InvalidTransition {
        let stands = match self {
            Self::Queued => "is waiting in the queue",
            Self::Running { .. } => "is running",
            Self::RetryWait { .. } => "is waiting to be retried",
            Self::Finished(Outcome::Success) => "has finished successfully",
            Self::Finished(Outcome::Failure(_)) => "has failed",
            Self::Finished(Outcome::Cancelled) => "was cancelled",
        };
        InvalidTransition { wanted, stands }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DELAYS: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(30)];
    const RUNNING: JobState = JobState::Running { step: 40 };

    #[test]
    fn an_unknown_error_is_tried_three_times() {
        let cause = Cause::of_code(498, "why");
        let first = RUNNING.fail(cause.clone(), 1, &DELAYS, 1000).expect("running");
        assert_eq!(first, JobState::RetryWait { until_ms: 6000, cause: cause.clone() });
        let second = RUNNING.fail(cause.clone(), 2, &DELAYS, 1000).expect("running");
        assert_eq!(second, JobState::RetryWait { until_ms: 31_000, cause: cause.clone() });
        let third = RUNNING.fail(cause.clone(), 3, &DELAYS, 1000).expect("running");
        assert_eq!(third, JobState::Finished(Outcome::Failure(cause)));
    }

    #[test]
    fn causes_are_stored_as_data_and_old_ones_are_still_read() {
        let short = Message::TooShort { wanted_ms: 1000, usual_s: 5, enough_ms: 4500 };
        let cause = Cause::of_code(501, short.clone());
        assert_eq!((&cause.text, &cause.messages), (&short.to_string(), &vec![short]));
        let row = serde_json::to_value(&cause).expect("a row");
        assert_eq!(row["messages"][0]["enoughMs"], 4500);
        assert_eq!(serde_json::from_value::<Cause>(row).expect("it is read"), cause);
        let plain = Cause::of_code(498, "why");
        let row = serde_json::json!({ "codes": [498], "kind": "InternalError", "text": "why" });
        assert_eq!(serde_json::to_value(&plain).expect("a row"), row);
        assert_eq!(serde_json::from_value::<Cause>(row).expect("it is read"), plain);
    }

    #[test]
    fn a_timeout_is_tried_twice_and_a_wrong_parameter_once() {
        let waits = |code, attempts| {
            let next = RUNNING.fail(Cause::of_code(code, "why"), attempts, &DELAYS, 0);
            matches!(next, Ok(JobState::RetryWait { .. }))
        };
        assert!(waits(599, 1) && !waits(599, 2));
        assert!(!waits(502, 1));
    }

    #[test]
    fn a_lost_worker_counts_as_an_attempt_and_an_orderly_stop_does_not() {
        assert_eq!(RUNNING.lose_worker(2), Ok(JobState::Queued));
        let last = RUNNING.lose_worker(3).expect("running");
        assert_eq!(last, JobState::Finished(Outcome::Failure(Cause::stuck())));
        assert_eq!(RUNNING.give_back(), Ok(JobState::Queued));
    }

    #[test]
    fn what_is_finished_stays_finished() {
        let done = JobState::Finished(Outcome::Success);
        assert!(done.clone().cancel().is_err());
        assert!(done.clone().take().is_err());
        assert!(done.lose_worker(1).is_err());
        let cancelled = JobState::Finished(Outcome::Cancelled);
        assert_eq!(cancelled.clone().cancel(), Ok(cancelled));
    }
}
