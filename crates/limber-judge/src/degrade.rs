//! Degrades clips on purpose, to test that the rules fail on them.

use glam::Quat;
use limber_animation::Clip;

/// The clip with left and right exchanged.
#[must_use]
pub fn mirrored(clip: &Clip) -> Clip {
    clip.mirrored()
}

/// The clip played backwards.
#[must_use]
pub fn backwards(clip: &Clip) -> Clip {
    let mut degraded = clip.clone();
    degraded.frames_mut().reverse();
    degraded
}

/// The clip with all frames replaced by its middle pose.
#[must_use]
pub fn frozen(clip: &Clip) -> Clip {
    let mut degraded = clip.clone();
    let middle = clip.frames()[clip.len() / 2].clone();
    degraded.frames_mut().fill(middle);
    degraded
}

/// The clip with the same path over the ground and the body turned about in every frame: walking
/// forward becomes walking backward, left becomes right.
#[must_use]
pub fn turned_about(clip: &Clip) -> Clip {
    let about = Quat::from_rotation_y(std::f32::consts::PI);
    let mut degraded = clip.clone();
    let hips = clip.skeleton().hips();
    for pose in degraded.frames_mut() {
        pose.set_rotation(hips, about * pose.rotation(hips));
    }
    degraded
}
