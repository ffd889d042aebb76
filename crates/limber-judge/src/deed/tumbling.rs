//! Head over heels, and upside down.

use std::ops::Range;

use glam::Vec3;
use limber_animation::{HumanBone, Side};

use super::{Sighting, Way, gaits::joined};
use crate::{Body, curves::stretches};

/// Whose trunk points down by this much is upside down: the cosine.
const UPSIDE_DOWN: f32 = -0.35;
/// A whole turn, as far as it can be told, degrees.
const WHOLE_DEG: f32 = 270.0;
/// A turn over takes no longer before and after being upside down, seconds.
const AROUND_S: f32 = 1.1;

/// How far the hips turn between two frames, told in the hips' own directions: about the line
/// through both hip joints (forwards is positive), upright, and about the front, radians.
fn turned(body: &Body, frame: usize) -> Vec3 {
    let [before, after] = [frame, frame + 1].map(|frame| body.turn(HumanBone::Hips, frame));
    let turn = before.inverse() * after;
    (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis()
}

/// Every time the body is upside down, with the frames around it and how far the hips turned in them,
/// degrees.
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

/// Over the head, forwards or backwards.
pub(super) fn somersault(body: &Body) -> Vec<Sighting> {
    turns_over(body)
        .into_iter()
        .filter(|(_, turned)| turned.x.abs() > WHOLE_DEG)
        .map(|(frames, turned)| {
            let way = if turned.x > 0.0 { Way::Forward } else { Way::Backward };
            Sighting::during(frames).going(Some(way)).of(turned.x)
        })
        .collect()
}

/// Sideways over the hands, the legs overhead.
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
            // the left hip goes up and over: to the right
            let way = if turned.z > 0.0 { Way::Right } else { Way::Left };
            Sighting::during(frames).going(Some(way)).of(turned.z)
        })
        .collect()
}

/// On hands and feet with the hips highest: downward dog.
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
