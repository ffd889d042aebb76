//! What the computing thread tells the worker while it computes.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use limber_api::motion::StageTime;
use limber_pipeline::{Progress, Stage};
use tracing::Span;

use super::cpu;
use crate::{jobs::JobProgress, surroundings::Clock};

/// Shared between the computing thread, which writes, and the worker, which reads.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    inner: Arc<Mutex<Inner>>,
    clock: Arc<dyn Clock>,
}

#[derive(Debug)]
struct Inner {
    progress: JobProgress,
    times: Vec<StageTime>,
    /// The attempt, of which every stage is a part.
    attempt: Span,
    current: Option<Current>,
}

#[derive(Debug)]
struct Current {
    stage: Stage,
    variant: u32,
    started_ms: i64,
    cpu_before: Duration,
    /// Lasts as long as the stage.
    _span: Span,
}

/// How far a job is.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    /// 1 to 99.
    pub(super) step: u32,
    pub(super) times: Vec<StageTime>,
    /// The running stage and for how long it has been running.
    pub(super) current: Option<(Stage, Duration)>,
}

impl Watch {
    /// The current span is that of the attempt.
    pub(super) fn new(variants: u32, clock: Arc<dyn Clock>) -> Self {
        let progress = JobProgress::new(variants);
        let attempt = Span::current();
        let inner = Inner { progress, times: Vec::new(), attempt, current: None };
        Self { inner: Arc::new(Mutex::new(inner)), clock }
    }

    /// Called by the pipeline, on the thread that computes.
    pub(super) fn report(&self, variant: u32, progress: Progress) {
        self.report_from_elsewhere(variant, progress, cpu::thread_time());
    }

    /// The same for a process or a thread that tells what processor time it has used so far.
    pub(super) fn report_from_elsewhere(&self, variant: u32, progress: Progress, cpu: Duration) {
        let now_ms = self.clock.now_ms();
        let mut inner = self.lock();
        inner.progress.reach(variant, progress);
        let same = inner
            .current
            .as_ref()
            .is_some_and(|c| c.stage == progress.stage && c.variant == variant);
        if !same {
            // the stage before ends before this one begins
            inner.current = None;
            let name = progress.stage.name();
            let span = tracing::info_span!(
                parent: &inner.attempt, "motion.worker.stage", otel.name = name, variant
            );
            inner.current = Some(Current {
                stage: progress.stage,
                variant,
                started_ms: now_ms,
                cpu_before: cpu,
                _span: span,
            });
        }
        if progress.share >= 1.0
            && let Some(current) = &inner.current
        {
            let cpu = cpu.saturating_sub(current.cpu_before);
            let time = StageTime {
                name: current.stage.name().to_owned(),
                variant,
                started_at: current.started_ms,
                duration_ms: now_ms - current.started_ms,
                cpu_ms: i64::try_from(cpu.as_millis()).unwrap_or(0),
            };
            // an engine may say that it is done before the stage does
            inner.times.retain(|known| known.name != time.name || known.variant != variant);
            inner.times.push(time);
        }
    }

    /// Nothing is left to do for a variant.
    pub(super) fn finish(&self, variant: u32) {
        self.lock().progress.finish(variant);
    }

    /// No stage is running: the files are being put away.
    pub(super) fn pause(&self) {
        self.lock().current = None;
    }

    pub(super) fn read(&self) -> Reading {
        let now_ms = self.clock.now_ms();
        let inner = self.lock();
        let since = |started_ms: i64| {
            Duration::from_millis(u64::try_from(now_ms - started_ms).unwrap_or(0))
        };
        Reading {
            step: inner.progress.step(),
            times: inner.times.clone(),
            current: inner
                .current
                .as_ref()
                .map(|current| (current.stage, since(current.started_ms))),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
