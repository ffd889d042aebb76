//! What a worker counts of the attempts it makes at jobs.

use std::time::Duration;

use limber_api::motion::StageTime;
use opentelemetry::{
    KeyValue, global,
    metrics::{Counter, Histogram},
};

use super::SERVICE;

/// Seconds: from a stage that only copies to the longest that a stage may take.
const STAGE_BOUNDARIES: [f64; 14] =
    [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];
/// Seconds: from an idle worker to a queue that nobody works on.
const WAIT_BOUNDARIES: [f64; 12] =
    [0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 15.0, 60.0, 300.0, 1800.0, 7200.0];

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AttemptEnd {
    Succeeded,
    Failed,
    /// It failed and may be tried again.
    Retried,
    /// The job was cancelled, or given to another worker.
    LeaseLost,
    /// The worker was asked to stop.
    GivenBack,
}

impl AttemptEnd {
    /// The word in metrics and traces.
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

/// Instruments of one worker; they do nothing where metrics are off.
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
                .with_description("Attempts at jobs, by how they ended.")
                .build(),
            failures: meter
                .u64_counter("limber.motion.failures")
                .with_description("Failed attempts, by the specification's codes.")
                .build(),
        }
    }

    /// A job was taken for the first time.
    pub(crate) fn began(&self, waited: Duration) {
        self.wait.record(waited.as_secs_f64(), &[]);
    }

    /// An attempt is over; `codes` are those of its failures.
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
