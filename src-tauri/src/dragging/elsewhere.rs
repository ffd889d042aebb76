//! Windows and macOS: the drag library uses Tauri's window directly.

use std::path::PathBuf;

use tauri::WebviewWindow;

#[expect(clippy::unnecessary_wraps, reason = "on Linux there may be none")]
pub(super) fn from(window: &WebviewWindow, _: &[PathBuf]) -> Option<WebviewWindow> {
    Some(window.clone())
}
