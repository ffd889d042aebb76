//! Detects somersaults, cartwheels and upside-down postures.

use std::ops::Range;

use glam::Vec3;
use limber_animation::{HumanBone, Side};

use super::{Direction, Sighting, gaits::joined};
use crate::{Body, curves::stretches};

/// Cosine of the angle between trunk and vertical below which a body is upside down.
const UPSIDE_DOWN: f32 = -0.35;
/// Minimum rotation that counts as a full turn, degrees.
const WHOLE_DEG: f32 = 270.0;
/// Maximum time from a frame upside down to the start and the end of its turn, seconds.
const AROUND_S: f32 = 1.1;

/// Rotation of the hips from one frame to the next as a rotation vector in the hips' own space,
/// radians: about the axis through both hip joints (forwards positive), the upward and the forward
/// axis.
fn turned(body: &Body, frame: usize) -> Vec3 {
    let [before, after] = [frame, frame + 1].map(|frame| body.turn(HumanBone::Hips, frame));
    let turn = before.inverse() * after;
    (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis()
}

/// Each time that the body is upside down: the frames around it and the rotation of the hips in
/// them, degrees.
fn turns_over(body: &Body) -> Vec<(Range<usize>, Vec3)> {
    let upside_down = stretches(body.len(), 2, |frame| body.trunk(frame).y < UPSIDE_DOWN);
    let middles: Vec<usize> = joined(upside_down, body.frames_in(0.25))
        .into_iter()
        .map(|range| usize::midpoint(range.start, range.end))
        .collect();
    let reach = body.frames_in(AROUND_S);
    (0..middles.len())
        .map(|place| {
            let middle = middles[place];
            // no further than halfway to the next one
            let before = place.checked_sub(1).map_or(0, |p| usize::midpoint(middles[p], middle));
            let after = middles
                .get(place + 1)
                .map_or(body.len() - 1, |next| usize::midpoint(*next, middle));
            let frames = before.max(middle.saturating_sub(reach))..after.min(middle + reach);
            let sum: Vec3 = frames.clone().map(|frame| turned(body, frame)).sum();
            (frames, sum.map(f32::to_degrees))
        })
        .collect()
}

/// Turns over the head, forwards or backwards.
pub(super) fn somersault(body: &Body) -> Vec<Sighting> {
    turns_over(body)
        .into_iter()
        .filter(|(_, turned)| turned.x.abs() > WHOLE_DEG)
        .map(|(frames, turned)| {
            let way = if turned.x > 0.0 { Direction::Forward } else { Direction::Backward };
            Sighting::during(frames).going(Some(way)).of(turned.x)
        })
        .collect()
}

/// Sideways turns over the hands with the legs overhead.
pub(super) fn cartwheel(body: &Body) -> Vec<Sighting> {
    turns_over(body)
        .into_iter()
        .filter(|(frames, turned)| {
            let hands_low = |side| {
                let [.., wrist] = HumanBone::arm(side);
                frames.clone().any(|frame| body.at(wrist, frame).y < 0.2)
            };
            turned.z.abs() > WHOLE_DEG && Side::BOTH.into_iter().all(hands_low)
        })
        .map(|(frames, turned)| {
            // the left hip goes up and over, so the body moves to the right
            let way = if turned.z > 0.0 { Direction::Right } else { Direction::Left };
            Sighting::during(frames).going(Some(way)).of(turned.z)
        })
        .collect()
}

/// On hands and feet with the hips highest, as in downward dog.
pub(super) fn pike(body: &Body) -> Vec<Sighting> {
    let holds = |frame: usize| {
        let hips = body.at(HumanBone::Hips, frame).y;
        let on_hands = Side::BOTH.into_iter().all(|side| {
            let [.., wrist] = HumanBone::arm(side);
            body.at(wrist, frame).y < 0.2 && body.foot_height(side, frame) < 0.15
        });
        on_hands && hips > body.at(HumanBone::Neck, frame).y + 0.25 && hips > 0.6 * body.hips_m
    };
    stretches(body.len(), body.frames_in(0.4), holds).into_iter().map(Sighting::during).collect()
}
