//! Metrics of the queue: length, age and workers.
//!
//! Metrics are collected on threads that cannot wait for a database. A task therefore reads the
//! queue every few seconds, and the gauges report its last result; while the database does not
//! respond, they report nothing.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use limber_domain::lock;
use opentelemetry::{
    KeyValue, global,
    metrics::{AsyncInstrument, Meter},
};

use super::SERVICE;
use crate::store::{Store, readings::QueueReading};

/// Interval between two reads of the queue.
const LOOK: Duration = Duration::from_secs(5);

/// The last snapshot of the queue.
#[derive(Debug, Clone)]
pub(crate) struct QueueWatch {
    seen: Arc<Mutex<Option<QueueReading>>>,
    store: Store,
}

impl QueueWatch {
    /// Registers the gauges.
    pub(crate) fn new(store: Store) -> Self {
        let watch = Self { seen: Arc::default(), store };
        let meter = global::meter(SERVICE);
        let jobs = watch.clone();
        meter
            .u64_observable_gauge("limber.motion.jobs")
            .with_description("Unfinished jobs, by state.")
            .with_callback(move |observer| {
                let Some(seen) = jobs.read() else { return };
                let states = [
                    ("queued", seen.queued),
                    ("running", seen.running),
                    ("retry_wait", seen.retrying),
                ];
                for (state, count) in states {
                    observer.observe(count, &[KeyValue::new("state", state)]);
                }
            })
            .build();
        watch.gauge(&meter, ("limber.motion.queue.oldest", "s"), OLDEST, |seen| {
            seen.oldest_ms as f64 / 1000.0
        });
        watch.gauge(&meter, ("limber.motion.workers", ""), WORKERS, |seen| seen.workers as f64);
        watch.gauge(&meter, ("limber.motion.credits.reserved", ""), RESERVED, |seen| {
            seen.reserved_tenths as f64 / 10.0
        });
        watch
    }

    fn gauge(
        &self,
        meter: &Meter,
        (name, unit): (&'static str, &'static str),
        description: &'static str,
        of: impl Fn(&QueueReading) -> f64 + Send + Sync + 'static,
    ) {
        let watch = self.clone();
        meter
            .f64_observable_gauge(name)
            .with_unit(unit)
            .with_description(description)
            .with_callback(move |observer: &dyn AsyncInstrument<f64>| {
                if let Some(seen) = watch.read() {
                    observer.observe(of(&seen), &[]);
                }
            })
            .build();
    }

    /// Reads the queue periodically.
    pub(crate) async fn keep_looking(&self) {
        loop {
            let seen = self.store.queue_reading().await;
            if let Err(error) = &seen {
                tracing::warn!(
                    error = error as &dyn std::error::Error,
                    "the queue cannot be read: {error}"
                );
            }
            *lock(&self.seen) = seen.ok();
            tokio::time::sleep(LOOK).await;
        }
    }

    fn read(&self) -> Option<QueueReading> {
        *lock(&self.seen)
    }
}

const OLDEST: &str = "How long the job that has waited longest has been waiting; 0 if none is.";
const WORKERS: &str = "Workers that are connected to the database.";
const RESERVED: &str = "Credits reserved for unfinished jobs.";
