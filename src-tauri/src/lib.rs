//! The desktop shell: a window around [`limber_app::App`], and nothing else.
//!
//! `commands` has one line per thing the interface can ask for, `events` carries what the app
//! tells, `keychain`, `desktop` and `viewer_process` are the surroundings the app asks for. Which
//! studio runs on this computer is handed in by `main`, so this crate knows neither services nor
//! PostgreSQL.
//!
//! **Goes in:** a data folder and a studio. **Goes out:** a window until it is closed. **Never
//! knows:** HTTP, file formats, the graphics card.

#![cfg(feature = "desktop")]

mod attention;
mod chance;
mod clips;
mod clock;
mod commands;
mod desktop;
mod dragging;
mod events;
mod keychain;
mod pictures;
mod viewer_process;
mod window;

pub use chance::SystemChance;
pub use clock::SystemClock;
pub use events::write_typescript;
pub use keychain::Keychain;
pub use viewer_process::ViewerProcess;
pub use window::{Listener, Opening, open};
