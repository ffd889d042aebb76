//! The desktop shell: a window around [`limber_app::App`], and nothing else.
//!
//! `commands` has one line for each request of the interface, `events` forwards the app's events,
//! and `keychain`, `desktop` and `viewer_process` implement the app's ports. The local studio is
//! passed in by `main`, so this crate knows neither services nor PostgreSQL.
//!
//! **Input:** a data folder and a studio. **Output:** a window until it is closed. **Out of
//! scope:** HTTP, file formats, the graphics card.

#![cfg(feature = "desktop")]

mod attention;
mod clips;
mod commands;
mod desktop;
mod dragging;
mod events;
mod keychain;
mod pictures;
mod viewer_process;
mod window;

pub use events::write_typescript;
pub use keychain::Keychain;
pub use viewer_process::ViewerProcess;
pub use window::{Listener, Opening, open};
