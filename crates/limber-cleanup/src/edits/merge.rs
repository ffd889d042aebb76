//! Joins two clips, with a bridge between them or by overlapping them.

use std::ops::Range;

use glam::Vec3;
use limber_animation::{
    Clip, FrameIndex, Pose,
    maths::{atan2, cos, sin},
    smooth::smoothstep,
};

use super::{
    EditError, GroundMove,
    bridge::{Placement, bridge},
    clip_of,
    fill::{Material, fill},
    ground_move::{hips, yaw_between},
    same_skeleton,
};
use crate::contacts_of;

/// Two joined clips.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The unchanged first clip, the new frames and the moved second clip.
    pub clip: Clip,
    /// The new frames: between the clips, or where they overlap.
    pub bridge: Range<FrameIndex>,
    /// The move applied to the second clip.
    pub moved: GroundMove,
}

/// Inserts `bridge_frames` new frames between two clips. The first clip stays where it is. The
/// second is resampled to the first one's frame rate, then rotated about the vertical axis and
/// translated over the floor so that it continues where the bridge ends. `material` is the movement
/// on the bridge; without it the body interpolates straight across, with steps where feet must
/// move.
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

/// Overlaps the last `frames` frames of the first clip with the first ones of the second and
/// cross-fades between them; all other frames stay as they are. The second clip is resampled to the
/// first one's frame rate, then rotated about the vertical axis and translated over the floor to
/// match the first as well as possible where they overlap. Feet are locked there, with steps where
/// the two clips stand in different places.
///
/// # Errors
/// [`EditError::OtherSkeleton`], [`EditError::OverlapLength`], [`EditError::TooLong`].
pub fn overlap(a: &Clip, b: &Clip, frames: usize) -> Result<Merged, EditError> {
    same_skeleton(a, b)?;
    let b = b.resampled(a.fps());
    let most = a.len().min(b.len());
    if !(EditError::LEAST_BRIDGE..=most).contains(&frames) {
        return Err(EditError::OverlapLength { found: frames, most });
    }
    let total = a.len().saturating_add(b.len()) - frames;
    if total > EditError::MOST_FRAMES {
        return Err(EditError::TooLong(total));
    }
    let skeleton = a.skeleton();
    let begins = a.len() - frames;
    let shared = begins..a.len();
    let pairs: Vec<(&Pose, &Pose)> =
        a.frames()[begins..].iter().zip(&b.frames()[..frames]).collect();
    let moved = agreeing(a, &pairs);
    let second: Vec<Pose> = b.frames().iter().map(|pose| moved.pose(skeleton, pose)).collect();
    let (ends, comes) = (contacts_of(a), contacts_of(&b));
    let weight = |place: usize| smoothstep((place + 1) as f32 / (frames + 1) as f32);
    let over: Vec<Pose> = (0..frames)
        .map(|place| a.frames()[begins + place].blend(&second[place], weight(place)))
        .collect();
    // the contacts are those of the clip with the larger weight
    let wishes = (0..frames)
        .map(|place| if weight(place) < 0.5 { ends[begins + place] } else { comes[place] })
        .collect();
    let poses = a.frames()[..begins].iter().chain(&over).chain(&second[frames..]).cloned();
    let track = ends.iter().chain(&comes[frames..]).copied();
    let (poses, track) = (poses.collect(), track.collect());
    let mut clip = clip_of(a, poses, None);
    let contacts = fill(&mut clip, &shared, &Material::new(&over, wishes), track);
    if a.contacts().is_some() || b.contacts().is_some() {
        clip = clip.with_contacts(contacts).expect("there is one entry per frame");
    }
    Ok(Merged { clip, bridge: shared, moved })
}

/// The move that aligns the second of each pair with the first: by the mean rotation between their
/// trunks, and with the centres of both paths on top of each other.
fn agreeing(a: &Clip, pairs: &[(&Pose, &Pose)]) -> GroundMove {
    let skeleton = a.skeleton();
    let (mut sines, mut cosines) = (0.0_f32, 0.0_f32);
    let (mut from, mut to) = (Vec3::ZERO, Vec3::ZERO);
    for (first, second) in pairs {
        let yaw_rad = yaw_between(skeleton, second, first);
        (sines, cosines) = (sines + sin(yaw_rad), cosines + cos(yaw_rad));
        to += hips(skeleton, first).0;
        from += hips(skeleton, second).0;
    }
    let count = pairs.len().max(1) as f32;
    GroundMove::bringing(from / count, to / count, atan2(sines, cosines))
}
