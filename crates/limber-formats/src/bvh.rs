//! Skeleton and rotations as text, as motion capture tools exchange them.
//!
//! Written the way the pickiest readers want it: the hips and everything below, offsets that form
//! the standing rest pose when all rotations are zero, Euler angles in the written order Z X Y that
//! never jump by a turn, an end site on every leaf. Joints with position channels have no offset,
//! because readers disagree on whether the two are added.
//!
//! Source: M. Meredith, S. Maddock, *Motion Capture File Formats Explained*, 2001.

mod read;
mod write;

pub use read::{Bvh, BvhJoint, Channel, read};
pub use write::{BvhOptions, write};

/// Why a BVH was not read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BvhError {
    /// The clip was made for another skeleton.
    #[error("the clip belongs to another skeleton; retarget it first")]
    OtherSkeleton,
    /// The root's track has another length than the clip.
    #[error("the root's track has another number of frames than the clip")]
    RootLength,
    /// The scale is not a positive number.
    #[error("the scale must be a positive number")]
    BadScale,
    /// The text is no BVH.
    #[error("line {line} of the BVH is wrong: {problem}; export it again")]
    Damaged {
        /// Counted from 1.
        line: usize,
        /// What was expected.
        problem: &'static str,
    },
    /// A limit is exceeded.
    #[error("the BVH has too many {0}")]
    TooLarge(&'static str),
}
