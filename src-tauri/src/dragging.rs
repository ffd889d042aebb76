//! Files under the pointer: on their way into the window, and out of it.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use drag::{DragItem, Image, Options};
use limber_app::App;
use tauri::{AppHandle, DragDropEvent, Manager};
use tauri_specta::Event;

use crate::events::FilesDragged;

/// The window that files are dragged out of, as the library wants it; `None` when it is gone.
#[cfg_attr(target_os = "linux", path = "dragging/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "dragging/elsewhere.rs")]
mod giving;

/// What hangs at the pointer.
const PICTURE: &[u8] = include_bytes!("../../assets/icons/32x32.png");

/// Files over the window: the page shows where they may fall, the app takes those that do. Where they
/// lie is never told to the page. What was dragged out of this window is no gift to it.
pub(crate) fn hear(handle: &AppHandle, event: &DragDropEvent) {
    let Some(app) = handle.try_state::<App>() else { return };
    match event {
        DragDropEvent::Enter { paths, .. } => {
            let over = if app.dragged_out(paths) { Over::Nothing } else { Over::Strange };
            handle.state::<FilesOver>().set(over);
        }
        // Only a pointer that moves says that something is there: a late list of files enters once more
        // after the drop, and nothing would ever say that it has left.
        DragDropEvent::Over { .. } => {
            if handle.state::<FilesOver>().show() {
                let _ = FilesDragged { over: true }.emit(handle);
            }
        }
        // they fell, or left
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

/// What the pointer carries over the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Over {
    /// Nothing that the page should take.
    #[default]
    Nothing,
    /// Files from elsewhere, of which the page does not know yet.
    Strange,
    /// Files that the page shows a place for.
    Shown,
}

/// What there is of them right now.
#[derive(Debug, Default)]
pub(crate) struct FilesOver(Mutex<Over>);

impl FilesOver {
    fn set(&self, over: Over) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = over;
    }

    /// Whether there are files that the page does not show yet; it is about to.
    fn show(&self) -> bool {
        let mut over = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = *over == Over::Strange;
        if is_new {
            *over = Over::Shown;
        }
        is_new
    }
}

/// Begins to carry files out, on the main thread. False: there is no window, or the system refuses.
pub(crate) fn begin(handle: &AppHandle, files: Vec<PathBuf>) -> bool {
    let Some(window) = handle.get_webview_window("main") else { return false };
    let Some(window) = giving::from(&window, &files) else { return false };
    let picture = Image::Raw(PICTURE.to_vec());
    let begun =
        drag::start_drag(&window, DragItem::Files(files), picture, |_, _| {}, Options::default());
    begun.inspect_err(|error| tracing::warn!(%error, "nothing could be dragged out")).is_ok()
}
