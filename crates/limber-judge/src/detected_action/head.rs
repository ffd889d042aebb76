//! Detects head movements relative to the chest.

use glam::Vec3;
use limber_animation::HumanBone;

use super::{Direction, Sighting, gaits::joined};
use crate::{
    Body,
    curves::{peaks, stretches, turning_points},
};

/// The direction that the face looks, relative to the chest.
fn face(body: &Body, frame: usize) -> Vec3 {
    body.turn(HumanBone::Chest, frame).inverse() * body.turn(HumanBone::Head, frame) * Vec3::Z
}

/// Pitch relative to the chest, radians, down positive.
fn pitch(body: &Body, frame: usize) -> f32 {
    -face(body, frame).y.clamp(-1.0, 1.0).asin()
}

/// Yaw relative to the chest, radians, left positive.
fn yaw(body: &Body, frame: usize) -> f32 {
    let face = face(body, frame);
    face.x.atan2(face.z)
}

pub(super) fn nod(body: &Body) -> Vec<Sighting> {
    let pitch = body.curve(|frame| pitch(body, frame));
    peaks(&pitch, 0.12).into_iter().map(Sighting::at).collect()
}

/// Turns of the head from one side to the other and back: one sighting for each pair of turning
/// points.
pub(super) fn shake_head(body: &Body) -> Vec<Sighting> {
    let turns = turning_points(&body.curve(|frame| yaw(body, frame)), 0.15);
    if turns.len() < 3 {
        return Vec::new();
    }
    let lefts = turns.iter().filter(|(_, left)| *left);
    lefts.map(|(frame, _)| Sighting::at(*frame)).collect()
}

pub(super) fn look(body: &Body) -> Vec<Sighting> {
    // the whole trunk may turn with the head, so measure yaw relative to the hips and pitch
    // relative to the floor
    let aside = |frame: usize| {
        let seen = body.seen(body.turn(HumanBone::Head, frame) * Vec3::Z, frame);
        seen.x.atan2(seen.z)
    };
    let up = |frame: usize| (body.turn(HumanBone::Head, frame) * Vec3::Z).y.clamp(-1.0, 1.0).asin();
    let ways: [(Direction, &dyn Fn(usize) -> bool); 4] = [
        (Direction::Left, &|frame| aside(frame) > 0.4),
        (Direction::Right, &|frame| aside(frame) < -0.4),
        (Direction::Up, &|frame| up(frame) > 0.25),
        (Direction::Down, &|frame| up(frame) < -0.35),
    ];
    ways.into_iter()
        .flat_map(|(way, holds)| {
            let held = joined(stretches(body.len(), 1, holds), 2);
            let long = held.into_iter().filter(|range| range.len() >= body.frames_in(0.25));
            long.map(move |range| Sighting::during(range).going(Some(way))).collect::<Vec<_>>()
        })
        .collect()
}

pub(super) fn look_around(body: &Body) -> Vec<Sighting> {
    let looks = look(body);
    let first = |way| looks.iter().find(|look| look.way == Some(way));
    match (first(Direction::Left), first(Direction::Right)) {
        (Some(left), Some(right)) => {
            let from = left.frames.start.min(right.frames.start);
            let to = left.frames.end.max(right.frames.end);
            vec![Sighting::during(from..to)]
        }
        _ => Vec::new(),
    }
}
