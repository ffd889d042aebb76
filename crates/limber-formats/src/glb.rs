//! glTF 2.0 in one binary file.
//!
//! Source: Khronos Group, *glTF 2.0 Specification*, 2021. Coordinate space and units are the same
//! as Limber's: metres, Y up, facing +Z.

mod accessor;
mod clip_notes;
mod container;
mod file;
mod load;
mod movement;
mod parts;
mod primitive;
mod read;
mod scene;
mod skeleton_notes;
mod surface;
mod vrm;
mod write;

pub use crate::model::{
    MAX_FILE_BYTES, MAX_IMAGE_SIDE, MAX_NODES, MAX_TRIANGLES, MAX_VERTICES, ReadError as GlbError,
};
pub(crate) use read::read_model;
pub use read::{Glb, NamedClip, read, read_scene};
pub use scene::{Movement, Scene};
pub(crate) use write::write_movement;
pub use write::{GlbOptions, WriteError, write_character, write_clip};

/// The `generator` in files that Limber writes.
const GENERATOR: &str = "Limber";

/// Maximum length of an animation, in seconds.
pub const MAX_ANIMATION_S: f32 = 3600.0;
