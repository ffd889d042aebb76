//! BVH: skeleton and rotations as text, the exchange format of motion capture tools.
//!
//! Files are written for the strictest readers: the hips and everything below them, offsets that
//! form the standing rest pose when all rotations are zero, Euler angles in the order Z X Y that
//! never jump by a full turn, and an end site on every leaf. Joints with position channels have no
//! offset, because readers disagree on whether the two are added.
//!
//! Source: M. Meredith, S. Maddock, *Motion Capture File Formats Explained*, 2001.

mod read;
mod write;

pub use read::{Bvh, BvhJoint, Channel, read};
pub use write::{BvhOptions, write};

/// Why a BVH could not be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BvhError {
    /// The clip was made for another skeleton.
    #[error("the clip has a different skeleton; retarget it first")]
    OtherSkeleton,
    /// The root track and the clip differ in their number of frames.
    #[error("the root's track and the clip have different numbers of frames")]
    RootLength,
    /// The scale is not a positive number.
    #[error("the scale must be a positive number")]
    BadScale,
    /// The text is not a valid BVH.
    #[error("line {line} of the BVH file is invalid: {problem}; export it again")]
    Damaged {
        /// Line number, counted from 1.
        line: usize,
        /// What was expected.
        problem: &'static str,
    },
    /// A size limit is exceeded.
    #[error("the BVH file has too many {0}")]
    TooLarge(&'static str),
}
