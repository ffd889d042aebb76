//! S3, second half: retargets the clip to the character and puts its soles on the floor.

use limber_animation::{Character, Clip};
use limber_cleanup::{
    FootLockingMode, Soles, contacts_of, ground, hold_feet_on, in_place, lock_feet_on,
    standing_contacts,
};
use limber_formats::RootTrack;
use limber_retarget::{hips_scale, keep_touches, lean_on_floor, plant, retarget, spread_twists};

use super::{closing, root_track};
use crate::{ErrorCode, Options, PipelineError, Stage};

/// Rounds of solving height and position of the feet, which depend on each other if a leg is nearly
/// too short.
const ROUNDS: usize = 2;

/// A clip on a character's skeleton, with its feet on the floor.
pub(crate) struct Retargeted {
    pub(crate) clip: Clip,
    /// Size of the character relative to the canonical body.
    pub(crate) scale: f32,
}

/// A clip on a character's skeleton, ready to be written.
pub(crate) struct FinishedClip {
    pub(crate) clip: Clip,
    /// The clip with its closing frame, as written to files.
    pub(crate) played: Clip,
    /// The motion of the joint `root` in `played`, if requested.
    pub(crate) root: Option<RootTrack>,
    /// Mean speed over the ground in m/s, if the travel was removed.
    pub(crate) removed_speed_m_s: Option<f32>,
    /// Size of the character relative to the canonical body.
    pub(crate) scale: f32,
}

/// Retargets a clip to a character.
///
/// # Errors
/// 903 if the clip cannot be retargeted to this skeleton.
pub(crate) fn to_character(
    clip: &Clip,
    character: &Character,
    options: &Options,
) -> Result<Retargeted, PipelineError> {
    let failed = |error: limber_retarget::RetargetError| {
        PipelineError::at(Stage::Bake, ErrorCode::RETARGET, error.to_string())
    };
    let scale = hips_scale(clip.skeleton(), &character.skeleton).map_err(failed)?;
    let retargeted = retarget(clip, &character.skeleton).map_err(failed)?;
    let touching = keep_touches(clip, &retargeted, character);
    let standing = replant_feet(clip, &touching, character, options.foot_locking);
    Ok(Retargeted { clip: lean_on_floor(clip, &standing), scale })
}

/// Applies the requested root motion and frame rate.
pub(crate) fn finish(retargeted: Retargeted, options: &Options) -> FinishedClip {
    let Retargeted { clip, scale } = retargeted;
    let (clip, removed_speed_m_s) = if options.in_place {
        let still = in_place(&clip);
        (still.clip, Some(still.mean_speed_m_s))
    } else {
        (clip, None)
    };
    let played = spread_twists(&closing::resampled(&closing::closed(&clip), options.fps));
    let root = options.root_at_origin.then(|| root_track::of(&played));
    FinishedClip { clip: closing::opened(&played), played, root, removed_speed_m_s, scale }
}

/// Sets the feet again with the soles of the mesh, because limbs of other lengths put them
/// elsewhere. Feet that slide in `source` may slide here, no others.
fn replant_feet(source: &Clip, clip: &Clip, character: &Character, mode: FootLockingMode) -> Clip {
    if mode == FootLockingMode::Never {
        return clip.clone();
    }
    let soles = Soles::of_character(character);
    let skin = limber_retarget::Soles::of(character);
    let level = ground(clip, &soles);
    let contacts = contacts_of(clip);
    let (locked, contacts, held) = match mode {
        FootLockingMode::Auto => {
            let held = standing_contacts(source, &contacts);
            (hold_feet_on(&level, &held, &soles), contacts, held)
        }
        FootLockingMode::Always => {
            // the held contacts were decided before retargeting
            (hold_feet_on(&level, &contacts, &soles), contacts.clone(), contacts)
        }
        FootLockingMode::Grounding | FootLockingMode::Never => {
            let locked = lock_feet_on(&level, &contacts, mode, &soles);
            return match skin {
                Some(skin) => limber_retarget::ground(&locked, &skin),
                None => locked,
            };
        }
    };
    // foot locking uses three points per foot; these functions use every vertex of the sole
    let told = locked.with_contacts(contacts).expect("the number of frames is unchanged");
    let Some(skin) = skin else { return told };
    let mut standing = limber_retarget::ground(&told, &skin);
    for _ in 0..ROUNDS {
        standing = limber_retarget::ground(&plant(&standing, &skin, &held), &skin);
    }
    standing
}
