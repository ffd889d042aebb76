//! The native viewer: characters in motion, side by side, in a window of their own.
//!
//! [`run`] is the whole program `limber view FILE.glb…`: it reads the files, opens a window, plays
//! all clips in step and returns when the window is closed. It is a process of its own, so that a
//! fault of the graphics driver cannot take the app down, and because two window loops cannot
//! share a main thread everywhere. Started `attached`, it obeys the commands of
//! `limber_api::viewer` on its standard input and tells what it shows on its standard output.
//! [`screenshot`] draws one frame of the same files into a PNG, without any window.
//!
//! **Inside.** `lineup` is who stands where, `playback` is when, `session` is everything a person
//! can change, `action` is what keys do: plain state, tested without a window. `window` ties them
//! to winit and `limber_render`; `controls` is the bar; `link` is the other end of the link.
//!
//! **Must never know:** Tauri, services, jobs, where a clip came from.
#![warn(missing_docs)]

mod action;
mod controls;
mod error;
mod lineup;
mod link;
mod playback;
mod screenshot;
mod session;
mod window;

use std::path::PathBuf;

use limber_api::viewer::{ViewerEvent, write_line};

pub use error::ViewerError;
pub use screenshot::{Screenshot, screenshot};

/// What to show, and how.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ViewerOptions {
    /// GLB files to show side by side, 1 to 16.
    pub files: Vec<PathBuf>,
    /// Obey commands on standard input and tell events on standard output; close when the input
    /// ends.
    pub attached: bool,
    /// The window's size in logical pixels, if not the usual.
    pub size: Option<(u32, u32)>,
    /// Start with the bones shown.
    pub bones: bool,
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
