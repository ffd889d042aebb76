//! Reads and writes the file formats of characters and clips.
//!
//! Each format is a pair of pure functions between values and bytes:
//!
//! - [`glb`]: glTF 2.0 in one file. Writes mesh, skin, morph targets, materials, images and one
//!   named animation; reads any ordinary skinned GLB.
//! - [`fbx`]: Autodesk's FBX, binary 7.4: mesh, skin, materials, images, one named animation.
//! - [`read_model`]: GLB, self-contained glTF, VRM 0.x and 1.0, and FBX of every version, as a
//!   [`model::Model`] that is not mapped to bones yet.
//! - [`bvh`]: skeleton and rotations as text, in centimetres, with a standing rest pose.
//! - [`motion`]: motion capture from BVH, FBX, GLB, and ASF with AMC ([`acclaim`]).
//! - [`vrma`]: VRM animation: only the motion of the human bones, for any VRM character.
//! - [`canonical`]: the clip that every output is derived from: versioned, checksummed, bit-exact.
//!
//! In addition, [`humanoid`] maps the joints of any rig to human bones.
//!
//! **Input:** values of [`limber_animation`], or untrusted bytes: sizes and counts are limited,
//! references are checked, nothing outside the file is opened, and damaged files give an error that
//! says what is wrong. **Output:** bytes or values; the same input gives the same bytes on every
//! machine.
//!
//! **Out of scope:** paths, URIs, jobs, how a clip was made and where it will be shown.
#![warn(missing_docs)]

pub mod acclaim;
mod any;
mod avatar;
pub mod bvh;
pub mod canonical;
pub mod face;
pub mod fbx;
pub mod glb;
pub mod humanoid;
pub mod import;
mod influences;
mod keyed;
mod keys;
pub mod model;
pub mod motion;
mod normals;
mod pictures;
pub mod preset;
pub mod vrma;
mod zip;

pub use any::read_model;
pub use keyed::RootTrack;
