//! Stops: for how long a body stands at ease where it should go on.

use std::ops::Range;

use limber_animation::HumanBone;

use crate::Body;

/// Maximum distance of every joint from where it is when the body stands at ease, relative to the
/// hips, metres; idle sway stays below a third of it.
const NEAR_M: f32 = 0.09;
/// Maximum speed of every joint, m/s.
const SLOW_M_S: f32 = 0.35;

const JOINTS: [HumanBone; 11] = [
    HumanBone::Hips,
    HumanBone::Chest,
    HumanBone::Head,
    HumanBone::LeftLowerArm,
    HumanBone::RightLowerArm,
    HumanBone::LeftHand,
    HumanBone::RightHand,
    HumanBone::LeftLowerLeg,
    HumanBone::RightLowerLeg,
    HumanBone::LeftFoot,
    HumanBone::RightFoot,
];

/// How long a body stands at ease within these frames, seconds. The clip must start at ease.
#[must_use]
pub fn at_ease_s(body: &Body, frames: Range<usize>) -> f32 {
    let frames = frames.start.max(1)..frames.end.min(body.len());
    frames.filter(|frame| is_at_ease(body, *frame)).count() as f32 / body.fps
}

fn is_at_ease(body: &Body, frame: usize) -> bool {
    JOINTS.iter().all(|bone| {
        let speed_m_s = body.at(*bone, frame).distance(body.at(*bone, frame - 1)) * body.fps;
        let mut apart = body.beside_hips(*bone, frame) - body.beside_hips(*bone, 0);
        apart.y = body.at(*bone, frame).y - body.at(*bone, 0).y;
        speed_m_s <= SLOW_M_S && apart.length() <= NEAR_M
    })
}
