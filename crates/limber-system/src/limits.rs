//! What a process may use at most: for processes that read what a stranger made.
//!
//! Windows would keep such limits by a job object. We have no Windows on which they could be tried, so that
//! there are none: whoever starts the process ends it when it takes too long.

use std::{io, process::ExitStatus};

/// Limits this process to reading what it has open already, for good: so much memory beyond what it has, as
/// much in files, so many seconds on processors. It can open neither a file nor a connection any more.
///
/// # Errors
/// When the system refuses.
pub fn to_reading(cpu_s: u64, memory_mib: u64) -> io::Result<()> {
    system::to_reading(cpu_s, memory_mib << 20)
}

/// Limits this process to so much memory that it writes to and so many seconds on processors, for good.
/// Drawing needs libraries, and drivers reserve what they never use.
///
/// # Errors
/// When the system refuses.
pub fn to_drawing(cpu_s: u64, memory_mib: u64) -> io::Result<()> {
    system::to_drawing(cpu_s, memory_mib << 20)
}

/// What ended a process that did not end in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// It gave up: a mistake in it, or memory that it was refused.
    Aborted,
    /// It was on processors for longer than it may.
    OutOfTime,
    /// The system or somebody else ended it.
    Killed,
    /// Anything else.
    Other,
}

/// What ended a process, by how it ended.
#[must_use]
pub fn death(status: ExitStatus) -> Death {
    system::death(status)
}

#[cfg(unix)]
mod system {
    use std::{fs, io, os::unix::process::ExitStatusExt, process::ExitStatus};

    use rustix::process::{Resource, Rlimit, setrlimit};

    use super::Death;

    pub(super) fn to_reading(cpu_s: u64, memory_bytes: u64) -> io::Result<()> {
        set(&[
            (Resource::Core, 0),
            (Resource::Cpu, cpu_s),
            (Resource::Fsize, memory_bytes),
            (Resource::As, address_space_bytes().saturating_add(memory_bytes)),
            // with no descriptor left to give out, neither a file nor a connection can be opened
            (Resource::Nofile, 0),
        ])
    }

    pub(super) fn to_drawing(cpu_s: u64, memory_bytes: u64) -> io::Result<()> {
        set(&[(Resource::Core, 0), (Resource::Cpu, cpu_s), (Resource::Data, memory_bytes)])
    }

    /// Limits that cannot be lifted again.
    fn set(limits: &[(Resource, u64)]) -> io::Result<()> {
        for (what, most) in limits {
            setrlimit(*what, Rlimit { current: Some(*most), maximum: Some(*most) })?;
        }
        Ok(())
    }

    /// What the program takes before it has read anything: a desktop program maps large libraries.
    fn address_space_bytes() -> u64 {
        let statm = fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = statm.split(' ').next().and_then(|pages| pages.parse::<u64>().ok());
        pages.map_or(1 << 30, |pages| pages * rustix::param::page_size() as u64)
    }

    pub(super) fn death(status: ExitStatus) -> Death {
        // signal(7)
        match status.signal() {
            Some(6) => Death::Aborted,
            Some(24) => Death::OutOfTime,
            Some(9) => Death::Killed,
            _ => Death::Other,
        }
    }
}

#[cfg(windows)]
mod system {
    use std::{io, process::ExitStatus};

    use windows_sys::Win32::Foundation::STATUS_STACK_BUFFER_OVERRUN;

    use super::Death;

    #[expect(clippy::unnecessary_wraps, reason = "other systems can fail")]
    pub(super) fn to_reading(_: u64, _: u64) -> io::Result<()> {
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "other systems can fail")]
    pub(super) fn to_drawing(_: u64, _: u64) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn death(status: ExitStatus) -> Death {
        // what a program that aborts ends with, whatever made it abort
        if status.code() == Some(STATUS_STACK_BUFFER_OVERRUN) {
            Death::Aborted
        } else {
            Death::Other
        }
    }
}
