//! Windows and macOS: the library asks Tauri's own window.

use std::path::PathBuf;

use tauri::WebviewWindow;

#[expect(clippy::unnecessary_wraps, reason = "on Linux there may be none")]
pub(super) fn from(window: &WebviewWindow, _: &[PathBuf]) -> Option<WebviewWindow> {
    Some(window.clone())
}
