//! Every joint's transform at one time.

use glam::{Mat4, Quat, Vec3};

use crate::{Face, JointIndex, interpolate};

/// Every joint's local transform at one time. Bones keep their length: only the hips move,
/// everything else turns.
#[derive(Debug, Clone, PartialEq)]
pub struct Pose {
    /// The hips' position in their parent's space, metres. For the canonical skeleton, whose hips
    /// are the root, that is world space.
    pub hips_translation: Vec3,
    /// One unit quaternion per joint, in the parent's space; replaces the rest rotation.
    pub rotations: Vec<Quat>,
    /// What the face looks like meanwhile.
    pub face: Face,
}

impl Pose {
    /// The pose `amount` of the way (0 = `self`, 1 = `other`) along the shortest turn of each joint.
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

    /// Like [`Self::blend`], with an amount of its own for every joint; the hips' travel follows
    /// `translation_amount`. Layers a gesture over a walk.
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

    /// One joint's local rotation.
    #[must_use]
    pub fn rotation(&self, joint: JointIndex) -> Quat {
        self.rotations[joint.get()]
    }

    /// Changes one joint's local rotation.
    pub fn set_rotation(&mut self, joint: JointIndex, rotation: Quat) {
        self.rotations[joint.get()] = rotation;
    }

    /// Whether every number is finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.hips_translation.is_finite() && self.rotations.iter().all(|turn| turn.is_finite())
    }
}

/// Where every joint stands and how it is turned, in world space.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldPose {
    /// Metres, one per joint.
    pub positions: Vec<Vec3>,
    /// Unit quaternions, one per joint.
    pub rotations: Vec<Quat>,
}

impl WorldPose {
    /// Where one joint stands.
    #[must_use]
    pub fn position(&self, joint: JointIndex) -> Vec3 {
        self.positions[joint.get()]
    }

    /// How one joint is turned.
    #[must_use]
    pub fn rotation(&self, joint: JointIndex) -> Quat {
        self.rotations[joint.get()]
    }

    /// Where a point that is fixed in a joint's space stands.
    #[must_use]
    pub fn transform(&self, joint: JointIndex, local: Vec3) -> Vec3 {
        self.positions[joint.get()] + self.rotations[joint.get()] * local
    }

    /// One matrix per joint, from its space to world space.
    pub fn matrices(&self) -> impl Iterator<Item = Mat4> + '_ {
        self.positions
            .iter()
            .zip(&self.rotations)
            .map(|(position, rotation)| Mat4::from_rotation_translation(*rotation, *position))
    }
}
