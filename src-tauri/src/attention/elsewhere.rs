//! Windows and macOS: Tauri supports the taskbar and the dock, and notifications belong to the
//! program anyway.

use notify_rust::Notification;
use tauri::{
    AppHandle, Manager,
    window::{ProgressBarState, ProgressBarStatus},
};

pub(super) const fn sign(_: &mut Notification) {}

pub(super) fn show_progress(handle: &AppHandle, share: Option<f64>) {
    let status = if share.is_some() { ProgressBarStatus::Normal } else { ProgressBarStatus::None };
    let progress = share.map(|share| (100.0 * share).round() as u64);
    if let Some(window) = handle.get_webview_window("main") {
        let _ = window.set_progress_bar(ProgressBarState { status: Some(status), progress });
    }
}
