//! Regenerates parts of a clip.

use std::ops::Range;

use limber_animation::{Clip, ContactTrack, FrameIndex, HumanBone, Pose, Side, Skeleton};

use super::{
    EditError, Intervals,
    bridge::fitted,
    clip_of,
    fill::{Material, edges, fill, keep_legs, write},
    ground_move::{GroundMove, hips, yaw_between},
    root_path::lead,
    same_skeleton,
};
use crate::{contacts_of, feet::leg_scale};

/// A hole whose ends are further apart cannot be crossed with standing feet, metres …
const TRAVELS_M: f32 = 0.25;
/// … and if the hips are this much higher or lower than the material's, the old legs are needed
/// too, metres.
const OTHER_LEVEL_M: f32 = 0.12;
/// Hips that stay within this distance only sway, metres.
const SWAY_M: f32 = 0.15;

/// Replaces the intervals of a clip with new movement, one piece of material for each, resampled to
/// the interval's length. Frames outside stay as they are, bit for bit; the new movement is
/// connected to the poses before and after it.
///
/// A gesture that needs no legs (its feet stand and its hips only sway) is layered over the old
/// legs if the old movement travels, so that a walking character who waves keeps walking. In that
/// case legs are changed only in frames next to an edge where the old legs would jump. If the
/// intervals cover the whole clip, the material starts where the clip did.
///
/// # Errors
/// [`EditError::OtherLength`], [`EditError::MaterialCount`], [`EditError::OtherSkeleton`].
pub fn inpaint(source: &Clip, intervals: &Intervals, material: &[Clip]) -> Result<Clip, EditError> {
    if intervals.clip_frames() != source.len() {
        let (intervals, clip) = (intervals.clip_frames(), source.len());
        return Err(EditError::OtherLength { intervals, clip });
    }
    if material.len() != intervals.ranges().len() {
        let (wanted, found) = (intervals.ranges().len(), material.len());
        return Err(EditError::MaterialCount { wanted, found });
    }
    material.iter().try_for_each(|piece| same_skeleton(source, piece))?;
    let mut painted = clip_of(source, source.frames().to_vec(), None);
    let mut track = contacts_of(source);
    for (hole, piece) in intervals.ranges().iter().zip(material) {
        let (poses, contacts) = fitted(piece, hole.len(), source.fps());
        if is_gesture(source, hole, &poses, &contacts) {
            let mask = above_the_legs(source.skeleton());
            write(&mut painted, hole, &Material::new(&poses, contacts), Some(&mask));
            track = keep_legs(&mut painted, hole, track);
        } else {
            paint(source, &mut painted, &mut track, hole, (poses, contacts));
        }
    }
    Ok(match source.contacts() {
        Some(_) => painted.with_contacts(track).expect("there is one entry per frame"),
        None => painted,
    })
}

fn paint(
    source: &Clip,
    painted: &mut Clip,
    track: &mut ContactTrack,
    hole: &Range<FrameIndex>,
    (mut poses, contacts): (Vec<Pose>, ContactTrack),
) {
    let skeleton = source.skeleton();
    let (left, right) = edges(source.frames(), hole);
    if left.is_none() && right.is_none() {
        let first = &source.frames()[0];
        let yaw_rad = yaw_between(skeleton, &poses[0], first);
        let (from, to) = (hips(skeleton, &poses[0]).0, hips(skeleton, first).0);
        let begin = GroundMove::bringing(from, to, yaw_rad);
        for pose in &mut poses {
            *pose = begin.pose(skeleton, pose);
        }
    } else {
        lead(skeleton, &mut poses, left, right);
    }
    *track = fill(painted, hole, &Material::new(&poses, contacts), std::mem::take(track));
}

/// Whether the material needs no legs of its own, and the hole cannot be crossed without the old
/// ones.
fn is_gesture(
    source: &Clip,
    hole: &Range<FrameIndex>,
    material: &[Pose],
    contacts: &ContactTrack,
) -> bool {
    let skeleton = source.skeleton();
    let scale = leg_scale(skeleton);
    let at = |pose: &Pose| hips(skeleton, pose).0;
    let stands = contacts.iter().all(|touch| Side::BOTH.into_iter().all(|side| touch.foot(side)));
    let begin = at(&material[0]);
    let sways = material.iter().all(|pose| at(pose).distance(begin) < SWAY_M * scale);
    if !(stands && sways) || hole.len() == source.len() {
        return false;
    }
    let old: Vec<_> = source.frames()[hole.clone()].iter().map(at).collect();
    let way = (old[old.len() - 1] - old[0]) * glam::Vec3::new(1.0, 0.0, 1.0);
    let level = |from: f32| (from - begin.y).abs() > OTHER_LEVEL_M * scale;
    let (first, last) = (old[0].y, old[old.len() - 1].y);
    let stays = old.iter().all(|at| (at.y - first).abs() < OTHER_LEVEL_M * scale);
    way.length() > TRAVELS_M * scale || (level(first) && level(last) && stays)
}

/// Every joint except the hips and legs.
fn above_the_legs(skeleton: &Skeleton) -> Vec<bool> {
    let mut below = vec![false; skeleton.len()];
    let mut above = vec![false; skeleton.len()];
    for joint in skeleton.indices() {
        let info = skeleton.joint(joint);
        let of_leg = info.bone.is_some_and(|bone| {
            Side::BOTH.into_iter().any(|side| HumanBone::leg(side).contains(&bone))
        });
        let parent = info.parent.map(limber_animation::JointIndex::get);
        below[joint.get()] = of_leg || parent.is_some_and(|parent| below[parent]);
        let hangs_on_hips =
            parent.is_some_and(|parent| parent == skeleton.hips().get() || above[parent]);
        above[joint.get()] = hangs_on_hips && !below[joint.get()];
    }
    above
}

#[cfg(test)]
mod tests {
    use limber_animation::canonical_skeleton;

    use super::*;

    #[test]
    fn the_upper_body_is_trunk_arms_head_and_fingers() {
        let skeleton = canonical_skeleton();
        let above = above_the_legs(&skeleton);
        let of = |bone| above[skeleton.find(bone).expect("a canonical bone").get()];
        for bone in [HumanBone::Spine, HumanBone::Head, HumanBone::RightIndexDistal] {
            assert!(of(bone), "{bone:?}");
        }
        for bone in [HumanBone::Hips, HumanBone::LeftUpperLeg, HumanBone::RightToes] {
            assert!(!of(bone), "{bone:?}");
        }
    }
}
