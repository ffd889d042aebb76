//! Reads and writes the files that characters and clips travel in.
//!
//! Each a pair of pure functions from values to bytes and back:
//!
//! - [`glb`]: glTF 2.0 in one file: mesh, skin, shapes, materials, pictures and one named animation
//!   out; any ordinary skinned GLB in.
//! - [`fbx`]: Autodesk's FBX, binary 7.4: mesh, skin, materials, pictures, one named animation.
//! - [`read_model`]: GLB, glTF with everything inside, VRM 0.x and 1.0, FBX of every version, to a
//!   [`model::Model`], which knows no bones yet.
//! - [`bvh`]: skeleton and rotations as text, in centimetres, with a standing rest pose.
//! - [`motion`]: recordings of people, from BVH, FBX, GLB, and ASF with AMC ([`acclaim`]).
//! - [`vrma`]: VRM animation: the human bones' movement alone, for any VRM character.
//! - [`canonical`]: the clip every output is derived from: versioned, checksummed, exact to the bit.
//!
//! Beside them [`humanoid`] says which joint of a stranger's rig is which human bone.
//!
//! **Goes in:** [`limber_animation`]'s values, or bytes from anywhere. Bytes are never trusted:
//! sizes and counts are limited, references are checked, nothing is followed out of the file, and
//! damage comes back as an error that says what is wrong. **Comes out:** bytes or values; the same
//! input gives the same bytes on every machine.
//!
//! **Never knows:** paths, URIs, jobs, how a clip was made or where it will be drawn.
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
