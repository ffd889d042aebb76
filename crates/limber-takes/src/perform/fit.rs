//! A part of a take, put into the place of what was drawn.

use std::ops::Range;

use glam::{Quat, Vec3};
use limber_animation::{Clip, Contacts, HumanBone, JointIndex, Side};
use limber_cleanup::{EditError, FootLockingMode, lock_feet, merge, standing_contacts};

use super::{choice::Candidate, legs};
use crate::import::cut;

/// Turns of less than this are how people walk, degrees.
const SOME_TURN_DEG: f32 = 4.0;

/// A clip with a take in it.
pub(super) struct Fitted {
    pub(super) clip: Clip,
    /// The frames of the take.
    pub(super) frames: Range<usize>,
    /// The share of the feet's standing time that is left after mending.
    pub(super) stands: f32,
}

/// The drawn clip with the candidate in the place of what it replaces. `None` where that is no clip.
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

/// In how many frames feet stand, on heel or ball.
fn standing_frames(clip: &Clip, frames: &Range<usize>) -> f32 {
    let track = clip.contacts().map_or(&[][..], Vec::as_slice);
    let track = track.get(frames.clone()).unwrap_or_default().iter();
    let feet =
        |contacts: &Contacts| Side::BOTH.into_iter().filter(|side| contacts.foot(*side)).count();
    track.map(|contacts| feet(contacts) as f32).sum()
}

/// Takes out what it turns too far, evenly, and makes its way longer or shorter.
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

/// Fingers and face do what was drawn for them: takes have none.
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
