//! Character uploads: choosing files, sending them, and resuming after a pause.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use limber_client::motion::{
    CharacterUpload, UploadControl, UploadEnvironment, UploadError, UploadPace, UploadProgress,
    Uploader,
};
use limber_domain::{
    environment::Clock,
    limits::{CHARACTER_EXTENSIONS, MAX_CHARACTER_BYTES},
    lock,
};
use limber_pipeline::beside;

use super::{App, Services};
use crate::{
    AppError, Doing, ErrorCode, Notice,
    error::told_by_motion,
    uploads::{Upload, UploadId, UploadOutcome},
    views::{UploadState, UploadView},
};

#[cfg(test)]
mod tests;

/// Maximum number of files added at once.
const MOST_AT_ONCE: usize = 100;

/// Returns the extensions of characters for a file dialog: in both cases, because some dialogs
/// distinguish them.
#[must_use]
pub fn character_endings() -> Vec<String> {
    let upper = CHARACTER_EXTENSIONS.map(str::to_uppercase);
    CHARACTER_EXTENSIONS.map(str::to_owned).into_iter().chain(upper).collect()
}

/// An upload in progress.
pub(super) struct Running {
    control: UploadControl,
    state: UploadState,
    /// Paused by the user, so that stopping is not reported as an error.
    is_paused: bool,
    /// Cancelled, and removed from the list that the user sees.
    is_dismissed: bool,
}

impl App {
    /// Asks for files and starts uploading them.
    ///
    /// # Errors
    /// If nobody is signed in or the list of uploads cannot be saved.
    pub async fn pick_characters(&self) -> Result<Vec<UploadView>, AppError> {
        self.services_of_signed_in()?;
        let files = self.inner.environment.desktop.ask_for_characters().await;
        self.upload_characters(files).await
    }

    /// Uploads files dropped on the window; problems are reported as events.
    pub fn drop_characters(&self, files: Vec<PathBuf>) {
        let app = self.clone();
        tokio::spawn(async move {
            if let Err(error) = app.upload_characters(files).await {
                app.tell(&error);
            }
        });
    }

    /// Starts uploading files, including those inside folders. A file whose name is not that of a
    /// character is listed too, with an error.
    async fn upload_characters(&self, files: Vec<PathBuf>) -> Result<Vec<UploadView>, AppError> {
        let services = self.services_of_signed_in()?;
        let studio = services.studio.clone();
        let uploads = self
            .on_disk(move |app| {
                let listed = files.iter().flat_map(|file| characters_at(file)).take(MOST_AT_ONCE);
                listed.map(|file| app.list_upload(&studio, file)).collect::<Result<Vec<_>, _>>()
            })
            .await?;
        let shown = uploads.iter().map(|upload| self.upload_view(upload)).collect();
        for upload in uploads {
            if upload.outcome == UploadOutcome::Open {
                self.send(&services, upload);
            } else {
                self.inner.environment.events.upload(&self.upload_view(&upload));
            }
        }
        Ok(shown)
    }

    fn list_upload(&self, studio: &str, file: PathBuf) -> Result<Upload, AppError> {
        let bytes = std::fs::metadata(&file).map_or(0, |known| known.len());
        let outcome = match fault_of(&file) {
            Some(notice) => UploadOutcome::failed(notice.into()),
            None => UploadOutcome::Open,
        };
        self.inner.uploads.add(studio, file, bytes, outcome)
    }

    /// Returns all uploads to the connected studio, oldest first.
    ///
    /// # Errors
    /// If the studio is not ready.
    pub fn uploads(&self) -> Result<Vec<UploadView>, AppError> {
        let services = self.services()?;
        let uploads = self.inner.uploads.of(&services.studio);
        Ok(uploads.iter().map(|upload| self.upload_view(upload)).collect())
    }

    /// Pauses an upload after the current chunk. The studio keeps what was sent for a week.
    ///
    /// # Errors
    /// If there is no such upload.
    pub fn pause_upload(&self, id: &str) -> Result<(), AppError> {
        let upload = self.inner.uploads.find(UploadId::parse(id)?)?;
        if let Some(running) = lock(&self.inner.uploading).get_mut(&upload.id) {
            running.is_paused = true;
            running.control.pause();
        }
        Ok(())
    }

    /// Resumes an upload where the studio left off, also after a failure.
    ///
    /// # Errors
    /// If there is no such upload, or nobody is signed in.
    pub fn resume_upload(&self, id: &str) -> Result<(), AppError> {
        let services = self.services_of_signed_in()?;
        let mut upload = self.inner.uploads.find(UploadId::parse(id)?)?;
        if let Some(running) = lock(&self.inner.uploading).get_mut(&upload.id) {
            running.is_paused = false;
            running.control.resume();
            return Ok(());
        }
        if matches!(upload.outcome, UploadOutcome::Done { .. }) {
            return Ok(());
        }
        upload.outcome = UploadOutcome::Open;
        self.inner.uploads.end(upload.id, UploadOutcome::Open)?;
        self.send(&services, upload);
        Ok(())
    }

    /// Cancels a running upload, or removes an ended one from the list.
    ///
    /// # Errors
    /// If there is no such upload, or the list cannot be saved.
    pub fn dismiss_upload(&self, id: &str) -> Result<(), AppError> {
        let upload = self.inner.uploads.find(UploadId::parse(id)?)?;
        match lock(&self.inner.uploading).get_mut(&upload.id) {
            Some(running) => {
                running.is_dismissed = true;
                running.control.cancel();
            }
            None => self.inner.uploads.remove(upload.id)?,
        }
        Ok(())
    }

    fn upload_view(&self, upload: &Upload) -> UploadView {
        let live = lock(&self.inner.uploading).get(&upload.id).map(|run| run.state.clone());
        upload.view(live)
    }

    /// Queues an upload; files are sent in the background, one after another.
    fn send(&self, services: &Arc<Services>, upload: Upload) {
        let control = UploadControl::default();
        let state = UploadState::Waiting;
        let running =
            Running { control: control.clone(), state, is_paused: false, is_dismissed: false };
        lock(&self.inner.uploading).insert(upload.id, running);
        self.inner.environment.events.upload(&self.upload_view(&upload));
        let (app, services) = (self.clone(), Arc::clone(services));
        tokio::spawn(async move {
            let one_at_a_time = app.inner.sending.lock().await;
            let begun = UploadState::Sending { sent: upload.sent, bytes_per_second: 0.0 };
            app.show_upload(upload.id, begun);
            let sent = app.send_now(&services, &upload, control).await;
            drop(one_at_a_time);
            if let Err(error) = app.sent(upload.id, sent) {
                app.tell(&error);
            }
        });
    }

    async fn send_now(
        &self,
        services: &Services,
        upload: &Upload,
        control: UploadControl,
    ) -> Result<UploadOutcome, UploadError> {
        let clock = Arc::clone(&self.inner.environment.clock);
        let uploader = Uploader {
            client: &services.motion,
            notes: self.inner.uploads.notes(upload.id),
            environment: Arc::new(UploadTiming { clock, upload: upload.id }),
            pace: UploadPace::default(),
            control,
        };
        let name = upload.file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let whole = self.with_pictures(upload).await;
        // it may have grown since it was chosen, or be too large only with its textures
        if tokio::fs::metadata(&whole).await.is_ok_and(|known| known.len() > MAX_CHARACTER_BYTES) {
            return Ok(UploadOutcome::failed(too_large().into()));
        }
        let file = CharacterUpload { name, create_thumbnail: true, ..CharacterUpload::of(whole) };
        let mut progress = |at: UploadProgress| {
            self.inner.uploads.arrived(upload.id, at.stored);
            self.show_upload(upload.id, state_at(at));
        };
        let stored = uploader.run(&file, &mut progress).await?;
        Ok(UploadOutcome::Done { character: stored.model_id })
    }

    /// Returns the file to send: the chosen one, or a packed copy with the textures beside it,
    /// because the studio receives a single file.
    async fn with_pictures(&self, upload: &Upload) -> PathBuf {
        let sent = upload.clone();
        let packed = self.on_disk(move |app| pack(app, &sent)).await;
        let packed = packed.unwrap_or_else(|error| {
            tracing::warn!(%error, "the textures next to a character file are not uploaded");
            None
        });
        packed.unwrap_or_else(|| upload.file.clone())
    }

    fn show_upload(&self, id: UploadId, state: UploadState) {
        if let Some(running) = lock(&self.inner.uploading).get_mut(&id) {
            if running.is_dismissed {
                return;
            }
            running.state = state;
        }
        if let Ok(upload) = self.inner.uploads.find(id) {
            self.inner.environment.events.upload(&self.upload_view(&upload));
        }
    }

    /// Handles the end of an upload.
    fn sent(
        &self,
        id: UploadId,
        ended: Result<UploadOutcome, UploadError>,
    ) -> Result<(), AppError> {
        let was = lock(&self.inner.uploading).remove(&id);
        // it may have ended by itself before it noticed
        if was.as_ref().is_some_and(|run| run.is_dismissed) {
            return self.inner.uploads.remove(id);
        }
        let error = match ended {
            Ok(outcome) => {
                self.inner.uploads.end(id, outcome)?;
                None
            }
            Err(UploadError::Cancelled) => return self.inner.uploads.remove(id),
            Err(UploadError::Paused) if was.is_some_and(|run| run.is_paused) => None,
            Err(error) if is_passing(&error) => Some(explained(&error)),
            Err(error) => {
                let told = explained(&error).message;
                self.inner.uploads.end(id, UploadOutcome::failed(told))?;
                None
            }
        };
        let upload = self.inner.uploads.find(id)?;
        let trouble =
            error.map(|error| UploadState::Paused { sent: upload.sent, error: Some(error) });
        self.inner.environment.events.upload(&upload.view(trouble));
        Ok(())
    }
}

/// Packs an FBX with the textures beside it, once, so that a resumed upload sends the same bytes.
fn pack(app: &App, upload: &Upload) -> Result<Option<PathBuf>, AppError> {
    let packed = app.inner.uploads.packed(upload.id);
    if packed.is_file() {
        return Ok(Some(packed));
    }
    let is_fbx = upload.file.extension().is_some_and(|it| it.eq_ignore_ascii_case("fbx"));
    // the size that was noted may be that of an earlier packed copy
    let is_too_large =
        std::fs::metadata(&upload.file).is_ok_and(|known| known.len() > MAX_CHARACTER_BYTES);
    // a partly sent file continues unchanged
    if !is_fbx || upload.sent > 0 || is_too_large {
        return Ok(None);
    }
    let Ok(bytes) = std::fs::read(&upload.file) else { return Ok(None) };
    let Some(whole) = beside::packed(&upload.file, &bytes) else { return Ok(None) };
    app.inner.uploads.pack(upload.id, &whole).map(Some)
}

fn state_at(at: UploadProgress) -> UploadState {
    if at.is_interrupted {
        return UploadState::Interrupted { sent: at.stored };
    }
    if at.stored >= at.total {
        return UploadState::Checking;
    }
    UploadState::Sending {
        sent: at.stored,
        bytes_per_second: at.bytes_per_second.unwrap_or_default().round(),
    }
}

/// Returns whether a later retry may succeed.
fn is_passing(error: &UploadError) -> bool {
    match error {
        UploadError::Paused => true,
        UploadError::Motion(error) => error.is_transient(),
        _ => false,
    }
}

fn explained(error: &UploadError) -> AppError {
    match error {
        UploadError::Paused => AppError::new(ErrorCode::ServiceUnreachable, Notice::UploadStalled),
        UploadError::File(cause) if cause.kind() == std::io::ErrorKind::NotFound => {
            AppError::new(ErrorCode::NotFound, Notice::UploadedFileGone)
        }
        UploadError::File(_) => AppError::new(ErrorCode::DiskRefused, Notice::UploadedFileClosed),
        UploadError::Notes(cause) => AppError::disk(Doing::NoteUpload, cause),
        UploadError::Motion(error) => {
            AppError::new(ErrorCode::ServiceRefused, told_by_motion(error))
        }
        UploadError::Restless => AppError::new(ErrorCode::ServiceRefused, Notice::UploadRestless),
        UploadError::Cancelled => AppError::new(ErrorCode::ServiceRefused, Notice::UploadCancelled),
    }
}

/// Returns why a file cannot be a character, judging by its extension and size.
fn fault_of(file: &Path) -> Option<Notice> {
    let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if !CHARACTER_EXTENSIONS.contains(&ending.as_str()) {
        return Some(Notice::CharacterFormats);
    }
    match std::fs::metadata(file) {
        Ok(known) if known.len() == 0 => Some(Notice::CharacterFileEmpty),
        Ok(known) if known.is_file() && known.len() > MAX_CHARACTER_BYTES => Some(too_large()),
        Ok(known) if known.is_file() => None,
        _ => Some(Notice::CharacterFileUnreadable),
    }
}

fn too_large() -> Notice {
    Notice::FileTooLarge { most_mib: MAX_CHARACTER_BYTES >> 20 }
}

/// Returns the file itself, or all characters inside a folder, including those that are too large,
/// so that nobody misses them.
fn characters_at(place: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(place) else { return vec![place.to_owned()] };
    let files = entries.flatten().map(|entry| entry.path());
    let is_shown =
        |file: &PathBuf| matches!(fault_of(file), None | Some(Notice::FileTooLarge { .. }));
    let mut found: Vec<PathBuf> = files.filter(is_shown).collect();
    found.sort();
    found
}

/// Clock and retry jitter of an upload. The jitter is derived from the upload ID and the time, so
/// that many uploads do not retry at the same moment.
#[derive(Debug)]
struct UploadTiming {
    clock: Arc<dyn Clock>,
    upload: UploadId,
}

impl UploadEnvironment for UploadTiming {
    fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    fn random(&self) -> f64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.upload, self.now_ms()).hash(&mut hasher);
        hasher.finish() as f64 / u64::MAX as f64
    }
}
