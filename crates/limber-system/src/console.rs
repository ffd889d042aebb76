//! The console window that Windows opens for a program of the command line.

/// Closes the console that was opened for this program alone, as when it is started from the start menu, so
/// that only its own windows are seen. The terminal that somebody typed into stays, and goes on showing what
/// the program says. Elsewhere than on Windows no console is ever opened.
///
/// Windows 11 from 24H2 on reads in the program's manifest that it is not to open one in the first place.
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
        // whether there are more than one is all that matters
        let mut processes = [0; 2];
        // SAFETY: there is room for two, as is said; with none attached nothing is written.
        let attached = unsafe { GetConsoleProcessList(processes.as_mut_ptr(), 2) };
        if attached == 1 {
            // SAFETY: no handle to the console is used without looking whether it is still valid: the
            // standard library takes an invalid one for a place where nothing arrives.
            unsafe { FreeConsole() };
        }
    }
}
