//! Moves whole clips over the floor: a rotation about the vertical axis and a translation.

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, HumanBone, Pose, Skeleton, ik,
    maths::{atan2, hypot},
};

/// The bones of the trunk, whose positions determine which way a body faces, standing or lying.
const TRUNK: [HumanBone; 9] = [
    HumanBone::Hips,
    HumanBone::Spine,
    HumanBone::Chest,
    HumanBone::UpperChest,
    HumanBone::Neck,
    HumanBone::LeftUpperArm,
    HumanBone::RightUpperArm,
    HumanBone::LeftUpperLeg,
    HumanBone::RightUpperLeg,
];

/// A rotation about the world's vertical axis, followed by a translation over the floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundMove {
    /// Counter-clockwise seen from above.
    pub yaw_rad: f32,
    /// Translation in metres; y is 0.
    pub offset: Vec3,
}

impl GroundMove {
    /// The identity.
    pub const NONE: Self = Self { yaw_rad: 0.0, offset: Vec3::ZERO };

    /// The move that rotates by `yaw_rad` and takes the point `from` to above or below the point
    /// `to`.
    #[must_use]
    pub fn bringing(from: Vec3, to: Vec3, yaw_rad: f32) -> Self {
        let offset = to - Quat::from_rotation_y(yaw_rad) * from;
        Self { yaw_rad, offset: Vec3::new(offset.x, 0.0, offset.z) }
    }

    /// The rotation alone.
    #[must_use]
    pub fn turn(self) -> Quat {
        Quat::from_rotation_y(self.yaw_rad)
    }

    /// The moved point.
    #[must_use]
    pub fn point(self, point: Vec3) -> Vec3 {
        self.turn() * point + self.offset
    }

    /// This move followed by another.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self { yaw_rad: self.yaw_rad + next.yaw_rad, offset: next.point(self.offset) }
    }

    /// The moved pose. [`Self::NONE`] leaves it bit for bit the same.
    #[must_use]
    pub fn pose(self, skeleton: &Skeleton, pose: &Pose) -> Pose {
        let mut moved = pose.clone();
        if self != Self::NONE {
            let (at, turned) = hips(skeleton, pose);
            set_hips(skeleton, &mut moved, self.point(at), self.turn() * turned);
        }
        moved
    }

    /// The moved clip; its contacts do not change.
    #[must_use]
    pub fn clip(self, clip: &Clip) -> Clip {
        let mut moved = clip.clone();
        if self != Self::NONE {
            for pose in moved.frames_mut() {
                *pose = self.pose(clip.skeleton(), pose);
            }
        }
        moved
    }
}

/// Position and rotation of the hips, world space.
pub(super) fn hips(skeleton: &Skeleton, pose: &Pose) -> (Vec3, Quat) {
    ik::standing(skeleton, pose, skeleton.hips())
}

/// Sets position and rotation of the hips, world space.
pub(super) fn set_hips(skeleton: &Skeleton, pose: &mut Pose, at: Vec3, turned: Quat) {
    let (above, above_turned) = skeleton
        .joint(skeleton.hips())
        .parent
        .map_or((Vec3::ZERO, Quat::IDENTITY), |parent| ik::standing(skeleton, pose, parent));
    let back = above_turned.inverse();
    pose.hips_translation = back * (at - above);
    pose.set_rotation(skeleton.hips(), (back * turned).normalize());
}

/// The rotation about the vertical axis that best aligns one trunk with another by least squares
/// (Kovar, Gleicher & Pighin, *Motion Graphs*, 2002, without their weights).
pub(super) fn yaw_between(skeleton: &Skeleton, from: &Pose, to: &Pose) -> f32 {
    let (from, to) = (trunk(skeleton, from), trunk(skeleton, to));
    let (mut together, mut across) = (0.0, 0.0);
    for (a, b) in to.iter().zip(&from) {
        together += a.x * b.x + a.z * b.z;
        across += a.x * b.z - a.z * b.x;
    }
    if hypot(together, across) < 1e-6 { 0.0 } else { atan2(across, together) }
}

/// The positions of the trunk's joints relative to their mean.
fn trunk(skeleton: &Skeleton, pose: &Pose) -> Vec<Vec3> {
    let at: Vec<Vec3> = TRUNK
        .into_iter()
        .filter_map(|bone| skeleton.find(bone))
        .map(|joint| ik::standing(skeleton, pose, joint).0)
        .collect();
    let middle = at.iter().sum::<Vec3>() / at.len().max(1) as f32;
    at.into_iter().map(|at| at - middle).collect()
}

/// The angle wrapped to between −π and π.
pub(super) fn wrapped(angle_rad: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    (angle_rad + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use limber_animation::canonical_skeleton;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_turn_between_a_pose_and_itself_turned_is_that_turn(
            yaw in -3.0f32..3.0, lean in -1.2f32..1.2, x in -5.0f32..5.0,
        ) {
            let skeleton = canonical_skeleton();
            let mut pose = skeleton.rest_pose();
            pose.set_rotation(skeleton.hips(), Quat::from_rotation_x(lean));
            let by = GroundMove { yaw_rad: yaw, offset: Vec3::new(x, 0.0, -x) };
            let moved = by.pose(&skeleton, &pose);
            prop_assert!((yaw_between(&skeleton, &pose, &moved) - yaw).abs() < 1e-3);
            let back = GroundMove::bringing(moved.hips_translation, pose.hips_translation, -yaw);
            let again = by.then(back).point(Vec3::new(1.0, 2.0, 3.0));
            prop_assert!(again.abs_diff_eq(Vec3::new(1.0, 2.0, 3.0), 1e-4), "{again}");
        }
    }
}
