//! Detects movements of one leg, or of both without leaving the floor.

use limber_animation::{HumanBone, Side};

use super::{Direction, Sighting, gaits::knee_height};
use crate::{
    Body,
    curves::{peaks, stretches},
};

fn ankle(side: Side) -> HumanBone {
    HumanBone::leg(side)[2]
}

fn lift(body: &Body, side: Side, frame: usize) -> f32 {
    body.at(ankle(side), frame).y - body.at_rest(ankle(side)).y
}

/// For each side, the peaks of a curve as sightings.
fn on_both(
    body: &Body,
    least: f32,
    curve: impl Fn(Side, usize) -> f32,
    counts: impl Fn(Side, usize, f32) -> Option<Option<Direction>>,
) -> Vec<Sighting> {
    Side::BOTH
        .into_iter()
        .flat_map(|side| {
            let values = body.curve(|frame| curve(side, frame));
            peaks(&values, least)
                .into_iter()
                .filter_map(|frame| {
                    let way = counts(side, frame, values[frame])?;
                    Some(Sighting::at(frame).by(side).going(way).of(values[frame]))
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Position of the ankle relative to its hip joint, in the hips' heading: left, up, forward,
/// metres.
fn out(body: &Body, side: Side, frame: usize) -> glam::Vec3 {
    let [hip, ..] = HumanBone::leg(side);
    body.seen(body.at(ankle(side), frame) - body.at(hip, frame), frame)
}

pub(super) fn kick(body: &Body) -> Vec<Sighting> {
    let extended = |side, frame| out(body, side, frame).length() / body.leg_m;
    // take the smaller of the ankle's extension and its height, because neither a raised knee nor a
    // long step is a kick
    let reach = |side, frame| {
        let out = out(body, side, frame);
        out.x.hypot(out.z).min(lift(body, side, frame) + 0.1)
    };
    on_both(body, 0.14, reach, |side, frame, value| {
        let out = out(body, side, frame);
        let near = frame.saturating_sub(3)..(frame + 4).min(body.len());
        let stretched = near.map(|frame| extended(side, frame)).fold(0.0, f32::max) > 0.72;
        let stands = lift(body, side.opposite(), frame) < 0.25;
        let kicks = value > 0.28 && stretched && stands && body.trunk(frame).y > 0.3;
        kicks.then(|| Direction::along(out.x, out.z, 0.2))
    })
}

pub(super) fn knee_up(body: &Body) -> Vec<Sighting> {
    let height = |side, frame| knee_height(body, side, frame) / body.leg_m;
    on_both(body, 0.12, height, |side, frame, value| {
        let stands = lift(body, side.opposite(), frame) < 0.3;
        (value > -0.2 && stands && body.trunk(frame).y > 0.6).then_some(None)
    })
}

pub(super) fn foot_lift(body: &Body) -> Vec<Sighting> {
    let ball = |side, frame| {
        let [.., ball] = HumanBone::leg(side);
        body.at(ball, frame).y - body.at_rest(ball).y
    };
    let higher = |side, frame| lift(body, side, frame).max(ball(side, frame));
    on_both(body, 0.025, higher, |_, _, _| Some(None))
}

fn is_trunk_up(body: &Body, frame: usize) -> bool {
    body.trunk(frame).y > 0.5
}

pub(super) fn squat(body: &Body) -> Vec<Sighting> {
    let depth = body.curve(|frame| 1.0 - body.height_share(frame));
    peaks(&depth, 0.12)
        .into_iter()
        .filter(|frame| depth[*frame] > 0.17 && is_trunk_up(body, *frame))
        .filter(|frame| {
            let deepest = depth[*frame];
            depth[*frame..].iter().any(|later| *later < deepest - 0.12)
        })
        .map(|frame| Sighting::at(frame).of(depth[frame]))
        .collect()
}

/// Distance between the feet along the heading, metres; positive if the left foot is ahead.
fn stride(body: &Body, frame: usize) -> f32 {
    let [left, right] = Side::BOTH.map(|side| body.beside_hips(ankle(side), frame).z);
    left - right
}

pub(super) fn lunge(body: &Body) -> Vec<Sighting> {
    let depth = body.curve(|frame| (1.0 - body.height_share(frame)).max(0.0));
    peaks(&depth, 0.07)
        .into_iter()
        .filter(|frame| {
            let [left, right] = Side::BOTH.map(|side| body.at(ankle(side), *frame));
            let apart = (left.x - right.x).hypot(left.z - right.z);
            depth[*frame] > 0.09 && apart > 0.45 && is_trunk_up(body, *frame)
        })
        .map(|frame| {
            let side = if stride(body, frame) > 0.0 { Side::Left } else { Side::Right };
            Sighting::at(frame).by(side)
        })
        .collect()
}

pub(super) fn one_leg(body: &Body) -> Vec<Sighting> {
    Side::BOTH
        .into_iter()
        .flat_map(|side| {
            let held = stretches(body.len(), body.frames_in(0.6), |frame| {
                lift(body, side.opposite(), frame) > 0.12 && lift(body, side, frame) < 0.08
            });
            held.into_iter().map(move |range| Sighting::during(range).by(side))
        })
        .collect()
}
