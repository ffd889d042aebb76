//! Detects locomotion, classifies the gait, and detects turns.

use std::ops::Range;

use limber_animation::{HumanBone, Side};

use super::{Direction, Sighting};
use crate::{
    Body,
    curves::{smoothed, stretches},
};

/// Minimum speed of locomotion, m/s.
const GOING_M_S: f32 = 0.2;
/// Minimum duration of a gait, seconds; anything shorter is a weight shift.
const SHORTEST_S: f32 = 0.5;
/// Minimum angle of a turn, degrees; anything smaller is a glance.
const LEAST_TURN_DEG: f32 = 25.0;

/// The stretches in which a condition holds, with their directions. Gaps of up to a third of a
/// second are bridged.
fn going(body: &Body, holds: impl Fn(usize) -> bool) -> Vec<Sighting> {
    joined(stretches(body.len(), 1, holds), body.frames_in(0.34))
        .into_iter()
        .filter(|range| range.len() >= body.frames_in(SHORTEST_S))
        .map(|range| {
            let (left, forward) = body.felt_way(range.start, range.end);
            Sighting::during(range).going(Direction::along(left, forward, 0.15)).of(forward)
        })
        .collect()
}

/// Merges ranges that are no more than `gap` frames apart.
pub(super) fn joined(ranges: Vec<Range<usize>>, gap: usize) -> Vec<Range<usize>> {
    ranges.into_iter().fold(Vec::new(), |mut found: Vec<Range<usize>>, range| {
        match found.last_mut() {
            Some(last) if range.start <= last.end + gap => last.end = range.end,
            _ => found.push(range),
        }
        found
    })
}

/// Whether there is a flight phase within `seconds` of each frame.
fn near_flight(body: &Body, seconds: f32) -> Vec<bool> {
    let reach = body.frames_in(seconds);
    let mut near = vec![false; body.len()];
    let flights = stretches(body.len(), 2, |frame| body.is_aloft(frame));
    for flight in flights {
        let to = (flight.end + reach).min(body.len());
        near[flight.start.saturating_sub(reach)..to].fill(true);
    }
    near
}

/// Height of the hips relative to standing, smoothed over the bounce of steps.
fn heights(body: &Body) -> Vec<f32> {
    smoothed(&body.curve(|frame| body.height_share(frame)), body.frames_in(0.25))
}

fn is_upright(body: &Body, frame: usize) -> bool {
    body.trunk(frame).y > 0.6
}

/// Stretches of upright locomotion on foot without flight phases.
fn on_foot(body: &Body, holds: impl Fn(usize) -> bool) -> Vec<Sighting> {
    let (speeds, near) = (body.speeds(), near_flight(body, 0.3));
    let going = going(body, |frame| {
        speeds[frame] > GOING_M_S && !near[frame] && is_upright(body, frame) && holds(frame)
    });
    going.into_iter().filter(|gait| both_step(body, &gait.frames)).collect()
}

/// Whether both feet are lifted in these frames.
fn both_step(body: &Body, frames: &Range<usize>) -> bool {
    Side::BOTH.into_iter().all(|side| {
        let heights = frames.clone().map(|frame| body.foot_height(side, frame));
        let [_, _, ankle, _] = HumanBone::leg(side);
        let way = body.at(ankle, frames.start).distance(body.at(ankle, frames.end - 1));
        heights.fold(0.0, f32::max) > 0.012 || way > 0.15
    })
}

pub(super) fn walk(body: &Body) -> Vec<Sighting> {
    let heights = heights(body);
    on_foot(body, |frame| heights[frame] > 0.86)
}

pub(super) fn sneak(body: &Body) -> Vec<Sighting> {
    let heights = heights(body);
    on_foot(body, |frame| heights[frame] < 0.94 && heights[frame] > 0.35)
}

pub(super) fn run(body: &Body) -> Vec<Sighting> {
    let (speeds, near) = (body.speeds(), near_flight(body, 0.35));
    let flights = stretches(body.len(), 1, |frame| body.is_aloft(frame));
    going(body, |frame| speeds[frame] > 1.2 && near[frame])
        .into_iter()
        .filter(|gait| {
            let inside = flights.iter().filter(|flight| gait.frames.contains(&flight.start));
            inside.count() >= 2 && feet_take_turns(body, &gait.frames)
        })
        .collect()
}

/// Whether the legs swing in opposition, as in a run but not in jumps.
fn feet_take_turns(body: &Body, frames: &Range<usize>) -> bool {
    let ahead = |frame| {
        let [left, right] = Side::BOTH.map(|side| {
            let [_, _, ankle, _] = HumanBone::leg(side);
            body.beside_hips(ankle, frame)
        });
        left - right
    };
    let apart = frames.clone().map(|frame| ahead(frame).z);
    let (low, high) = apart.fold((0.0_f32, 0.0_f32), |(low, high), z| (low.min(z), high.max(z)));
    let wide = frames.clone().map(|frame| ahead(frame).x.abs()).fold(0.0, f32::max);
    (low < -0.2 && high > 0.2) || wide > 0.5
}

/// Travelling with flight phases, whatever the feet do.
pub(super) fn bound(body: &Body) -> Vec<Sighting> {
    let (speeds, near) = (body.speeds(), near_flight(body, 0.4));
    let flights = stretches(body.len(), 2, |frame| body.is_aloft(frame));
    going(body, |frame| speeds[frame] > 0.4 && near[frame])
        .into_iter()
        .filter(|gait| flights.iter().filter(|f| gait.frames.contains(&f.start)).count() >= 2)
        .collect()
}

/// Height of the knee above its hip joint, metres; negative below.
pub(super) fn knee_height(body: &Body, side: Side, frame: usize) -> f32 {
    let [hip, knee, ..] = HumanBone::leg(side);
    body.at(knee, frame).y - body.at(hip, frame).y
}

pub(super) fn march(body: &Body) -> Vec<Sighting> {
    let high = |frames: &Range<usize>, side| {
        frames.clone().any(|frame| knee_height(body, side, frame) > -0.33 * body.leg_m)
    };
    let walks = walk(body).into_iter();
    walks.filter(|gait| Side::BOTH.into_iter().all(|side| high(&gait.frames, side))).collect()
}

pub(super) fn tiptoe(body: &Body) -> Vec<Sighting> {
    let gaits = on_foot(body, |_| true).into_iter();
    gaits
        .filter(|gait| {
            // the lower of the two ankles is the standing one
            let standing = |frame: usize| {
                Side::BOTH
                    .map(|side| {
                        let [_, _, ankle, _] = HumanBone::leg(side);
                        body.at(ankle, frame).y - body.at_rest(ankle).y
                    })
                    .into_iter()
                    .fold(f32::INFINITY, f32::min)
            };
            let mut heights: Vec<f32> = gait.frames.clone().map(standing).collect();
            heights.sort_by(f32::total_cmp);
            heights[heights.len() / 2] > 0.035
        })
        .collect()
}

/// Walking in which one foot swings clearly faster than the other, so that the other leg carries
/// less weight.
pub(super) fn limp(body: &Body) -> Vec<Sighting> {
    let gaits = on_foot(body, |_| true).into_iter();
    gaits
        .filter_map(|gait| {
            let aloft = |side| {
                let lifted = |frame: &usize| body.foot_height(side, *frame) > 0.012;
                gait.frames.clone().filter(lifted).count() as f32 / gait.frames.len() as f32
            };
            let [left, right] = Side::BOTH.map(aloft);
            let favoured = if left > right { Side::Left } else { Side::Right };
            ((left - right).abs() > 0.04).then(|| gait.clone().by(favoured))
        })
        .collect()
}

/// Walking in which both feet change the height at which they stand, step by step.
pub(super) fn climb(body: &Body) -> Vec<Sighting> {
    const RATE_M_S: f32 = 0.07;
    const LEAST_M: f32 = 0.25;
    let hips =
        smoothed(&body.curve(|frame| body.at(HumanBone::Hips, frame).y), body.frames_in(0.4));
    let rate = |frame: usize| {
        (hips[(frame + 1).min(hips.len() - 1)] - hips[frame.saturating_sub(1)]) * body.fps / 2.0
    };
    let speeds = body.speeds();
    [(Direction::Up, 1.0), (Direction::Down, -1.0)]
        .into_iter()
        .flat_map(|(way, sign)| {
            let rising = |frame: usize| rate(frame) * sign > RATE_M_S && speeds[frame] > GOING_M_S;
            let ranges = stretches(body.len(), 1, rising);
            joined(ranges, body.frames_in(0.34)).into_iter().map(move |range| (way, range))
        })
        .filter_map(|(way, range)| {
            let higher = |side| {
                let [_, _, ankle, _] = HumanBone::leg(side);
                let near = body.frames_in(0.5);
                let (from, to) = (range.start.saturating_sub(near), range.end + near);
                body.at(ankle, to.min(body.len() - 1)).y - body.at(ankle, from).y
            };
            let [left, right] = Side::BOTH.map(higher);
            let amount = f32::midpoint(left, right);
            let far = left.abs().min(right.abs()) > LEAST_M && left * right > 0.0;
            let upright = range.clone().all(|frame| is_upright(body, frame));
            (far && upright).then(|| Sighting::during(range).going(Some(way)).of(amount))
        })
        .collect()
}

pub(super) fn crawl(body: &Body) -> Vec<Sighting> {
    let speeds = smoothed(&body.speeds(), body.frames_in(0.3));
    let low_hands = |frame| {
        Side::BOTH.into_iter().any(|side| {
            let [.., wrist] = HumanBone::arm(side);
            body.at(wrist, frame).y < 0.3
        })
    };
    let prone = |frame| body.trunk(frame).y < 0.6 && body.height_share(frame) < 0.85;
    going(body, |frame| speeds[frame] > 0.08 && prone(frame) && low_hands(frame))
}

/// All stretches in which the heading keeps changing in one direction.
pub(super) fn turn(body: &Body) -> Vec<Sighting> {
    let headings = smoothed(body.headings(), body.frames_in(0.2));
    let rate = |frame: usize| {
        let next = (frame + 1).min(body.len() - 1);
        (headings[next] - headings[next - 1]).to_degrees() * body.fps
    };
    if body.len() < 2 {
        return Vec::new();
    }
    let gap = body.frames_in(0.4);
    Side::BOTH
        .into_iter()
        .flat_map(|side| {
            let ranges = stretches(body.len(), 2, |frame| rate(frame) * side.sign() > 12.0);
            joined(ranges, gap).into_iter().map(move |range| (side, range))
        })
        .filter_map(|(side, range)| {
            // extend the turn to its slow beginning and end, which are below the threshold
            let from = range.start.saturating_sub(body.frames_in(0.3));
            let to = (range.end + body.frames_in(0.3)).min(body.len() - 1);
            let degrees = (body.headings()[to] - body.headings()[from]).to_degrees();
            let turned = degrees * side.sign() >= LEAST_TURN_DEG;
            turned.then(|| Sighting::during(range).going(Some(Direction::to(side))).of(degrees))
        })
        .collect()
}
