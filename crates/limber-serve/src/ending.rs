//! Ensures that a program ends after it was asked to stop.

use std::time::Duration;

/// Upper limit for a shutdown. Impatient supervisors kill a process after five seconds.
pub const LONGEST_STOP: Duration = Duration::from_millis(4800);

/// Ends this process after `limit` if it is still running by then, with exit code 0, because
/// everything that could be lost will be retried. Otherwise an unresponsive database, a silent
/// telemetry collector or a stage that does not stop could keep the process alive. For programs
/// that have been asked to stop.
pub fn end_within(limit: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        tracing::warn!("the program did not stop within {limit:?} and exits now");
        std::process::exit(0);
    });
}
