//! The native viewer: characters in motion, side by side, in a window of their own.
//!
//! [`run`] is the whole program `limber view FILE.glb…`: it reads the files, opens a window, plays
//! all clips in step and returns when the window is closed. It is a process of its own, so that a
//! fault of the graphics driver cannot take the app down, and because two window loops cannot
//! share a main thread everywhere. Started `attached`, it obeys the commands of
//! `limber_api::viewer` on its standard input and tells what it shows on its standard output.
//! [`screenshot`] draws one frame of the same files into a PNG, [`turntable`] a film in which the
//! camera goes round them; both without any window.
//!
//! **Inside.** `lineup` is who stands where, `playback` is when, `session` is everything a person
//! can change, `figures` and `path` are what that makes of a moment: bodies, ghosts, trails; `grid` is where
//! each of several pictures lies;
//! `action` is what keys do: plain state, tested without a window. `window` ties them to winit and
//! `limber_render`; `controls` is the bar; `link` is the other end of the link; `words`
//! is what the window says in other languages; `memory` keeps where
//! the window was.
//!
//! **Must never know:** Tauri, services, jobs, where a clip came from.
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

/// What to show, and how.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ViewerOptions {
    /// GLB files to show side by side, 1 to 16.
    pub files: Vec<PathBuf>,
    /// What each file is called, in the same order; files without one by their own name.
    pub names: Vec<String>,
    /// In the light studio instead of the dark one.
    pub light: bool,
    /// What the window speaks.
    pub language: ViewerLanguage,
    /// Obey commands on standard input and tell events on standard output; close when the input
    /// ends.
    pub attached: bool,
    /// The window's size in logical pixels, if not the usual.
    pub size: Option<(u32, u32)>,
    /// Which clip of the files, by name or by number from 1; the first without.
    pub clip: Option<String>,
    /// Parts of the picture that are shown from the start.
    pub layers: Vec<ViewerLayer>,
    /// Where the window's size and place are kept from one start to the next; nowhere without.
    pub memory: Option<PathBuf>,
    /// The folder that saved pictures go to; the current one without.
    pub pictures: Option<PathBuf>,
}

/// Opens the viewer and returns when it was closed. Must be called on the main thread.
///
/// # Errors
/// See [`ViewerError`]; when attached, the same sentence was also sent as an event.
pub fn run(options: &ViewerOptions) -> Result<(), ViewerError> {
    let outcome = window::open(options);
    if let (Err(error), true) = (&outcome, options.attached) {
        let mut out = std::io::stdout();
        // With nobody listening, the exit code still tells.
        let _ = write_line(&mut out, &ViewerEvent::Error { message: error.to_string() });
        let _ = write_line(&mut out, &ViewerEvent::Closed {});
    }
    outcome
}
