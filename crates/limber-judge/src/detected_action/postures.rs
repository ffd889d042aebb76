//! Detects postures of the whole body, and changes between them.

use std::ops::Range;

use limber_animation::{HumanBone, Side};

use super::{Sighting, gaits::joined};
use crate::{
    Body,
    curves::{peaks, stretches},
};

/// Minimum duration of a posture, seconds; anything shorter is a transition.
const SHORTEST_S: f32 = 0.3;
/// Maximum height of a knee or hand on the floor, metres.
const ON_FLOOR_M: f32 = 0.17;

fn held(body: &Body, holds: impl Fn(usize) -> bool) -> Vec<Sighting> {
    joined(stretches(body.len(), 1, holds), body.frames_in(0.2))
        .into_iter()
        .filter(|range| range.len() >= body.frames_in(SHORTEST_S))
        .map(Sighting::during)
        .collect()
}

fn is_standing(body: &Body, frame: usize) -> bool {
    body.height_share(frame) > 0.9 && body.trunk(frame).y > 0.75
}

/// Keeps the sightings before which the body stood.
fn from_standing(body: &Body, seen: Vec<Sighting>) -> Vec<Sighting> {
    let stood = |frames: &Range<usize>| (0..frames.start).any(|frame| is_standing(body, frame));
    seen.into_iter().filter(|sighting| stood(&sighting.frames)).collect()
}

fn knees(body: &Body, frame: usize) -> [f32; 2] {
    Side::BOTH.map(|side| {
        let [_, knee, ..] = HumanBone::leg(side);
        body.at(knee, frame).y
    })
}

fn hands(body: &Body, frame: usize) -> [f32; 2] {
    Side::BOTH.map(|side| {
        let [.., wrist] = HumanBone::arm(side);
        body.at(wrist, frame).y
    })
}

/// Distance of the hips behind the midpoint of the ankles, metres.
fn behind_feet(body: &Body, frame: usize) -> f32 {
    let [left, right] = Side::BOTH.map(|side| {
        let [_, _, ankle, _] = HumanBone::leg(side);
        body.beside_hips(ankle, frame).z
    });
    f32::midpoint(left, right)
}

fn is_upright(body: &Body, frame: usize) -> bool {
    body.trunk(frame).y > 0.55
}

fn is_on_knees(body: &Body, frame: usize) -> bool {
    let [left, right] = knees(body, frame);
    left.min(right) < ON_FLOOR_M && (0.25..0.8).contains(&body.height_share(frame))
}

fn sits(body: &Body, frame: usize) -> bool {
    let share = body.height_share(frame);
    let [left, right] = knees(body, frame);
    (0.38..0.82).contains(&share)
        && body.trunk(frame).y > 0.6
        && behind_feet(body, frame) > 0.22
        && left.min(right) > 0.25
}

pub(super) fn seated(body: &Body) -> Vec<Sighting> {
    held(body, |frame| sits(body, frame))
}

pub(super) fn sit_down(body: &Body) -> Vec<Sighting> {
    from_standing(body, seated(body))
}

pub(super) fn crouch(body: &Body) -> Vec<Sighting> {
    let mut sightings = held(body, |frame| {
        let [left, right] = knees(body, frame);
        let on_feet = Side::BOTH.into_iter().all(|side| body.foot_height(side, frame) < 0.15);
        (0.25..0.85).contains(&body.height_share(frame))
            && left.min(right) > ON_FLOOR_M
            && body.trunk(frame).y > 0.2
            && behind_feet(body, frame) < 0.3
            && on_feet
    });
    // anything shorter is the crouch before a jump
    sightings.retain(|sighting| sighting.frames.len() >= body.frames_in(0.5));
    from_standing(body, sightings)
}

pub(super) fn floor_seated(body: &Body) -> Vec<Sighting> {
    held(body, |frame| {
        body.height_share(frame) < 0.33 && is_upright(body, frame) && !is_on_knees(body, frame)
    })
}

pub(super) fn sit_on_floor(body: &Body) -> Vec<Sighting> {
    from_standing(body, floor_seated(body))
}

pub(super) fn kneeling(body: &Body) -> Vec<Sighting> {
    held(body, |frame| is_on_knees(body, frame) && is_upright(body, frame))
}

pub(super) fn kneel(body: &Body) -> Vec<Sighting> {
    from_standing(body, kneeling(body))
}

fn lies(body: &Body, frame: usize) -> bool {
    body.height_share(frame) < 0.3 && body.trunk(frame).y.abs() < 0.5
}

pub(super) fn on_back(body: &Body) -> Vec<Sighting> {
    held(body, |frame| lies(body, frame) && body.chest_faces(frame).y > 0.35)
}

pub(super) fn lie_down(body: &Body) -> Vec<Sighting> {
    from_standing(body, on_back(body))
}

pub(super) fn on_front(body: &Body) -> Vec<Sighting> {
    held(body, |frame| lies(body, frame) && body.chest_faces(frame).y < -0.35)
}

pub(super) fn lie_on_front(body: &Body) -> Vec<Sighting> {
    from_standing(body, on_front(body))
}

pub(super) fn collapse(body: &Body) -> Vec<Sighting> {
    from_standing(body, held(body, |frame| lies(body, frame)))
}

/// Whether the body is face down with its weight on the hands.
fn on_hands(body: &Body, frame: usize) -> bool {
    let [left, right] = hands(body, frame);
    left.max(right) < 0.3 && body.chest_faces(frame).y < -0.3 && body.trunk(frame).y < 0.75
}

pub(super) fn all_fours(body: &Body) -> Vec<Sighting> {
    held(body, |frame| {
        let [left, right] = knees(body, frame);
        on_hands(body, frame) && left.min(right) < 0.2 && body.height_share(frame) > 0.25
    })
}

pub(super) fn plank(body: &Body) -> Vec<Sighting> {
    held(body, |frame| {
        let [left, right] = knees(body, frame);
        on_hands(body, frame) && left.max(right) > 0.13 && body.height_share(frame) < 0.75
    })
}

pub(super) fn push_up(body: &Body) -> Vec<Sighting> {
    let depth = body.curve(|frame| -body.at(HumanBone::Neck, frame).y);
    peaks(&depth, 0.1)
        .into_iter()
        .filter(|frame| on_hands(body, *frame) && depth[*frame] > -0.42)
        .filter(|frame| depth[*frame..].iter().any(|later| *later < depth[*frame] - 0.1))
        .map(Sighting::at)
        .collect()
}

pub(super) fn sit_up(body: &Body) -> Vec<Sighting> {
    let rise = body.curve(|frame| body.trunk(frame).y);
    peaks(&rise, 0.35)
        .into_iter()
        .filter(|frame| body.height_share(*frame) < 0.35)
        .filter(|frame| rise[..*frame].iter().any(|before| *before < rise[*frame] - 0.35))
        .map(Sighting::at)
        .collect()
}

/// Rising from a low posture or from the floor to standing: the frames of the rise.
pub(super) fn stand_up(body: &Body) -> Vec<Sighting> {
    let low = stretches(body.len(), body.frames_in(0.15), |frame| body.height_share(frame) < 0.8);
    joined(low, body.frames_in(0.2))
        .into_iter()
        .filter_map(|low| {
            let stands = (low.end..body.len()).find(|frame| is_standing(body, *frame))?;
            let stays = (stands..body.len().min(stands + body.frames_in(0.2)))
                .all(|frame| body.height_share(frame) > 0.86);
            stays.then(|| Sighting::during(low.end..stands + 1))
        })
        .collect()
}

/// Standing throughout with hands that hardly move.
pub(super) fn still(body: &Body) -> Vec<Sighting> {
    let calm = |side| {
        let speeds = body.wrist_speeds(side);
        speeds.iter().sum::<f32>() / (speeds.len() as f32) < 0.1
    };
    let stands = (0..body.len()).all(|frame| is_standing(body, frame));
    let still = stands && Side::BOTH.into_iter().all(calm);
    if still { vec![Sighting::during(0..body.len())] } else { Vec::new() }
}

/// Standing upright for a while in one place.
pub(super) fn stand(body: &Body) -> Vec<Sighting> {
    let speeds = body.speeds();
    held(body, |frame| {
        let on_feet = Side::BOTH.into_iter().all(|side| body.foot_height(side, frame) < 0.05);
        is_standing(body, frame) && speeds[frame] < 0.15 && on_feet
    })
}
