//! Detects large arm movements.

use glam::Vec3;
use limber_animation::{HumanBone, Side};

use super::{Direction, Sighting, gaits::joined};
use crate::{
    Body,
    curves::{peaks, smoothed, stretches, turning_points},
};

fn wrist(side: Side) -> HumanBone {
    HumanBone::arm(side)[3]
}

/// Applies a detector to both sides and sets the side of its sightings.
fn on_both(find: impl Fn(Side) -> Vec<Sighting>) -> Vec<Sighting> {
    Side::BOTH
        .into_iter()
        .flat_map(|side| find(side).into_iter().map(move |sighting| sighting.by(side)))
        .collect()
}

/// One sighting for each swing of a raised hand to a side and back.
pub(super) fn wave(body: &Body) -> Vec<Sighting> {
    on_both(|side| {
        let turns = wave_turns(body, side);
        // an odd turn at the end belongs to raising or lowering the hand
        let swings = turns.chunks_exact(2).map(|pair| (pair[0], pair[1]));
        if turns.len() < 3 {
            return Vec::new();
        }
        swings.map(|(from, to)| Sighting::during(from..to + 1)).collect()
    })
}

/// Frames in which a raised hand changes direction.
fn wave_turns(body: &Body, side: Side) -> Vec<usize> {
    let [_, shoulder, elbow, wrist] = HumanBone::arm(side);
    let up = |frame| {
        let hand = body.at(wrist, frame).y;
        hand > body.at(elbow, frame).y + 0.05 && hand > body.at(shoulder, frame).y - 0.12
    };
    let raised = stretches(body.len(), 5, up);
    let Some(longest) = raised.into_iter().max_by_key(std::ops::Range::len) else {
        return Vec::new();
    };
    let across: Vec<f32> = longest
        .clone()
        .map(|frame| body.beside_hips(wrist, frame).x - body.beside_hips(elbow, frame).x)
        .collect();
    turning_points(&across, 0.05).into_iter().map(|(frame, _)| frame + longest.start).collect()
}

/// The frames of maximum forward reach of the wrist.
pub(super) fn punch(body: &Body) -> Vec<Sighting> {
    on_both(|side| {
        let ahead = body.curve(|frame| body.reach(side, frame).z);
        let speeds = body.wrist_speeds(side);
        peaks(&ahead, 0.25 * body.arm_m)
            .into_iter()
            .filter(|frame| ahead[*frame] > 0.72 * body.arm_m)
            .filter(|frame| {
                let near = frame.saturating_sub(body.frames_in(0.3))..*frame + 1;
                speeds[near].iter().copied().fold(0.0, f32::max) > 1.2
            })
            .map(Sighting::at)
            .collect()
    })
}

/// The moments at which a wrist in front of the body is about as fast as anywhere in the clip, if
/// that is fast.
pub(super) fn strike(body: &Body) -> Vec<Sighting> {
    let all = Side::BOTH.into_iter().flat_map(|side| body.wrist_speeds(side));
    let fastest = all.fold(0.0, f32::max);
    on_both(|side| {
        let speeds = body.wrist_speeds(side);
        let ahead = |frame| body.reach(side, frame).z > 0.1;
        let is_ahead =
            |frame: usize| (frame.saturating_sub(3)..(frame + 4).min(body.len())).any(ahead);
        peaks(&speeds, 0.9)
            .into_iter()
            .filter(|frame| speeds[*frame] > (0.9 * fastest).max(2.4) && is_ahead(*frame))
            .map(|frame| Sighting::at(frame).of(speeds[frame]))
            .collect()
    })
}

pub(super) fn point(body: &Body) -> Vec<Sighting> {
    on_both(|side| {
        let ways = [
            (Direction::Forward, Vec3::Z),
            (Direction::Left, Vec3::X),
            (Direction::Right, Vec3::NEG_X),
            (Direction::Up, Vec3::Y),
            (Direction::Backward, Vec3::NEG_Z),
        ];
        let direction = |frame| body.reach(side, frame).normalize_or(Vec3::NEG_Y);
        let best = |frame: usize| {
            let along = |way: &(Direction, Vec3)| direction(frame).dot(way.1);
            let best = ways.iter().max_by(|a, b| along(a).total_cmp(&along(b)));
            best.filter(|way| along(way) > 0.6).map(|way| way.0)
        };
        ways.into_iter()
            .flat_map(|(way, _)| {
                let held = stretches(body.len(), body.frames_in(0.25), |frame| {
                    body.stretch(side, frame) > 0.82 && best(frame) == Some(way)
                });
                held.into_iter().map(move |range| Sighting::during(range).going(Some(way)))
            })
            .collect()
    })
}

pub(super) fn raise(body: &Body) -> Vec<Sighting> {
    on_both(|side| {
        let height = body.curve(|frame| body.wrist_over_shoulder(side, frame));
        let high =
            stretches(body.len(), body.frames_in(0.1), |frame| height[frame] > 0.5 * body.arm_m);
        high.into_iter().map(Sighting::during).collect()
    })
}

pub(super) fn arms_up(body: &Body) -> Vec<Sighting> {
    let both = |frame| {
        Side::BOTH.into_iter().all(|side| body.wrist_over_shoulder(side, frame) > 0.45 * body.arm_m)
    };
    stretches(body.len(), 2, both).into_iter().map(Sighting::during).collect()
}

/// Forward speed of the wrist relative to its shoulder, m/s.
fn forward_speed(body: &Body, side: Side) -> Vec<f32> {
    body.curve(|frame| {
        let before = frame.saturating_sub(1);
        (body.reach(side, frame).z - body.reach(side, before).z) * body.fps
    })
}

/// Fast forward movements of a hand that started at or above shoulder height or behind the
/// shoulder, about as fast as any in the clip.
pub(super) fn throw(body: &Body) -> Vec<Sighting> {
    let all = Side::BOTH.into_iter().flat_map(|side| forward_speed(body, side));
    let fastest = all.fold(0.0, f32::max);
    on_both(|side| {
        let speed = forward_speed(body, side);
        peaks(&speed, 1.0)
            .into_iter()
            .filter(|frame| speed[*frame] > (0.65 * fastest).max(1.6))
            .filter(|frame| {
                let before = frame.saturating_sub(body.frames_in(0.6))..*frame + 1;
                let ahead = |frame| body.reach(side, frame).z;
                let drawn = before.clone().any(|frame| ahead(frame) < 0.12);
                let high = before.clone().any(|frame| {
                    body.wrist_over_shoulder(side, frame) > -0.12 || ahead(frame) < -0.15
                });
                drawn && high
            })
            .map(Sighting::at)
            .collect()
    })
}

/// Fast joint movements of both hands near each other.
pub(super) fn swing(body: &Body) -> Vec<Sighting> {
    let hands = |frame| Side::BOTH.map(|side| body.beside_hips(wrist(side), frame));
    let middle = |frame: usize| {
        let [left, right] = hands(frame);
        (left + right) / 2.0
    };
    let speed = body.curve(|frame| {
        let [left, right] = hands(frame);
        let near = left.distance(right) < 0.42;
        let before = frame.saturating_sub(1);
        if near { middle(frame).distance(middle(before)) * body.fps } else { 0.0 }
    });
    peaks(&smoothed(&speed, 1), 0.9)
        .into_iter()
        .filter(|frame| {
            let half = body.frames_in(0.25);
            let (from, to) = (frame.saturating_sub(half), (frame + half).min(body.len() - 1));
            speed[*frame] > 2.0 && middle(from).distance(middle(to)) > 0.35
        })
        .map(Sighting::at)
        .collect()
}

pub(super) fn reach_out(body: &Body) -> Vec<Sighting> {
    let held = stretches(body.len(), body.frames_in(0.15), |frame| {
        Side::BOTH.into_iter().all(|side| body.reach(side, frame).z > 0.5 * body.arm_m)
    });
    joined(held, body.frames_in(0.2)).into_iter().map(Sighting::during).collect()
}

/// Up-and-down movements of the wrists, each of at least a third of the arm's length.
pub(super) fn beats(body: &Body) -> Vec<Sighting> {
    on_both(|side| {
        let height = body.curve(|frame| body.wrist_over_shoulder(side, frame));
        peaks(&height, 0.3 * body.arm_m).into_iter().map(Sighting::at).collect()
    })
}

/// The side of the wrist that travels further relative to the hips, for prompts about one hand.
pub(super) fn busier(body: &Body) -> Option<Side> {
    let way = |side: Side| -> f32 {
        let place = |frame| body.beside_hips(wrist(side), frame);
        (1..body.len()).map(|frame| place(frame).distance(place(frame - 1))).sum()
    };
    let [left, right] = Side::BOTH.map(way);
    if left > 1.5 * right {
        Some(Side::Left)
    } else if right > 1.5 * left {
        Some(Side::Right)
    } else {
        None
    }
}
