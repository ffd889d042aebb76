//! Measures how well trimmed clips loop, while the user drags the trim handles.

use std::sync::{Arc, Mutex};

use limber_domain::lock;
use limber_pipeline::{HandCorrections, LoopMeter};

use super::{CANONICAL, Clip, ClipId, Library};
use crate::{
    AppError, ErrorCode, Notice,
    views::{ClipPart, LoopGap},
};

/// How far from the current end a better one is searched, seconds.
const REACH_S: u32 = 1;

/// The last measured clip, with its corrections and analysis: a dragged handle asks many times a
/// second.
#[derive(Debug, Default)]
pub(super) struct Metered(Mutex<Option<(ClipId, HandCorrections, Arc<LoopMeter>)>>);

impl Library {
    /// Measures a trimmed clip.
    pub(crate) fn loop_gap(&self, clip: &Clip, part: &ClipPart) -> Result<LoopGap, AppError> {
        let meter = self.meter(clip)?;
        let frames = meter.frames();
        let left = usize::try_from(part.trim_left).unwrap_or(usize::MAX);
        let right = usize::try_from(part.trim_right).unwrap_or(usize::MAX);
        let kept = left..frames.saturating_sub(right);
        let gap = meter
            .gap(&kept)
            .ok_or_else(|| AppError::new(ErrorCode::BadInput, Notice::TooShortToLoop))?;
        let reach = usize::try_from(REACH_S * clip.fps).unwrap_or(usize::MAX);
        let better = meter.better_end(&kept, reach);
        Ok(LoopGap {
            pose_deg: gap.pose_deg,
            speed_cm_s: gap.speed_cm_s,
            usual_cm_s: gap.usual_cm_s,
            better_trim_right: better.and_then(|end| u32::try_from(frames - end).ok()),
        })
    }

    fn meter(&self, clip: &Clip) -> Result<Arc<LoopMeter>, AppError> {
        let by_hand = self.by_hand(clip)?;
        let mut metered = lock(&self.metered.0);
        if let Some((id, known, meter)) = &*metered
            && (id, known) == (&clip.id, &by_hand)
        {
            return Ok(Arc::clone(meter));
        }
        let bytes = self.read(clip, CANONICAL)?;
        let kept = limber_pipeline::canonical_from_bytes(&bytes).map_err(|error| {
            let message = Notice::ClipNotMeasured;
            AppError::new(ErrorCode::FileDamaged, message).with_detail(error.to_string())
        })?;
        let meter = Arc::new(LoopMeter::new(by_hand.seen(kept)));
        *metered = Some((clip.id.clone(), by_hand, Arc::clone(&meter)));
        Ok(meter)
    }
}

#[cfg(test)]
mod tests {
    use limber_domain::hex;
    use limber_pipeline::{Cancel, Composer, Prompt, Request, Seed, canonical_to_bytes, make};
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::{
        folders,
        library::{ClipFile, tests::library_with},
    };

    /// A library with one clip of a generated walk.
    fn walk() -> (tempfile::TempDir, Library, Clip) {
        let prompt = Prompt::parse("a person walks forward").expect("a prompt");
        let made = make(&Request::new(prompt, Seed(5)), &Composer, &Cancel::default(), &mut |_| {});
        let bytes = canonical_to_bytes(&made.expect("it works")).expect("it can be stored");
        let (folder, library, mut clip) = library_with(b"glTF");
        folders::replace(&library.path(&clip.id, CANONICAL), &bytes).expect("arrived");
        let file = ClipFile { bytes: bytes.len() as u64, sha256: hex(&Sha256::digest(&bytes)) };
        clip.files.insert(CANONICAL.into(), file);
        library.add(clip.clone()).expect("added");
        (folder, library, clip)
    }

    fn part(clip: &Clip, trim_left: u32, trim_right: u32) -> ClipPart {
        ClipPart { id: clip.id.to_string(), trim_left, trim_right }
    }

    #[test]
    fn the_whole_clip_matches_its_badge_and_parts_are_measured() {
        let (_folder, library, clip) = walk();
        let whole = library.loop_gap(&clip, &part(&clip, 0, 0)).expect("it is measured");
        let kept = library.read(&clip, CANONICAL).expect("it exists");
        let kept = limber_pipeline::canonical_from_bytes(&kept).expect("it reads");
        assert_eq!(whole.pose_deg, limber_pipeline::loop_gap_deg(&kept));
        let cut = library.loop_gap(&clip, &part(&clip, 10, 8)).expect("it is measured");
        assert_ne!(cut.pose_deg, whole.pose_deg);
        if let Some(better) = cut.better_trim_right {
            let then = library.loop_gap(&clip, &part(&clip, 10, better)).expect("it is measured");
            assert!(then.pose_deg < cut.pose_deg || then.speed_cm_s < cut.speed_cm_s);
        }
    }

    #[test]
    fn missing_parts_and_motion_are_reported() {
        let (_folder, library, clip) = walk();
        for (left, right) in [(0, u32::MAX), (u32::MAX, 0), (500, 500)] {
            let error = library.loop_gap(&clip, &part(&clip, left, right)).expect_err("nothing");
            assert_eq!(error.code, ErrorCode::BadInput, "{error}");
        }
        let (_folder, library, bare) = library_with(b"glTF");
        let error = library.loop_gap(&bare, &part(&bare, 0, 0)).expect_err("no motion");
        assert_eq!(error.code, ErrorCode::NotFound, "{error}");
    }
}
