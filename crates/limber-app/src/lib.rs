//! Application layer of the desktop app, without a window.
//!
//! [`App`] offers everything a user can do as plain async functions: start the studio, sign in,
//! submit a prompt, follow the job, store its files, play and save them. The shell adds one line of
//! glue for each function; the interface sees only the types in [`views`]. Long-running work
//! returns immediately and reports through [`Events`].
//!
//! The environment is abstracted by a few traits, so that the app runs in tests without a desktop:
//! [`Studio`] (the services on this computer), [`SecretStore`] (the keychain), [`Desktop`]
//! (dialogs, the viewer, the file manager), [`Events`] (the window), and the clock and the random
//! source of `limber-domain`.
//!
//! User data lies in one folder ([`Folders`]): settings, the journal of jobs, and the library of
//! finished clips. Each file is replaced atomically, so a crash at any moment loses nothing that
//! was shown as finished.
//!
//! **Out of scope:** Tauri, windows, web views, and the internals of the services. Tokens and paths
//! never leave this crate: the interface gets IDs, names and pictures.
#![warn(missing_docs)]

mod app;
mod diagnostics;
mod drawing;
mod error;
mod folders;
mod journal;
mod language_model;
mod library;
mod links;
mod messages;
mod pending_auth;
mod ports;
mod secrets;
mod session;
mod settings;
#[cfg(test)]
mod testing;
mod uploads;
pub mod views;

pub use app::{App, character_endings};
pub use diagnostics::open_log;
pub use error::{AppError, ErrorCode};
pub use folders::Folders;
pub use library::{CLIP_SCHEME, ClipGlb, PICTURE_SCHEME};
pub use limber_client::ConnectionPolicy;
pub use messages::{Argument, Doing, LanguageModelNotice, MessageView, Notice, ServiceName};
pub use ports::{
    Desktop, Environment, Events, Mail, MailStore, SaveAs, SecretStore, SecretStoreError, Showing,
    Studio, StudioAddresses, StudioFailure, ViewerListener,
};
