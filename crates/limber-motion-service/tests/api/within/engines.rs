//! Variations of the composer.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::SeqCst},
    },
    thread::{self, ThreadId},
    time::Duration,
};

use chrono::{DateTime, Utc};
use limber_domain::{environment::Clock, lock};
use limber_motion_service::Environment;
use limber_text_to_motion::{
    Cancel, Composer, EngineError, EngineInfo, GeneratedMotion, MotionEngine, MotionRequest,
    Prompt, Seed, Understood,
};

use crate::studio::PATIENCE;

/// Polling interval.
const PAUSE: Duration = Duration::from_millis(2);

/// Waits with a time limit, because a failing test ends only when all its threads have.
fn wait_until(mut over: impl FnMut() -> bool) {
    let mut waited = Duration::ZERO;
    while !over() && waited < PATIENCE {
        thread::sleep(PAUSE);
        waited += PAUSE;
    }
}

/// Fails for some variants.
pub(crate) struct Faulty {
    /// Number of times it still panics.
    pub(crate) failures: AtomicU32,
    /// Seeds that always fail permanently.
    pub(crate) bad: Vec<Seed>,
}

impl MotionEngine for Faulty {
    fn describe(&self) -> EngineInfo {
        Composer.describe()
    }

    fn understand(&self, prompt: &Prompt) -> Result<Understood, EngineError> {
        Composer.understand(prompt)
    }

    fn generate(
        &self,
        request: &MotionRequest,
        seed: Seed,
        cancel: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError> {
        if self.bad.contains(&seed) {
            return Err(EngineError::UnknownAction {
                messages: vec!["a word is not known".into()],
            });
        }
        if self.failures.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)).is_ok() {
            panic!("a fault for the test");
        }
        Composer.generate(request, seed, cancel, progress)
    }
}

/// Fails for one of eight characters, whatever the seed.
pub(crate) struct OneCharacterShort;

impl MotionEngine for OneCharacterShort {
    fn describe(&self) -> EngineInfo {
        Composer.describe()
    }

    fn understand(&self, prompt: &Prompt) -> Result<Understood, EngineError> {
        Composer.understand(prompt)
    }

    fn generate(
        &self,
        request: &MotionRequest,
        seed: Seed,
        cancel: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError> {
        if seed.character() == Seed(7).for_variant(2).character() {
            return Err(EngineError::Failed("this character fails on purpose".into()));
        }
        Composer.generate(request, seed, cancel, progress)
    }
}

/// Ignores cancellation and continues only when it is released.
pub(crate) struct Hanging(pub(crate) Arc<AtomicBool>);

impl MotionEngine for Hanging {
    fn describe(&self) -> EngineInfo {
        Composer.describe()
    }

    fn understand(&self, prompt: &Prompt) -> Result<Understood, EngineError> {
        Composer.understand(prompt)
    }

    fn generate(
        &self,
        request: &MotionRequest,
        seed: Seed,
        _: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError> {
        wait_until(|| self.0.load(SeqCst));
        Composer.generate(request, seed, &Cancel::default(), progress)
    }
}

/// Never finishes this seed, but reacts to cancellation.
pub(crate) struct Endless(pub(crate) Seed);

impl MotionEngine for Endless {
    fn describe(&self) -> EngineInfo {
        Composer.describe()
    }

    fn understand(&self, prompt: &Prompt) -> Result<Understood, EngineError> {
        Composer.understand(prompt)
    }

    fn generate(
        &self,
        request: &MotionRequest,
        seed: Seed,
        cancel: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError> {
        if seed == self.0 {
            while !cancel.is_cancelled() {
                thread::sleep(PAUSE);
            }
            return Err(EngineError::Cancelled);
        }
        Composer.generate(request, seed, cancel, progress)
    }
}

/// The composer, and a clock for its worker. The computing thread gets the time only after the
/// worker has checked the progress, or when it has been cancelled, so that no stage is too short to
/// be observed.
#[derive(Debug)]
pub(crate) struct InView {
    clock: Arc<dyn Clock>,
    /// The worker's thread, on which nothing is computed.
    worker: ThreadId,
    looks: AtomicU64,
    cancel: Mutex<Cancel>,
}

impl InView {
    pub(crate) fn of_this_thread() -> Self {
        Self {
            clock: Environment::system().clock,
            worker: thread::current().id(),
            looks: AtomicU64::new(0),
            cancel: Mutex::default(),
        }
    }

    fn cancel(&self) -> Cancel {
        lock(&self.cancel).clone()
    }
}

impl Clock for InView {
    fn now(&self) -> DateTime<Utc> {
        if thread::current().id() == self.worker {
            self.looks.fetch_add(1, SeqCst);
        } else {
            // two checks, because one may only test the time limit while the other reads the
            // progress for the database
            let seen = self.looks.load(SeqCst) + 2;
            let cancel = self.cancel();
            wait_until(|| self.looks.load(SeqCst) >= seen || cancel.is_cancelled());
        }
        self.clock.now()
    }
}

impl MotionEngine for InView {
    fn describe(&self) -> EngineInfo {
        Composer.describe()
    }

    fn understand(&self, prompt: &Prompt) -> Result<Understood, EngineError> {
        Composer.understand(prompt)
    }

    fn generate(
        &self,
        request: &MotionRequest,
        seed: Seed,
        cancel: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError> {
        *lock(&self.cancel) = cancel.clone();
        Composer.generate(request, seed, cancel, progress)
    }
}
