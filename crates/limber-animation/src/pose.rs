//! Poses: the transforms of all joints at one moment.

use glam::{Mat4, Quat, Vec3};

use crate::{Face, JointIndex, interpolate};

/// The local transforms of all joints at one moment. Only the hips are translated; all other joints
/// keep their rest translation and rotate, so that bones keep their length.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// Position of the hips in their parent's space, metres. In the canonical skeleton the hips are
    /// the root, so that this is world space.
    pub hips_translation: Vec3,
    /// Local rotations, one unit quaternion per joint; each replaces the rest rotation.
    pub rotations: Vec<Quat>,
    /// The facial expression.
    pub face: Face,
}

impl Pose {
    /// Interpolates between two poses (`amount` 0 is `self`, 1 is `other`), rotating each joint
    /// along its shortest arc.
    #[must_use]
    pub fn blend(&self, other: &Self, amount: f32) -> Self {
        Self {
            hips_translation: self.hips_translation.lerp(other.hips_translation, amount),
            rotations: self
                .rotations
                .iter()
                .zip(&other.rotations)
                .map(|(from, to)| interpolate::shortest(*from, *to, amount))
                .collect(),
            face: self.face.blend(&other.face, amount),
        }
    }

    /// Like [`Self::blend`], but with a separate amount for every joint; the hips' translation uses
    /// `translation_amount`. It can layer a gesture over a walk.
    #[must_use]
    pub fn blend_masked(&self, other: &Self, translation_amount: f32, amounts: &[f32]) -> Self {
        Self {
            hips_translation: self
                .hips_translation
                .lerp(other.hips_translation, translation_amount),
            rotations: self
                .rotations
                .iter()
                .zip(&other.rotations)
                .zip(amounts)
                .map(|((from, to), amount)| interpolate::shortest(*from, *to, *amount))
                .collect(),
            face: self.face.blend(&other.face, amounts.iter().copied().fold(0.0, f32::max)),
        }
    }

    /// The local rotation of one joint.
    #[must_use]
    pub fn rotation(&self, joint: JointIndex) -> Quat {
        self.rotations[joint.get()]
    }

    /// Sets the local rotation of one joint.
    pub fn set_rotation(&mut self, joint: JointIndex, rotation: Quat) {
        self.rotations[joint.get()] = rotation;
    }

    /// Whether every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.hips_translation.is_finite() && self.rotations.iter().all(|turn| turn.is_finite())
    }
}

/// The positions and rotations of all joints in world space.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldPose {
    /// Joint positions, metres.
    pub positions: Vec<Vec3>,
    /// Joint rotations, unit quaternions.
    pub rotations: Vec<Quat>,
}

impl WorldPose {
    /// The position of one joint.
    #[must_use]
    pub fn position(&self, joint: JointIndex) -> Vec3 {
        self.positions[joint.get()]
    }

    /// The rotation of one joint.
    #[must_use]
    pub fn rotation(&self, joint: JointIndex) -> Quat {
        self.rotations[joint.get()]
    }

    /// The world position of a point in a joint's local space.
    #[must_use]
    pub fn transform(&self, joint: JointIndex, local: Vec3) -> Vec3 {
        self.positions[joint.get()] + self.rotations[joint.get()] * local
    }

    /// Matrices from each joint's local space to world space.
    pub fn matrices(&self) -> impl Iterator<Item = Mat4> + '_ {
        self.positions
            .iter()
            .zip(&self.rotations)
            .map(|(position, rotation)| Mat4::from_rotation_translation(*rotation, *position))
    }
}
