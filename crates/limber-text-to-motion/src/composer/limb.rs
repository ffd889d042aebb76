//! Positions of knee and elbow: the triangle by which both legs and arms are solved.
//!
//! `limber_animation::ik` corrects a limb that already has a pose, and eases in before full
//! extension so that no edit snaps a knee. Here there is no pose yet: joints are built from a
//! complete anatomical basis, and a planted foot must be met exactly up to `STRAIGHTEST` of the
//! rig, because easing would let it slide. The two have only this law of cosines in common. A hand
//! or foot that turns out to be in the floor afterwards is moved by [`Limb`], which does not ease
//! either: it must come out of the floor.

use glam::{Quat, Vec3};
use limber_animation::{JointIndex, Pose, WorldPose};

/// Maximum share of its length to which a limb that is bent anew is stretched, so that its middle
/// joint keeps a side to bend to.
const LONGEST: f32 = 0.9985;

/// The two segments of a limb with lengths `upper_m` and `lower_m` whose end is at `distance` along
/// the unit vector `axis`. The middle joint deviates from that line in the direction `way`, a unit
/// vector perpendicular to it.
pub(super) fn segments(
    (upper_m, lower_m): (f32, f32),
    (axis, distance): (Vec3, f32),
    way: Vec3,
) -> (Vec3, Vec3) {
    let along = (upper_m * upper_m + distance * distance - lower_m * lower_m) / (2.0 * distance);
    let beside = (upper_m * upper_m - along * along).max(0.0).sqrt();
    let upper = axis * along + way * beside;
    (upper, axis * distance - upper)
}

/// A limb that has a pose already, and is to be bent so that its end comes elsewhere.
pub(super) struct Limb {
    /// Upper segment, lower segment, end: hand or foot.
    joints: [JointIndex; 3],
    rotations: [Quat; 3],
    upper: Vec3,
    lower: Vec3,
}

impl Limb {
    pub(super) fn of(world: &WorldPose, joints: [JointIndex; 3]) -> Self {
        let [root, middle, end] = joints.map(|joint| world.position(joint));
        Self {
            joints,
            rotations: joints.map(|joint| world.rotation(joint)),
            upper: middle - root,
            lower: end - middle,
        }
    }

    pub(super) fn lengths(&self) -> (f32, f32) {
        (self.upper.length(), self.lower.length())
    }

    /// Unit vector and distance from the root to the end when that is at `to` from the root, or as
    /// near as the limb reaches without being folded to less than `folded_m` or stretched.
    pub(super) fn line_to(&self, to: Vec3, folded_m: f32) -> (Vec3, f32) {
        let (upper_m, lower_m) = self.lengths();
        let distance = to.length().clamp(folded_m, LONGEST * (upper_m + lower_m));
        (to.normalize_or(Vec3::NEG_Y), distance)
    }

    /// The direction, perpendicular to `axis`, in which the middle joint deviates now.
    pub(super) fn way(&self, axis: Vec3) -> Vec3 {
        let way = self.upper.reject_from_normalized(axis).try_normalize();
        way.unwrap_or_else(|| axis.any_orthonormal_vector())
    }

    /// Writes the rotations that give the segments these vectors. The end keeps its rotation in
    /// the world; `parent` is that of the joint above the limb.
    pub(super) fn bend(&self, pose: &mut Pose, parent: Quat, (upper, lower): (Vec3, Vec3)) {
        let rotated = |bone: Quat, from: Vec3, to: Vec3| {
            Quat::from_rotation_arc(from.normalize(), to.normalize()) * bone
        };
        let [old_upper, old_lower, end] = self.rotations;
        let new_upper = rotated(old_upper, self.upper, upper);
        let new_lower = rotated(old_lower, self.lower, lower);
        let locals = [
            parent.inverse() * new_upper,
            new_upper.inverse() * new_lower,
            new_lower.inverse() * end,
        ];
        for (joint, local) in self.joints.into_iter().zip(locals) {
            pose.set_rotation(joint, local.normalize());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_keep_their_lengths_and_reach_the_target() {
        for distance in [0.2, 0.5, 0.8] {
            let (upper, lower) = segments((0.425, 0.41), (Vec3::NEG_Y, distance), Vec3::Z);
            assert!((upper.length() - 0.425).abs() < 1e-5 && (lower.length() - 0.41).abs() < 1e-5);
            assert!((upper + lower).distance(Vec3::NEG_Y * distance) < 1e-5 && upper.z > 0.0);
        }
    }
}
