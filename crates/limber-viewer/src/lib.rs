//! The native viewer: animated characters, side by side, in its own window.
//!
//! [`run`] is the whole program `limber view FILE.glb…`: it reads the files, opens a window, plays
//! all clips in sync and returns when the window is closed. It is a separate process, so that a
//! crash of the graphics driver cannot take the app down, and because two event loops cannot share
//! the main thread on every system. Started as `attached`, it executes the commands of
//! `limber_api::viewer` from standard input and reports its state on standard output.
//! [`screenshot`] renders one frame of the same files to a PNG, and [`turntable`] a video in which
//! the camera circles them; neither needs a window.
//!
//! **Structure.** Plain state, tested without a window: `lineup` (who stands where), `playback`
//! (time), `session` (everything the user can change), `figures` and `path` (what that means for
//! one frame: bodies, onion skins, trails), `grid` (layout of several images) and `action` (key
//! bindings). `window` connects them to winit and `limber_render`; `controls` is the control bar;
//! `link` is the command link to the app; `words` translates the window's texts; `memory` stores
//! the window's position.
//!
//! **Out of scope:** Tauri, services, jobs, and where a clip came from.
#![warn(missing_docs)]

mod action;
mod controls;
mod error;
mod figures;
mod grid;
mod lineup;
mod link;
mod memory;
mod path;
mod playback;
mod screenshot;
mod session;
mod turntable;
mod window;
mod words;

use std::path::PathBuf;

use limber_api::viewer::{ViewerEvent, ViewerLanguage, ViewerLayer, write_line};

pub use error::ViewerError;
pub use screenshot::{Screenshot, screenshot};
pub use turntable::{Turntable, turntable};

/// Options of [`run`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ViewerOptions {
    /// GLB files to show side by side, 1 to 16.
    pub files: Vec<PathBuf>,
    /// Display names in the same order; files without one use their file name.
    pub names: Vec<String>,
    /// Whether to use the light background.
    pub light: bool,
    /// Language of the window.
    pub language: ViewerLanguage,
    /// Whether to read commands from standard input and write events to standard output; the window
    /// closes at the end of the input.
    pub attached: bool,
    /// Window size in logical pixels; `None` uses the default.
    pub size: Option<(u32, u32)>,
    /// The clip to show, by name or by number from 1; `None` shows the first.
    pub clip: Option<String>,
    /// Layers that are visible from the start.
    pub layers: Vec<ViewerLayer>,
    /// File that stores the window's size and position between runs; `None` stores nothing.
    pub memory: Option<PathBuf>,
    /// Folder for saved images; `None` uses the current directory.
    pub pictures: Option<PathBuf>,
}

/// Opens the viewer and returns when it is closed. Must be called on the main thread.
///
/// # Errors
/// See [`ViewerError`]; if attached, the same message has also been sent as an event.
pub fn run(options: &ViewerOptions) -> Result<(), ViewerError> {
    let outcome = window::open(options);
    if let (Err(error), true) = (&outcome, options.attached) {
        let mut out = std::io::stdout();
        // if nobody reads the event, the exit code still reports the error
        let _ = write_line(&mut out, &ViewerEvent::Error { message: error.to_string() });
        let _ = write_line(&mut out, &ViewerEvent::Closed {});
    }
    outcome
}
