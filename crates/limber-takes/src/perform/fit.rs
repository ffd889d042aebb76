//! Fits a part of a take into the drawn clip.

use std::ops::Range;

use glam::{Quat, Vec3};
use limber_animation::{Clip, Contacts, HumanBone, JointIndex, Side};
use limber_cleanup::{EditError, FootLockingMode, lock_feet, merge, standing_contacts};

use super::{choice::Candidate, legs};
use crate::import::cut;

/// Smaller rotations are normal variation in walking, degrees.
const SOME_TURN_DEG: f32 = 4.0;

/// A clip with a take fitted into it.
pub(super) struct Fitted {
    pub(super) clip: Clip,
    /// The frames of the take.
    pub(super) frames: Range<usize>,
    /// Share of the contact frames that is left after the repair.
    pub(super) stands: f32,
}

/// The drawn clip with the candidate in place of the frames that it replaces. `None` if they cannot
/// be joined.
pub(super) fn fitted(drawn: &Clip, take: &Clip, candidate: &Candidate) -> Option<Fitted> {
    let Range { start, end } = candidate.hole.clone();
    if start == 0 || end >= drawn.len() || candidate.length < EditError::LEAST_BRIDGE {
        return None;
    }
    let mut material = cut(take, candidate.frames.clone());
    if candidate.is_mirrored {
        material = material.mirrored();
    }
    bend(&mut material, candidate);
    legs::mend(&mut material);
    let contacts = standing_contacts(&material, material.contacts()?);
    let mut material = lock_feet(&material, &contacts, FootLockingMode::Auto);
    give_hands(&mut material, drawn, &candidate.hole);
    let before = cut(drawn, 0..start);
    let after = cut(drawn, end..drawn.len());
    let merged = merge(&before, &after, candidate.length, Some(&material)).ok()?;
    let stood = standing_frames(&merged.clip, &merged.bridge);
    let clip = legs::finish(merged.clip, &merged.bridge);
    let stands = if stood > 0.0 { standing_frames(&clip, &merged.bridge) / stood } else { 1.0 };
    Some(Fitted { clip, stands, frames: merged.bridge })
}

/// The number of frames in which heel or ball of a foot is in contact, summed over both feet.
fn standing_frames(clip: &Clip, frames: &Range<usize>) -> f32 {
    let track = clip.contacts().map_or(&[][..], Vec::as_slice);
    let track = track.get(frames.clone()).unwrap_or_default().iter();
    let feet =
        |contacts: &Contacts| Side::BOTH.into_iter().filter(|side| contacts.foot(*side)).count();
    track.map(|contacts| feet(contacts) as f32).sum()
}

/// Removes the candidate's excess rotation evenly over its length and scales its travel.
fn bend(material: &mut Clip, candidate: &Candidate) {
    let turn = -candidate.unwanted_turn_deg;
    let is_turned = turn.abs() > SOME_TURN_DEG;
    if !is_turned && (candidate.bend - 1.0).abs() < 1e-3 {
        return;
    }
    let turn_rad = if is_turned { turn.to_radians() } else { 0.0 };
    let last = (material.len() - 1).max(1) as f32;
    let mut from = material.frames()[0].hips_translation;
    let mut at = from;
    for (frame, pose) in material.frames_mut().iter_mut().enumerate() {
        let turn = Quat::from_rotation_y(turn_rad * frame as f32 / last);
        let way = pose.hips_translation - from;
        from = pose.hips_translation;
        let ground = turn * Vec3::new(way.x, 0.0, way.z) * candidate.bend;
        at += ground;
        pose.hips_translation = Vec3::new(at.x, from.y, at.z);
        pose.rotations[0] = (turn * pose.rotations[0]).normalize();
    }
}

/// Copies fingers and face from the drawn clip, because takes have none.
fn give_hands(material: &mut Clip, drawn: &Clip, hole: &Range<usize>) {
    let skeleton = drawn.skeleton();
    let fingers: Vec<JointIndex> = HumanBone::ALL
        .into_iter()
        .filter(|bone| *bone > HumanBone::RightToes)
        .filter_map(|bone| skeleton.find(bone))
        .collect();
    let last = (material.len() - 1).max(1) as f32;
    let per_second = drawn.fps().per_second();
    for (frame, pose) in material.frames_mut().iter_mut().enumerate() {
        let share = frame as f32 / last;
        let place = hole.start as f32 + share * (hole.len() - 1) as f32;
        let same = drawn.sample(place / per_second);
        for joint in &fingers {
            pose.set_rotation(*joint, same.rotation(*joint));
        }
        pose.face = same.face;
    }
}
