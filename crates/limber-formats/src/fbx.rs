//! Autodesk's FBX.
//!
//! Written by hand, because there is no writer to take: binary 7.4, the version that every reader
//! of the last ten years knows. Y up, front +Z, right-handed, centimetres; frame rate, axes and
//! unit are stated, so that nobody has to choose them on import. No joint has a pre-rotation: what
//! turns it at rest stands in its own rotation. What is read may be of any version, binary or text.
//!
//! Sources: A. Gessler and C. Barton, *FBX binary file format specification*, 2013; Autodesk, *FBX
//! SDK reference*, 2020, for the meaning of properties.

mod movement;
mod read;
mod write;

use limber_animation::Character;

pub use movement::{FbxMovement, FbxMovementError, movement};
pub(crate) use read::{load_movement, looks_like_fbx, read_model};
pub use write::{FbxOptions, FbxWriteError, textures, write_character, write_clip};

use crate::zip;

/// An FBX as it travels with everything it refers to: `NAME.fbx` and the pictures beside it.
///
/// # Errors
/// [`FbxWriteError::TooLarge`] when a ZIP cannot hold it.
pub fn zipped(name: &str, fbx: &[u8], character: &Character) -> Result<Vec<u8>, FbxWriteError> {
    let mut files = vec![(format!("{name}.fbx"), fbx)];
    files.extend(textures(character));
    zip::stored(&files).ok_or(FbxWriteError::TooLarge)
}
