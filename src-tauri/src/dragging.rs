//! Drag and drop of files, into the window and out of it.

use std::{path::PathBuf, sync::Mutex};

use drag::{DragItem, Image, Options};
use limber_app::App;
use limber_domain::lock;
use tauri::{AppHandle, DragDropEvent, Manager};
use tauri_specta::Event;

use crate::events::FilesDragged;

/// Returns the native window handle that the drag library needs; `None` if the window is gone.
#[cfg_attr(target_os = "linux", path = "dragging/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "dragging/elsewhere.rs")]
mod giving;

/// Drag image.
const PICTURE: &[u8] = include_bytes!("../../assets/icons/32x32.png");

/// Handles drag events over the window: the page shows a drop target, and the app takes dropped
/// files. The page never learns their paths. Files dragged out of this window are ignored.
pub(crate) fn hear(handle: &AppHandle, event: &DragDropEvent) {
    let Some(app) = handle.try_state::<App>() else { return };
    match event {
        DragDropEvent::Enter { paths, .. } => {
            let over = if app.dragged_out(paths) { Over::Nothing } else { Over::Strange };
            handle.state::<FilesOver>().set(over);
        }
        // Only pointer movement is reliable: a late file list can cause another enter event after
        // the drop, with no leave event to follow.
        DragDropEvent::Over { .. } => {
            if handle.state::<FilesOver>().show() {
                let _ = FilesDragged { over: true }.emit(handle);
            }
        }
        // dropped, or left the window
        ended => {
            let _ = FilesDragged { over: false }.emit(handle);
            handle.state::<FilesOver>().set(Over::Nothing);
            if let DragDropEvent::Drop { paths, .. } = ended
                && !app.dragged_out(paths)
            {
                let (app, paths) = (app.inner().clone(), paths.clone());
                tauri::async_runtime::spawn(async move { app.drop_characters(paths) });
            }
        }
    }
}

/// What is being dragged over the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Over {
    /// Nothing that the page should accept.
    #[default]
    Nothing,
    /// Files from elsewhere, not announced to the page yet.
    Strange,
    /// Files that the page shows a drop target for.
    Shown,
}

/// State of the current drag.
#[derive(Debug, Default)]
pub(crate) struct FilesOver(Mutex<Over>);

impl FilesOver {
    fn set(&self, over: Over) {
        *lock(&self.0) = over;
    }

    /// Marks files as announced; returns whether they had not been announced yet.
    fn show(&self) -> bool {
        let mut over = lock(&self.0);
        let is_new = *over == Over::Strange;
        if is_new {
            *over = Over::Shown;
        }
        is_new
    }
}

/// Starts dragging files out of the window; runs on the main thread. Returns `false` if there is no
/// window or the system refuses.
pub(crate) fn begin(handle: &AppHandle, files: Vec<PathBuf>) -> bool {
    let Some(window) = handle.get_webview_window("main") else { return false };
    let Some(window) = giving::from(&window, &files) else { return false };
    let picture = Image::Raw(PICTURE.to_vec());
    let begun =
        drag::start_drag(&window, DragItem::Files(files), picture, |_, _| {}, Options::default());
    begun.inspect_err(|error| tracing::warn!(%error, "the files could not be dragged out")).is_ok()
}
