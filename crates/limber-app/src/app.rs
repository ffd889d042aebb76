//! The app: one value that everything a person does goes through.

mod account;
mod characters;
mod clips;
mod corrections;
mod edits;
mod export;
mod factors;
mod films;
mod handing_in;
mod invitations;
mod jobs;
mod language_model;
mod late_pictures;
mod mail;
mod phone_factors;
mod places;
mod preferences;
mod prices;
mod prompting;
mod purging;
mod reading;
mod sign_in;
mod start;
mod upkeep;
mod uploads;
mod viewing;
mod ways_in;

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
};

use limber_api::identity::{FactorChallenge, FactorId};
use limber_client::{
    identity::IdentityClient,
    motion::{JobId, MotionClient},
};
use limber_pipeline::Cancel;
use tokio::{sync::Notify, task::AbortHandle};
use tokio_util::sync::CancellationToken;

use crate::{
    AppError, Folders, Surroundings, diagnostics,
    drawing::DrawingThread,
    journal::Journal,
    library::Library,
    secrets::Secrets,
    session::Held,
    settings::Settings,
    shown::{
        CharacterShown, Desk, JobState, SessionState, Snapshot, StudioState, ViewerLayer,
        ViewerShown,
    },
    uploads::{UploadId, Uploads},
};

/// More problems at a start are of no use to anybody.
const MOST_UNTOLD: usize = 20;

/// What a person works with. Cheap to clone; all clones are the same app.
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
    around: Surroundings,
    secrets: Secrets,
    journal: Journal,
    library: Library,
    /// Draws what is shown of clips and films.
    drawing: DrawingThread,
    settings: Mutex<Settings>,
    /// What stands in the prompt box, as it was kept last.
    desk: Mutex<Desk>,
    studio: Mutex<StudioState>,
    session: Mutex<SessionState>,
    held: Mutex<Option<Held>>,
    /// What a link brought, and waits for a yes.
    invitation: Mutex<Option<invitations::Invitation>>,
    /// One link that brings a session at a time.
    inviting: tokio::sync::Mutex<()>,
    /// What the codes answer that were texted to second factors last.
    texted: Mutex<HashMap<FactorId, FactorChallenge>>,
    services: Mutex<Option<Arc<Services>>>,
    /// Problems that nobody has asked for yet; none once somebody has.
    untold: Mutex<Option<Vec<AppError>>>,
    characters: Mutex<Vec<CharacterShown>>,
    /// What open jobs were last heard to do.
    live: Mutex<HashMap<JobId, JobState>>,
    /// What was handed in and may have been taken in.
    unanswered: Mutex<handing_in::Unanswered>,
    uploads: Uploads,
    /// What uploads do that are under way.
    uploading: Mutex<HashMap<UploadId, uploads::Running>>,
    /// One file at a time.
    sending: tokio::sync::Mutex<()>,
    /// What the viewer shows, while it is open.
    viewer: Mutex<Option<ViewerShown>>,
    /// What the viewer showed of clips last, for the next window.
    looks: Mutex<Option<Vec<ViewerLayer>>>,
    /// The viewer opens in the light studio.
    viewer_light: AtomicBool,
    /// Stops the export that was begun last.
    exporting: Mutex<Cancel>,
    /// Stops the question that a language model was asked last.
    asking_model: Mutex<CancellationToken>,
    /// Folders that files were put into; the page knows them by their numbers.
    places: Mutex<Vec<PathBuf>>,
    /// One connecting at a time.
    connecting: tokio::sync::Mutex<()>,
    /// One exchange of tokens at a time.
    renewing: tokio::sync::Mutex<()>,
    /// One change of what is expected back by links at a time.
    departing: tokio::sync::Mutex<()>,
    /// Wakes who waits for the studio or the session.
    changed: Notify,
    /// Wakes the follower of jobs.
    news: Notify,
    /// Clips were thrown away.
    emptied: Notify,
    /// A clip has come without its picture.
    pictureless: Notify,
    tasks: Mutex<Tasks>,
}

/// How the studio on this computer is told from others, in [`Services::studio`].
const HERE: &str = "this computer";

/// What runs in the background, so that it can be ended.
#[derive(Default)]
struct Tasks {
    follow: Option<AbortHandle>,
    purge: Option<AbortHandle>,
    pictures: Option<AbortHandle>,
    renew: Option<AbortHandle>,
}

/// Both services of the studio that is in use.
struct Services {
    /// Tells studios apart in the journal and the keychain.
    studio: String,
    identity: IdentityClient,
    motion: MotionClient,
}

impl App {
    /// Reads what lies in the data folder; starts nothing yet. A folder that cannot be used is
    /// told by [`App::start`], where the person sees it.
    #[must_use]
    pub fn open(folders: Folders, around: Surroundings) -> Self {
        let inner = Inner {
            secrets: Secrets::new(Arc::clone(&around.secrets)),
            journal: Journal::open(&folders),
            library: Library::open(&folders),
            drawing: DrawingThread::default(),
            settings: Mutex::new(Settings::load(&folders)),
            desk: Mutex::new(prompting::left_on_the_desk(&folders)),
            studio: Mutex::new(StudioState::Starting { steps: vec![] }),
            session: Mutex::new(SessionState::Unknown),
            held: Mutex::default(),
            invitation: Mutex::default(),
            inviting: tokio::sync::Mutex::default(),
            texted: Mutex::default(),
            services: Mutex::default(),
            untold: Mutex::new(Some(Vec::new())),
            characters: Mutex::default(),
            live: Mutex::default(),
            unanswered: Mutex::default(),
            uploads: Uploads::open(&folders),
            uploading: Mutex::default(),
            sending: tokio::sync::Mutex::default(),
            viewer: Mutex::default(),
            looks: Mutex::default(),
            viewer_light: AtomicBool::new(false),
            exporting: Mutex::default(),
            asking_model: Mutex::default(),
            places: Mutex::default(),
            connecting: tokio::sync::Mutex::default(),
            renewing: tokio::sync::Mutex::default(),
            departing: tokio::sync::Mutex::default(),
            changed: Notify::new(),
            news: Notify::new(),
            emptied: Notify::new(),
            pictureless: Notify::new(),
            tasks: Mutex::default(),
            folders,
            around,
        };
        Self { inner: Arc::new(inner) }
    }

    /// Everything needed for the first picture.
    pub async fn snapshot(&self) -> Snapshot {
        let settings = self.settings().await;
        Snapshot {
            studio: lock(&self.inner.studio).clone(),
            session: lock(&self.inner.session).clone(),
            settings,
            desk: lock(&self.inner.desk).clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            problems: lock(&self.inner.untold).take().unwrap_or_default(),
        }
    }

    /// Tells a problem. Until the interface has asked for its first picture nobody may be listening, so
    /// until then problems are kept for it, too.
    fn tell(&self, error: &AppError) {
        let mut untold = lock(&self.inner.untold);
        if let Some(kept) = untold.as_mut().filter(|kept| kept.len() < MOST_UNTOLD) {
            kept.push(error.clone());
        }
        drop(untold);
        self.inner.around.events.problem(error);
    }

    /// The services, or that they are still starting.
    fn services(&self) -> Result<Arc<Services>, AppError> {
        lock(&self.inner.services).clone().ok_or_else(AppError::not_ready)
    }

    /// The services, for somebody who is signed in.
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

    /// Everything that may be told to whoever helps; see [`diagnostics`].
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
            "Limber {}\nsystem: {} {}\nworks: {:?}\nstudio: {studio}\nclips: {} ({} bytes), in the bin {} ({} bytes)\n\
             jobs: {jobs}\nfree on the disk: {} bytes\n{}",
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
        self.inner.around.events.studio(&state);
        *lock(&self.inner.studio) = state;
        self.inner.changed.notify_waiters();
    }

    fn set_session(&self, state: SessionState) {
        self.change_session(|| Some(state));
    }

    /// Looks how the session stands and says so in one go, so that nobody says afterwards what was
    /// before.
    fn change_session(&self, look: impl FnOnce() -> Option<SessionState>) {
        let mut session = lock(&self.inner.session);
        let Some(state) = look() else { return };
        self.inner.around.events.session(&state);
        *session = state;
        drop(session);
        self.inner.changed.notify_waiters();
    }
}

/// Nothing panics while holding these locks, and if it did the value would still be whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[tokio::test]
    async fn what_goes_wrong_before_anybody_looks_is_told_to_whoever_looks_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        app.tell(&AppError::keychain_locked());
        assert_eq!(app.snapshot().await.problems, [AppError::keychain_locked()]);
        app.tell(&AppError::session_ended());
        assert_eq!(app.snapshot().await.problems, [], "who listens has heard it");
    }

    #[tokio::test]
    async fn no_more_is_kept_than_somebody_reads() {
        let folder = tempfile::tempdir().expect("a folder");
        let app = testing::app(folder.path());
        (0..100).for_each(|_| app.tell(&AppError::session_ended()));
        assert_eq!(app.snapshot().await.problems.len(), MOST_UNTOLD);
    }
}
