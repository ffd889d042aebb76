//! Detects where the hands are: at parts of the body, together, in front of the body.

use glam::Vec3;
use limber_animation::{HumanBone, Side};

use super::{Sighting, arms::busier, gaits::joined};
use crate::{
    Body,
    curves::{peaks, stretches, turning_points},
};

/// Maximum distance of the palm's centre that counts as touching, metres.
const TOUCH_M: f32 = 0.17;
/// Minimum duration of a touch, seconds; anything shorter is passing by.
const SHORTEST_S: f32 = 0.15;

/// For each side, the stretches in which a condition on that hand holds.
fn held(body: &Body, seconds: f32, holds: impl Fn(Side, usize) -> bool) -> Vec<Sighting> {
    Side::BOTH
        .into_iter()
        .flat_map(|side| {
            let ranges = joined(stretches(body.len(), 1, |frame| holds(side, frame)), 3);
            let long = ranges.into_iter().filter(|range| range.len() >= body.frames_in(seconds));
            long.map(move |range| Sighting::during(range).by(side)).collect::<Vec<_>>()
        })
        .collect()
}

/// World position of a point fixed in the head, given relative to the head's joint at rest: left,
/// up, forward, metres on the canonical skeleton, scaled by the length of the arm.
fn on_head(body: &Body, frame: usize, place: Vec3) -> Vec3 {
    let size = body.arm_m / 0.54;
    body.at(HumanBone::Head, frame) + body.turn(HumanBone::Head, frame) * (place * size)
}

fn at_place(body: &Body, place: impl Fn(Side, usize) -> Vec3, touch_m: f32) -> Vec<Sighting> {
    held(body, SHORTEST_S, |side, frame| {
        let place = place(side, frame);
        let [.., wrist] = HumanBone::arm(side);
        let palm = body.palm(side, frame);
        let tips = palm + (palm - body.at(wrist, frame));
        let near = palm.distance(place).min(tips.distance(place));
        near < touch_m * body.arm_m / 0.54
    })
}

pub(super) fn at_face(body: &Body) -> Vec<Sighting> {
    at_place(body, |_, frame| on_head(body, frame, Vec3::new(0.0, 0.03, 0.1)), TOUCH_M)
}

pub(super) fn at_brow(body: &Body) -> Vec<Sighting> {
    at_place(
        body,
        |side, frame| on_head(body, frame, Vec3::new(0.05 * side.sign(), 0.1, 0.09)),
        TOUCH_M,
    )
}

pub(super) fn at_ear(body: &Body) -> Vec<Sighting> {
    at_place(
        body,
        |side, frame| on_head(body, frame, Vec3::new(0.08 * side.sign(), 0.06, 0.0)),
        TOUCH_M,
    )
}

pub(super) fn at_head(body: &Body) -> Vec<Sighting> {
    at_place(
        body,
        |side, frame| on_head(body, frame, Vec3::new(0.05 * side.sign(), 0.14, -0.01)),
        0.2,
    )
}

pub(super) fn at_chest(body: &Body) -> Vec<Sighting> {
    let place = |_, frame: usize| {
        let middle = body.at(HumanBone::Chest, frame).lerp(body.at(HumanBone::Neck, frame), 0.4);
        middle + body.chest_faces(frame) * 0.13
    };
    at_place(body, place, 0.2)
}

pub(super) fn at_belly(body: &Body) -> Vec<Sighting> {
    let place = |_, frame: usize| body.at(HumanBone::Spine, frame) + body.chest_faces(frame) * 0.13;
    at_place(body, place, 0.2)
}

/// Stretches in which a condition holds for both hands.
fn both(body: &Body, seconds: f32, holds: impl Fn(Side, usize) -> bool) -> Vec<Sighting> {
    let ranges =
        stretches(body.len(), 1, |frame| Side::BOTH.into_iter().all(|side| holds(side, frame)));
    let long = joined(ranges, 3).into_iter();
    long.filter(|range| range.len() >= body.frames_in(seconds)).map(Sighting::during).collect()
}

pub(super) fn on_hips(body: &Body) -> Vec<Sighting> {
    both(body, 0.3, |side, frame| {
        let [hip, ..] = HumanBone::leg(side);
        let [_, _, elbow, wrist] = HumanBone::arm(side);
        let [elbow, wrist, hip] = [elbow, wrist, hip].map(|bone| body.beside_hips(bone, frame));
        let height = wrist.y - hip.y;
        let out = (elbow.x - hip.x) * side.sign();
        (0.0..0.3).contains(&height)
            && (wrist.x - hip.x).hypot(wrist.z - hip.z) < 0.26
            && out > 0.14
            && elbow.y > wrist.y
    })
}

pub(super) fn crossed(body: &Body) -> Vec<Sighting> {
    both(body, 0.3, |side, frame| {
        let [_, shoulder, _, wrist] = HumanBone::arm(side);
        let hand = body.turn(HumanBone::Chest, frame).inverse()
            * (body.at(wrist, frame) - body.at(HumanBone::Chest, frame));
        let height = body.at(wrist, frame).y - body.at(shoulder, frame).y;
        hand.x * side.sign() < 0.06 && hand.z > 0.05 && (-0.45..0.05).contains(&height)
    })
}

/// Distance between the palms, metres.
fn apart(body: &Body, frame: usize) -> f32 {
    body.palm(Side::Left, frame).distance(body.palm(Side::Right, frame))
}

pub(super) fn together(body: &Body) -> Vec<Sighting> {
    let ranges = joined(stretches(body.len(), 1, |frame| apart(body, frame) < 0.2), 3);
    let long = ranges.into_iter().filter(|range| range.len() >= body.frames_in(0.3));
    long.map(Sighting::during).collect()
}

pub(super) fn clap(body: &Body) -> Vec<Sighting> {
    let near = body.curve(|frame| {
        -body.at(HumanBone::LeftHand, frame).distance(body.at(HumanBone::RightHand, frame))
    });
    let at = peaks(&near, 0.06).into_iter();
    at.filter(|frame| near[*frame] > -0.22).map(Sighting::at).collect()
}

/// Whether a hand is in front of the body, between hips and eyes.
fn is_in_front(body: &Body, side: Side, frame: usize) -> bool {
    let [_, shoulder, _, wrist] = HumanBone::arm(side);
    let (hand, shoulder) = (body.beside_hips(wrist, frame), body.beside_hips(shoulder, frame));
    let forward = hand.z - shoulder.z.max(0.0);
    forward > 0.12 && hand.y > 0.03 && hand.y < shoulder.y + 0.25
}

pub(super) fn out(body: &Body) -> Vec<Sighting> {
    held(body, 0.3, |side, frame| is_in_front(body, side, frame))
}

/// At least four reversals of a hand in front of the body, in any direction; with a side if one
/// hand does clearly more.
pub(super) fn work(body: &Body) -> Vec<Sighting> {
    let busy = busier(body);
    let found: Vec<Sighting> = Side::BOTH
        .into_iter()
        .filter(|side| busy.is_none_or(|busy| busy == *side))
        .flat_map(|side| {
            let near = |frame| {
                let [.., wrist] = HumanBone::arm(side);
                let hand = body.beside_hips(wrist, frame);
                hand.z > 0.05 && hand.y > 0.0 && body.stretch(side, frame) < 0.97
            };
            let held = stretches(body.len(), body.frames_in(0.5), near);
            held.into_iter().filter(move |range| turns(body, side, range) >= 3)
        })
        .map(|range| Sighting { side: busy, ..Sighting::during(range) })
        .collect();
    found
}

/// The largest number of reversals of the wrist along one axis within a range.
fn turns(body: &Body, side: Side, range: &std::ops::Range<usize>) -> usize {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    axes.into_iter()
        .map(|axis| {
            let along: Vec<f32> =
                range.clone().map(|frame| body.reach(side, frame).dot(axis)).collect();
            turning_points(&along, 0.015).len()
        })
        .max()
        .unwrap_or(0)
}

pub(super) fn low(body: &Body) -> Vec<Sighting> {
    let seen = held(body, 0.1, |side, frame| {
        let [.., wrist] = HumanBone::arm(side);
        body.at(wrist, frame).y < 0.42 * body.hips_m
    });
    let upright = |sighting: &Sighting| {
        (0..sighting.frames.start).any(|frame| body.height_share(frame) > 0.9)
    };
    seen.into_iter().filter(upright).collect()
}
