//! Taking the travel out of a clip.

use glam::Vec3;
use limber_animation::{Clip, ik};

use crate::{curve, feet::move_hips};

/// How long the window is over which travel is told from swaying, seconds.
const SWAY_S: f32 = 0.4;

/// A clip that stays where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct InPlace {
    /// The clip without its travel over the ground; up and down, and swaying, stay.
    pub clip: Clip,
    /// How fast the travel was on average, m/s; an engine moves its capsule by this.
    pub mean_speed_m_s: f32,
}

/// Takes the travel over the ground out of a clip. Feet then slide under the body, as they must,
/// so this comes after foot lock.
#[must_use]
pub fn in_place(clip: &Clip) -> InPlace {
    let skeleton = clip.skeleton();
    let ground: Vec<Vec3> = clip
        .frames()
        .iter()
        .map(|pose| ik::standing(skeleton, pose, skeleton.hips()).0 * Vec3::new(1.0, 0.0, 1.0))
        .collect();
    let path = curve::smoothed(&ground, SWAY_S / 4.0 * clip.fps().per_second());
    let length: f32 = path.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let mut still = clip.clone();
    for (pose, travelled) in still.frames_mut().iter_mut().zip(path) {
        move_hips(skeleton, pose, -travelled);
    }
    InPlace { clip: still, mean_speed_m_s: length / clip.duration_s() }
}
