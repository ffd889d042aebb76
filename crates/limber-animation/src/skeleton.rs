//! Skeletons: the joint hierarchy and its rest pose.

use std::fmt;

use glam::{Mat4, Quat, Vec3};

use crate::{Face, HumanBone, Pose, WorldPose};

/// Index of a joint in its skeleton's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JointIndex(u16);

impl JointIndex {
    /// The joint at `place` in the list. Skeletons hold at most [`Skeleton::MAX_JOINTS`] joints.
    ///
    /// # Panics
    /// If `place` does not fit into 16 bits; [`Skeleton::new`] rejects such skeletons.
    #[must_use]
    pub fn new(place: usize) -> Self {
        Self(u16::try_from(place).expect("a skeleton holds at most MAX_JOINTS joints"))
    }

    /// The index, for slices with one entry per joint.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// One joint: its name, parent and rest transform.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Joint {
    /// Unique within the skeleton.
    pub name: String,
    /// `None` for the root; always earlier in the list than the joint itself.
    pub parent: Option<JointIndex>,
    /// Rest position in the parent's space, metres.
    pub rest_translation: Vec3,
    /// Rest rotation in the parent's space.
    pub rest_rotation: Quat,
    /// The human bone that this joint represents, if any.
    pub bone: Option<HumanBone>,
    /// Set on a twist joint, such as the extra joints along a forearm.
    pub twist: Option<Twist>,
}

/// The share of a bone's rotation about its own axis that a twist joint takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist {
    /// The bone whose twist it shares.
    pub of: HumanBone,
    /// Share of the twist, 0 to 1.
    pub share: f32,
}

/// A hierarchy of joints without scale, parents before children.
#[derive(Clone, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    by_bone: [Option<JointIndex>; HumanBone::ALL.len()],
    hips: JointIndex,
}

/// Why a list of joints does not make a valid skeleton.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkeletonError {
    /// There are no joints.
    #[error("the skeleton has no joints")]
    Empty,
    /// More joints than [`Skeleton::MAX_JOINTS`].
    #[error("the skeleton has {0} joints, at most {max} are allowed", max = Skeleton::MAX_JOINTS)]
    TooManyJoints(usize),
    /// A parent comes after its child, which also covers cycles.
    #[error("joint `{0}` comes before its parent")]
    ParentAfterChild(String),
    /// Two joints have the same name.
    #[error("two joints are named `{0}`")]
    DuplicateName(String),
    /// Two joints are mapped to the same human bone.
    #[error("two joints are mapped to the bone `{0}`")]
    DuplicateBone(&'static str),
    /// A rest transform contains NaN or infinity, or a rotation is not a unit quaternion.
    #[error("joint `{0}` has an unusable rest transform")]
    UnusableRest(String),
    /// No joint is mapped to the hips.
    #[error("no joint is mapped to the hips")]
    NoHips,
}

impl Skeleton {
    /// Maximum number of joints.
    pub const MAX_JOINTS: usize = 1_000;

    /// Checks the joints and makes a skeleton.
    ///
    /// # Errors
    /// See [`SkeletonError`].
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if joints.is_empty() {
            return Err(SkeletonError::Empty);
        }
        if joints.len() > Self::MAX_JOINTS {
            return Err(SkeletonError::TooManyJoints(joints.len()));
        }
        let mut names = std::collections::HashSet::new();
        let mut by_bone = [None; HumanBone::ALL.len()];
        for (place, joint) in joints.iter().enumerate() {
            if joint.parent.is_some_and(|parent| parent.get() >= place) {
                return Err(SkeletonError::ParentAfterChild(joint.name.clone()));
            }
            if !names.insert(joint.name.as_str()) {
                return Err(SkeletonError::DuplicateName(joint.name.clone()));
            }
            if !joint.rest_translation.is_finite()
                || !joint.rest_rotation.is_finite()
                || (joint.rest_rotation.length() - 1.0).abs() > 1e-3
            {
                return Err(SkeletonError::UnusableRest(joint.name.clone()));
            }
            if let Some(bone) = joint.bone
                && by_bone[bone as usize].replace(JointIndex::new(place)).is_some()
            {
                return Err(SkeletonError::DuplicateBone(bone.name()));
            }
        }
        let hips = by_bone[HumanBone::Hips as usize].ok_or(SkeletonError::NoHips)?;
        Ok(Self { joints, by_bone, hips })
    }

    /// All joints, parents before children.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Number of joints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Always false: a skeleton has at least the hips.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The joint at an index.
    #[must_use]
    pub fn joint(&self, index: JointIndex) -> &Joint {
        &self.joints[index.get()]
    }

    /// The hips, the joint that carries the body's translation.
    #[must_use]
    pub const fn hips(&self) -> JointIndex {
        self.hips
    }

    /// The joint mapped to this human bone, if there is one.
    #[must_use]
    pub const fn find(&self, bone: HumanBone) -> Option<JointIndex> {
        self.by_bone[bone as usize]
    }

    /// The joint with this name, if there is one.
    #[must_use]
    pub fn find_name(&self, name: &str) -> Option<JointIndex> {
        self.joints.iter().position(|joint| joint.name == name).map(JointIndex::new)
    }

    /// All joint indices, parents before children.
    pub fn indices(&self) -> impl DoubleEndedIterator<Item = JointIndex> + use<> {
        (0..self.joints.len()).map(JointIndex::new)
    }

    /// The rest pose.
    #[must_use]
    pub fn rest_pose(&self) -> Pose {
        Pose {
            hips_translation: self.joint(self.hips).rest_translation,
            rotations: self.joints.iter().map(|joint| joint.rest_rotation).collect(),
            face: Face::UNKNOWN,
        }
    }

    /// Forward kinematics: the positions and rotations of all joints in world space.
    ///
    /// # Panics
    /// If the pose has a different number of joints.
    #[must_use]
    pub fn world(&self, pose: &Pose) -> WorldPose {
        assert_eq!(pose.rotations.len(), self.len(), "the pose belongs to another skeleton");
        let mut world = WorldPose {
            positions: Vec::with_capacity(self.len()),
            rotations: Vec::with_capacity(self.len()),
        };
        for joint in self.indices() {
            let parent = self.joint(joint).parent;
            let above = parent.map(|parent| (world.position(parent), world.rotation(parent)));
            let (position, rotation) = self.hang(joint, pose, above);
            world.positions.push(position);
            world.rotations.push(rotation);
        }
        world
    }

    /// One joint's world position and rotation, computed from those of its parent.
    pub(crate) fn hang(
        &self,
        joint: JointIndex,
        pose: &Pose,
        above: Option<(Vec3, Quat)>,
    ) -> (Vec3, Quat) {
        let local = if joint == self.hips {
            pose.hips_translation
        } else {
            self.joint(joint).rest_translation
        };
        let turn = pose.rotation(joint);
        above.map_or((local, turn), |(at, carried)| {
            (at + carried * local, (carried * turn).normalize())
        })
    }

    /// World transforms of the joints in the rest pose.
    #[must_use]
    pub fn rest_world(&self) -> WorldPose {
        self.world(&self.rest_pose())
    }

    /// Inverse rest matrices: from world space in the rest pose to each joint's local space.
    #[must_use]
    pub fn inverse_rest_matrices(&self) -> Vec<Mat4> {
        self.rest_world().matrices().map(|matrix| matrix.inverse()).collect()
    }

    /// Marks a joint and all its descendants.
    pub(crate) fn below(&self, top: JointIndex) -> Vec<bool> {
        let mut belongs = vec![false; self.len()];
        for joint in self.indices() {
            let parent = self.joint(joint).parent;
            belongs[joint.get()] =
                joint == top || parent.is_some_and(|parent| belongs[parent.get()]);
        }
        belongs
    }
}

impl fmt::Debug for Skeleton {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Skeleton({} joints)", self.len())
    }
}
