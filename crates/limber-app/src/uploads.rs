//! The list of character uploads, which survives restarts.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard},
};

use limber_client::motion::ModelId;
use limber_domain::lock;
use serde::{Deserialize, Serialize};

use crate::{
    AppError, Doing, ErrorCode, Folders, MessageView, Notice, folders,
    views::{UploadState, UploadView},
};

/// Maximum number of uploads in the list.
const LONGEST: usize = 200;
/// Bytes between two updates of the list on disk.
const NOTED_EVERY_BYTES: u64 = 16 << 20;

/// An upload's number, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct UploadId(u64);

impl UploadId {
    pub(crate) fn parse(text: &str) -> Result<Self, AppError> {
        text.parse().map(Self).map_err(|_| unknown())
    }
}

impl std::fmt::Display for UploadId {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The outcome of an upload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub(crate) enum UploadOutcome {
    Open,
    Done {
        character: ModelId,
    },
    Failed {
        message: String,
        /// The message as structured data; absent from lists of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        told: Option<MessageView>,
    },
}

impl UploadOutcome {
    pub(crate) fn failed(told: MessageView) -> Self {
        Self::Failed { message: told.text.clone(), told: Some(told) }
    }
}

/// An upload in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Upload {
    pub id: UploadId,
    /// The studio that it goes to.
    pub studio: String,
    pub file: PathBuf,
    pub bytes: u64,
    /// Bytes that the studio was last known to have.
    pub sent: u64,
    pub outcome: UploadOutcome,
}

impl Upload {
    /// Converts the upload to its view model; `live` is the state of a running one.
    pub(crate) fn view(&self, live: Option<UploadState>) -> UploadView {
        let state = match &self.outcome {
            UploadOutcome::Open => {
                live.unwrap_or(UploadState::Paused { sent: self.sent, error: None })
            }
            UploadOutcome::Done { character } => {
                UploadState::Done { character_id: character.to_string() }
            }
            UploadOutcome::Failed { message, told } => {
                let told = told.clone().unwrap_or_else(|| MessageView::words(message));
                UploadState::Failed { error: AppError::new(ErrorCode::BadInput, told) }
            }
        };
        UploadView { id: self.id.to_string(), name: self.name(), bytes: self.bytes, state }
    }

    /// Returns the file name without its folder, which is private.
    pub(crate) fn name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// All uploads, oldest first.
#[derive(Debug)]
pub(crate) struct Uploads {
    folder: PathBuf,
    entries: Mutex<Vec<Upload>>,
}

impl Uploads {
    /// Reads the list, without completed uploads.
    pub(crate) fn open(folders: &Folders) -> Self {
        let folder = folders.uploads();
        let read: io::Result<Vec<Upload>> = folders::read_json(&list_in(&folder));
        let mut entries = read.unwrap_or_else(|error| {
            tracing::error!(%error, "the list of uploads cannot be read");
            vec![]
        });
        entries.retain(|upload| !matches!(upload.outcome, UploadOutcome::Done { .. }));
        Self { folder, entries: Mutex::new(entries) }
    }

    /// Returns the uploads to one studio, oldest first.
    pub(crate) fn of(&self, studio: &str) -> Vec<Upload> {
        self.entries().iter().filter(|upload| upload.studio == studio).cloned().collect()
    }

    pub(crate) fn find(&self, id: UploadId) -> Result<Upload, AppError> {
        self.entries().iter().find(|upload| upload.id == id).cloned().ok_or_else(unknown)
    }

    /// Adds a file to the list; on disk when this returns.
    pub(crate) fn add(
        &self,
        studio: &str,
        file: PathBuf,
        bytes: u64,
        outcome: UploadOutcome,
    ) -> Result<Upload, AppError> {
        let mut entries = self.entries();
        if entries.len() >= LONGEST {
            return Err(AppError::new(ErrorCode::BadInput, Notice::MostUploads { most: LONGEST }));
        }
        let last = entries.iter().map(|upload| upload.id.0).max().unwrap_or(0);
        let (id, studio) = (UploadId(last + 1), studio.to_owned());
        // left over from an earlier upload with this number
        let _ = std::fs::remove_file(self.packed(id));
        let upload = Upload { id, studio, file, bytes, sent: 0, outcome };
        entries.push(upload.clone());
        self.write(&entries)?;
        Ok(upload)
    }

    /// Records progress, and saves it from time to time.
    pub(crate) fn arrived(&self, id: UploadId, sent: u64) {
        let mut entries = self.entries();
        let Some(upload) = entries.iter_mut().find(|upload| upload.id == id) else { return };
        let is_due = sent.abs_diff(upload.sent) >= NOTED_EVERY_BYTES || sent == upload.bytes;
        if is_due {
            upload.sent = sent;
            // not critical, because the studio is asked on resume
            let _ = self.write(&entries);
        }
    }

    /// Records the outcome of an upload.
    pub(crate) fn end(&self, id: UploadId, outcome: UploadOutcome) -> Result<(), AppError> {
        let mut entries = self.entries();
        // after a refusal the user may fix the file and retry
        if outcome != UploadOutcome::Open {
            let _ = std::fs::remove_file(self.packed(id));
        }
        if let Some(upload) = entries.iter_mut().find(|upload| upload.id == id) {
            upload.outcome = outcome;
        }
        self.write(&entries)
    }

    /// Removes an upload and its resume data from the list.
    pub(crate) fn remove(&self, id: UploadId) -> Result<(), AppError> {
        let mut entries = self.entries();
        entries.retain(|upload| upload.id != id);
        let _ = std::fs::remove_file(self.notes(id));
        let _ = std::fs::remove_file(self.packed(id));
        self.write(&entries)
    }

    /// Stores a packed copy that is sent instead of the chosen file, with the textures that lay
    /// beside it; see [`Self::packed`].
    pub(crate) fn pack(&self, id: UploadId, whole: &[u8]) -> Result<PathBuf, AppError> {
        let place = self.packed(id);
        folders::replace(&place, whole)
            .map_err(|error| AppError::disk(Doing::PackCharacter, &error))?;
        let mut entries = self.entries();
        if let Some(upload) = entries.iter_mut().find(|upload| upload.id == id) {
            upload.bytes = whole.len() as u64;
        }
        self.write(&entries)?;
        Ok(place)
    }

    /// Returns the path of a character's packed copy.
    pub(crate) fn packed(&self, id: UploadId) -> PathBuf {
        self.folder.join(format!("{id}.glb"))
    }

    /// Returns the path of an upload's resume data.
    pub(crate) fn notes(&self, id: UploadId) -> PathBuf {
        self.folder.join(format!("{id}.notes"))
    }

    fn write(&self, entries: &[Upload]) -> Result<(), AppError> {
        folders::write_json(&list_in(&self.folder), &entries)
            .map_err(|error| AppError::disk(Doing::NoteUpload, &error))
    }

    fn entries(&self) -> MutexGuard<'_, Vec<Upload>> {
        lock(&self.entries)
    }
}

fn list_in(folder: &Path) -> PathBuf {
    folder.join("uploads.json")
}

fn unknown() -> AppError {
    AppError::new(ErrorCode::NotFound, Notice::UploadGone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_uploads_are_paused_after_a_restart_and_finished_ones_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = Folders::new(folder.path());
        let uploads = Uploads::open(&folders);
        let add = |name: &str| {
            let file = folder.path().join(name);
            uploads.add("here", file, 100, UploadOutcome::Open).expect("recorded")
        };
        let (open, done) = (add("hero.glb"), add("villain.fbx"));
        uploads.arrived(open.id, 100);
        let character = ModelId::parse("abcdefghijklmnopqrstuv").expect("an id");
        uploads.end(done.id, UploadOutcome::Done { character }).expect("recorded");
        let later = Uploads::open(&folders).of("here");
        let shown: Vec<UploadView> = later.iter().map(|upload| upload.view(None)).collect();
        assert_eq!(shown.len(), 1);
        assert_eq!(shown[0].name, "hero.glb");
        assert_eq!(shown[0].state, UploadState::Paused { sent: 100, error: None });
    }

    #[test]
    fn a_packed_character_is_sent_in_place_of_its_file_until_the_upload_ends() {
        let folder = tempfile::tempdir().expect("a folder");
        let uploads = Uploads::open(&Folders::new(folder.path()));
        let add =
            || uploads.add("here", "hero.fbx".into(), 1, UploadOutcome::Open).expect("recorded");
        let upload = add();
        let place = uploads.pack(upload.id, b"the same with its textures").expect("packed");
        assert_eq!(std::fs::read(&place).expect("it exists"), b"the same with its textures");
        assert_eq!(uploads.find(upload.id).expect("it is recorded").bytes, 26);
        uploads.end(upload.id, UploadOutcome::Open).expect("recorded");
        assert!(place.is_file());
        let refused = UploadOutcome::failed(MessageView::words("no body"));
        uploads.end(upload.id, refused).expect("recorded");
        assert!(!place.exists(), "a corrected file would not be used");
        uploads.pack(upload.id, b"again").expect("packed");
        uploads.remove(upload.id).expect("removed");
        assert!(!place.exists());
    }

    #[test]
    fn removed_uploads_are_forgotten_and_their_ids_not_reused() {
        let folder = tempfile::tempdir().expect("a folder");
        let uploads = Uploads::open(&Folders::new(folder.path()));
        let add = || uploads.add("here", "hero.glb".into(), 1, UploadOutcome::Open);
        let (first, second) = (add().expect("recorded"), add().expect("recorded"));
        uploads.remove(first.id).expect("removed");
        assert_eq!(uploads.find(first.id).expect_err("is gone").code, ErrorCode::NotFound);
        assert_ne!(add().expect("recorded").id, second.id);
        assert!(UploadId::parse("../1").is_err());
    }
}
