//! Removal of root motion.

use glam::Vec3;
use limber_animation::{Clip, ik};

use crate::{curve, feet::move_hips};

/// Length of the window that separates travel from sway, seconds.
const SWAY_S: f32 = 0.4;

/// A clip without root motion.
#[derive(Debug, Clone, PartialEq)]
pub struct InPlace {
    /// The clip without travel over the ground; vertical movement and sway are kept.
    pub clip: Clip,
    /// Mean speed of the removed travel, m/s, for game engines that move the character's capsule.
    pub mean_speed_m_s: f32,
}

/// Removes a clip's travel over the ground. Feet necessarily slide under the body afterwards, so
/// this comes after foot lock.
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
