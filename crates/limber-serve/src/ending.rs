//! The end of a program that was asked to stop, whatever still holds it.

use std::time::Duration;

/// Supervisors that are in a hurry kill after five seconds.
pub const LONGEST_STOP: Duration = Duration::from_millis(4800);

/// Ends this process after `limit`, unless it has ended by then: in order, as far as a supervisor is
/// concerned, because all that could be lost by it is tried again. A database that stands still, a
/// collector that does not answer or a stage that does not stop would keep it otherwise. For programs,
/// once they are asked to stop.
pub fn end_within(limit: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        tracing::warn!("the program ends itself, {limit:?} after it was asked to");
        std::process::exit(0);
    });
}
