//! The desktop shell: a window around [`limber_app::App`], and nothing else.
//!
//! `commands` has one line per thing the interface can ask for, `events` carries what the app
//! tells, `keychain`, `desktop` and `viewer_process` are the surroundings the app asks for. Which
//! studio runs on this computer is handed in by `main`, so this crate knows neither services nor
//! PostgreSQL.
//!
//! **Goes in:** a data folder and a studio. **Goes out:** a window until it is closed. **Never
//! knows:** HTTP, file formats, the graphics card.

#[cfg(feature = "desktop")]
mod attention;
mod chance;
mod clock;
#[cfg(feature = "desktop")]
mod commands;
#[cfg(feature = "desktop")]
mod desktop;
#[cfg(feature = "desktop")]
mod dragging;
#[cfg(feature = "desktop")]
mod events;
mod keychain;
#[cfg(feature = "desktop")]
mod pictures;
mod viewer_process;
#[cfg(feature = "desktop")]
mod window;

pub use chance::SystemChance;
pub use clock::SystemClock;
#[cfg(feature = "desktop")]
pub use events::write_typescript;
pub use keychain::Keychain;
pub use viewer_process::ViewerProcess;
#[cfg(feature = "desktop")]
pub use window::{Listener, Opening, open};
