//! S3: frames that an edit took from another clip are put back as they are in that clip's own files.
//!
//! What sets feet on a floor looks at whole clips, so that new frames reach into those beside them.

use limber_animation::Character;
use limber_cleanup::{GroundMove, Untouched, restore};
use limber_formats::canonical::Piece;
use limber_text_to_motion::Cancel;

use super::{
    carry::{Carried, carry},
    correct::correct,
    track::track,
};
use crate::{CanonicalClip, Options, PipelineError};

/// `carried` is what `canonical` became on the character.
///
/// # Errors
/// As of the stages that the origins walk through themselves.
pub(crate) fn put_back(
    carried: Carried,
    canonical: &CanonicalClip,
    character: &Character,
    options: &Options,
    cancel: &Cancel,
) -> Result<Carried, PipelineError> {
    let mut carried = carried;
    for origin in &canonical.origins {
        if cancel.is_cancelled() {
            return Err(PipelineError::Cancelled);
        }
        let tracked = track(&origin.clip.clip, character, options)?;
        let there = carry(&correct(&tracked.clip, options)?, character, options)?;
        let there = put_back(there, &origin.clip, character, options, cancel)?;
        let pieces: Vec<Untouched<'_>> = origin
            .pieces
            .iter()
            .filter(|piece| !piece.frames.is_empty())
            .map(|piece| Untouched {
                clip: &there.clip,
                from: piece.from,
                at: piece.frames.start,
                frames: piece.frames.len(),
                moved: moved(canonical, &origin.clip, piece, carried.scale),
            })
            .collect();
        carried.clip = restore(&carried.clip, &pieces);
    }
    Ok(carried)
}

/// How a piece was moved over the floor, on a body `scale` times as large as the canonical one.
fn moved(new: &CanonicalClip, old: &CanonicalClip, piece: &Piece, scale: f32) -> GroundMove {
    let hips = new.clip.skeleton().hips().get();
    let [new, old] = [&new.clip.frames()[piece.frames.start], &old.clip.frames()[piece.from]];
    if new.hips_translation == old.hips_translation && new.rotations == old.rotations {
        return GroundMove::NONE;
    }
    let turn = new.rotations[hips] * old.rotations[hips].inverse();
    let yaw_rad = 2.0 * turn.y.atan2(turn.w);
    let by = GroundMove::bringing(old.hips_translation, new.hips_translation, yaw_rad);
    GroundMove { offset: by.offset * scale, ..by }
}
