//! How long each step of a command took, for the table at its end.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

static DONE: Mutex<Vec<(String, Duration)>> = Mutex::new(Vec::new());

/// Does a step and notes how long it took, also when it fails.
#[expect(clippy::disallowed_methods, reason = "how long something took is what this tells")]
pub(crate) fn timed<T>(what: &str, step: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let outcome = step();
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    done.push((what.to_owned(), began.elapsed()));
    outcome
}

/// Prints what was noted, in its order.
pub(crate) fn print() {
    let done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    println!("\n{:>8}  stage", "seconds");
    for (what, took) in done.iter() {
        println!("{:>8.1}  {what}", took.as_secs_f64());
    }
    let all: Duration = done.iter().map(|(_, took)| *took).sum();
    println!("{:>8.1}  all of them", all.as_secs_f64());
}
