//! CPU time of this program.

use std::time::Duration;

/// Returns the CPU time of the calling thread.
#[must_use]
pub fn of_thread() -> Duration {
    system::of_thread()
}

/// Returns the CPU time of all threads of this process.
#[must_use]
pub fn of_process() -> Duration {
    system::of_process()
}

#[cfg(unix)]
mod system {
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    pub(super) fn of_thread() -> Duration {
        told(ClockId::ThreadCPUTime)
    }

    pub(super) fn of_process() -> Duration {
        told(ClockId::ProcessCPUTime)
    }

    fn told(clock: ClockId) -> Duration {
        let time = clock_gettime(clock);
        Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
    }
}

#[cfg(windows)]
mod system {
    use std::time::Duration;

    use windows_sys::Win32::{
        Foundation::{FILETIME, HANDLE},
        System::Threading::{GetCurrentProcess, GetCurrentThread, GetProcessTimes, GetThreadTimes},
    };

    const NEVER: FILETIME = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };

    /// Signature of the query functions: creation, exit, kernel and user time.
    type Times = unsafe extern "system" fn(
        HANDLE,
        *mut FILETIME,
        *mut FILETIME,
        *mut FILETIME,
        *mut FILETIME,
    ) -> i32;

    #[expect(unsafe_code, reason = "a C interface; the call is explained")]
    pub(super) fn of_thread() -> Duration {
        // SAFETY: the pseudo-handle means the calling thread, needs no closing and cannot dangle.
        told(unsafe { GetCurrentThread() }, GetThreadTimes)
    }

    #[expect(unsafe_code, reason = "a C interface; the call is explained")]
    pub(super) fn of_process() -> Duration {
        // SAFETY: as above, for the process.
        told(unsafe { GetCurrentProcess() }, GetProcessTimes)
    }

    #[expect(unsafe_code, reason = "a C interface; the call is explained")]
    fn told(whose: HANDLE, times: Times) -> Duration {
        let (mut created, mut ended, mut in_system, mut in_program) = (NEVER, NEVER, NEVER, NEVER);
        // SAFETY: the handle is a valid pseudo-handle, and the outputs are ours.
        let is_told =
            unsafe { times(whose, &mut created, &mut ended, &mut in_system, &mut in_program) };
        if is_told == 0 {
            return Duration::ZERO;
        }
        Duration::from_nanos(100 * (ticks(in_system) + ticks(in_program)))
    }

    /// Converts to ticks of 100 ns.
    fn ticks(time: FILETIME) -> u64 {
        u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_does_not_count_sleep() {
        let before = of_thread();
        std::thread::sleep(Duration::from_millis(60));
        assert!(of_thread() - before < Duration::from_millis(30));
        let mut sum = 0_u64;
        while of_thread() - before < Duration::from_millis(40) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(of_process() >= Duration::from_millis(40));
    }
}
