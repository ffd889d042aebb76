//! Low-pass filter that removes jitter without delay.

use glam::{Quat, Vec3};
use limber_animation::{Clip, Pose, maths::powf};

use crate::curve;

/// Cutoff frequency of the weakest filter, Hz.
const WIDEST_CUTOFF_HZ: f32 = 15.0;
/// Cutoff frequency of the strongest filter, Hz.
const NARROWEST_CUTOFF_HZ: f32 = 2.5;

/// Low-pass filters all rotations and the hips' translation. `strength` ranges from 0, which
/// changes nothing, to 1; the cutoff frequency falls from 15 to 2.5 Hz on a logarithmic scale. The
/// filter is symmetric in time, so that the movement is not delayed. The first and the last frame
/// stay as they are.
///
/// Rotations are averaged in the tangent space of the middle frame, with Gaussian weights.
#[must_use]
pub fn filter_poses(clip: &Clip, strength: f32) -> Clip {
    let strength = if strength.is_finite() { strength.clamp(0.0, 1.0) } else { 0.0 };
    if strength == 0.0 {
        return clip.clone();
    }
    let cutoff_hz = WIDEST_CUTOFF_HZ * powf(NARROWEST_CUTOFF_HZ / WIDEST_CUTOFF_HZ, strength);
    // a Gaussian of this width halves the power at the cutoff frequency
    let sigma_s = std::f32::consts::LN_2.sqrt() / (std::f32::consts::TAU * cutoff_hz);
    let sigma = sigma_s * clip.fps().per_second();

    let travel: Vec<Vec3> = clip.frames().iter().map(|pose| pose.hips_translation).collect();
    let travel = curve::smoothed(&travel, sigma);
    let mut filtered = clip.clone();
    for (frame, pose) in filtered.frames_mut().iter_mut().enumerate() {
        pose.hips_translation = travel[frame];
        for (joint, turn) in pose.rotations.iter_mut().enumerate() {
            *turn = mean_around(clip.frames(), joint, frame, sigma);
        }
    }
    filtered
}

fn mean_around(frames: &[Pose], joint: usize, frame: usize, sigma: f32) -> Quat {
    let middle = frames[frame].rotations[joint];
    if frame == 0 || frame + 1 == frames.len() {
        return middle;
    }
    let back = middle.inverse();
    let offset =
        curve::window(frame, frames.len(), sigma).fold(Vec3::ZERO, |sum, (place, weight)| {
            let turn = back * frames[place].rotations[joint];
            let turn = if turn.w < 0.0 { -turn } else { turn };
            sum + turn.to_scaled_axis() * weight
        });
    (middle * Quat::from_scaled_axis(offset)).normalize()
}
