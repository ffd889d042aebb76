//! Maps points of the canonical body to a body of other proportions, and back.
//!
//! Anatomy, weights and paint are defined once, in metres on the canonical skeleton. Each
//! [`Region`] of the body stretches in its own way: along its bones to fit the build's skeleton,
//! and across them by the build's girth.

use std::sync::Arc;

use glam::{Quat, Vec3};
use limber_animation::{HumanBone as B, Joint, Skeleton, canonical_skeleton};

use crate::build::Build;

/// A part of the body with its own mapping. Arms, hands and legs are the left ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the body parts are self-explanatory")]
pub enum Region {
    Torso,
    Head,
    Arm,
    Hand,
    Leg,
    Foot,
}

/// Interpolates linearly between knots and extrapolates beyond both ends. Returns the value and the
/// slope.
fn through(knots: &[(f32, f32)], place: f32) -> (f32, f32) {
    let next = knots.partition_point(|knot| knot.0 <= place).clamp(1, knots.len() - 1);
    let ((x0, y0), (x1, y1)) = (knots[next - 1], knots[next]);
    let slope = (y1 - y0) / (x1 - x0);
    (y0 + (place - x0) * slope, slope)
}

/// Interpolates linearly between knots; constant beyond both ends.
fn between(knots: &[(f32, f32)], place: f32) -> f32 {
    through(knots, place.clamp(knots[0].0, knots[knots.len() - 1].0)).0
}

fn turned_round(knots: &[(f32, f32)]) -> Vec<(f32, f32)> {
    knots.iter().map(|(a, b)| (*b, *a)).collect()
}

/// The canonical skeleton, a build's skeleton, and the mapping between them.
#[derive(Debug, Clone)]
pub struct Fit {
    canonical: Vec<Vec3>,
    own: Vec<Vec3>,
    build: Build,
    heights: Vec<(f32, f32)>,
    arm_lengths: Vec<(f32, f32)>,
    leg_lengths: Vec<(f32, f32)>,
    arm_girth: Vec<(f32, f32)>,
    leg_girth: Vec<(f32, f32)>,
}

impl Fit {
    /// Computes the mapping between the canonical skeleton and the build's.
    #[must_use]
    pub fn new(build: Build) -> Self {
        let skeleton = skeleton(&build);
        let canonical = canonical_skeleton().rest_world().positions;
        let own = skeleton.rest_world().positions;
        let pairs = |bones: &[B], coordinate: fn(Vec3) -> f32| -> Vec<(f32, f32)> {
            bones
                .iter()
                .map(|bone| {
                    let at = skeleton.find(*bone).expect("builds have all canonical bones").get();
                    (coordinate(canonical[at]), coordinate(own[at]))
                })
                .collect()
        };
        let mut heights = vec![(0.0, 0.0)];
        let trunk = [B::LeftLowerLeg, B::LeftUpperLeg, B::Hips, B::Spine, B::Chest];
        heights.extend(pairs(&trunk, |p| p.y));
        heights.extend(pairs(&[B::UpperChest, B::LeftUpperArm, B::Neck, B::Head], |p| p.y));
        let mut arm_lengths = vec![(0.0, 0.0)];
        arm_lengths.extend(pairs(&[B::LeftUpperArm, B::LeftLowerArm, B::LeftHand], |p| p.x));
        let leg_lengths = pairs(&[B::LeftFoot, B::LeftLowerLeg, B::LeftUpperLeg], |p| p.y);
        let arm_girth = vec![
            (0.17, build.upper_arm_girth),
            (0.40, build.upper_arm_girth),
            (0.52, build.forearm_girth),
            (0.62, build.forearm_girth),
            (0.70, build.hand_scale),
        ];
        let leg_girth = vec![
            (0.085, build.foot_scale),
            (0.20, build.shin_girth),
            (0.44, build.shin_girth),
            (0.58, build.thigh_girth),
        ];
        Self { canonical, own, build, heights, arm_lengths, leg_lengths, arm_girth, leg_girth }
    }

    /// Returns the build's skeleton, with canonical names, order and rest rotations.
    #[must_use]
    pub fn skeleton(&self) -> Arc<Skeleton> {
        Arc::new(skeleton(&self.build))
    }

    /// Returns the build.
    #[must_use]
    pub const fn build(&self) -> &Build {
        &self.build
    }

    /// Returns the rest position of a bone of the canonical skeleton, in metres.
    #[must_use]
    pub fn canonical_joint(&self, bone: B) -> Vec3 {
        joint_of(&self.canonical, bone)
    }

    /// Returns the rest position of a bone of the build's skeleton, in metres.
    #[must_use]
    pub fn joint(&self, bone: B) -> Vec3 {
        joint_of(&self.own, bone)
    }

    /// Returns the point about which a region scales, on the canonical and on the build's skeleton,
    /// and the factor.
    fn anchor(&self, region: Region) -> (Vec3, Vec3, f32) {
        let (bone, scale) = match region {
            Region::Head => (B::Head, self.build.head_scale),
            Region::Hand => (B::LeftHand, self.build.hand_scale),
            Region::Foot => (B::LeftFoot, self.build.foot_scale),
            Region::Torso | Region::Arm | Region::Leg => {
                unreachable!("these regions stretch along their bones")
            }
        };
        (self.canonical_joint(bone), self.joint(bone), scale)
    }

    /// Maps a point of the canonical body to this one.
    #[must_use]
    pub fn place(&self, region: Region, point: Vec3) -> Vec3 {
        match region {
            Region::Torso => Vec3::new(
                point.x * between(self.build.torso_width, point.y),
                through(&self.heights, point.y).0,
                point.z * between(self.build.torso_depth, point.y),
            ),
            Region::Arm => {
                let girth = between(&self.arm_girth, point.x);
                let offset = (point - self.canonical_joint(B::LeftUpperArm)) * girth;
                let own = self.joint(B::LeftUpperArm);
                let x = through(&self.arm_lengths, point.x).0;
                Vec3::new(x, own.y + offset.y, own.z + offset.z)
            }
            Region::Leg => {
                let girth = between(&self.leg_girth, point.y);
                let offset = (point - self.canonical_joint(B::LeftUpperLeg)) * girth;
                let own = self.joint(B::LeftUpperLeg);
                let y = through(&self.leg_lengths, point.y).0;
                Vec3::new(own.x + offset.x, y, own.z + offset.z)
            }
            Region::Head | Region::Hand | Region::Foot => {
                let (from, to, scale) = self.anchor(region);
                to + (point - from) * scale
            }
        }
    }

    /// Maps a point of this body to the canonical one: the inverse of [`Self::place`].
    #[must_use]
    pub fn canonical(&self, region: Region, point: Vec3) -> Vec3 {
        match region {
            Region::Torso => {
                let y = through(&turned_round(&self.heights), point.y).0;
                Vec3::new(
                    point.x / between(self.build.torso_width, y),
                    y,
                    point.z / between(self.build.torso_depth, y),
                )
            }
            Region::Arm => {
                let x = through(&turned_round(&self.arm_lengths), point.x).0;
                let offset = (point - self.joint(B::LeftUpperArm)) / between(&self.arm_girth, x);
                let canonical = self.canonical_joint(B::LeftUpperArm);
                Vec3::new(x, canonical.y + offset.y, canonical.z + offset.z)
            }
            Region::Leg => {
                let y = through(&turned_round(&self.leg_lengths), point.y).0;
                let offset = (point - self.joint(B::LeftUpperLeg)) / between(&self.leg_girth, y);
                let canonical = self.canonical_joint(B::LeftUpperLeg);
                Vec3::new(canonical.x + offset.x, y, canonical.z + offset.z)
            }
            Region::Head | Region::Hand | Region::Foot => {
                let (from, to, scale) = self.anchor(region);
                from + (point - to) / scale
            }
        }
    }

    /// Returns the stretch of a region along x, y and z at a point of the canonical body.
    #[must_use]
    pub fn stretch(&self, region: Region, point: Vec3) -> Vec3 {
        match region {
            Region::Torso => Vec3::new(
                between(self.build.torso_width, point.y),
                through(&self.heights, point.y).1,
                between(self.build.torso_depth, point.y),
            ),
            Region::Arm => {
                let girth = between(&self.arm_girth, point.x);
                Vec3::new(through(&self.arm_lengths, point.x).1.max(0.8 * girth), girth, girth)
            }
            Region::Leg => {
                let girth = between(&self.leg_girth, point.y);
                Vec3::new(girth, through(&self.leg_lengths, point.y).1, girth)
            }
            Region::Head | Region::Hand | Region::Foot => Vec3::splat(self.anchor(region).2),
        }
    }
}

fn joint_of(positions: &[Vec3], bone: B) -> Vec3 {
    positions[canonical_skeleton().find(bone).expect("only canonical bones are requested").get()]
}

fn skeleton(build: &Build) -> Skeleton {
    let canonical = canonical_skeleton();
    let joints = canonical.joints().iter().map(|joint| Joint {
        rest_translation: joint.rest_translation * stretch_of(build, joint.bone)
            + lift_of(build, joint.bone),
        rest_rotation: Quat::IDENTITY,
        ..joint.clone()
    });
    Skeleton::new(joints.collect()).expect("a stretched canonical skeleton is well-formed")
}

/// Returns the stretch of a bone's offset from its parent.
fn stretch_of(build: &Build, bone: Option<B>) -> Vec3 {
    let Some(bone) = bone else { return Vec3::ONE };
    match bone {
        B::Hips => Vec3::ZERO,
        B::Spine | B::Chest | B::UpperChest | B::Neck => Vec3::new(1.0, build.spine_stretch, 1.0),
        B::Head => Vec3::new(1.0, build.neck_stretch, 1.0),
        B::LeftShoulder | B::RightShoulder | B::LeftUpperArm | B::RightUpperArm => {
            Vec3::new(build.shoulder_stretch, build.spine_stretch, 1.0)
        }
        B::LeftLowerArm | B::RightLowerArm => Vec3::splat(build.upper_arm_stretch),
        B::LeftHand | B::RightHand => Vec3::splat(build.forearm_stretch),
        B::LeftUpperLeg | B::RightUpperLeg => {
            Vec3::new(build.hip_stretch, build.spine_stretch, 1.0)
        }
        B::LeftLowerLeg | B::RightLowerLeg => Vec3::splat(build.thigh_stretch),
        B::LeftFoot | B::RightFoot => Vec3::new(1.0, build.shin_stretch, 1.0),
        B::LeftToes | B::RightToes => Vec3::splat(build.foot_scale),
        _ => Vec3::splat(build.hand_scale),
    }
}

/// Returns the translation of the hips that puts the feet of the stretched legs on the floor.
fn lift_of(build: &Build, bone: Option<B>) -> Vec3 {
    if bone != Some(B::Hips) {
        return Vec3::ZERO;
    }
    let canonical = canonical_skeleton();
    let length = |bone| {
        let joint = canonical.find(bone).expect("the canonical skeleton has legs");
        -canonical.joint(joint).rest_translation.y
    };
    let ankle = joint_of(&canonical.rest_world().positions, B::LeftFoot).y;
    let height = length(B::LeftUpperLeg) * build.spine_stretch
        + length(B::LeftLowerLeg) * build.thigh_stretch
        + length(B::LeftFoot) * build.shin_stretch
        + ankle * build.foot_scale;
    Vec3::Y * height
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{ATLAS, MANNEQUIN};

    #[test]
    fn the_mannequin_is_the_canonical_body() {
        let fit = Fit::new(MANNEQUIN);
        let point = Vec3::new(0.2, 1.3, 0.03);
        for region in [Region::Torso, Region::Arm, Region::Hand, Region::Leg, Region::Head] {
            assert!(fit.place(region, point).abs_diff_eq(point, 1e-5), "{region:?}");
        }
    }

    #[test]
    fn fitting_can_be_inverted() {
        let fit = Fit::new(ATLAS);
        let point = Vec3::new(0.3, 0.7, 0.05);
        for region in [Region::Torso, Region::Arm, Region::Hand, Region::Leg, Region::Foot] {
            let back = fit.canonical(region, fit.place(region, point));
            assert!(back.abs_diff_eq(point, 1e-4), "{region:?}: {back}");
        }
    }
}
