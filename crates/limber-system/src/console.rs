//! The console window that Windows opens for command-line programs.

/// Closes the console if it was opened for this program alone, for example by the start menu, so
/// that only the program's own windows are visible. A terminal that the user typed into stays open
/// and keeps showing output. Does nothing on other systems.
///
/// From Windows 11 24H2, the program's manifest prevents the console in the first place.
pub fn let_go() {
    system::let_go();
}

#[cfg(unix)]
mod system {
    pub(super) const fn let_go() {}
}

#[cfg(windows)]
mod system {
    use windows_sys::Win32::System::Console::{FreeConsole, GetConsoleProcessList};

    #[expect(unsafe_code, reason = "a C interface; the calls are explained")]
    pub(super) fn let_go() {
        // it only matters whether there is more than one
        let mut processes = [0; 2];
        // SAFETY: the buffer has room for the two entries announced; without a console nothing is
        // written.
        let attached = unsafe { GetConsoleProcessList(processes.as_mut_ptr(), 2) };
        if attached == 1 {
            // SAFETY: no console handle is used without checking that it is still valid: the
            // standard library treats an invalid one as a sink.
            unsafe { FreeConsole() };
        }
    }
}
