//! The native viewer: this same program as a process of its own, so that a fault of the graphics
//! driver cannot take the app down.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    time::Duration,
};

use limber_app::{AppError, ErrorCode};

/// A viewer that cannot open its window or its files ends within this time.
const FIRST_BREATH: Duration = Duration::from_millis(400);

/// Starts a viewer for these files. It lives on when the app ends.
///
/// # Errors
/// When it cannot be started, or ends at once.
pub async fn start_viewer(files: Vec<PathBuf>) -> Result<(), AppError> {
    let failed = |_: std::io::Error| viewer_failed();
    let program = std::env::current_exe().map_err(failed)?;
    let mut viewer = Command::new(program)
        .arg("view")
        .args(files)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .map_err(failed)?;
    tokio::time::sleep(FIRST_BREATH).await;
    match viewer.try_wait() {
        Ok(Some(status)) if !status.success() => Err(viewer_failed()),
        _ => {
            // somebody must take note of its end, or it stays in the process table
            std::thread::spawn(move || drop(viewer.wait()));
            Ok(())
        }
    }
}

fn viewer_failed() -> AppError {
    AppError::new(
        ErrorCode::ViewerFailed,
        "The viewer could not open its window. Update the graphics driver, or save the clip and \
         open it in another program.",
    )
}
