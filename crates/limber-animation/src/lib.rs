//! Limber's in-memory representation of animation.
//!
//! Every part of Limber that exchanges animation data uses these types: a [`Skeleton`] is a
//! hierarchy of joints with their rest transforms, a [`Pose`] rotates them, a [`Clip`] is a
//! sequence of poses over time, and a [`Character`] is a skeleton with skinned meshes.
//!
//! **Space.** Right-handed, Y up; the character faces +Z and its left is +X; metres, radians,
//! seconds; the floor is y = 0. A clip starts with the hips over x = z = 0, facing +Z.
//!
//! The crate works on plain values: no files, network, threads, GPU, clock or async code.
//! Everything is deterministic.
#![warn(missing_docs)]

mod bone;
mod canonical;
mod character;
mod clip;
mod contact;
mod deformation;
pub mod despike;
mod face;
mod foothold;
pub mod ik;
mod interpolate;
mod material;
pub mod maths;
mod mesh;
mod mirror;
mod pose;
mod skeleton;
mod skin_patch;
pub mod smooth;

pub use bone::{Finger, HumanBone, Phalanx, Side};
pub use canonical::{CANONICAL_JOINT_COUNT, canonical_skeleton};
pub use character::{AvatarPart, Character, CharacterError, Skin};
pub use clip::{Clip, ClipError, Fps, FrameIndex, Seconds};
pub use contact::{ContactPoint, ContactTrack, Contacts};
pub use deformation::Deformation;
pub use face::{ARKIT_SHAPES, Face, arkit_shape, arkit_shapes};
pub use foothold::{LEAST_STEP_M, footholds};
pub use material::{Alpha, Image, ImageEncoding, Material, Wrap};
pub use mesh::{Mesh, Morph};
pub use pose::{Pose, WorldPose};
pub use skeleton::{Joint, JointIndex, Skeleton, SkeletonError, Twist};
pub use skin_patch::{SkinPatch, bearing_points};
