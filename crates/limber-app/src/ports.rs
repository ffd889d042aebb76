//! What the app asks of its surroundings.

use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use limber_api::viewer::{ViewerCommand, ViewerEvent};
use limber_client::Way;
use secrecy::SecretString;
use url::Url;

use crate::{
    AppError, ErrorCode, Told,
    shown::{
        ExportProgress, JobShown, KeyPressed, Language, LinkOutcome, Saved, SessionState,
        StartStep, StudioState, UploadShown, ViewerShown,
    },
};

/// The time of day.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> DateTime<Utc>;
}

/// Chance that nobody can foresee.
pub trait Chance: Send + Sync {
    /// Fills this with random bytes.
    fn fill(&self, bytes: &mut [u8]);
}

/// Where the services of a studio listen, and how to get in.
#[derive(Debug, Clone)]
pub struct StudioAddresses {
    /// The identity service.
    pub identity: Url,
    /// The motion service.
    pub motion: Url,
    /// Client id at the motion service.
    pub client_id: String,
    /// Its secret.
    pub client_secret: SecretString,
    /// How both are reached.
    pub way: Way,
}

/// Why the studio on this computer did not start.
#[derive(Debug, Clone)]
pub struct StudioFailure {
    /// What to branch on.
    pub code: ErrorCode,
    /// What happened, to what, what now.
    pub message: Told,
}

impl From<StudioFailure> for AppError {
    fn from(failure: StudioFailure) -> Self {
        Self::new(failure.code, failure.message)
    }
}

/// The services on this computer.
#[async_trait]
pub trait Studio: Send + Sync {
    /// Starts everything and answers once it is ready. `report` hears every change of the steps.
    ///
    /// # Errors
    /// [`StudioFailure`] with a sentence for the person. Starting again later is fine.
    async fn start(
        &self,
        report: Box<dyn Fn(Vec<StartStep>) + Send + Sync>,
    ) -> Result<StudioAddresses, StudioFailure>;

    /// Stops everything, in order.
    async fn stop(&self);

    /// What the studio keeps on the disk for itself, bytes. May block.
    fn stored_bytes(&self) -> u64;

    /// The mail that the studio sent to people on this computer.
    fn mail(&self) -> Arc<dyn MailStore>;
}

/// One mail as it came.
#[derive(Debug, Clone)]
pub struct Mail {
    /// Names the mail in its store.
    pub id: String,
    /// Who sent it.
    pub from: String,
    /// To whom.
    pub to: String,
    /// What about.
    pub subject: String,
    /// When it came.
    pub received_at: DateTime<Utc>,
    /// Not opened yet.
    pub unread: bool,
    /// Its words as plain text.
    pub text: String,
    /// Where its links lead, with their words. May carry tokens.
    pub links: Vec<(String, SecretString)>,
}

/// Mail kept on this computer.
pub trait MailStore: Send + Sync {
    /// Newest first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    fn list(&self) -> std::io::Result<Vec<Mail>>;

    /// Opens one and marks it as read; `None` when there is none of this id.
    ///
    /// # Errors
    /// When the folder cannot be read.
    fn open(&self, id: &str) -> std::io::Result<Option<Mail>>;
}

/// Why the keychain did not keep or tell a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SecretStoreError {
    /// Its owner has not said the password, or did not want to.
    #[error("the keychain is locked")]
    Locked,
    /// There is none, or it does not work.
    #[error("there is no keychain that works")]
    Missing,
}

/// The keychain. Its calls may block.
pub trait SecretStore: Send + Sync {
    /// The secret of this name.
    ///
    /// # Errors
    /// When there is no keychain, or it is locked.
    fn get(&self, name: &str) -> Result<Option<SecretString>, SecretStoreError>;

    /// Keeps a secret under this name.
    ///
    /// # Errors
    /// When there is no keychain, or it is locked.
    fn set(&self, name: &str, secret: &SecretString) -> Result<(), SecretStoreError>;

    /// Forgets the secret of this name.
    ///
    /// # Errors
    /// When there is no keychain, or it is locked.
    fn remove(&self, name: &str) -> Result<(), SecretStoreError>;
}

/// What to ask before saving.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaveAs {
    /// The suggested file name, ending included.
    pub file_name: String,
    /// What files of this kind end in, without a dot.
    pub ending: &'static str,
}

/// Clips for the native viewer, side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Showing {
    /// Their GLB files.
    pub files: Vec<PathBuf>,
    /// What each is called, in the same order.
    pub names: Vec<String>,
    /// In the light studio instead of the dark one.
    pub light: bool,
    /// What the window speaks.
    pub language: Language,
}

/// Called with what the viewer says.
pub type ViewerListener = Arc<dyn Fn(ViewerEvent) + Send + Sync>;

/// The desktop around the app.
#[async_trait]
pub trait Desktop: Send + Sync {
    /// Where to save; `None` when the person closed the dialog.
    async fn ask_where_to_save(&self, question: SaveAs) -> Option<PathBuf>;

    /// Where to put several files; `None` when the person closed the dialog.
    async fn ask_for_folder(&self) -> Option<PathBuf>;

    /// Which files hold the characters to add; none when the person closed the dialog.
    async fn ask_for_characters(&self) -> Vec<PathBuf>;

    /// Shows clips in the native viewer, side by side. `told` hears everything the viewer says from
    /// then on, `closed` last.
    ///
    /// # Errors
    /// When the viewer did not start.
    async fn play(&self, showing: Showing, told: ViewerListener) -> Result<(), AppError>;

    /// Asks something of the viewer that is open. Answers whether one is.
    async fn steer(&self, wish: ViewerCommand) -> bool;

    /// Hands these files to the pointer, whose button is down: they can be dropped on any program.
    ///
    /// # Errors
    /// When the desktop does not let go of them.
    async fn drag(&self, files: Vec<PathBuf>) -> Result<(), AppError>;

    /// Opens a page in the person's own browser. It is asked for `http` and `https` only.
    ///
    /// # Errors
    /// When the desktop has none.
    async fn open_page(&self, address: Url) -> Result<(), AppError>;

    /// Shows a folder in the file manager.
    ///
    /// # Errors
    /// When the desktop has none.
    async fn show_folder(&self, folder: PathBuf) -> Result<(), AppError>;
}

/// The window, as far as it listens.
pub trait Events: Send + Sync {
    /// The studio's state changed.
    fn studio(&self, state: &StudioState);
    /// The session's state changed.
    fn session(&self, state: &SessionState);
    /// A job changed.
    fn job(&self, job: &JobShown);
    /// The clips with these ids came, went or are filed otherwise.
    fn library(&self, ids: &[String]);
    /// An upload changed.
    fn upload(&self, upload: &UploadShown);
    /// An export comes to its next file.
    fn exporting(&self, progress: &ExportProgress);
    /// A film was saved.
    fn saved(&self, film: &Saved);
    /// A film could not be saved where somebody wanted it. It lies here instead, for
    /// [`App::show_place`](crate::App::show_place).
    fn stranded(&self, error: &AppError, place: u32);
    /// A mail came.
    fn mail(&self);
    /// The viewer shows something else, or was closed.
    fn viewer(&self, shown: Option<&ViewerShown>);
    /// A key of the interface's was pressed in the viewer's window.
    fn pressed(&self, key: &KeyPressed);
    /// A link led into the app.
    fn link(&self, outcome: LinkOutcome);
    /// Something that was begun outside the window, such as a link, did not work.
    fn problem(&self, error: &AppError);
}

/// Everything the app asks of its surroundings, in one place.
#[derive(Clone)]
pub struct Surroundings {
    /// The services on this computer.
    pub studio: Arc<dyn Studio>,
    /// The keychain.
    pub secrets: Arc<dyn SecretStore>,
    /// Dialogs, viewer, file manager.
    pub desktop: Arc<dyn Desktop>,
    /// The window.
    pub events: Arc<dyn Events>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub chance: Arc<dyn Chance>,
}

impl std::fmt::Debug for Surroundings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Surroundings").finish_non_exhaustive()
    }
}
