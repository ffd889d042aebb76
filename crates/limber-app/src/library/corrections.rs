//! What somebody changed by hand in a clip. The files that arrived stay as they are; others are made of the
//! kept clip when they are asked for.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
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

/// The file that was made last: who looks at a clip asks for it frame after frame.
#[derive(Debug, Default)]
pub(super) struct MadeLast(Mutex<Option<Made>>);

#[derive(Debug)]
struct Made {
    id: ClipId,
    kind: FileKind,
    by_hand: HandCorrections,
    bytes: Arc<Vec<u8>>,
}

impl Library {
    /// What a clip is seen with.
    pub(crate) fn corrections(&self, id: &ClipId) -> Corrections {
        self.kept_corrections(id).now
    }

    /// The same, ready to be applied.
    pub(crate) fn by_hand(&self, clip: &Clip) -> HandCorrections {
        HandCorrections::new(&self.corrections(&clip.id), clip.fps)
    }

    /// The same for a studio, which knows what it made the clip with; `None` where there never was any.
    pub(crate) fn corrections_to_send(&self, id: &ClipId) -> Option<serde_json::Value> {
        let Kept { made_with, now } = self.kept_corrections(id);
        (!made_with.is_empty() || !now.is_empty()).then(|| now.to_value())
    }

    /// Replaces what a clip is seen with; on disk when this returns.
    pub(crate) fn keep_corrections(
        &self,
        clip: &Clip,
        corrections: Corrections,
    ) -> Result<(), AppError> {
        self.find(&clip.id)?;
        let kept = Kept { now: corrections, ..self.kept_corrections(&clip.id) };
        folders::write_json(&self.path_of_corrections(&clip.id), &kept)
            .map_err(|error| AppError::disk(Doing::KeepCorrections, &error))
    }

    /// Notes what the files of a clip carry that is about to be taken in.
    pub(crate) fn arrives_with(&self, id: &ClipId, corrections: Corrections) -> io::Result<()> {
        let kept = Kept { made_with: corrections.clone(), now: corrections };
        folders::write_json(&self.path_of_corrections(id), &kept)
    }

    /// What to say of joints that a clip's character lacks.
    pub(crate) fn lacking(&self, clip: &Clip) -> Vec<Message> {
        let by_hand = self.by_hand(clip);
        let glb = self.read(clip, SaveFormat::Glb.ending()).unwrap_or_default();
        let wearer = Wearer { stock: &clip.character_id, glb: &glb };
        wearer.lacks(&by_hand).unwrap_or_else(|_| by_hand.missing_on(None))
    }

    /// A file of a clip as it is seen: the one that arrived, or one that is made with the clip's
    /// corrections.
    pub(crate) fn seen(&self, clip: &Clip, format: SaveFormat) -> Result<Arc<Vec<u8>>, AppError> {
        let Some(by_hand) = self.changed_since(clip) else {
            return self.read(clip, format.ending()).map(Arc::new);
        };
        let kind = match format {
            SaveFormat::Glb => FileKind::Glb,
            SaveFormat::Fbx => FileKind::Fbx,
            SaveFormat::Bvh => FileKind::Bvh,
        };
        // whoever wants the same file meanwhile waits for it
        let mut last = self.made_last.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*last
            && (&made.id, made.kind, &made.by_hand) == (&clip.id, kind, &by_hand)
        {
            return Ok(Arc::clone(&made.bytes));
        }
        let canonical = self.read(clip, CANONICAL)?;
        let glb = self.read(clip, SaveFormat::Glb.ending())?;
        let again = Again {
            canonical: &canonical,
            wearer: Wearer { stock: &clip.character_id, glb: &glb },
            fps: u16::try_from(clip.fps).unwrap_or(u16::MAX),
            corrections: &by_hand,
        };
        let bytes = Arc::new(again.run(kind, &Cancel::default()).map_err(not_made)?);
        *last = Some(Made { id: clip.id.clone(), kind, by_hand, bytes: Arc::clone(&bytes) });
        Ok(bytes)
    }

    /// Where a whole file lies that shows a clip as it is seen.
    pub(crate) fn playable(&self, clip: &Clip) -> Result<std::path::PathBuf, AppError> {
        let glb = self.seen(clip, SaveFormat::Glb)?;
        if self.changed_since(clip).is_none() {
            return Ok(self.path(&clip.id, SaveFormat::Glb.ending()));
        }
        let place = self.folder.join(clip.id.to_string()).join("corrected.glb");
        folders::replace(&place, &glb).map_err(|error| AppError::disk(Doing::KeepClip, &error))?;
        Ok(place)
    }

    /// What a clip is seen with, where its files show something else.
    pub(crate) fn changed_since(&self, clip: &Clip) -> Option<HandCorrections> {
        let Kept { made_with, now } = self.kept_corrections(&clip.id);
        let [made_with, now] =
            [made_with, now].map(|corrections| HandCorrections::new(&corrections, clip.fps));
        (made_with != now).then_some(now)
    }

    fn kept_corrections(&self, id: &ClipId) -> Kept {
        folders::read_json(&self.path_of_corrections(id)).unwrap_or_default()
    }

    fn path_of_corrections(&self, id: &ClipId) -> std::path::PathBuf {
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
