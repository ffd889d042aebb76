//! Waits for programs that were asked to stop. Included by the services' tests.

use std::{
    process::{Child, ExitStatus},
    thread::sleep,
    time::Duration,
};

/// Time after which a program that was asked to stop counts as hanging. The services promise five
/// seconds; the rest is for computers that run all tests at once, on which a program may wait for
/// seconds until it is its turn.
const STOP_LIMIT: Duration = Duration::from_secs(15);
const PAUSE: Duration = Duration::from_millis(20);

/// Waits until the program has ended, for at most `extra` longer than a service needs to stop, and
/// returns its exit status.
#[track_caller]
pub(crate) fn ended_within(extra: Duration, program: &mut Child) -> ExitStatus {
    let limit = STOP_LIMIT + extra;
    let mut left = limit;
    loop {
        if let Some(status) = program.try_wait().expect("the program can be observed") {
            return status;
        }
        assert!(!left.is_zero(), "the program has not ended {limit:?} after it was asked to");
        sleep(PAUSE);
        left = left.saturating_sub(PAUSE);
    }
}
