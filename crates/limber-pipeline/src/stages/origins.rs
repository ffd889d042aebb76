//! S3: restores frames that an edit took from another clip to what they are in that clip's own
//! files.
//!
//! Foot and floor corrections look at whole clips, so that new frames would influence those next to
//! them.

use limber_animation::{Character, maths::atan2};
use limber_cleanup::{GroundMove, Untouched, restore};
use limber_formats::canonical::Piece;
use limber_text_to_motion::Cancel;

use super::{
    retarget::{Retargeted, to_character},
    smooth_and_lock::smooth_and_lock_feet,
    track::track,
};
use crate::{CanonicalClip, HandCorrections, Options, PipelineError};

/// Restores the original frames. `retargeted` is `canonical` retargeted to the character with the
/// corrections `by_hand`. Corrections count frames of `canonical`; each origin is corrected at the
/// frames that were taken from it.
///
/// # Errors
/// Those of the stages that each origin goes through.
pub(crate) fn restore_origins(
    retargeted: Retargeted,
    canonical: &CanonicalClip,
    character: &Character,
    options: &Options,
    by_hand: &HandCorrections,
    cancel: &Cancel,
) -> Result<Retargeted, PipelineError> {
    let mut retargeted = retargeted;
    for (origin, pieces) in canonical.origins.iter().flat_map(|origin| {
        shifted_alike(&origin.pieces, by_hand).into_iter().map(move |pieces| (origin, pieces))
    }) {
        if cancel.is_cancelled() {
            return Err(PipelineError::Cancelled);
        }
        let by_hand = by_hand.shifted(shift(pieces[0]));
        let tracked = track(&by_hand.apply(&origin.clip.clip), character, options)?;
        let there =
            to_character(&smooth_and_lock_feet(&tracked.clip, options)?, character, options)?;
        let there = restore_origins(there, &origin.clip, character, options, &by_hand, cancel)?;
        let pieces: Vec<Untouched<'_>> = pieces
            .into_iter()
            .map(|piece| Untouched {
                clip: &there.clip,
                from: piece.from,
                at: piece.frames.start,
                frames: piece.frames.len(),
                moved: moved(canonical, &origin.clip, piece, retargeted.scale),
            })
            .collect();
        retargeted.clip = restore(&retargeted.clip, &pieces);
    }
    Ok(retargeted)
}

/// Returns by how many frames corrections are later in the origin than in the edited clip.
fn shift(piece: &Piece) -> f32 {
    piece.from as f32 - piece.frames.start as f32
}

/// Groups the non-empty pieces by the shift of their corrections.
fn shifted_alike<'a>(pieces: &'a [Piece], by_hand: &HandCorrections) -> Vec<Vec<&'a Piece>> {
    let mut alike: Vec<Vec<&Piece>> = Vec::new();
    for piece in pieces.iter().filter(|piece| !piece.frames.is_empty()) {
        let is_alike =
            |known: &&mut Vec<&Piece>| by_hand.is_empty() || shift(known[0]) == shift(piece);
        match alike.iter_mut().find(is_alike) {
            Some(known) => known.push(piece),
            None => alike.push(vec![piece]),
        }
    }
    alike
}

/// Returns how a piece was moved over the floor, on a body `scale` times the size of the canonical
/// one.
fn moved(new: &CanonicalClip, old: &CanonicalClip, piece: &Piece, scale: f32) -> GroundMove {
    let hips = new.clip.skeleton().hips().get();
    let [new, old] = [&new.clip.frames()[piece.frames.start], &old.clip.frames()[piece.from]];
    if new.hips_translation == old.hips_translation && new.rotations == old.rotations {
        return GroundMove::NONE;
    }
    let turn = new.rotations[hips] * old.rotations[hips].inverse();
    let yaw_rad = 2.0 * atan2(turn.y, turn.w);
    let by = GroundMove::bringing(old.hips_translation, new.hips_translation, yaw_rad);
    GroundMove { offset: by.offset * scale, ..by }
}
