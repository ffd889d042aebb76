//! Progress of the computing thread, as seen by the worker.

use std::{
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use limber_api::motion::StageTime;
use limber_domain::{environment::Clock, lock};
use limber_pipeline::{Progress, Stage};
use limber_system::processor_time;
use tracing::Span;

use crate::{
    jobs::{JobProgress, Work},
    store::queue::Taken,
};

/// Shared between the computing thread, which writes, and the worker, which reads.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    inner: Arc<Mutex<Inner>>,
    clock: Arc<dyn Clock>,
    /// Offset from the worker's clock to the database's, which defines when the attempt begins and
    /// ends.
    to_database_ms: i64,
    attempt: u32,
}

#[derive(Debug)]
struct Inner {
    progress: JobProgress,
    times: Vec<StageTime>,
    /// Span of the attempt, the parent of the stages' spans.
    attempt: Span,
    current: Current,
}

/// What an attempt spends its time on; periods follow each other without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doing {
    /// The pipeline runs this stage.
    Stage(Stage),
    /// Inputs are being loaded.
    Prepare,
    /// Results are being written and recorded.
    Store,
}

impl Doing {
    const fn name(self) -> &'static str {
        match self {
            Self::Stage(stage) => stage.name(),
            Self::Prepare => "prepare",
            Self::Store => "store",
        }
    }
}

#[derive(Debug)]
struct Current {
    doing: Doing,
    variant: u32,
    started_ms: i64,
    cpu_before: Duration,
    cpu: Duration,
    /// Ends with this value.
    _span: Span,
}

impl Current {
    fn begin(
        (doing, variant): (Doing, u32),
        (started_ms, cpu_before): (i64, Duration),
        attempt: &Span,
    ) -> Self {
        let name = doing.name();
        let span = tracing::info_span!(
            parent: attempt, "motion.worker.stage", otel.name = name, variant
        );
        let cpu = Duration::ZERO;
        Self { doing, variant, started_ms, cpu_before, cpu, _span: span }
    }

    fn time(&self, attempt: u32, until_ms: i64) -> StageTime {
        StageTime {
            name: self.doing.name().to_owned(),
            variant: self.variant,
            attempt,
            started_at: self.started_ms,
            duration_ms: (until_ms - self.started_ms).max(0),
            cpu_ms: i64::try_from(self.cpu.as_millis()).unwrap_or(0),
        }
    }
}

/// A snapshot of the progress.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    /// Progress, 1 to 99.
    pub(super) step: u32,
    /// Times of the finished periods and the current one.
    pub(super) times: Vec<StageTime>,
    /// The running stage, and for how long it has been running.
    pub(super) current: Option<(Stage, Duration)>,
}

impl Watch {
    /// Starts watching. The current span must be that of the attempt.
    pub(super) fn new(work: &Work, job: &Taken, clock: Arc<dyn Clock>) -> Self {
        let first = match work {
            Work::Motion(_) => Doing::Prepare,
            Work::Render(_) => Doing::Stage(Stage::Load),
        };
        let attempt = Span::current();
        let current = Current::begin((first, 1), (job.started_ms, Duration::ZERO), &attempt);
        let progress = JobProgress::new(work.variants());
        let to_database_ms = job.started_ms - clock.now_ms();
        let inner = Inner { progress, times: Vec::new(), attempt, current };
        let inner = Arc::new(Mutex::new(inner));
        Self { inner, clock, to_database_ms, attempt: job.attempts }
    }

    /// Records progress. Called by the pipeline on the computing thread.
    pub(super) fn report(&self, variant: u32, progress: Progress) {
        self.report_from_elsewhere(variant, progress, processor_time::of_thread());
    }

    /// Like [`Self::report`], for another process or thread that has used this much CPU time so
    /// far.
    pub(super) fn report_from_elsewhere(&self, variant: u32, progress: Progress, cpu: Duration) {
        let now_ms = self.now_ms();
        let mut inner = self.lock();
        inner.progress.reach(variant, progress);
        self.turn_to((Doing::Stage(progress.stage), variant), (now_ms, cpu), &mut inner);
        if progress.share >= 1.0 {
            // the engine may report completion before the stage does
            let current = &mut inner.current;
            current.cpu = current.cpu.max(cpu.saturating_sub(current.cpu_before));
        }
    }

    /// Records that no stage is running and inputs are being loaded.
    pub(super) fn prepare(&self, variant: u32) {
        let now_ms = self.now_ms();
        self.turn_to((Doing::Prepare, variant), (now_ms, Duration::ZERO), &mut self.lock());
    }

    /// Records that no stage is running and results are being written.
    pub(super) fn store(&self, variant: u32) {
        let now_ms = self.now_ms();
        self.turn_to((Doing::Store, variant), (now_ms, Duration::ZERO), &mut self.lock());
    }

    /// Ends the current period and begins the next.
    fn turn_to(&self, next: (Doing, u32), at: (i64, Duration), inner: &mut Inner) {
        if (inner.current.doing, inner.current.variant) == next {
            return;
        }
        let ended = inner.current.time(self.attempt, at.0);
        inner.times.push(ended);
        inner.current = Current::begin(next, at, &inner.attempt);
    }

    /// Records that a variant is done.
    pub(super) fn finish(&self, variant: u32) {
        self.lock().progress.finish(variant);
    }

    pub(super) fn read(&self) -> Reading {
        let now_ms = self.now_ms();
        let inner = self.lock();
        let current = &inner.current;
        let lasted_ms = u64::try_from(now_ms - current.started_ms).unwrap_or(0);
        let stage = match current.doing {
            Doing::Stage(stage) => Some((stage, Duration::from_millis(lasted_ms))),
            Doing::Prepare | Doing::Store => None,
        };
        let mut times = inner.times.clone();
        times.push(current.time(self.attempt, now_ms));
        Reading { step: inner.progress.step(), times, current: stage }
    }

    /// Current time by the database's clock.
    fn now_ms(&self) -> i64 {
        self.clock.now_ms() + self.to_database_ms
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering::SeqCst};

    use chrono::{DateTime, Utc};
    use limber_api::motion::JobId;
    use serde_json::json;

    use super::*;
    use crate::jobs::JobSpec;

    /// A clock an hour behind the database's.
    #[derive(Debug)]
    struct Behind(AtomicI64);

    const HOUR_MS: i64 = 3_600_000;
    const BEGAN_MS: i64 = 10 * HOUR_MS;

    impl Clock for Behind {
        fn now(&self) -> DateTime<Utc> {
            DateTime::from_timestamp_millis(self.0.load(SeqCst)).expect("a time")
        }
    }

    fn watch() -> (Watch, Arc<Behind>) {
        let spec: JobSpec = serde_json::from_value(json!({
            "schema": 1, "prompt": "walk", "model": "default", "duration_s": null, "variants": 2,
            "seed": 7, "fps": 30, "physics": true, "foot_locking": "auto", "filtering": 0.0,
            "root_at_origin": false, "in_place": false, "formats": ["glb"], "name": "walk"
        }))
        .expect("a job");
        let job = Taken {
            rid: JobId::parse("job-000000000001").expect("an id"),
            work: Ok(Work::Motion(spec.clone())),
            lease: "lease".to_owned(),
            attempts: 2,
            waited_ms: 0,
            started_ms: BEGAN_MS,
            trace: None,
        };
        let clock = Arc::new(Behind(AtomicI64::new(BEGAN_MS - HOUR_MS)));
        (Watch::new(&Work::Motion(spec), &job, Arc::clone(&clock) as Arc<dyn Clock>), clock)
    }

    #[test]
    fn attempt_times_have_no_gaps() {
        let (watch, clock) = watch();
        let pass = |ms| clock.0.fetch_add(ms, SeqCst);
        let cpu = Duration::from_millis;
        let at = |stage, share| Progress { stage, share };
        pass(7);
        watch.report_from_elsewhere(1, at(Stage::Generate, 0.0), cpu(100));
        pass(50);
        watch.report_from_elsewhere(1, at(Stage::Generate, 1.0), cpu(140));
        pass(3);
        assert_eq!(watch.read().current, Some((Stage::Generate, cpu(53))));
        watch.store(1);
        pass(20);
        assert_eq!(watch.read().current, None, "what is written has no limit of a stage");
        watch.prepare(2);
        pass(11);
        let times = watch.read().times;
        let told: Vec<_> = times.iter().map(|time| (time.name.as_str(), time.variant)).collect();
        assert_eq!(told, [("prepare", 1), ("generate", 1), ("store", 1), ("prepare", 2)]);
        assert!(times.iter().all(|time| time.attempt == 2));
        assert_eq!((times[1].duration_ms, times[1].cpu_ms), (53, 40));
        let mut end_ms = BEGAN_MS;
        for time in &times {
            assert_eq!(time.started_at, end_ms, "{time:?}");
            end_ms += time.duration_ms;
        }
        assert_eq!(end_ms - BEGAN_MS, 7 + 50 + 3 + 20 + 11);
    }
}
