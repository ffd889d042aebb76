//! Detects jumps.

use std::ops::Range;

use limber_animation::{HumanBone, Side};

use super::{Direction, Sighting};
use crate::{
    Body,
    curves::{peaks, stretches},
};

/// Rise of the hips above which a flight off one foot is a jump rather than a step of a run, metres.
/// With it, three more of the captioned recordings are recognised, and none fewer.
const OUT_OF_A_RUN_M: f32 = 0.15;
/// Maximum height of a foot just before take-off or after landing, metres.
const NEAR_M: f32 = 0.06;

fn flights(body: &Body) -> Vec<Range<usize>> {
    stretches(body.len(), 3, |frame| body.is_aloft(frame))
}

/// Rise of the hips in a flight above their height at take-off or landing, whichever is lower,
/// metres.
fn rise(body: &Body, flight: &Range<usize>) -> f32 {
    let height = |frame: usize| body.at(HumanBone::Hips, frame).y;
    let top = flight.clone().map(height).fold(0.0, f32::max);
    top - height(flight.start.saturating_sub(1)).min(height(flight.end.min(body.len() - 1)))
}

/// Whether this foot was on the floor shortly before the flight.
fn pushed(body: &Body, side: Side, flight: &Range<usize>) -> bool {
    let before = flight.start.saturating_sub(3)..flight.start;
    before.clone().any(|frame| body.foot_height(side, frame) < 0.02)
        && before.clone().all(|frame| body.foot_height(side, frame) < NEAR_M)
}

fn way(body: &Body, flight: &Range<usize>) -> Option<Direction> {
    let (left, forward) = body.felt_way(flight.start.saturating_sub(1), flight.end);
    Direction::along(left, forward, 0.12)
}

pub(super) fn jump(body: &Body) -> Vec<Sighting> {
    let with_both =
        |flight: &Range<usize>| Side::BOTH.into_iter().all(|side| pushed(body, side, flight));
    flights(body)
        .into_iter()
        .filter(|flight| {
            let is_high = rise(body, flight) > OUT_OF_A_RUN_M;
            flight.start > 0 && (is_high || with_both(flight) && rise(body, flight) > 0.012)
        })
        .map(|flight| {
            let (way, amount) = (way(body, &flight), rise(body, &flight));
            Sighting::during(flight).going(way).of(amount)
        })
        .collect()
}

pub(super) fn leap(body: &Body) -> Vec<Sighting> {
    let rising = flights(body).into_iter().filter(|flight| rise(body, flight) > 0.012);
    let seen = |flight: Range<usize>| {
        let (way, amount) = (way(body, &flight), rise(body, &flight));
        Sighting::during(flight).going(way).of(amount)
    };
    rising.map(seen).collect()
}

/// Hops: take-off with one foot while the other is lifted, and landing on the same foot.
pub(super) fn hop(body: &Body) -> Vec<Sighting> {
    flights(body)
        .into_iter()
        .filter_map(|flight| {
            let near = flight.start.saturating_sub(2)..(flight.end + 2).min(body.len());
            let held = |side| near.clone().all(|frame| body.foot_height(side, frame) > NEAR_M);
            let side = Side::BOTH.into_iter().find(|side| held(side.opposite()));
            let way = way(body, &flight);
            side.map(|side| Sighting::during(flight).by(side).going(way))
        })
        .collect()
}

pub(super) fn jumping_jack(body: &Body) -> Vec<Sighting> {
    let height = body.curve(|frame| {
        let [left, right] = Side::BOTH.map(|side| body.wrist_over_shoulder(side, frame));
        left.min(right)
    });
    let flights = flights(body);
    peaks(&height, 0.5 * body.arm_m)
        .into_iter()
        .filter(|frame| height[*frame] > 0.45 * body.arm_m)
        .filter(|frame| {
            let near = body.frames_in(0.6);
            flights.iter().any(|flight| flight.start.abs_diff(*frame) < near)
        })
        .map(Sighting::at)
        .collect()
}
