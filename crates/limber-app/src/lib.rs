//! Everything the desktop app can do, without a window.
//!
//! [`App`] is what a person works with, as plain async functions: start the studio, sign in, hand
//! in a prompt, follow the job, keep its files, play and save them. The shell puts one line of
//! glue around each function; the interface sees only the types in [`shown`]. Long work answers
//! at once and then speaks through [`Events`].
//!
//! What the app needs of its surroundings comes in as four small traits, so that it runs in tests
//! without a desktop: [`Studio`] (the services on this computer), [`SecretStore`] (the keychain),
//! [`Desktop`] (dialogs, the viewer, the file manager) and [`Events`] (the window). Time comes in
//! as a [`Clock`].
//!
//! What belongs to a person lies in one folder ([`Folders`]): settings, the journal of jobs, the
//! library of finished clips. Each file there is replaced whole or not at all, so a kill at any
//! moment loses nothing that was shown as finished.
//!
//! **Never knows:** Tauri, windows, web views; how the services work inside. Tokens and paths
//! never leave it: the interface gets ids, names and pictures.
#![warn(missing_docs)]

mod app;
mod departures;
mod diagnostics;
mod drawing;
mod error;
mod folders;
mod journal;
mod language_model;
mod library;
mod links;
mod ports;
mod secrets;
mod session;
mod settings;
pub mod shown;
#[cfg(test)]
mod testing;
mod told;
mod uploads;

pub use app::App;
pub use diagnostics::open_log;
pub use error::{AppError, ErrorCode};
pub use folders::Folders;
pub use library::{CLIP_SCHEME, ClipGlb, PICTURE_SCHEME};
pub use limber_client::Way;
pub use ports::{
    Chance, Clock, Desktop, Events, Mail, MailStore, SaveAs, SecretStore, SecretStoreError,
    Showing, Studio, StudioAddresses, StudioFailure, Surroundings, ViewerListener,
};
pub use told::{Argument, Doing, LanguageModelNotice, Notice, ServiceName, Told};
