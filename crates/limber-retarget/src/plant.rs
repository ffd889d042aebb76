//! Prevents planted feet from sliding, measured at the skin of the sole.

use std::ops::Range;

use glam::Vec3;
use limber_animation::{
    Clip, ContactPoint, ContactTrack, HumanBone, Side,
    ik::{reach, standing},
    smooth::smoothstep,
};

use crate::{Soles, ground::FADE_FRAMES};

/// Vertices of the sole higher than this above the lowest one carry no weight, as a fraction of the
/// leg length.
const BEARING: f32 = 0.012;

/// Returns the clip with every standing foot locked where its weight-bearing skin touches the
/// floor. A foot may roll over any of its points, and viewers see the sole, so locking a joint is
/// not enough.
///
/// `held` says which contacts are locked; other contacts may slide. `soles` must belong to the
/// clip's character.
///
/// # Panics
/// If the clip was made for a skeleton other than the character's.
#[must_use]
pub fn plant(clip: &Clip, soles: &Soles, held: &ContactTrack) -> Clip {
    let skeleton = std::sync::Arc::clone(clip.skeleton());
    let mut planted = clip.clone();
    for side in Side::BOTH {
        let [upper, lower, foot, _] = HumanBone::leg(side);
        let chain = [upper, lower, foot].map(|bone| skeleton.find(bone));
        let [Some(upper), Some(lower), Some(foot)] = chain else { continue };
        let rest = skeleton.rest_world();
        let leg = rest.position(upper).distance(rest.position(lower))
            + rest.position(lower).distance(rest.position(foot));
        let places: Vec<Vec<Vec3>> =
            planted.frames().iter().map(|pose| soles.places(&skeleton, pose, side)).collect();
        let shifts = shifts(&places, held, side, BEARING * leg);
        for (pose, shift) in planted.frames_mut().iter_mut().zip(shifts) {
            if shift.length() > 1e-5 {
                let (place, turn) = standing(&skeleton, pose, foot);
                reach(&skeleton, pose, [upper, lower, foot], place + shift, None, Some(turn));
            }
        }
    }
    planted
}

/// Returns how far a foot must move in each frame so that its weight-bearing skin stays in place.
fn shifts(places: &[Vec<Vec3>], held: &ContactTrack, side: Side, bearing: f32) -> Vec<Vec3> {
    let mut known: Vec<Option<Vec3>> = vec![None; places.len()];
    for run in runs(held, side) {
        let mut way = vec![Vec3::ZERO];
        for frame in run.start + 1..run.end {
            let step = step(&places[frame - 1], &places[frame], bearing);
            way.push(way[way.len() - 1] + step);
        }
        let fixed = way[anchor(held, side, &run) - run.start];
        for (frame, way) in run.zip(way) {
            known[frame] = Some(fixed - way);
        }
    }
    (0..places.len()).map(|frame| known[frame].unwrap_or_else(|| faded(&known, frame))).collect()
}

fn runs(held: &ContactTrack, side: Side) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (frame, _) in held.iter().enumerate().filter(|(_, contact)| contact.foot(side)) {
        match runs.last_mut() {
            Some(run) if run.end == frame => run.end += 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs
}

/// Returns the frame whose foot position is kept: the middle of the frames with heel and toe down
/// or, without any, the middle of the run.
fn anchor(held: &ContactTrack, side: Side, run: &Range<usize>) -> usize {
    let is_flat = |frame: &usize| {
        held[*frame].has(ContactPoint::Heel(side)) && held[*frame].has(ContactPoint::Toe(side))
    };
    let flat: Vec<usize> = run.clone().filter(is_flat).collect();
    flat.get(flat.len() / 2).copied().unwrap_or(run.start + run.len() / 2)
}

/// Returns how far the weight-bearing skin of a foot slides from one frame to the next.
fn step(before: &[Vec3], after: &[Vec3], bearing: f32) -> Vec3 {
    let height = |pair: (&Vec3, &Vec3)| pair.0.y.max(pair.1.y);
    let lowest = before.iter().zip(after).map(height).fold(f32::MAX, f32::min);
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    for pair in before.iter().zip(after) {
        let weight = smoothstep(1.0 - (height(pair) - lowest) / bearing);
        sum += (*pair.1 - *pair.0).with_y(0.0) * weight;
        total += weight;
    }
    if total > 0.0 { sum / total } else { Vec3::ZERO }
}

/// Returns the correction of a frame outside the contacts, faded out with the distance to them.
fn faded(known: &[Option<Vec3>], frame: usize) -> Vec3 {
    let near = |other: Option<usize>| {
        let other = other?;
        let share = 1.0 - other.abs_diff(frame) as f32 / (FADE_FRAMES + 1) as f32;
        Some((smoothstep(share), known[other]?))
    };
    let before = frame.saturating_sub(FADE_FRAMES)..frame;
    let after = frame + 1..(frame + FADE_FRAMES + 1).min(known.len());
    let is_known = |frame: &usize| known[*frame].is_some();
    let pairs = [near(before.rev().find(is_known)), near(after.clone().find(is_known))];
    let (sum, total) =
        pairs.into_iter().flatten().fold((Vec3::ZERO, 0.0), |(sum, total), (share, shift)| {
            (sum + shift * share, total + share)
        });
    sum / f32::max(total, 1.0)
}
