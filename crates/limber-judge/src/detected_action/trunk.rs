//! Detects bending, twisting, swaying and shaking of the trunk.

use glam::Vec3;
use limber_animation::{HumanBone, Side};

use super::{Direction, Sighting};
use crate::{
    Body,
    curves::{peaks, smoothed, turning_points},
};

pub(super) fn bow(body: &Body) -> Vec<Sighting> {
    let leans = body.curve(|frame| body.lean(frame).to_degrees());
    peaks(&leans, 12.0)
        .into_iter()
        // a body that is upside down does not bow
        .filter(|frame| (18.0..130.0).contains(&leans[*frame]) && body.height_share(*frame) > 0.86)
        .filter(|frame| leans[*frame..].iter().any(|later| *later < leans[*frame] - 12.0))
        .map(|frame| Sighting::at(frame).of(leans[frame]))
        .collect()
}

/// Lean of the trunk to the left, radians.
fn side_lean(body: &Body, frame: usize) -> f32 {
    let trunk = body.seen(body.trunk(frame), frame);
    trunk.x.atan2(trunk.y)
}

pub(super) fn side_bend(body: &Body) -> Vec<Sighting> {
    Side::BOTH
        .into_iter()
        .flat_map(|side| {
            let leans = body.curve(|frame| side_lean(body, frame).to_degrees() * side.sign());
            let at = peaks(&leans, 7.0);
            let way = Some(Direction::to(side));
            at.into_iter()
                .filter(|frame| leans[*frame] > 9.0 && body.height_share(*frame) > 0.6)
                .map(|frame| Sighting::at(frame).going(way).of(leans[frame]))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Yaw of the shoulders relative to the hips, radians, left positive.
fn twist(body: &Body, frame: usize) -> f32 {
    let across = body.at(HumanBone::LeftUpperArm, frame) - body.at(HumanBone::RightUpperArm, frame);
    let seen = body.seen(across, frame);
    (-seen.z).atan2(seen.x)
}

pub(super) fn trunk_twist(body: &Body) -> Vec<Sighting> {
    let curve = body.curve(|frame| twist(body, frame).to_degrees());
    turning_points(&curve, 18.0)
        .into_iter()
        .map(|(frame, left)| {
            let side = if left { Side::Left } else { Side::Right };
            Sighting::at(frame).going(Some(Direction::to(side)))
        })
        .collect()
}

/// At least three swings of hips or trunk from side to side.
pub(super) fn sway(body: &Body) -> Vec<Sighting> {
    let lean = body.curve(|frame| side_lean(body, frame).to_degrees());
    let lean = turning_points(&lean, 3.0);
    let middle = body.at(HumanBone::Hips, 0);
    let shift = body.curve(|frame| body.seen(body.at(HumanBone::Hips, frame) - middle, 0).x);
    let shift = turning_points(&shift, 0.03);
    let swings = if lean.len() > shift.len() { lean } else { shift };
    spread(&swings.into_iter().map(|(frame, _)| frame).collect::<Vec<_>>(), 3)
}

/// The second that contains most of these frames, if it contains at least `least`.
fn crowd(body: &Body, frames: &[usize], least: usize) -> Vec<Sighting> {
    let window = body.frames_in(1.0);
    let most = frames.iter().max_by_key(|from| {
        frames.iter().filter(|frame| (**from..**from + window).contains(frame)).count()
    });
    let Some(from) = most else { return Vec::new() };
    let inside: Vec<usize> =
        frames.iter().copied().filter(|frame| (*from..from + window).contains(frame)).collect();
    spread(&inside, least)
}

/// One sighting over all frames, if there are at least `least`.
fn spread(frames: &[usize], least: usize) -> Vec<Sighting> {
    if frames.len() < least {
        return Vec::new();
    }
    vec![Sighting::during(frames[0]..frames[frames.len() - 1] + 1)]
}

/// Mean speed of both wrists relative to the shoulders, m/s.
fn wrist_rate(body: &Body) -> f32 {
    let rate = |side| {
        let speeds = body.wrist_speeds(side);
        speeds.iter().sum::<f32>() / speeds.len() as f32
    };
    Side::BOTH.map(rate).into_iter().sum()
}

pub(super) fn dance(body: &Body) -> Vec<Sighting> {
    let seconds = body.len() as f32 / body.fps;
    let heights = body.curve(|frame| body.at(HumanBone::Hips, frame).y);
    let sides = body.curve(|frame| {
        body.seen(body.at(HumanBone::Hips, frame) - body.at(HumanBone::Hips, 0), 0).x
    });
    let beats: Vec<usize> = [(heights, 0.01), (sides, 0.025)]
        .iter()
        .flat_map(|(curve, least)| turning_points(curve, *least))
        .map(|(frame, _)| frame)
        .collect();
    let away = {
        let (left, forward) = body.travelled(body.len() - 1);
        left.hypot(forward)
    };
    let lively = wrist_rate(body) > 0.25 && beats.len() as f32 > seconds && away < 0.8;
    let (first, last) = (beats.iter().min(), beats.iter().max());
    match (lively, first, last) {
        (true, Some(first), Some(last)) if 2 * (last - first) > body.len() => {
            vec![Sighting::during(*first..*last + 1)]
        }
        _ => Vec::new(),
    }
}

/// Fast small oscillations of chest or head, as in laughing, crying, coughing, shivering.
pub(super) fn shake(body: &Body) -> Vec<Sighting> {
    let still = |bone: HumanBone, axis: Vec3, least: f32| -> Vec<usize> {
        let curve = body.curve(|frame| body.seen(body.turn(bone, frame) * axis, frame).z);
        let slow = smoothed(&curve, body.frames_in(0.3));
        let quick: Vec<f32> = curve.iter().zip(&slow).map(|(all, slow)| all - slow).collect();
        turning_points(&quick, least).into_iter().map(|(frame, _)| frame).collect()
    };
    let shoulders = body.curve(|frame| {
        let [_, upper, ..] = HumanBone::arm(Side::Left);
        body.at(upper, frame).y
    });
    let slow = smoothed(&shoulders, body.frames_in(0.3));
    let heave: Vec<f32> = shoulders.iter().zip(&slow).map(|(all, slow)| all - slow).collect();
    let heaves = turning_points(&heave, 0.006).into_iter().map(|(frame, _)| frame).collect();
    let found =
        [still(HumanBone::Chest, Vec3::Y, 0.02), still(HumanBone::Head, Vec3::Y, 0.03), heaves];
    found
        .iter()
        .map(|frames| crowd(body, frames, 5))
        .find(|seen| !seen.is_empty())
        .unwrap_or_default()
}

pub(super) fn shrug(body: &Body) -> Vec<Sighting> {
    let lift = body.curve(|frame| {
        Side::BOTH
            .map(|side| {
                let [_, upper, ..] = HumanBone::arm(side);
                let trunk = body.trunk(frame);
                (body.at(upper, frame) - body.at(HumanBone::Chest, frame)).dot(trunk)
            })
            .into_iter()
            .fold(f32::INFINITY, f32::min)
    });
    peaks(&lift, 0.018).into_iter().map(Sighting::at).collect()
}
