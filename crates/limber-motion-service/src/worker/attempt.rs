//! One attempt at one job.

mod variants;
mod videos;

pub(super) use variants::{AttemptError, is_temporary, own_glb};

use std::time::Duration;

use limber_pipeline::{Cancel, Stage};
use serde_json::Value;
use tokio::sync::OnceCell;
use tracing::{Instrument as _, Span, field::Empty};

use super::{Notifications, Stop, Worker, watch::Watch};
use crate::{
    ServiceError, StoreError, WorkLimits,
    jobs::{Cause, InvalidTransition, JobState, Work},
    store::queue::Taken,
    telemetry::AttemptEnd,
};
use variants::{Failure, Variants};
use videos::VideoAttempt;

/// How long a stage may take to react to cancellation.
const PATIENCE: Duration = Duration::from_secs(10);
/// The same when the worker is stopping; the process ends in any case.
const LAST_PATIENCE: Duration = Duration::from_secs(2);

/// Why the worker stopped waiting for the pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Interruption {
    /// The job was cancelled or given to another worker.
    LeaseLost,
    /// The stage exceeded its time limit.
    TooSlow(Stage),
    /// The worker was asked to stop.
    Stopping,
}

/// Runs the attempt and records its outcome. In traces, it belongs to the request that submitted
/// the job.
pub(super) async fn run(
    worker: &Worker<'_>,
    job: Taken,
    notifications: &Notifications,
    stop: &Stop,
) -> Result<(), ServiceError> {
    let span = tracing::info_span!(
        "motion.worker.attempt",
        otel.kind = "consumer",
        otel.status_code = Empty,
        job.id = %job.rid,
        attempt = job.attempts,
        outcome = Empty,
        codes = Empty,
    );
    if let Some(trace) = &job.trace {
        limber_telemetry::trace::continue_from_text(&span, trace);
    }
    if job.attempts == 1 {
        worker.measures.began(Duration::from_millis(u64::try_from(job.waited_ms).unwrap_or(0)));
    }
    attempt(worker, job, notifications, stop).instrument(span).await
}

async fn attempt(
    worker: &Worker<'_>,
    job: Taken,
    notifications: &Notifications,
    stop: &Stop,
) -> Result<(), ServiceError> {
    let work = match job.work.clone() {
        Ok(work) => work,
        Err(sentence) => {
            let failed = Failure::of_job(Cause::of_code(494, sentence));
            return conclude(worker, &job, None, vec![failed]).await.map_err(Into::into);
        }
    };
    tracing::info!(job.id = %job.rid, attempt = job.attempts, "job {} claimed", job.rid);
    let cancel = Cancel::default();
    let watch = Watch::new(&work, &job, std::sync::Arc::clone(&worker.environment.clock));
    let mut making = std::pin::pin!(make(worker, &job, &work, &cancel, &watch));
    let interruption = tokio::select! {
        made = &mut making => {
            let Some(failures) = made? else { return Ok(()) };
            return conclude(worker, &job, Some(&watch), failures).await.map_err(Into::into);
        }
        interruption = supervise(worker, (&job, &work), &watch, notifications, stop) => interruption?,
    };
    cancel.cancel();
    let ends = interruption == Interruption::Stopping;
    let patience = if ends { LAST_PATIENCE } else { PATIENCE };
    let stopped = tokio::time::timeout(patience, &mut making).await.is_ok();
    interrupt(worker, &job, &watch, interruption).await?;
    if stopped || ends { Ok(()) } else { Err(ServiceError::Wedged) }
}

/// Does the work. Returns the failures, or `None` if it was stopped.
async fn make(
    worker: &Worker<'_>,
    job: &Taken,
    work: &Work,
    cancel: &Cancel,
    watch: &Watch,
) -> Result<Option<Vec<Failure>>, StoreError> {
    match work {
        Work::Motion(spec) => {
            let (character, sources) = (OnceCell::new(), OnceCell::new());
            let all = Variants { worker, job, spec, cancel, watch, character, sources };
            all.make_all().await
        }
        Work::Render(spec) => VideoAttempt { worker, job, spec, cancel, watch }.make().await,
    }
}

/// Sends heartbeats until there is a reason to interrupt the work.
async fn supervise(
    worker: &Worker<'_>,
    (job, work): (&Taken, &Work),
    watch: &Watch,
    notifications: &Notifications,
    stop: &Stop,
) -> Result<Interruption, StoreError> {
    let mut silent = Duration::ZERO;
    loop {
        tokio::select! {
            () = tokio::time::sleep(worker.config.work.heartbeat) => {}
            () = notifications.cancel.notified() => {}
            () = stop.now.requested() => return Ok(Interruption::Stopping),
        }
        let reading = watch.read();
        if let Some((stage, lasted)) = reading.current
            && limit(&worker.config.work, work, stage).is_some_and(|limit| lasted >= limit)
        {
            return Ok(Interruption::TooSlow(stage));
        }
        match worker.store.heartbeat(job, reading.step, &times(watch)).await {
            Ok(true) => silent = Duration::ZERO,
            Ok(false) => return Ok(Interruption::LeaseLost),
            // a database restart is no reason to discard the work
            Err(error) => {
                silent += worker.config.work.heartbeat;
                if silent >= worker.config.stuck_after {
                    return Err(error);
                }
            }
        }
    }
}

/// Returns the time limit of a stage, per variant or for a whole video.
fn limit(limits: &WorkLimits, work: &Work, stage: Stage) -> Option<Duration> {
    let usual = || {
        let limit_s = match work {
            Work::Motion(_) => stage.limit_s()? as f32,
            Work::Render(spec) => spec.video.limit_s(),
        };
        Some(Duration::from_secs_f32(limit_s).mul_f32(limits.stage_limit_scale))
    };
    limits.stage_limits.get(stage.name()).copied().or_else(usual)
}

fn times(watch: &Watch) -> Value {
    serde_json::to_value(watch.read().times).unwrap_or_else(|_| Value::Array(Vec::new()))
}

type Change<'a> =
    Box<dyn FnOnce(JobState, u32, i64) -> Result<JobState, InvalidTransition> + Send + 'a>;

async fn interrupt(
    worker: &Worker<'_>,
    job: &Taken,
    watch: &Watch,
    why: Interruption,
) -> Result<(), StoreError> {
    let change: Change<'_> = match why {
        Interruption::LeaseLost => {
            tracing::info!(job.id = %job.rid, "job {} was cancelled or given up", job.rid);
            record_end(worker, AttemptEnd::LeaseLost, &[], Some(watch));
            return Ok(());
        }
        Interruption::Stopping => {
            record_end(worker, AttemptEnd::GivenBack, &[], Some(watch));
            Box::new(|state, _, _| state.give_back())
        }
        Interruption::TooSlow(stage) => {
            let text = format!(
                "the stage {} exceeded its time limit; submit a shorter motion or a smaller video, \
                 or ask the operator for a faster worker",
                stage.name()
            );
            let cause = Cause::of_code(stage.timeout_code().number(), text);
            let end = end_of(job, &cause);
            record_end(worker, end, &cause.codes, Some(watch));
            fail(worker, cause)
        }
    };
    worker.store.end_attempt(job, Some(&times(watch)), change).await.map(drop)
}

fn fail<'a>(worker: &'a Worker<'_>, cause: Cause) -> Change<'a> {
    let delays = worker.config.work.retry_delays;
    Box::new(move |state, attempts, now_ms| state.fail(cause, attempts, &delays, now_ms))
}

/// Records the outcome of an attempt that ran to its end.
async fn conclude(
    worker: &Worker<'_>,
    job: &Taken,
    watch: Option<&Watch>,
    failures: Vec<Failure>,
) -> Result<(), StoreError> {
    let times = watch.map(times);
    let again = failures.iter().find(|failure| job.attempts <= failure.cause.retries());
    let codes: Vec<u16> = failures.iter().flat_map(|failure| failure.cause.codes.clone()).collect();
    let mut end = AttemptEnd::Succeeded;
    let change: Change<'_> = if let Some(failure) = again {
        end = AttemptEnd::Retried;
        fail(worker, failure.cause.clone())
    } else if failures.is_empty() {
        Box::new(|state, _, _| state.succeed())
    } else {
        // all variants or none: a client that asked for three might not notice that it got two
        end = AttemptEnd::Failed;
        for failure in &failures {
            let Failure { seed, cause, .. } = failure;
            if let Some(variant) = failure.variant {
                worker.store.put_failed_variant(job, variant, seed, cause).await?;
            }
        }
        fail(worker, merged(&failures))
    };
    let held = worker.store.end_attempt(job, times.as_ref(), change).await?;
    let end = if held { end } else { AttemptEnd::LeaseLost };
    record_end(worker, end, &codes, watch);
    tracing::info!(job.id = %job.rid, held, ?codes, "the attempt at job {} ended", job.rid);
    Ok(())
}

/// Returns how an attempt with this cause ends.
fn end_of(job: &Taken, cause: &Cause) -> AttemptEnd {
    if job.attempts <= cause.retries() { AttemptEnd::Retried } else { AttemptEnd::Failed }
}

/// Records the outcome of the attempt in its metrics and trace span.
fn record_end(worker: &Worker<'_>, end: AttemptEnd, codes: &[u16], watch: Option<&Watch>) {
    let stages = watch.map(|watch| watch.read().times).unwrap_or_default();
    worker.measures.ended(end, codes, &stages);
    let span = Span::current();
    span.record("outcome", end.as_str());
    if !codes.is_empty() {
        span.record("codes", format!("{codes:?}"));
    }
    if matches!(end, AttemptEnd::Failed | AttemptEnd::Retried) {
        span.record("otel.status_code", "ERROR");
    }
}

/// Combines the causes of all failed variants.
fn merged(failures: &[Failure]) -> Cause {
    let mut codes: Vec<u16> =
        failures.iter().flat_map(|failure| failure.cause.codes.clone()).collect();
    codes.sort_unstable();
    codes.dedup();
    match failures.first() {
        Some(first) => Cause { codes, ..first.cause.clone() },
        None => Cause::of_code(498, "the job failed without a reason; submit it again"),
    }
}
