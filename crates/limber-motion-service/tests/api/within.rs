//! Workers in the test process, with short delays and with engines that do what ours never does.

mod engines;

use std::{sync::Arc, time::Duration};

use limber_domain::environment::Clock;
use limber_motion_service::{Config, Environment, work_in};
use limber_text_to_motion::{Composer, MotionEngine};
use tokio::task::JoinHandle;

pub(crate) use engines::{Endless, Faulty, Hanging, InView, OneCharacterShort};

use crate::studio::Studio;

/// Retry delays that never expire during a test, unless `Studio::hasten_retries` ends them. A job
/// that waits for a retry can then be observed, however slow the computer is.
pub(crate) const UNTIL_HASTENED: [Duration; 2] = [Duration::from_secs(24 * 3600); 2];

/// A worker task, aborted on drop.
#[must_use = "it works for as long as it is kept"]
pub(crate) struct Within(JoinHandle<()>);

impl Within {
    /// Aborts it and waits until it is gone, so that another worker gets the next job.
    pub(crate) async fn end(mut self) {
        self.0.abort();
        let _ = (&mut self.0).await;
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Starts a worker with short delays, unless `change` sets others.
pub(crate) fn work(studio: &Studio, change: impl FnOnce(&mut Config)) -> Within {
    work_with(studio, Composer, change)
}

pub(crate) fn work_with(
    studio: &Studio,
    engine: impl MotionEngine + 'static,
    change: impl FnOnce(&mut Config),
) -> Within {
    start(studio, Arc::new(engine), Environment::system(), change)
}

/// Starts a worker that observes every stage.
pub(crate) fn work_in_view(studio: &Studio, change: impl FnOnce(&mut Config)) -> Within {
    let in_view = Arc::new(InView::of_this_thread());
    let clock = Arc::clone(&in_view) as Arc<dyn Clock>;
    let environment = Environment { clock, ..Environment::system() };
    start(studio, in_view, environment, change)
}

fn start(
    studio: &Studio,
    engine: Arc<dyn MotionEngine>,
    environment: Environment,
    change: impl FnOnce(&mut Config),
) -> Within {
    let mut config = studio.config.clone();
    config.work.retry_delays = [Duration::from_millis(20); 2];
    config.work.poll = Duration::from_millis(20);
    change(&mut config);
    Within(tokio::spawn(async move {
        work_in(&config, engine, environment, std::future::pending()).await.expect("it works");
    }))
}
