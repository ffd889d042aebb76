//! Ports: the environment that the app depends on, as traits.

use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use limber_api::viewer::{ViewerCommand, ViewerEvent};
use limber_client::ConnectionPolicy;
use limber_domain::environment::{Clock, SecureRandom};
use secrecy::SecretString;
use url::Url;

use crate::{
    AppError, ErrorCode, MessageView,
    views::{
        ExportProgress, JobView, KeyPressed, Language, LinkOutcome, Saved, SessionState, StartStep,
        StudioState, UploadView, ViewerView,
    },
};

/// Addresses and credentials of a studio's services.
#[derive(Debug, Clone)]
pub struct StudioAddresses {
    /// Base URL of the identity service.
    pub identity: Url,
    /// Base URL of the motion service.
    pub motion: Url,
    /// Client ID for the motion service.
    pub client_id: String,
    /// Client secret for the motion service.
    pub client_secret: SecretString,
    /// Connection options for both services.
    pub connection: ConnectionPolicy,
}

/// Why the local studio failed to start.
#[derive(Debug, Clone)]
pub struct StudioFailure {
    /// The code to branch on.
    pub code: ErrorCode,
    /// What happened, to what, and what to do.
    pub message: MessageView,
}

impl From<StudioFailure> for AppError {
    fn from(failure: StudioFailure) -> Self {
        Self::new(failure.code, failure.message)
    }
}

/// The studio on this computer: its services and database.
#[async_trait]
pub trait Studio: Send + Sync {
    /// Starts all services and returns once they are ready. `report` is called on every progress
    /// change.
    ///
    /// # Errors
    /// [`StudioFailure`] with a message for the user. Starting may be retried later.
    async fn start(
        &self,
        report: Box<dyn Fn(Vec<StartStep>) + Send + Sync>,
    ) -> Result<StudioAddresses, StudioFailure>;

    /// Stops all services, in order.
    async fn stop(&self);

    /// Returns the size of the studio's data on disk in bytes. May block.
    fn stored_bytes(&self) -> u64;

    /// Returns the store of emails that the studio sent.
    fn mail(&self) -> Arc<dyn MailStore>;
}

/// A received email.
#[derive(Debug, Clone)]
pub struct Mail {
    /// ID within the store.
    pub id: String,
    /// Sender.
    pub from: String,
    /// Recipient.
    pub to: String,
    /// Subject line.
    pub subject: String,
    /// When it was received.
    pub received_at: DateTime<Utc>,
    /// Whether it has not been opened yet.
    pub unread: bool,
    /// Plain-text body.
    pub text: String,
    /// Links as text and URL. URLs may carry tokens.
    pub links: Vec<(String, SecretString)>,
}

/// Emails stored on this computer.
pub trait MailStore: Send + Sync {
    /// Lists all emails, newest first.
    ///
    /// # Errors
    /// If the folder cannot be read.
    fn list(&self) -> std::io::Result<Vec<Mail>>;

    /// Opens an email and marks it as read; `None` if the ID does not exist.
    ///
    /// # Errors
    /// If the folder cannot be read.
    fn open(&self, id: &str) -> std::io::Result<Option<Mail>>;
}

/// Why the keychain could not store or return a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretStoreError {
    /// The keychain is locked and the user did not unlock it.
    #[error("the keychain is locked")]
    Locked,
    /// There is no working keychain.
    #[error("no working keychain is available")]
    Missing,
}

/// The desktop's keychain. All calls may block.
pub trait SecretStore: Send + Sync {
    /// Returns a secret by name; `None` if there is none.
    ///
    /// # Errors
    /// If there is no keychain, or it is locked.
    fn get(&self, name: &str) -> Result<Option<SecretString>, SecretStoreError>;

    /// Stores a secret under a name.
    ///
    /// # Errors
    /// If there is no keychain, or it is locked.
    fn set(&self, name: &str, secret: &SecretString) -> Result<(), SecretStoreError>;

    /// Removes a secret.
    ///
    /// # Errors
    /// If there is no keychain, or it is locked.
    fn remove(&self, name: &str) -> Result<(), SecretStoreError>;
}

/// Parameters of a save dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaveAs {
    /// The suggested file name, with extension.
    pub file_name: String,
    /// The file extension, without a dot.
    pub ending: &'static str,
}

/// Clips for the native viewer, side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Showing {
    /// Their GLB files.
    pub files: Vec<PathBuf>,
    /// Display names, in the same order.
    pub names: Vec<String>,
    /// Whether to use the light background.
    pub light: bool,
    /// Language of the window.
    pub language: Language,
}

/// Callback for events of the viewer.
pub type ViewerListener = Arc<dyn Fn(ViewerEvent) + Send + Sync>;

/// The desktop environment.
#[async_trait]
pub trait Desktop: Send + Sync {
    /// Asks for a file to save to; `None` if the user cancelled the dialog.
    async fn ask_where_to_save(&self, question: SaveAs) -> Option<PathBuf>;

    /// Asks for a folder; `None` if the user cancelled the dialog.
    async fn ask_for_folder(&self) -> Option<PathBuf>;

    /// Asks for character files; empty if the user cancelled the dialog.
    async fn ask_for_characters(&self) -> Vec<PathBuf>;

    /// Shows clips in the native viewer, side by side. `listener` receives all later events of the
    /// viewer, `closed` last.
    ///
    /// # Errors
    /// If the viewer failed to start.
    async fn play(&self, showing: Showing, listener: ViewerListener) -> Result<(), AppError>;

    /// Sends a command to the open viewer. Returns whether one is open.
    async fn steer(&self, command: ViewerCommand) -> bool;

    /// Starts a drag of files while the mouse button is down; they can be dropped on any program.
    ///
    /// # Errors
    /// If the desktop refuses the drag.
    async fn drag(&self, files: Vec<PathBuf>) -> Result<(), AppError>;

    /// Opens a page in the user's browser. Only called for `http` and `https`.
    ///
    /// # Errors
    /// If the desktop has no browser.
    async fn open_page(&self, address: Url) -> Result<(), AppError>;

    /// Shows a folder in the file manager.
    ///
    /// # Errors
    /// If the desktop has no file manager.
    async fn show_folder(&self, folder: PathBuf) -> Result<(), AppError>;
}

/// Events for the interface.
pub trait Events: Send + Sync {
    /// The studio's state changed.
    fn studio(&self, state: &StudioState);
    /// The session's state changed.
    fn session(&self, state: &SessionState);
    /// A job changed.
    fn job(&self, job: &JobView);
    /// The clips with these IDs were added, removed or changed.
    fn library(&self, ids: &[String]);
    /// An upload changed.
    fn upload(&self, upload: &UploadView);
    /// An export started its next file.
    fn exporting(&self, progress: &ExportProgress);
    /// A video was saved.
    fn saved(&self, video: &Saved);
    /// A video could not be saved at the chosen location; it was saved in `place` instead, which
    /// [`App::show_saved_folder`](crate::App::show_saved_folder) opens.
    fn stranded(&self, error: &AppError, place: u32);
    /// An email was received.
    fn mail(&self);
    /// The viewer's state changed; `None` when it was closed.
    fn viewer(&self, shown: Option<&ViewerView>);
    /// A key that the interface handles was pressed in the viewer's window.
    fn pressed(&self, key: &KeyPressed);
    /// A link into the app was followed.
    fn link(&self, outcome: LinkOutcome);
    /// Something started outside the window, such as a link, failed.
    fn problem(&self, error: &AppError);
}

/// All ports together.
#[derive(Clone)]
pub struct Environment {
    /// The studio on this computer.
    pub studio: Arc<dyn Studio>,
    /// The keychain.
    pub secrets: Arc<dyn SecretStore>,
    /// Dialogs, the viewer and the file manager.
    pub desktop: Arc<dyn Desktop>,
    /// Event sink, usually the window.
    pub events: Arc<dyn Events>,
    /// Wall-clock time.
    pub clock: Arc<dyn Clock>,
    /// Secure randomness.
    pub random: Arc<dyn SecureRandom>,
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Environment").finish_non_exhaustive()
    }
}
