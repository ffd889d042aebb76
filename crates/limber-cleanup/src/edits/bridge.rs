//! Bridges from the last pose of one clip to the first pose of another.

use std::ops::Range;

use glam::Vec3;
use limber_animation::{Clip, ContactTrack, Contacts, FrameIndex, Pose, Skeleton};

use super::{
    EditError, clip_of,
    fill::{Material, fill},
    ground_move::{GroundMove, hips, yaw_between},
    hole_edges::Evenness,
    root_path::{Edge, lead},
};
use crate::{Soles, contacts_of, curve::least_snap, foot_lock::Footprints};

/// Time over which speed is measured, so that sway does not count as travel, seconds.
const SPEED_S: f32 = 0.2;
/// Maximum time for which a body keeps its speed without taking steps, seconds.
const MOMENTUM_S: f32 = 1.0;
/// Maximum angle by which a turn continues on its own, radians.
const MOST_TURN_RAD: f32 = 0.8;
/// A foot whose new position would be this close to its present one stays where it is, metres.
const SAME_PLACE_M: f32 = 0.15;

/// Constraints on the placement of the second clip.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Placement {
    /// Its rotation about the vertical axis, if fixed.
    pub(super) yaw_rad: Option<f32>,
    /// The position of its first pose's hips over the floor, if fixed.
    pub(super) hips: Option<Vec3>,
    /// Whether the hips reach their position in half of the time and then stay there.
    pub(super) hips_first: bool,
    /// Whether feet may slide, as on a treadmill.
    pub(super) treadmill: bool,
    /// How smooth the end of the bridge must be.
    pub(super) evenness: Evenness,
}

/// The first clip, the bridge and the second clip in one.
pub(super) struct Bridged {
    pub(super) clip: Clip,
    pub(super) contacts: ContactTrack,
    pub(super) bridge: Range<FrameIndex>,
    /// The move that was applied to the second clip.
    pub(super) moved: GroundMove,
}

/// Joins two clips of the same frame rate and skeleton with `frames` new frames.
pub(super) fn bridge(
    a: &Clip,
    b: &Clip,
    frames: usize,
    material: Option<&Clip>,
    placement: Placement,
) -> Result<Bridged, EditError> {
    let total = a.len().saturating_add(frames).saturating_add(b.len());
    if total > EditError::MOST_FRAMES {
        return Err(EditError::TooLong(total));
    }
    if frames < EditError::LEAST_BRIDGE {
        return Err(EditError::BridgeLength { found: frames });
    }
    let skeleton = a.skeleton();
    let (moved, material) = match material {
        Some(clip) => led(a, b, clip, frames, placement),
        None => {
            let moved = place(a, b, frames, placement);
            let goal = moved.pose(skeleton, &b.frames()[0]);
            (moved, pure(&a.frames()[a.len() - 1], &goal, frames, placement))
        }
    };
    let mut poses = a.frames().to_vec();
    poses.extend(std::iter::repeat_n(a.frames()[a.len() - 1].clone(), frames));
    poses.extend(b.frames().iter().map(|pose| moved.pose(skeleton, pose)));
    let mut track = contacts_of(a);
    track.extend(std::iter::repeat_n(Contacts::NONE, frames));
    track.extend(contacts_of(b));
    let hole = a.len()..a.len() + frames;
    let mut clip = clip_of(a, poses, None);
    let material = material.ending(placement.evenness);
    let contacts = fill(&mut clip, &hole, &material, track);
    Ok(Bridged { clip, contacts, bridge: hole, moved })
}

/// A bridge without an action: interpolates from pose to pose, with feet standing where they can.
fn pure(from: &Pose, to: &Pose, frames: usize, placement: Placement) -> Material {
    let between = (0..frames)
        .map(|frame| {
            let way = (frame + 1) as f32 / (frames + 1) as f32;
            let mut pose = from.blend(to, least_snap(way));
            if placement.hips_first {
                let early = from.blend(to, least_snap(2.0 * way));
                pose.hips_translation.x = early.hips_translation.x;
                pose.hips_translation.z = early.hips_translation.z;
            }
            pose
        })
        .collect();
    let feet = if placement.treadmill { Contacts::NONE } else { Contacts::STANDING };
    Material::between(from, between, to, feet)
}

/// Appends the material to the first clip and the second clip to the material.
fn led(
    a: &Clip,
    b: &Clip,
    material: &Clip,
    frames: usize,
    placement: Placement,
) -> (GroundMove, Material) {
    let skeleton = a.skeleton();
    let (mut poses, mut contacts) = fitted(material, frames, a.fps());
    let edge = ending(a);
    let first = &b.frames()[0];
    let fixed = placement.yaw_rad.is_some() || placement.hips.is_some();
    lead(skeleton, &mut poses, Some(edge), None);
    let last =
        Edge { at: &poses[frames - 1], beyond: frames.checked_sub(2).map(|place| &poses[place]) };
    let natural = last.beside(skeleton, first);
    let yaw_rad = placement.yaw_rad.unwrap_or(natural.yaw_rad);
    let from = hips(skeleton, first).0;
    let goal = placement.hips.unwrap_or_else(|| natural.point(from));
    let moved = GroundMove::bringing(from, goal, yaw_rad);
    if fixed {
        let at = moved.pose(skeleton, first);
        let beyond = b.frames().get(1).map(|pose| moved.pose(skeleton, pose));
        let right = Edge { at: &at, beyond: beyond.as_ref() };
        lead(skeleton, &mut poses, Some(edge), Some(right));
    }
    if placement.treadmill {
        contacts.fill(Contacts::NONE);
    }
    (moved, Material::new(&poses, contacts))
}

fn ending(clip: &Clip) -> Edge<'_> {
    let last = clip.len() - 1;
    Edge {
        at: &clip.frames()[last],
        beyond: last.checked_sub(1).map(|frame| &clip.frames()[frame]),
    }
}

/// The material resampled to a number of frames.
pub(super) fn fitted(
    material: &Clip,
    frames: usize,
    fps: limber_animation::Fps,
) -> (Vec<Pose>, ContactTrack) {
    let contacts = contacts_of(material);
    if material.len() == frames && material.fps() == fps {
        return (material.frames().to_vec(), contacts);
    }
    let last = (material.len() - 1) as f32;
    let place = |frame: usize| {
        if frames < 2 { 0.0 } else { last * frame as f32 / (frames - 1) as f32 }
    };
    let poses = (0..frames)
        .map(|frame| material.sample(place(frame) / material.fps().per_second()))
        .collect();
    let contacts = (0..frames).map(|frame| contacts[place(frame).round() as usize]).collect();
    (poses, contacts)
}

/// Placement of the second clip: it continues the travel of the first, with the speed blending from
/// one to the other over the bridge, and is moved onto a standing foot if that is near.
pub(super) fn place(a: &Clip, b: &Clip, frames: usize, placement: Placement) -> GroundMove {
    let skeleton = a.skeleton();
    let fps = a.fps().per_second();
    let reach = (SPEED_S * fps).round().max(1.0) as usize;
    let (first, last) = (&b.frames()[0], &a.frames()[a.len() - 1]);
    let before = &a.frames()[a.len() - 1 - reach.min(a.len() - 1)];
    let after = &b.frames()[reach.min(b.len() - 1)];
    let per_frame = |from: &Pose, to: &Pose, count: usize| {
        let count = count.max(1) as f32;
        let way = hips(skeleton, to).0 - hips(skeleton, from).0;
        (way / count, yaw_between(skeleton, from, to) / count)
    };
    let (leaving, turning) = per_frame(before, last, reach.min(a.len() - 1));
    let (coming, turning_then) = per_frame(first, after, reach.min(b.len() - 1));
    let time = ((frames + 1) as f32).min(MOMENTUM_S * fps);
    let turn_on = (0.5 * time * (turning + turning_then)).clamp(-MOST_TURN_RAD, MOST_TURN_RAD);
    let yaw_rad = placement.yaw_rad.unwrap_or_else(|| yaw_between(skeleton, first, last) + turn_on);
    let from = hips(skeleton, first).0;
    let turned = GroundMove { yaw_rad, offset: Vec3::ZERO };
    let on = hips(skeleton, last).0 + 0.5 * time * (leaving + turned.point(coming));
    let goal = placement.hips.unwrap_or(on);
    let moved = GroundMove::bringing(from, goal, yaw_rad);
    if placement.hips.is_some() || placement.treadmill {
        return moved;
    }
    GroundMove { offset: moved.offset + to_standing_foot(skeleton, a, b, moved), ..moved }
}

/// The short translation that brings a standing foot of the second clip onto its position in the
/// first.
fn to_standing_foot(skeleton: &Skeleton, a: &Clip, b: &Clip, moved: GroundMove) -> Vec3 {
    let soles = Soles::of_skeleton(skeleton);
    let ends = clip_of(a, vec![a.frames()[a.len() - 1].clone(), b.frames()[0].clone()], None);
    let (last, first) = (contacts_of(a)[a.len() - 1], contacts_of(b)[0]);
    let mut ways: Vec<Vec3> = Footprints::all(&ends, &vec![last, first], &(0..2), &soles)
        .iter()
        .filter(|foot| last.foot(foot.foot.side) && first.foot(foot.foot.side))
        .map(|foot| {
            let stands = foot.at(0, foot.touch(last)).ball;
            let comes = moved.point(foot.at(1, foot.touch(first)).ball);
            crate::foot_lock::horizontal(stands - comes)
        })
        .collect();
    ways.sort_by(|a, b| a.length().total_cmp(&b.length()));
    ways.first().copied().filter(|way| way.length() < SAME_PLACE_M).unwrap_or(Vec3::ZERO)
}
