//! What somebody changed by hand in a clip. The files that arrived stay as they are; others are made of the
//! kept clip when they are asked for.

use std::{
    fs, io,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use limber_client::motion::Message;
use limber_pipeline::{
    Cancel, FileKind, HandCorrections, PipelineError,
    corrections::Corrections,
    export::{Again, ExportError, Wearer},
};
use serde::{Deserialize, Serialize};

use super::{CANONICAL, Clip, ClipId, Library};
use crate::{AppError, Doing, ErrorCode, Notice, folders, shown::SaveFormat};

/// What is kept beside a clip, in frames of its files.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    /// What its files carried when they arrived.
    #[serde(default)]
    made_with: Corrections,
    /// What it is seen with.
    #[serde(default)]
    now: Corrections,
}

/// What somebody saves in one format while looking at another is made once.
const FILES_AT_HAND: usize = 3;

/// Files that were made of corrected clips: who looks at a clip asks for it frame after frame.
#[derive(Debug, Default)]
pub(super) struct MadeFiles {
    /// The newest last. Locked while a file is made: whoever wants the same one meanwhile waits for it.
    made: Mutex<Vec<Made>>,
    /// The clip of which a file is being made, and how that is stopped.
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
        self.making.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a file of a clip is made from now on; answers what stops it.
    fn begin(&self, id: &ClipId) -> Cancel {
        let cancel = Cancel::default();
        *self.making() = Some((id.clone(), cancel.clone()));
        cancel
    }

    /// Stops making a file that shows older corrections of a clip.
    fn stop(&self, id: &ClipId) {
        if let Some((_, cancel)) = self.making().as_ref().filter(|(made, _)| made == id) {
            cancel.cancel();
        }
    }
}

impl Library {
    /// What a clip is seen with.
    pub(crate) fn corrections(&self, id: &ClipId) -> Result<Corrections, AppError> {
        Ok(self.kept_corrections(id)?.now)
    }

    /// Whether it is seen with any; muted ones and those that cannot be read are not seen.
    pub(super) fn is_corrected(&self, id: &ClipId) -> bool {
        self.corrections(id).is_ok_and(|corrections| {
            corrections.layers().iter().any(|layer| !layer.muted && !layer.keys.is_empty())
        })
    }

    /// The same, ready to be applied.
    pub(crate) fn by_hand(&self, clip: &Clip) -> Result<HandCorrections, AppError> {
        Ok(HandCorrections::new(&self.corrections(&clip.id)?, clip.fps))
    }

    /// The same for a studio, which knows what it made the clip with; `None` where there never was any.
    pub(crate) fn corrections_to_send(
        &self,
        id: &ClipId,
    ) -> Result<Option<serde_json::Value>, AppError> {
        let Kept { made_with, now } = self.kept_corrections(id)?;
        Ok((!made_with.is_empty() || !now.is_empty()).then(|| now.to_value()))
    }

    /// Replaces what a clip is seen with; on disk when this returns.
    pub(crate) fn keep_corrections(
        &self,
        clip: &Clip,
        corrections: Corrections,
    ) -> Result<(), AppError> {
        let kept = Kept { now: corrections, ..self.kept_corrections(&clip.id)? };
        self.while_there(&clip.id, || {
            folders::write_json(&self.path_of_corrections(&clip.id), &kept)
                .map_err(|error| AppError::disk(Doing::KeepCorrections, &error))
        })?;
        self.made_files.stop(&clip.id);
        Ok(())
    }

    /// Notes what the files of a clip carry that is about to be taken in.
    pub(crate) fn arrives_with(&self, id: &ClipId, corrections: Corrections) -> io::Result<()> {
        let kept = Kept { made_with: corrections.clone(), now: corrections };
        folders::write_json(&self.path_of_corrections(id), &kept)
    }

    /// What to say of joints that a clip's character lacks.
    pub(crate) fn lacking(&self, clip: &Clip) -> Result<Vec<Message>, AppError> {
        let by_hand = self.by_hand(clip)?;
        let glb = self.read(clip, SaveFormat::Glb.ending()).unwrap_or_default();
        let wearer = Wearer { stock: &clip.character_id, glb: &glb };
        Ok(wearer.lacks(&by_hand).unwrap_or_else(|_| by_hand.missing_on(None)))
    }

    /// A file of a clip as it is seen: the one that arrived, or one that is made with the clip's
    /// corrections.
    pub(crate) fn seen(&self, clip: &Clip, format: SaveFormat) -> Result<Arc<Vec<u8>>, AppError> {
        match self.made(clip, format)? {
            Some(made) => Ok(made),
            None => self.read(clip, format.ending()).map(Arc::new),
        }
    }

    /// Where a whole file lies that shows a clip as it is seen. One that had to be made lies apart from the
    /// clip, which may go to the trash meanwhile, and is replaced when the clip is played again.
    pub(crate) fn playable(&self, clip: &Clip) -> Result<PathBuf, AppError> {
        let Some(made) = self.made(clip, SaveFormat::Glb)? else {
            self.read(clip, SaveFormat::Glb.ending())?;
            return Ok(self.path(&clip.id, SaveFormat::Glb.ending()));
        };
        let place = self.played.join(format!("{}.glb", clip.id));
        folders::replace(&place, &made).map_err(|error| AppError::disk(Doing::KeepClip, &error))?;
        Ok(place)
    }

    /// A file that shows the clip's newest corrections; `None` where the one that arrived does.
    fn made(&self, clip: &Clip, format: SaveFormat) -> Result<Option<Arc<Vec<u8>>>, AppError> {
        let kind = match format {
            SaveFormat::Glb => FileKind::Glb,
            SaveFormat::Fbx => FileKind::Fbx,
            SaveFormat::Bvh => FileKind::Bvh,
        };
        let mut files = self.made_files.made.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            // from here on, whoever keeps other corrections stops what is made of these
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
        let again = Again {
            canonical: &canonical,
            wearer: Wearer { stock: &clip.character_id, glb: &glb },
            fps: u16::try_from(clip.fps).unwrap_or(u16::MAX),
            corrections: by_hand,
        };
        again.run(kind, cancel).map_err(not_made)
    }

    /// What a clip is seen with, where its files show something else.
    fn changed_since(&self, clip: &Clip) -> Result<Option<HandCorrections>, AppError> {
        let Kept { made_with, now } = self.kept_corrections(&clip.id)?;
        let [made_with, now] =
            [made_with, now].map(|corrections| HandCorrections::new(&corrections, clip.fps));
        Ok((made_with != now).then_some(now))
    }

    /// Nothing where nothing was ever kept. What cannot be read stays where it is: taken for nothing, it
    /// would be written over by the next change.
    fn kept_corrections(&self, id: &ClipId) -> Result<Kept, AppError> {
        let bytes = match fs::read(self.path_of_corrections(id)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kept::default()),
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

/// A file that cannot be made.
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
