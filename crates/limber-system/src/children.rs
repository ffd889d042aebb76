//! Starting child processes.

use std::process::Command;

/// Detaches a child from the terminal: Ctrl-C reaches this program only, which stops its children
/// in order, and on Windows no console window appears.
///
/// It does not affect lifetime: children end with their parent because they read a pipe that the
/// parent holds open.
pub fn apart_from_terminal(command: &mut Command) {
    system::apart_from_terminal(command);
}

#[cfg(unix)]
mod system {
    use std::{os::unix::process::CommandExt, process::Command};

    pub(super) fn apart_from_terminal(command: &mut Command) {
        command.process_group(0);
    }
}

#[cfg(windows)]
mod system {
    use std::{os::windows::process::CommandExt, process::Command};

    use windows_sys::Win32::System::Threading::CREATE_NO_WINDOW;

    pub(super) fn apart_from_terminal(command: &mut Command) {
        command.creation_flags(CREATE_NO_WINDOW);
    }
}
