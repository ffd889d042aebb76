//! Resumable uploads of characters.
//!
//! An [`Uploader`] sends a file in parts and keeps its state in a file ("notes"). After a crash of
//! the program, the service or the network, it resumes from the offset that the service reports.
//! Progress is what the service has stored, not what was sent.
//!
//! ```text
//! notes? ─▶ ask ─┐
//!    │           ├─▶ piece ─▶ piece … ─▶ store ─▶ notes removed
//!    └─ begin ───┘     ▲  │ trouble: wait, ask
//!                      └──┘
//! ```
//! The protocol is that of Google Cloud Storage for resumable uploads with signed URLs; see
//! "Uploading a file" in `docs/src/motion-http.md`.

mod file;
mod notes;
mod pace;
mod sending;
mod session;
#[cfg(test)]
mod tests;

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use futures_util::{FutureExt, future::BoxFuture};
use limber_api::motion::{StoreModelRequest, StoredModel, UploadUrls};
use reqwest::{Method, RequestBuilder};
use tokio::sync::watch;

use super::{MotionClient, MotionError, links::Links};
use notes::{Notes, Part};
pub use pace::{UploadPace, UploadProgress};
use sending::{SendError, Sending};

/// How often an upload starts over because the service forgot it or the file changed.
const FRESH_STARTS: u32 = 3;
/// Time limit for storing; the service needs a while to parse a large character.
const STORE_TIMEOUT: Duration = Duration::from_secs(90);

/// A character to upload and store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterUpload {
    /// An `fbx`, `glb`, `gltf` or `vrm` file.
    pub model: PathBuf,
    /// A `png`, `jpg` or `webp` image.
    pub thumbnail: Option<PathBuf>,
    /// Display name; default is the name of the file.
    pub name: Option<String>,
    /// Whether the service renders a portrait.
    pub create_thumbnail: bool,
}

impl CharacterUpload {
    /// Uploads this file under its own name, without a thumbnail.
    pub fn of(model: impl Into<PathBuf>) -> Self {
        Self { model: model.into(), thumbnail: None, name: None, create_thumbnail: false }
    }
}

/// Why a character was not stored.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// The upload was paused, or made no progress for too long. Calling again resumes it.
    #[error("the upload is paused; resume it at any time")]
    Paused,
    /// The upload was cancelled.
    #[error("the upload was cancelled")]
    Cancelled,
    /// The service rejected a request or cannot be reached.
    #[error(transparent)]
    Motion(Box<MotionError>),
    /// The local file cannot be read.
    #[error("the file cannot be read: {0}")]
    File(#[source] std::io::Error),
    /// The upload had to start over too often, because the file kept changing or the service kept
    /// forgetting it.
    #[error(
        "the upload had to restart too often; check that no program is still writing the file, then try again"
    )]
    Restless,
    /// The notes cannot be written.
    #[error("the progress of the upload cannot be saved, so it could not be resumed: {0}")]
    Notes(#[source] std::io::Error),
}

impl From<MotionError> for UploadError {
    fn from(error: MotionError) -> Self {
        Self::Motion(Box::new(error))
    }
}

/// Clock and randomness of an upload.
pub trait UploadEnvironment: Send + Sync + fmt::Debug {
    /// Returns milliseconds since the Unix epoch.
    fn now_ms(&self) -> i64;
    /// Returns a random number from 0 to 1, which spreads the retries of many clients.
    fn random(&self) -> f64;
}

/// The state requested through [`UploadControl`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UploadCommand {
    Run,
    Pause,
    Cancel,
}

/// Pauses or cancels an upload from elsewhere. Clones control the same upload.
#[derive(Debug, Clone)]
pub struct UploadControl(Arc<watch::Sender<UploadCommand>>);

impl Default for UploadControl {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(UploadCommand::Run)))
    }
}

impl UploadControl {
    /// Pauses after the current part.
    pub fn pause(&self) {
        self.0.send_replace(UploadCommand::Pause);
    }

    /// Cancels, and tells the service to discard what it has.
    pub fn cancel(&self) {
        self.0.send_replace(UploadCommand::Cancel);
    }

    /// Allows a paused upload to be run again with this control.
    pub fn resume(&self) {
        self.0.send_replace(UploadCommand::Run);
    }

    /// Resolves when the upload is cancelled.
    async fn cancelled(&self) {
        let mut commands = self.0.subscribe();
        if commands.wait_for(|command| *command == UploadCommand::Cancel).await.is_err() {
            // no control is left that could cancel
            std::future::pending::<()>().await;
        }
    }

    fn check(&self) -> Result<(), UploadError> {
        match *self.0.borrow() {
            UploadCommand::Run => Ok(()),
            UploadCommand::Pause => Err(UploadError::Paused),
            UploadCommand::Cancel => Err(UploadError::Cancelled),
        }
    }

    /// Sleeps, unless the upload is paused or cancelled.
    async fn sleep(&self, time: Duration) -> Result<(), UploadError> {
        let mut commands = self.0.subscribe();
        let told =
            async { drop(commands.wait_for(|command| *command != UploadCommand::Run).await) };
        let _ = tokio::time::timeout(time, told).await;
        self.check()
    }
}

/// Receives the progress of an upload.
pub type OnProgress<'a> = &'a mut (dyn FnMut(UploadProgress) + Send + Sync);

/// Uploads characters with a client.
#[derive(Debug, Clone)]
pub struct Uploader<'a> {
    /// Client of the account.
    pub client: &'a MotionClient,
    /// Path of the notes, which must be unique to this upload; the folder must exist. Until the
    /// upload is done, the file contains secret URLs.
    pub notes: PathBuf,
    /// Clock and randomness.
    pub environment: Arc<dyn UploadEnvironment>,
    /// Part sizes, delays and time limits.
    pub pace: UploadPace,
    /// Pauses or cancels the upload.
    pub control: UploadControl,
}

impl Uploader<'_> {
    /// Uploads the character and stores it. Resumes if there are notes of the same upload.
    ///
    /// # Errors
    /// See [`UploadError`].
    pub async fn run(
        &self,
        upload: &CharacterUpload,
        progress: OnProgress<'_>,
    ) -> Result<StoredModel, UploadError> {
        let done = self.try_until_stored(upload, progress).await;
        match &done {
            Ok(_) => Notes::remove(&self.notes).await,
            Err(UploadError::Cancelled) => {
                self.forget_sessions().await;
                Notes::remove(&self.notes).await;
            }
            Err(_) => {}
        }
        done
    }

    async fn try_until_stored(
        &self,
        upload: &CharacterUpload,
        progress: OnProgress<'_>,
    ) -> Result<StoredModel, UploadError> {
        for _ in 0..=FRESH_STARTS {
            let mut notes = self.notes_of(upload, progress).await?;
            match self.send_all(&mut notes, progress).await {
                Ok(()) => {}
                Err(SendError::StartOver) => {
                    self.forget_sessions().await;
                    Notes::remove(&self.notes).await;
                    continue;
                }
                Err(SendError::Stop(error)) => return Err(error),
            }
            match self.store(&notes, upload, progress).await {
                Err(UploadError::Motion(error)) if error.status() == Some(409) => {
                    // the service knows better how much has arrived
                    notes.ask_again();
                    notes.save(&self.notes).await.map_err(UploadError::Notes)?;
                }
                done => return done,
            }
        }
        Err(UploadError::Restless)
    }

    /// Returns the stored notes if they match the files as they are now, else new ones.
    async fn notes_of(
        &self,
        upload: &CharacterUpload,
        progress: OnProgress<'_>,
    ) -> Result<Notes, UploadError> {
        let mut parts = vec![Part::of(&upload.model).await.map_err(UploadError::File)?];
        if let Some(picture) = &upload.thumbnail {
            parts.push(Part::of(picture).await.map_err(UploadError::File)?);
        }
        let now_ms = self.environment.now_ms();
        let service = &self.client.base_url;
        if let Some(mut notes) = Notes::load(&self.notes).await {
            notes.follow(service);
            let is_usable = notes.are_about(&parts) && notes.are_fresh(now_ms);
            // a stored URL may lead where connections are no longer allowed
            if is_usable && notes.may_be_followed(&self.client.links) {
                return Ok(notes);
            }
            self.forget_sessions().await;
        }
        let nothing = UploadProgress::standing(0, total_of(&parts));
        let urls = self.addresses(upload, nothing, progress).await?;
        let urls = [urls.model_url, urls.thumb_url];
        let notes = Notes::new(parts, urls, service.clone(), now_ms);
        notes.save(&self.notes).await.map_err(UploadError::Notes)?;
        Ok(notes)
    }

    async fn addresses(
        &self,
        upload: &CharacterUpload,
        at: UploadProgress,
        progress: OnProgress<'_>,
    ) -> Result<UploadUrls, UploadError> {
        let extension = |path: &Path| {
            path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let stem = upload.model.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let mut query = vec![
            ("name", stem.unwrap_or_default()),
            ("modelExt", extension(&upload.model)),
            ("resumable", "1".to_owned()),
        ];
        if let Some(picture) = &upload.thumbnail {
            query.push(("thumbExt", extension(picture)));
        }
        let ask = || self.client.get("character/v1/getModelUploadUrl", &query).boxed();
        self.patiently(&ask, at, progress).await
    }

    async fn send_all(&self, notes: &mut Notes, progress: OnProgress<'_>) -> Result<(), SendError> {
        for place in 0..notes.parts.len() {
            if notes.parts[place].done {
                continue;
            }
            let earlier: u64 = notes.parts[..place].iter().map(|part| part.size).sum();
            let total = total_of(&notes.parts);
            let mut sending = Sending::new(self, place, earlier, total, &mut *progress);
            sending.send(notes).await?;
            notes.parts[place].done = true;
            self.save(notes).await?;
        }
        Ok(())
    }

    async fn save(&self, notes: &Notes) -> Result<(), SendError> {
        notes.save(&self.notes).await.map_err(|error| SendError::Stop(UploadError::Notes(error)))
    }

    async fn store(
        &self,
        notes: &Notes,
        upload: &CharacterUpload,
        progress: OnProgress<'_>,
    ) -> Result<StoredModel, UploadError> {
        let request = StoreModelRequest {
            model_url: Some(notes.parts[0].url.clone()),
            thumb_url: notes.parts.get(1).map(|picture| picture.url.clone()),
            model_name: upload.name.clone(),
            create_thumb: u8::from(upload.create_thumbnail),
            ..StoreModelRequest::default()
        };
        let with_body = |builder: RequestBuilder| builder.json(&request).timeout(STORE_TIMEOUT);
        let ask = || self.client.call(Method::POST, "character/v1/storeModel", &with_body).boxed();
        let total = total_of(&notes.parts);
        self.patiently(&ask, UploadProgress::standing(total, total), progress).await
    }

    /// Repeats a request after temporary failures, reporting them; `at` is the progress meanwhile.
    /// The request is boxed because the compiler cannot prove that the future of an async closure
    /// is `Send`, which it must be to run in a task.
    async fn patiently<'a, T>(
        &'a self,
        ask: &'a (dyn Fn() -> BoxFuture<'a, Result<T, MotionError>> + Sync),
        at: UploadProgress,
        progress: OnProgress<'_>,
    ) -> Result<T, UploadError> {
        let mut patience = pace::Patience::new(self.pace, self.environment.now_ms());
        let mut is_interrupted = false;
        loop {
            self.control.check()?;
            match ask().await {
                Err(error) if error.is_transient() => {
                    tracing::debug!(%error, "the request failed; retrying after a pause");
                    let wait = patience.next_wait(None, self.environment.as_ref());
                    let wait = wait.ok_or(UploadError::Paused)?;
                    is_interrupted = true;
                    progress(UploadProgress { is_interrupted, ..at });
                    self.control.sleep(wait).await?;
                }
                other => {
                    if is_interrupted {
                        progress(at);
                    }
                    return Ok(other?);
                }
            }
        }
    }

    /// Tells the service to discard the sessions. Failures are ignored, because sessions expire
    /// after a week.
    async fn forget_sessions(&self) {
        let Some(notes) = Notes::load(&self.notes).await else { return };
        for session in notes.parts.iter().filter_map(|part| part.session.as_ref()) {
            let _ = session::cancel(&self.client.links, session, &self.pace).await;
        }
    }
}

fn total_of(parts: &[Part]) -> u64 {
    parts.iter().map(|part| part.size).sum()
}
