//! Timing of a command's steps, printed as a table at the end.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

static DONE: Mutex<Vec<Stage>> = Mutex::new(Vec::new());

struct Stage {
    what: String,
    began: Instant,
    ended: Instant,
}

impl Stage {
    fn took(&self) -> Duration {
        self.ended - self.began
    }
}

/// Runs a step and records its duration, even if it fails.
#[expect(clippy::disallowed_methods, reason = "this measures how long something took")]
pub(crate) fn timed<T>(what: &str, step: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let outcome = step();
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    done.push(Stage { what: what.to_owned(), began, ended: Instant::now() });
    outcome
}

/// Prints the recorded steps in the order in which they ended. Some run in parallel, so the total
/// is less than the sum.
pub(crate) fn print() {
    let done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    println!("\n{:>8}  stage", "seconds");
    for stage in done.iter() {
        println!("{:>8.1}  {}", stage.took().as_secs_f64(), stage.what);
    }
    let first = done.iter().map(|stage| stage.began).min();
    let last = done.iter().map(|stage| stage.ended).max();
    let whole = first.zip(last).map_or(Duration::ZERO, |(first, last)| last - first);
    println!("{:>8.1}  from the first to the last", whole.as_secs_f64());
}
