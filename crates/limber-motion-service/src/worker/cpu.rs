//! The processor time of the calling thread.

use std::time::Duration;

/// How long this thread has been on a processor; zero where the system does not tell.
#[cfg(unix)]
pub(super) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// How long this thread has been on a processor; zero where the system does not tell.
#[cfg(not(unix))]
pub(super) const fn thread_time() -> Duration {
    Duration::ZERO
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn sleeping_takes_no_processor_time() {
        let before = thread_time();
        std::thread::sleep(Duration::from_millis(60));
        assert!(thread_time() - before < Duration::from_millis(30));
    }
}
