//! Characters to the service, through every interruption.
//!
//! An [`Uploader`] sends a file in pieces and keeps notes on the disk, so that after a crash of the
//! program, of the service or of the network it goes on where the service says it is. Progress is
//! what the service has on its disk, never what was sent.
//!
//! ```text
//! notes? ─▶ ask ─┐
//!    │           ├─▶ piece ─▶ piece … ─▶ store ─▶ notes removed
//!    └─ begin ───┘     ▲  │ trouble: wait, ask
//!                      └──┘
//! ```
//! Source: motion-behaviour §10.2.

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
use sending::{Sending, Trouble};

/// How often everything is begun anew: the service forgot the upload, or the file changed.
const FRESH_STARTS: u32 = 3;
/// Reading a large character takes the service a while.
const STORE_TIMEOUT: Duration = Duration::from_secs(90);

/// A character that is to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CharacterUpload {
    /// An `fbx`, `glb`, `gltf` or `vrm` file.
    pub model: PathBuf,
    /// A `png`, `jpg` or `webp` picture.
    pub thumbnail: Option<PathBuf>,
    /// Shown to people; the file's name when it is left out.
    pub name: Option<String>,
    /// Whether the service is to draw a picture.
    pub create_thumbnail: bool,
}

impl CharacterUpload {
    /// This file, under its own name.
    pub fn of(model: impl Into<PathBuf>) -> Self {
        Self { model: model.into(), thumbnail: None, name: None, create_thumbnail: false }
    }
}

/// Why a character was not stored.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// Somebody paused it, or nothing moved for too long. What was sent is not lost: the same call
    /// goes on.
    #[error("the upload is paused; resume it whenever you like")]
    Paused,
    /// Somebody cancelled it.
    #[error("the upload was cancelled")]
    Cancelled,
    /// The service said no, or cannot be reached.
    #[error(transparent)]
    Motion(Box<MotionError>),
    /// The file on this computer.
    #[error("the file cannot be read: {0}")]
    File(#[source] std::io::Error),
    /// The file was written to again and again while it was sent, or the service forgot it again
    /// and again.
    #[error(
        "the upload had to restart too often; check that no program is still writing the file, then try again"
    )]
    Restless,
    /// The notes about the upload.
    #[error("the upload's notes cannot be written: {0}")]
    Notes(#[source] std::io::Error),
}

impl From<MotionError> for UploadError {
    fn from(error: MotionError) -> Self {
        Self::Motion(Box::new(error))
    }
}

/// Time and chance, passed in.
pub trait UploadSurroundings: Send + Sync + fmt::Debug {
    /// Milliseconds since the epoch.
    fn now_ms(&self) -> i64;
    /// Anything from 0 to 1, to keep many clients from trying again at the same moment.
    fn chance(&self) -> f64;
}

/// What somebody wants of a running upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    GoOn,
    Pause,
    Cancel,
}

/// Stops an upload from elsewhere. Clones speak to the same upload.
#[derive(Debug, Clone)]
pub struct UploadControl(Arc<watch::Sender<Wish>>);

impl Default for UploadControl {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Wish::GoOn)))
    }
}

impl UploadControl {
    /// Stops after the piece that is on its way.
    pub fn pause(&self) {
        self.0.send_replace(Wish::Pause);
    }

    /// Stops, and tells the service to forget what it has.
    pub fn cancel(&self) {
        self.0.send_replace(Wish::Cancel);
    }

    /// Lets a paused upload be run again with this control.
    pub fn resume(&self) {
        self.0.send_replace(Wish::GoOn);
    }

    /// Ready when somebody cancels.
    async fn cancelled(&self) {
        let mut wishes = self.0.subscribe();
        if wishes.wait_for(|wish| *wish == Wish::Cancel).await.is_err() {
            // nobody is left who could
            std::future::pending::<()>().await;
        }
    }

    fn check(&self) -> Result<(), UploadError> {
        match *self.0.borrow() {
            Wish::GoOn => Ok(()),
            Wish::Pause => Err(UploadError::Paused),
            Wish::Cancel => Err(UploadError::Cancelled),
        }
    }

    /// Waits, unless somebody wants something.
    async fn sleep(&self, time: Duration) -> Result<(), UploadError> {
        let mut wishes = self.0.subscribe();
        let told = async { drop(wishes.wait_for(|wish| *wish != Wish::GoOn).await) };
        let _ = tokio::time::timeout(time, told).await;
        self.check()
    }
}

/// Told how far an upload is.
pub type OnProgress<'a> = &'a mut (dyn FnMut(UploadProgress) + Send + Sync);

/// Sends characters through one client.
#[derive(Debug, Clone)]
pub struct Uploader<'a> {
    /// The account.
    pub client: &'a MotionClient,
    /// A file of this upload's own, in a folder that exists. It holds addresses that are secrets
    /// until the upload is over.
    pub notes: PathBuf,
    /// Time and chance.
    pub surroundings: Arc<dyn UploadSurroundings>,
    /// How large, how fast, how patient.
    pub pace: UploadPace,
    /// Through which it can be stopped.
    pub control: UploadControl,
}

impl Uploader<'_> {
    /// Sends the character and stores it. Where notes of the same upload are found, it goes on from
    /// there.
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
                Err(Trouble::Over) => {
                    self.forget_sessions().await;
                    Notes::remove(&self.notes).await;
                    continue;
                }
                Err(Trouble::Stop(error)) => return Err(error),
            }
            match self.store(&notes, upload, progress).await {
                Err(UploadError::Motion(error)) if error.status() == Some(409) => {
                    // the service knows better how far it is
                    notes.ask_again();
                    notes.save(&self.notes).await.map_err(UploadError::Notes)?;
                }
                done => return done,
            }
        }
        Err(UploadError::Restless)
    }

    /// Those on the disk, when they are about these files as they are now; else new ones.
    async fn notes_of(
        &self,
        upload: &CharacterUpload,
        progress: OnProgress<'_>,
    ) -> Result<Notes, UploadError> {
        let mut parts = vec![Part::of(&upload.model).await.map_err(UploadError::File)?];
        if let Some(picture) = &upload.thumbnail {
            parts.push(Part::of(picture).await.map_err(UploadError::File)?);
        }
        let now_ms = self.surroundings.now_ms();
        let service = &self.client.base_url;
        if let Some(mut notes) = Notes::load(&self.notes).await {
            notes.follow(service);
            let is_usable = notes.are_about(&parts) && notes.are_fresh(now_ms);
            // what the service gave out before may lead to where nobody is to go any more
            if is_usable && notes.lead_well(&self.client.links) {
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

    async fn send_all(&self, notes: &mut Notes, progress: OnProgress<'_>) -> Result<(), Trouble> {
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

    async fn save(&self, notes: &Notes) -> Result<(), Trouble> {
        notes.save(&self.notes).await.map_err(|error| Trouble::Stop(UploadError::Notes(error)))
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

    /// Asks again while the trouble is a passing one, and tells of it; `at` is how far the upload is
    /// meanwhile. What is asked is boxed, because the compiler does not see of an async closure that
    /// uploads may go on in a task of their own.
    async fn patiently<'a, T>(
        &'a self,
        ask: &'a (dyn Fn() -> BoxFuture<'a, Result<T, MotionError>> + Sync),
        at: UploadProgress,
        progress: OnProgress<'_>,
    ) -> Result<T, UploadError> {
        let mut patience = pace::Patience::new(self.pace, self.surroundings.now_ms());
        let mut is_interrupted = false;
        loop {
            self.control.check()?;
            match ask().await {
                Err(error) if error.is_transient() => {
                    tracing::debug!(%error, "asked again after a wait");
                    let wait = patience.next_wait(None, self.surroundings.as_ref());
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

    /// Tells the service that nobody will come back. That it does not hear is no harm: it forgets
    /// by itself after a week.
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
