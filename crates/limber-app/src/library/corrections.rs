//! Manual corrections of clips. Downloaded files stay unchanged; corrected ones are derived from
//! the canonical motion on demand.

use std::{
    fs, io,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard},
};

use limber_client::motion::Message;
use limber_domain::lock;
use limber_pipeline::{
    Cancel, FileKind, HandCorrections, PipelineError,
    corrections::Corrections,
    export::{ExportError, Rederive, TargetCharacter},
};
use serde::{Deserialize, Serialize};

use super::{CANONICAL, Clip, ClipId, Library};
use crate::{AppError, Doing, ErrorCode, Notice, folders, views::SaveFormat};

/// The record of a clip's corrections, in frames of its files.
#[derive(Debug, Default, Serialize, Deserialize)]
struct CorrectionRecord {
    /// Corrections that the downloaded files already contain.
    #[serde(default)]
    made_with: Corrections,
    /// Current corrections.
    #[serde(default)]
    now: Corrections,
}

/// Number of derived files kept: saving in one format while viewing another must not derive a file
/// twice.
const FILES_AT_HAND: usize = 3;

/// Files derived from corrected clips; the editor requests one for every frame it shows.
#[derive(Debug, Default)]
pub(super) struct MadeFiles {
    /// Newest last. Locked while a file is derived, so that concurrent requests for it wait.
    made: Mutex<Vec<Made>>,
    /// The clip whose file is being derived, and the handle that cancels it.
    making: Mutex<Option<(ClipId, Cancel)>>,
}

#[derive(Debug)]
struct Made {
    id: ClipId,
    kind: FileKind,
    by_hand: HandCorrections,
    bytes: Arc<Vec<u8>>,
}

impl MadeFiles {
    fn making(&self) -> MutexGuard<'_, Option<(ClipId, Cancel)>> {
        lock(&self.making)
    }

    /// Records that a file of a clip is being derived; returns the handle that cancels it.
    fn begin(&self, id: &ClipId) -> Cancel {
        let cancel = Cancel::default();
        *self.making() = Some((id.clone(), cancel.clone()));
        cancel
    }

    /// Cancels the derivation of a clip's file, because its corrections are outdated.
    fn stop(&self, id: &ClipId) {
        if let Some((_, cancel)) = self.making().as_ref().filter(|(made, _)| made == id) {
            cancel.cancel();
        }
    }
}

impl Library {
    /// Returns the current corrections of a clip.
    pub(crate) fn corrections(&self, id: &ClipId) -> Result<Corrections, AppError> {
        Ok(self.correction_record(id)?.now)
    }

    /// Returns whether the clip has visible corrections; muted and unreadable ones do not count.
    pub(super) fn is_corrected(&self, id: &ClipId) -> bool {
        self.corrections(id).is_ok_and(|corrections| {
            corrections.layers().iter().any(|layer| !layer.muted && !layer.keys.is_empty())
        })
    }

    /// Returns the current corrections, ready to be applied.
    pub(crate) fn by_hand(&self, clip: &Clip) -> Result<HandCorrections, AppError> {
        Ok(HandCorrections::new(&self.corrections(&clip.id)?, clip.fps))
    }

    /// Returns the current corrections for a studio, which knows what the clip was made with;
    /// `None` if there never were any.
    pub(crate) fn corrections_to_send(
        &self,
        id: &ClipId,
    ) -> Result<Option<serde_json::Value>, AppError> {
        let CorrectionRecord { made_with, now } = self.correction_record(id)?;
        Ok((!made_with.is_empty() || !now.is_empty()).then(|| now.to_value()))
    }

    /// Replaces the current corrections; they are on disk when this returns.
    pub(crate) fn keep_corrections(
        &self,
        clip: &Clip,
        corrections: Corrections,
    ) -> Result<(), AppError> {
        let record = CorrectionRecord { now: corrections, ..self.correction_record(&clip.id)? };
        self.while_there(&clip.id, || {
            folders::write_json(&self.path_of_corrections(&clip.id), &record)
                .map_err(|error| AppError::disk(Doing::KeepCorrections, &error))
        })?;
        self.made_files.stop(&clip.id);
        Ok(())
    }

    /// Records the corrections that the files of an arriving clip already contain.
    pub(crate) fn arrives_with(&self, id: &ClipId, corrections: Corrections) -> io::Result<()> {
        let record = CorrectionRecord { made_with: corrections.clone(), now: corrections };
        folders::write_json(&self.path_of_corrections(id), &record)
    }

    /// Returns warnings about corrected joints that the clip's character lacks.
    pub(crate) fn lacking(&self, clip: &Clip) -> Result<Vec<Message>, AppError> {
        let by_hand = self.by_hand(clip)?;
        let glb = self.read(clip, SaveFormat::Glb.ending()).unwrap_or_default();
        let character = TargetCharacter { stock: &clip.character_id, glb: &glb };
        Ok(character.missing_joints(&by_hand).unwrap_or_else(|_| by_hand.missing_on(None)))
    }

    /// Returns a clip's file with its corrections applied: the downloaded one, or a derived one.
    pub(crate) fn seen(&self, clip: &Clip, format: SaveFormat) -> Result<Arc<Vec<u8>>, AppError> {
        match self.made(clip, format)? {
            Some(made) => Ok(made),
            None => self.read(clip, format.ending()).map(Arc::new),
        }
    }

    /// Returns the path of a GLB with the corrections applied. A derived file lies outside the
    /// clip's folder, which may be moved to the trash meanwhile, and is replaced the next time the
    /// clip is played.
    pub(crate) fn playable(&self, clip: &Clip) -> Result<PathBuf, AppError> {
        let Some(made) = self.made(clip, SaveFormat::Glb)? else {
            self.read(clip, SaveFormat::Glb.ending())?;
            return Ok(self.path(&clip.id, SaveFormat::Glb.ending()));
        };
        let place = self.played.join(format!("{}.glb", clip.id));
        folders::replace(&place, &made).map_err(|error| AppError::disk(Doing::KeepClip, &error))?;
        Ok(place)
    }

    /// Derives a file with the newest corrections; `None` if the downloaded one already shows them.
    fn made(&self, clip: &Clip, format: SaveFormat) -> Result<Option<Arc<Vec<u8>>>, AppError> {
        let kind = match format {
            SaveFormat::Glb => FileKind::Glb,
            SaveFormat::Fbx => FileKind::Fbx,
            SaveFormat::Bvh => FileKind::Bvh,
        };
        let mut files = lock(&self.made_files.made);
        loop {
            // registered first, so that a concurrent change of corrections cancels this
            let cancel = self.made_files.begin(&clip.id);
            let Some(by_hand) = self.changed_since(clip)? else { return Ok(None) };
            let is_this =
                |made: &&Made| (&made.id, made.kind, &made.by_hand) == (&clip.id, kind, &by_hand);
            if let Some(made) = files.iter().find(is_this) {
                return Ok(Some(Arc::clone(&made.bytes)));
            }
            let derived = self.derive(clip, kind, &by_hand, &cancel);
            if cancel.is_cancelled() {
                continue;
            }
            let bytes = Arc::new(derived?);
            files.retain(|made| (&made.id, made.kind) != (&clip.id, kind));
            let surplus = files.len().saturating_sub(FILES_AT_HAND - 1);
            files.drain(..surplus);
            files.push(Made { id: clip.id.clone(), kind, by_hand, bytes: Arc::clone(&bytes) });
            return Ok(Some(bytes));
        }
    }

    fn derive(
        &self,
        clip: &Clip,
        kind: FileKind,
        by_hand: &HandCorrections,
        cancel: &Cancel,
    ) -> Result<Vec<u8>, AppError> {
        let canonical = self.read(clip, CANONICAL)?;
        let glb = self.read(clip, SaveFormat::Glb.ending())?;
        let rederive = Rederive {
            canonical: &canonical,
            character: TargetCharacter { stock: &clip.character_id, glb: &glb },
            fps: u16::try_from(clip.fps).unwrap_or(u16::MAX),
            corrections: by_hand,
        };
        rederive.run(kind, cancel).map_err(not_made)
    }

    /// Returns the current corrections, if the downloaded files do not show them.
    fn changed_since(&self, clip: &Clip) -> Result<Option<HandCorrections>, AppError> {
        let CorrectionRecord { made_with, now } = self.correction_record(&clip.id)?;
        let [made_with, now] =
            [made_with, now].map(|corrections| HandCorrections::new(&corrections, clip.fps));
        Ok((made_with != now).then_some(now))
    }

    /// Reads the record of corrections; the default if there is none. An unreadable record is an
    /// error and not the default, which the next change would save over it.
    fn correction_record(&self, id: &ClipId) -> Result<CorrectionRecord, AppError> {
        let bytes = match fs::read(self.path_of_corrections(id)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(CorrectionRecord::default());
            }
            read => read.map_err(|error| AppError::disk(Doing::ReadClip, &error))?,
        };
        serde_json::from_slice(&bytes).map_err(|error| {
            AppError::new(ErrorCode::FileDamaged, Notice::ClipDamaged)
                .with_detail(format!("corrections.json: {error}"))
        })
    }

    fn path_of_corrections(&self, id: &ClipId) -> PathBuf {
        self.folder.join(id.to_string()).join("corrections.json")
    }
}

/// Converts a failure to derive a file.
pub(crate) fn not_made(error: ExportError) -> AppError {
    match error {
        ExportError::Character(_) => {
            AppError::new(ErrorCode::FileDamaged, Notice::CharacterUnreadable)
        }
        ExportError::Pipeline(PipelineError::Failed(failure)) => AppError::new(
            ErrorCode::JobFailed,
            Notice::FileNotMade { why: failure.message.to_string() },
        ),
        other => {
            AppError::new(ErrorCode::JobFailed, Notice::FileNotMade { why: other.to_string() })
        }
    }
}

#[cfg(test)]
mod tests;
