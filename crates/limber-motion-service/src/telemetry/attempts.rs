//! Metrics of a worker's attempts at jobs.

use std::time::Duration;

use limber_api::motion::StageTime;
use opentelemetry::{
    KeyValue, global,
    metrics::{Counter, Histogram},
};

use super::SERVICE;

/// Histogram boundaries in seconds: from a stage that only copies to the longest stage limit.
const STAGE_BOUNDARIES: [f64; 14] =
    [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];
/// Histogram boundaries in seconds: from an idle worker to a queue without workers.
const WAIT_BOUNDARIES: [f64; 12] =
    [0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0];

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttemptEnd {
    Succeeded,
    Failed,
    /// Failed; the job will be retried.
    Retried,
    /// The job was cancelled or given to another worker.
    LeaseLost,
    /// The worker was asked to stop.
    GivenBack,
}

impl AttemptEnd {
    /// Returns the value used in metrics and traces.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Retried => "retried",
            Self::LeaseLost => "lease_lost",
            Self::GivenBack => "given_back",
        }
    }
}

/// Instruments of one worker; no-ops if metrics are off.
#[derive(Debug)]
pub(crate) struct AttemptMeasures {
    wait: Histogram<f64>,
    stage: Histogram<f64>,
    attempts: Counter<u64>,
    failures: Counter<u64>,
}

impl AttemptMeasures {
    pub(crate) fn new() -> Self {
        let meter = global::meter(SERVICE);
        Self {
            wait: meter
                .f64_histogram("limber.motion.job.wait")
                .with_unit("s")
                .with_description("How long jobs waited for their first worker.")
                .with_boundaries(WAIT_BOUNDARIES.to_vec())
                .build(),
            stage: meter
                .f64_histogram("limber.motion.stage.duration")
                .with_unit("s")
                .with_description("How long the stages of variants took.")
                .with_boundaries(STAGE_BOUNDARIES.to_vec())
                .build(),
            attempts: meter
                .u64_counter("limber.motion.attempts")
                .with_description("Attempts at jobs, by outcome.")
                .build(),
            failures: meter
                .u64_counter("limber.motion.failures")
                .with_description("Failed attempts, by the specification's codes.")
                .build(),
        }
    }

    /// Records that a job was claimed for the first time.
    pub(crate) fn began(&self, waited: Duration) {
        self.wait.record(waited.as_secs_f64(), &[]);
    }

    /// Records the end of an attempt; `codes` are the error codes of its failures.
    pub(crate) fn ended(&self, how: AttemptEnd, codes: &[u16], stages: &[StageTime]) {
        self.attempts.add(1, &[KeyValue::new("outcome", how.as_str())]);
        for code in codes {
            self.failures.add(1, &[KeyValue::new("code", i64::from(*code))]);
        }
        for stage in stages {
            let took_ms = u64::try_from(stage.duration_ms).unwrap_or(0);
            let took = Duration::from_millis(took_ms);
            self.stage.record(took.as_secs_f64(), &[KeyValue::new("stage", stage.name.clone())]);
        }
    }
}
