//! Linux: the drag library needs the GTK window.

use std::{cell::RefCell, path::PathBuf};

use gtk::{
    ApplicationWindow,
    glib::{ObjectExt as _, SignalHandlerId},
    prelude::WidgetExt as _,
};
use tauri::WebviewWindow;

pub(super) fn from(window: &WebviewWindow, files: &[PathBuf]) -> Option<ApplicationWindow> {
    let window = window.gtk_window().ok()?;
    keep_giving(&window, files);
    Some(window)
}

thread_local! {
    /// Signal handler that provides the files of the last drag; used on the main thread only.
    static GIVING: RefCell<Option<SignalHandlerId>> = const { RefCell::new(None) };
}

/// Provides the dragged files until the next drag. The library itself stops doing so at the drop,
/// which is when most programs ask, and does not percent-encode its URIs.
fn keep_giving(window: &ApplicationWindow, files: &[PathBuf]) {
    let addresses: Vec<String> = files
        .iter()
        .filter_map(|file| tauri::Url::from_file_path(file).ok())
        .map(String::from)
        .collect();
    let giving = window.connect_drag_data_get(move |_, _, data, _, _| {
        let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
        data.set_uris(&addresses);
    });
    if let Some(last) = GIVING.replace(Some(giving)) {
        window.disconnect(last);
    }
}
