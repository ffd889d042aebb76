//! How programs that belong to this one are started.

use std::process::Command;

/// Lets a child live apart from the terminal: what is typed there (Ctrl-C) is for this program, which ends
/// its children in order, and on Windows no console window appears for it.
///
/// A child ends with its parent on every system because it reads the pipe that the parent holds; nothing here
/// is needed for that.
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
