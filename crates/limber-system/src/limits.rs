//! Resource limits for processes that parse untrusted files.
//!
//! On Windows such limits would need a job object. It is not implemented, because we have no
//! Windows machine to test it on; there, the parent kills a process that takes too long.

use std::{io, process::ExitStatus};

/// Irrevocably limits this process to files that it already has open, to `memory_mib` of additional
/// memory, to `memory_mib` of file output and to `cpu_s` seconds of CPU time. It can no longer open
/// files or connections.
///
/// # Errors
/// If the system refuses.
pub fn to_reading(cpu_s: u64, memory_mib: u64) -> io::Result<()> {
    system::to_reading(cpu_s, memory_mib << 20)
}

/// Irrevocably limits this process to `memory_mib` of written memory and `cpu_s` seconds of CPU
/// time. Files stay allowed, because rendering loads libraries, and only written memory counts,
/// because drivers reserve address space that they never use.
///
/// # Errors
/// If the system refuses.
pub fn to_drawing(cpu_s: u64, memory_mib: u64) -> io::Result<()> {
    system::to_drawing(cpu_s, memory_mib << 20)
}

/// How a process died.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Death {
    /// It aborted: a bug, or a failed allocation.
    Aborted,
    /// It exceeded its CPU time.
    OutOfTime,
    /// It was killed by the system or another process.
    Killed,
    /// Any other cause.
    Other,
}

/// Classifies the exit status of a process that died.
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
            // without free descriptors, neither files nor connections can be opened
            (Resource::Nofile, 0),
        ])
    }

    pub(super) fn to_drawing(cpu_s: u64, memory_bytes: u64) -> io::Result<()> {
        set(&[(Resource::Core, 0), (Resource::Cpu, cpu_s), (Resource::Data, memory_bytes)])
    }

    /// Sets hard limits, which cannot be raised again.
    fn set(limits: &[(Resource, u64)]) -> io::Result<()> {
        for (what, most) in limits {
            setrlimit(*what, Rlimit { current: Some(*most), maximum: Some(*most) })?;
        }
        Ok(())
    }

    /// Returns the current size of the address space; a desktop program maps large libraries before
    /// it reads anything.
    fn address_space_bytes() -> u64 {
        let statm = fs::read_to_string("/proc/self/statm").unwrap_or_default();
        let pages = statm.split(' ').next().and_then(|pages| pages.parse::<u64>().ok());
        pages.map_or(1 << 30, |pages| pages * rustix::param::page_size() as u64)
    }

    pub(super) fn death(status: ExitStatus) -> Death {
        // signal numbers of signal(7)
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

    #[expect(clippy::unnecessary_wraps, reason = "can fail on other systems")]
    pub(super) fn to_reading(_: u64, _: u64) -> io::Result<()> {
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "can fail on other systems")]
    pub(super) fn to_drawing(_: u64, _: u64) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn death(status: ExitStatus) -> Death {
        // the exit code of every abort
        if status.code() == Some(STATUS_STACK_BUFFER_OVERRUN) {
            Death::Aborted
        } else {
            Death::Other
        }
    }
}
