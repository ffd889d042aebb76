//! The app: one handle that every user action goes through.

mod account;
mod characters;
mod clips;
mod corrections;
mod edits;
mod export;
mod factors;
mod invitations;
mod jobs;
mod language_model;
mod late_pictures;
mod mail;
mod phone_factors;
mod preferences;
mod prices;
mod prompting;
mod purging;
mod reading;
mod saved_folders;
mod sign_in;
mod sign_in_methods;
mod start;
mod submission;
mod upkeep;
mod uploads;
mod videos;
mod viewing;

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, atomic::AtomicBool},
};

use limber_api::identity::{FactorChallenge, FactorId};
use limber_client::{
    identity::IdentityClient,
    motion::{JobId, MotionClient},
};
use limber_domain::lock;
use limber_pipeline::Cancel;
use tokio::{sync::Notify, task::AbortHandle};
use tokio_util::sync::CancellationToken;

use crate::{
    AppError, Environment, Folders, diagnostics,
    drawing::DrawingThread,
    journal::Journal,
    library::Library,
    secrets::Secrets,
    session::StoredSession,
    settings::Settings,
    uploads::{UploadId, Uploads},
    views::{
        CharacterView, JobState, PromptDraft, SessionState, Snapshot, StudioState, ViewerLayer,
        ViewerView,
    },
};

pub use uploads::character_endings;

/// Start-up problems kept until the interface asks for them; more would not help.
const MOST_UNREPORTED: usize = 20;

/// The app as the shell uses it. Cheap to clone; all clones share the same state.
#[derive(Clone)]
pub struct App {
    inner: Arc<Inner>,
}

impl std::fmt::Debug for App {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("App").finish_non_exhaustive()
    }
}

struct Inner {
    folders: Folders,
    environment: Environment,
    secrets: Secrets,
    journal: Journal,
    library: Library,
    /// Thread that renders stills of clips and videos.
    drawing: DrawingThread,
    settings: Mutex<Settings>,
    /// Contents of the prompt box, as last saved.
    prompt_draft: Mutex<PromptDraft>,
    studio: Mutex<StudioState>,
    session: Mutex<SessionState>,
    stored_session: Mutex<Option<StoredSession>>,
    /// Invitation delivered by a link, waiting for the user's consent.
    invitation: Mutex<Option<invitations::Invitation>>,
    /// Held while a link with a session is processed, so that only one is at a time.
    inviting: tokio::sync::Mutex<()>,
    /// Open challenges of phone factors, by factor.
    phone_challenges: Mutex<HashMap<FactorId, FactorChallenge>>,
    services: Mutex<Option<Arc<Services>>>,
    /// Problems that the interface has not fetched yet; `None` once it has fetched its first
    /// snapshot.
    unreported: Mutex<Option<Vec<AppError>>>,
    characters: Mutex<Vec<CharacterView>>,
    /// Last known state of each open job.
    job_states: Mutex<HashMap<JobId, JobState>>,
    /// Submissions whose response was lost and which the service may have accepted.
    unconfirmed: Mutex<submission::UnconfirmedSubmissions>,
    uploads: Uploads,
    /// State of running uploads.
    uploading: Mutex<HashMap<UploadId, uploads::Running>>,
    /// Held while a file is sent, so that only one is at a time.
    sending: tokio::sync::Mutex<()>,
    /// State of the viewer; `None` while it is closed.
    viewer: Mutex<Option<ViewerView>>,
    /// Layers that the viewer showed last, restored in the next window.
    last_layers: Mutex<Option<Vec<ViewerLayer>>>,
    /// Whether the viewer opens with the light background.
    viewer_light: AtomicBool,
    /// Cancels the latest export.
    exporting: Mutex<Cancel>,
    /// Cancels the latest request to a language model.
    asking_model: Mutex<CancellationToken>,
    /// Folders that files were saved to; the page refers to them by index.
    saved_folders: Mutex<Vec<PathBuf>>,
    /// Held while connecting, so that only one attempt runs at a time.
    connecting: tokio::sync::Mutex<()>,
    /// Held while tokens are refreshed, so that only one refresh runs at a time.
    renewing: tokio::sync::Mutex<()>,
    /// Held while pending redirects are changed.
    changing_auths: tokio::sync::Mutex<()>,
    /// Signals changes of the studio or the session.
    changed: Notify,
    /// Wakes the task that follows jobs.
    news: Notify,
    /// Signals that clips were permanently deleted.
    emptied: Notify,
    /// Signals that a clip arrived without its thumbnail.
    missing_thumbnails: Notify,
    tasks: Mutex<Tasks>,
}

/// The name of the local studio in [`Services::studio`].
const HERE: &str = "this computer";

/// Background tasks, kept so that they can be aborted.
#[derive(Default)]
struct Tasks {
    follow: Option<AbortHandle>,
    purge: Option<AbortHandle>,
    pictures: Option<AbortHandle>,
    renew: Option<AbortHandle>,
}

/// Clients of both services of the connected studio.
struct Services {
    /// Identifies the studio in the journal and the keychain.
    studio: String,
    identity: IdentityClient,
    motion: MotionClient,
}

impl App {
    /// Reads the data folder without starting anything. Problems with the folder are reported by
    /// [`App::start`], where the user sees them.
    #[must_use]
    pub fn open(folders: Folders, environment: Environment) -> Self {
        let inner = Inner {
            secrets: Secrets::new(Arc::clone(&environment.secrets)),
            journal: Journal::open(&folders),
            library: Library::open(&folders),
            drawing: DrawingThread::default(),
            settings: Mutex::new(Settings::load(&folders)),
            prompt_draft: Mutex::new(prompting::load_prompt_draft(&folders)),
            studio: Mutex::new(StudioState::Starting { steps: vec![] }),
            session: Mutex::new(SessionState::Unknown),
            stored_session: Mutex::default(),
            invitation: Mutex::default(),
            inviting: tokio::sync::Mutex::default(),
            phone_challenges: Mutex::default(),
            services: Mutex::default(),
            unreported: Mutex::new(Some(Vec::new())),
            characters: Mutex::default(),
            job_states: Mutex::default(),
            unconfirmed: Mutex::default(),
            uploads: Uploads::open(&folders),
            uploading: Mutex::default(),
            sending: tokio::sync::Mutex::default(),
            viewer: Mutex::default(),
            last_layers: Mutex::default(),
            viewer_light: AtomicBool::new(false),
            exporting: Mutex::default(),
            asking_model: Mutex::default(),
            saved_folders: Mutex::default(),
            connecting: tokio::sync::Mutex::default(),
            renewing: tokio::sync::Mutex::default(),
            changing_auths: tokio::sync::Mutex::default(),
            changed: Notify::new(),
            news: Notify::new(),
            emptied: Notify::new(),
            missing_thumbnails: Notify::new(),
            tasks: Mutex::default(),
            folders,
            environment,
        };
        Self { inner: Arc::new(inner) }
    }

    /// Returns everything the interface needs for its first render.
    pub async fn snapshot(&self) -> Snapshot {
        let settings = self.settings().await;
        Snapshot {
            studio: lock(&self.inner.studio).clone(),
            session: lock(&self.inner.session).clone(),
            settings,
            desk: lock(&self.inner.prompt_draft).clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            problems: lock(&self.inner.unreported).take().unwrap_or_default(),
        }
    }

    /// Reports a problem. Until the interface has fetched its first snapshot it may not be
    /// listening, so until then problems are also kept for it.
    fn tell(&self, error: &AppError) {
        let mut unreported = lock(&self.inner.unreported);
        if let Some(kept) = unreported.as_mut().filter(|kept| kept.len() < MOST_UNREPORTED) {
            kept.push(error.clone());
        }
        drop(unreported);
        self.inner.environment.events.problem(error);
    }

    /// Returns the services, or an error while they are still starting.
    fn services(&self) -> Result<Arc<Services>, AppError> {
        lock(&self.inner.services).clone().ok_or_else(AppError::not_ready)
    }

    /// Returns the services if a user is signed in.
    fn services_of_signed_in(&self) -> Result<Arc<Services>, AppError> {
        match *lock(&self.inner.session) {
            SessionState::SignedIn { .. } => self.services(),
            SessionState::Unknown
            | SessionState::SignedOut
            | SessionState::Invited { .. }
            | SessionState::NeedsCode { .. }
            | SessionState::NeedsPassword { .. } => Err(AppError::signed_out()),
        }
    }

    /// Returns a report that is safe to share with support; see [`diagnostics`].
    fn diagnostics(&self) -> String {
        let settings = lock(&self.inner.settings).clone();
        let jobs = self.inner.journal.outcomes();
        let (clips, binned) = self.inner.library.storage();
        let studio = match *lock(&self.inner.studio) {
            StudioState::Starting { .. } => "starting",
            StudioState::Ready => "ready",
            StudioState::Failed { .. } => "failed",
        };
        format!(
            "Limber {}\nsystem: {} {}\nruns on: {:?}\nstudio: {studio}\n\
             clips: {} ({} bytes), in the trash {} ({} bytes)\n\
             jobs: {jobs}\nfree disk space: {} bytes\n{}",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
            settings.place,
            clips.0,
            clips.1,
            binned.0,
            binned.1,
            self.inner.folders.free_bytes(),
            diagnostics::logs(&self.inner.folders.logs()),
        )
    }

    fn set_studio(&self, state: StudioState) {
        self.inner.environment.events.studio(&state);
        *lock(&self.inner.studio) = state;
        self.inner.changed.notify_waiters();
    }

    fn set_session(&self, state: SessionState) {
        self.change_session(|| Some(state));
    }

    /// Computes the session state and announces it under one lock, so that concurrent changes are
    /// announced in order.
    fn change_session(&self, look: impl FnOnce() -> Option<SessionState>) {
        let mut session = lock(&self.inner.session);
        let Some(state) = look() else { return };
        self.inner.environment.events.session(&state);
        *session = state;
        drop(session);
        self.inner.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[tokio::test]
    async fn early_failures_are_reported_to_the_first_listener() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        app.tell(&AppError::keychain_locked());
        assert_eq!(app.snapshot().await.problems, [AppError::keychain_locked()]);
        app.tell(&AppError::session_ended());
        assert_eq!(app.snapshot().await.problems, [], "listeners have received it");
    }

    #[tokio::test]
    async fn the_number_of_unreported_problems_is_limited() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        (0..100).for_each(|_| app.tell(&AppError::session_ended()));
        assert_eq!(app.snapshot().await.problems.len(), MOST_UNREPORTED);
    }
}
