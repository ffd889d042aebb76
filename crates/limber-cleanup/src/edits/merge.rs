//! Two clips, one after the other, with a bridge between them.

use std::ops::Range;

use limber_animation::{Clip, FrameIndex};

use super::{
    EditError, GroundMove,
    bridge::{Placement, bridge},
    same_skeleton,
};

/// Two clips in one.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The first clip as it was, the bridge, the second clip moved.
    pub clip: Clip,
    /// The new frames.
    pub bridge: Range<FrameIndex>,
    /// How the second clip was moved over the floor.
    pub moved: GroundMove,
}

/// Puts `bridge_frames` new frames between two clips. The first stays where it is; the second is
/// brought to its rate if need be, then turned about the vertical and slid over the floor so that
/// it goes on where the bridge ends. `material` is what happens on the bridge; without it the
/// body goes straight over, with steps where feet must move.
///
/// # Errors
/// [`EditError::OtherSkeleton`], [`EditError::BridgeLength`], [`EditError::TooLong`].
pub fn merge(
    a: &Clip,
    b: &Clip,
    bridge_frames: usize,
    material: Option<&Clip>,
) -> Result<Merged, EditError> {
    same_skeleton(a, b)?;
    material.map_or(Ok(()), |material| same_skeleton(a, material))?;
    let b = b.resampled(a.fps());
    let bridged = bridge(a, &b, bridge_frames, material, Placement::default())?;
    let known = a.contacts().is_some() || b.contacts().is_some();
    let clip = if known {
        bridged.clip.with_contacts(bridged.contacts).expect("there is one entry per frame")
    } else {
        bridged.clip
    };
    Ok(Merged { clip, bridge: bridged.bridge, moved: bridged.moved })
}
