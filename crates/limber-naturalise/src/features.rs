//! What the model sees of a clip. Must stay the same as `training/limber_prior/features.py`.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};
use limber_animation::{BODY_JOINT_COUNT, Clip, ContactPoint, Contacts};

use crate::apply::TURNED;

/// Numbers per frame: the hips' height, three speeds, four contacts, six per joint.
pub(crate) const INPUTS: usize = 8 + 6 * BODY_JOINT_COUNT;
/// Deviation of the smoothing that leaves the hips' way, frames.
const WAY_FRAMES: f32 = 9.0;

/// One row per frame.
pub(crate) fn of(clip: &Clip) -> Vec<Vec<f32>> {
    let headings = headings(clip);
    let speeds = speeds(clip, &headings);
    let frames = clip.frames().iter().enumerate();
    frames
        .map(|(frame, pose)| {
            let contacts = clip.contacts().map_or(Contacts::NONE, |track| track[frame]);
            let mut row = Vec::with_capacity(INPUTS);
            row.push(pose.hips_translation.y);
            row.extend(speeds[frame]);
            row.extend(ContactPoint::ALL.map(|point| f32::from(u8::from(contacts.has(point)))));
            for (joint, turn) in pose.rotations.iter().take(BODY_JOINT_COUNT).enumerate() {
                let turn = if joint == 0 {
                    Quat::from_rotation_y(-headings[frame]) * *turn
                } else {
                    *turn
                };
                row.extend((turn * Vec3::X).to_array());
                row.extend((turn * Vec3::Y).to_array());
            }
            row
        })
        .collect()
}

/// Where the body faces, radians about the vertical: the twist of the hips' swing and twist, without
/// jumps.
pub(crate) fn headings(clip: &Clip) -> Vec<f32> {
    let mut headings: Vec<f32> = Vec::with_capacity(clip.len());
    for pose in clip.frames() {
        let turn = pose.rotations[clip.skeleton().hips().get()];
        let yaw = 2.0 * turn.y.atan2(turn.w);
        let last = headings.last().copied().unwrap_or(yaw);
        headings.push(last + (yaw - last + PI).rem_euclid(TAU) - PI);
    }
    headings
}

/// Across and along the heading, m/s, and turning, rad/s.
fn speeds(clip: &Clip, headings: &[f32]) -> Vec<[f32; 3]> {
    let fps = clip.fps().per_second();
    let last = clip.len() - 1;
    (0..clip.len())
        .map(|frame| {
            let (before, after) = (frame.saturating_sub(1), (frame + 1).min(last));
            if before == after {
                return [0.0; 3];
            }
            let rate = fps / (after - before) as f32;
            let at = |frame: usize| clip.frames()[frame].hips_translation;
            let way = Quat::from_rotation_y(-headings[frame]) * ((at(after) - at(before)) * rate);
            [way.x, way.z, (headings[after] - headings[before]) * rate]
        })
        .collect()
}

/// What leads from a clip to another of its length: per frame the hips' sway about their way (metres, in
/// the heading), then a turn vector per joint that is turned.
pub(crate) fn between(from: &Clip, to: &Clip) -> Vec<Vec<f32>> {
    let (sways, others) = (sways(from), sways(to));
    let (headings, other_headings) = (headings(from), headings(to));
    (0..from.len())
        .map(|frame| {
            let [pose, other] = [from, to].map(|clip| &clip.frames()[frame]);
            let mut row = (others[frame] - sways[frame]).to_array().to_vec();
            for joint in 0..TURNED {
                let [mut a, mut b] = [pose, other].map(|pose| pose.rotations[joint]);
                if joint == 0 {
                    a = Quat::from_rotation_y(-headings[frame]) * a;
                    b = Quat::from_rotation_y(-other_headings[frame]) * b;
                }
                row.extend(turn_vector(a.inverse() * b).to_array());
            }
            row
        })
        .collect()
}

/// Where the hips are over their own smoothed way, in the heading.
fn sways(clip: &Clip) -> Vec<Vec3> {
    let places: Vec<Vec<f32>> =
        clip.frames().iter().map(|pose| pose.hips_translation.to_array().to_vec()).collect();
    let ways = smooth(&places, WAY_FRAMES);
    let frames = clip.frames().iter().zip(ways).zip(headings(clip));
    frames
        .map(|((pose, way), heading)| {
            Quat::from_rotation_y(-heading) * (pose.hips_translation - Vec3::from_slice(&way))
        })
        .collect()
}

/// Axis times angle, radians, at most half a turn; exact for small turns too.
fn turn_vector(turn: Quat) -> Vec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = turn.xyz();
    let length = axis.length();
    axis * if length > 1e-8 { 2.0 * length.atan2(turn.w) / length } else { 2.0 }
}

/// Every column under a Gaussian over frames; the ends are held.
pub(crate) fn smooth(rows: &[Vec<f32>], sigma_frames: f32) -> Vec<Vec<f32>> {
    let reach = (3.0 * sigma_frames) as isize + 1;
    let weights: Vec<f32> =
        (-reach..=reach).map(|away| (-0.5 * (away as f32 / sigma_frames).powi(2)).exp()).collect();
    let total: f32 = weights.iter().sum();
    let last = rows.len().saturating_sub(1);
    (0..rows.len())
        .map(|frame| {
            let mut sums = vec![0.0; rows[frame].len()];
            for (away, weight) in (-reach..=reach).zip(&weights) {
                let row = &rows[frame.saturating_add_signed(away).min(last)];
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += weight / total * value;
                }
            }
            sums
        })
        .collect()
}
