//! Test poses in which every stock character has to look right.
//!
//! Angles are in degrees about the character's axes at rest: x to its left, y up, z forward. So in
//! T-pose −z lowers the left arm, −y bends its elbow, −x lifts a thigh and +x bends a knee.

use glam::{Quat, Vec3};
use limber_animation::{HumanBone as B, Pose, Skeleton};

/// A bone and its rotation in degrees about x, y and z; applied z first, then y, then x.
pub type Turn = (B, [f32; 3]);

/// A named pose, independent of the skeleton's proportions.
#[derive(Debug, Clone, Copy)]
pub struct Trial {
    /// What the body does.
    pub name: &'static str,
    /// Rotations of left or central bones; left ones are mirrored to the right.
    pub both: &'static [Turn],
    /// Rotations of single bones, which override those in `both`.
    pub single: &'static [Turn],
}

fn rotation([x, y, z]: [f32; 3]) -> Quat {
    Quat::from_rotation_x(x.to_radians())
        * Quat::from_rotation_y(y.to_radians())
        * Quat::from_rotation_z(z.to_radians())
}

impl Trial {
    /// Returns the pose on a skeleton with canonical bones and rest rotations, standing on the
    /// floor.
    #[must_use]
    pub fn pose(&self, skeleton: &Skeleton) -> Pose {
        let mut pose = skeleton.rest_pose();
        let mut turn = |bone: B, angles: [f32; 3]| {
            if let Some(joint) = skeleton.find(bone) {
                pose.set_rotation(joint, rotation(angles));
            }
        };
        for (bone, [x, y, z]) in self.both {
            turn(*bone, [*x, *y, *z]);
            turn(bone.mirrored(), [*x, -*y, -*z]);
        }
        for (bone, angles) in self.single {
            turn(*bone, *angles);
        }
        let lowest = skeleton
            .world(&pose)
            .positions
            .into_iter()
            .fold(f32::MAX, |low, joint| low.min(joint.y));
        let at_rest = skeleton
            .rest_world()
            .positions
            .into_iter()
            .fold(f32::MAX, |low, joint| low.min(joint.y));
        pose.hips_translation += Vec3::Y * (at_rest - lowest);
        pose
    }
}

/// The T-pose.
pub const REST: Trial = Trial { name: "rest", both: &[], single: &[] };

/// Twelve poses that span most of what people do.
pub const TRIALS: [Trial; 12] = [
    Trial {
        name: "walk contact",
        both: &[(B::LeftUpperArm, [0.0, 0.0, -76.0]), (B::LeftShoulder, [0.0, 0.0, -4.0])],
        single: &[
            (B::LeftUpperLeg, [-26.0, 0.0, 0.0]),
            (B::LeftLowerLeg, [6.0, 0.0, 0.0]),
            (B::RightUpperLeg, [18.0, 0.0, 0.0]),
            (B::RightLowerLeg, [18.0, 0.0, 0.0]),
            (B::RightToes, [-28.0, 0.0, 0.0]),
            (B::LeftUpperArm, [24.0, 0.0, -76.0]),
            (B::RightUpperArm, [-24.0, 0.0, 76.0]),
            (B::LeftLowerArm, [0.0, -16.0, 0.0]),
            (B::RightLowerArm, [0.0, 28.0, 0.0]),
        ],
    },
    Trial {
        name: "run",
        both: &[(B::LeftUpperArm, [0.0, 0.0, -72.0]), (B::Spine, [8.0, 0.0, 0.0])],
        single: &[
            (B::LeftUpperLeg, [-62.0, 0.0, 0.0]),
            (B::LeftLowerLeg, [78.0, 0.0, 0.0]),
            (B::RightUpperLeg, [24.0, 0.0, 0.0]),
            (B::RightLowerLeg, [34.0, 0.0, 0.0]),
            (B::RightFoot, [30.0, 0.0, 0.0]),
            (B::LeftUpperArm, [46.0, 0.0, -70.0]),
            (B::RightUpperArm, [-34.0, 0.0, 72.0]),
            (B::LeftLowerArm, [0.0, -85.0, 0.0]),
            (B::RightLowerArm, [0.0, 95.0, 0.0]),
        ],
    },
    Trial {
        name: "arms up",
        both: &[(B::LeftShoulder, [0.0, 0.0, 18.0]), (B::LeftUpperArm, [0.0, 0.0, 62.0])],
        single: &[],
    },
    Trial {
        name: "arms forward",
        both: &[(B::LeftShoulder, [0.0, -12.0, 0.0]), (B::LeftUpperArm, [0.0, -76.0, 0.0])],
        single: &[],
    },
    Trial {
        name: "sit",
        both: &[
            (B::LeftUpperLeg, [-88.0, 0.0, 0.0]),
            (B::LeftLowerLeg, [88.0, 0.0, 0.0]),
            (B::LeftUpperArm, [-32.0, 0.0, -74.0]),
            (B::LeftLowerArm, [0.0, -55.0, 0.0]),
        ],
        single: &[],
    },
    Trial {
        name: "deep crouch",
        both: &[
            (B::Hips, [20.0, 0.0, 0.0]),
            (B::Spine, [12.0, 0.0, 0.0]),
            (B::Chest, [12.0, 0.0, 0.0]),
            (B::LeftUpperLeg, [-106.0, -14.0, 12.0]),
            (B::LeftLowerLeg, [118.0, 0.0, 0.0]),
            (B::LeftFoot, [-30.0, 0.0, 0.0]),
            (B::LeftShoulder, [0.0, -10.0, 0.0]),
            (B::LeftUpperArm, [0.0, -66.0, -30.0]),
        ],
        single: &[],
    },
    Trial {
        name: "high kick",
        both: &[(B::LeftUpperArm, [0.0, 0.0, -48.0]), (B::LeftLowerArm, [0.0, -60.0, 0.0])],
        single: &[
            (B::Hips, [-14.0, 0.0, 0.0]),
            (B::Spine, [12.0, 0.0, 0.0]),
            (B::RightUpperLeg, [-98.0, 0.0, 0.0]),
            (B::RightLowerLeg, [8.0, 0.0, 0.0]),
            (B::LeftUpperLeg, [14.0, 0.0, 0.0]),
        ],
    },
    Trial {
        name: "punch",
        both: &[(B::LeftUpperArm, [-30.0, 0.0, -70.0]), (B::LeftLowerArm, [0.0, -110.0, 0.0])],
        single: &[
            (B::Spine, [0.0, 12.0, 0.0]),
            (B::Chest, [0.0, 14.0, 0.0]),
            (B::RightShoulder, [0.0, 14.0, 0.0]),
            (B::RightUpperArm, [0.0, 74.0, 0.0]),
            (B::RightLowerArm, [0.0, 8.0, 0.0]),
            (B::LeftUpperLeg, [-24.0, 0.0, 0.0]),
            (B::LeftLowerLeg, [30.0, 0.0, 0.0]),
            (B::RightUpperLeg, [20.0, 0.0, 0.0]),
            (B::RightIndexProximal, [0.0, 0.0, 62.0]),
            (B::RightMiddleProximal, [0.0, 0.0, 64.0]),
            (B::RightRingProximal, [0.0, 0.0, 66.0]),
            (B::RightLittleProximal, [0.0, 0.0, 68.0]),
            (B::RightIndexIntermediate, [0.0, 0.0, 80.0]),
            (B::RightMiddleIntermediate, [0.0, 0.0, 80.0]),
            (B::RightRingIntermediate, [0.0, 0.0, 80.0]),
            (B::RightLittleIntermediate, [0.0, 0.0, 80.0]),
        ],
    },
    Trial {
        name: "wave",
        both: &[(B::LeftUpperArm, [0.0, 0.0, -76.0]), (B::LeftLowerArm, [0.0, -10.0, 0.0])],
        single: &[
            (B::RightShoulder, [0.0, 0.0, -8.0]),
            (B::RightUpperArm, [-90.0, 0.0, 4.0]),
            (B::RightLowerArm, [0.0, 96.0, 0.0]),
            (B::Head, [0.0, -10.0, 0.0]),
        ],
    },
    Trial {
        name: "clap",
        both: &[
            (B::LeftShoulder, [0.0, -8.0, 0.0]),
            (B::LeftUpperArm, [-62.0, -28.0, -56.0]),
            (B::LeftLowerArm, [0.0, -74.0, 0.0]),
        ],
        single: &[],
    },
    Trial {
        name: "bow",
        both: &[
            (B::Hips, [38.0, 0.0, 0.0]),
            (B::Spine, [16.0, 0.0, 0.0]),
            (B::Chest, [12.0, 0.0, 0.0]),
            (B::UpperChest, [8.0, 0.0, 0.0]),
            (B::Neck, [10.0, 0.0, 0.0]),
            (B::LeftUpperLeg, [-38.0, 0.0, 0.0]),
            (B::LeftUpperArm, [0.0, 0.0, -74.0]),
        ],
        single: &[],
    },
    Trial {
        name: "hands on hips",
        both: &[
            (B::LeftUpperArm, [18.0, 0.0, -48.0]),
            (B::LeftLowerArm, [70.0, -96.0, 0.0]),
            (B::LeftHand, [0.0, 0.0, 30.0]),
        ],
        single: &[],
    },
];
