//! Timeline data of a clip: quality metrics, foot contacts and unfinished edits.

use std::{fs, io};

use serde::Deserialize;

use super::{CANONICAL, Clip, ClipId, Library, METRICS};
use crate::{
    AppError, Doing, folders,
    views::{ClipDetails, ContactTrack, Draft, FootPoint, Quality, Span},
};

/// The quality metrics that are shown.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Measured {
    foot_skate_cm_s: f32,
    penetration_mm: f32,
    float_mm: f32,
    contacts: Vec<u8>,
}

const POINTS: [FootPoint; 4] =
    [FootPoint::LeftHeel, FootPoint::LeftToe, FootPoint::RightHeel, FootPoint::RightToe];

impl Library {
    /// Returns the timeline data. Missing or damaged metrics are left out, because a clip can be
    /// edited without them.
    pub(crate) fn details(&self, clip: &Clip) -> ClipDetails {
        let measured = self.measured(clip);
        ClipDetails {
            glb_url: self.glb_url(clip),
            quality: measured.as_ref().map(|measured| self.quality_of(clip, measured)),
            contacts: measured.map(|measured| tracks(&measured.contacts)).unwrap_or_default(),
            draft: folders::read_json(&self.path_of_draft(&clip.id)).unwrap_or_default(),
        }
    }

    /// Returns the quality of a clip whose files have been downloaded.
    pub(crate) fn quality(&self, clip: &Clip) -> Option<Quality> {
        self.measured(clip).map(|measured| self.quality_of(clip, &measured))
    }

    fn measured(&self, clip: &Clip) -> Option<Measured> {
        self.read(clip, METRICS).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok())
    }

    fn quality_of(&self, clip: &Clip, measured: &Measured) -> Quality {
        Quality {
            foot_skate_cm_s: measured.foot_skate_cm_s,
            penetration_mm: measured.penetration_mm,
            float_mm: measured.float_mm,
            loop_deg: self.loop_deg(clip),
        }
    }

    fn loop_deg(&self, clip: &Clip) -> Option<f32> {
        let kept = limber_pipeline::canonical_from_bytes(&self.read(clip, CANONICAL).ok()?).ok()?;
        Some(limber_pipeline::loop_gap_deg(&kept))
    }

    /// Saves unfinished edits; they are on disk when this returns. `None` discards them.
    pub(crate) fn keep_draft(&self, id: &ClipId, draft: Option<&Draft>) -> Result<(), AppError> {
        let path = self.path_of_draft(id);
        self.while_there(id, || {
            let kept = match draft {
                Some(draft) => folders::write_json(&path, draft),
                None => match fs::remove_file(path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
                    other => other,
                },
            };
            kept.map_err(|error| AppError::disk(Doing::KeepDraft, &error))
        })
    }

    fn path_of_draft(&self, id: &ClipId) -> std::path::PathBuf {
        self.folder.join(id.to_string()).join("draft.json")
    }
}

/// Converts per-frame contact bit masks to ranges of frames for each foot point.
fn tracks(contacts: &[u8]) -> Vec<ContactTrack> {
    let track = |(bit, point): (usize, FootPoint)| {
        let mut spans: Vec<Span> = Vec::new();
        for frame in (0..contacts.len()).filter(|frame| contacts[*frame] >> bit & 1 == 1) {
            let frame = u32::try_from(frame).unwrap_or(u32::MAX - 1);
            match spans.last_mut() {
                Some(last) if last.end == frame => last.end += 1,
                _ => spans.push(Span { start: frame, end: frame + 1 }),
            }
        }
        ContactTrack { point, spans }
    };
    POINTS.into_iter().enumerate().map(track).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_become_spans() {
        let found = tracks(&[0b0001, 0b0011, 0b0010, 0, 0b0001]);
        let spans = |point: FootPoint| {
            let track = found.iter().find(|track| track.point == point).expect("every point");
            track.spans.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>()
        };
        assert_eq!(spans(FootPoint::LeftHeel), [(0, 2), (4, 5)]);
        assert_eq!(spans(FootPoint::LeftToe), [(1, 3)]);
        assert!(spans(FootPoint::RightToe).is_empty());
    }
}
