//! Autodesk FBX.
//!
//! The writer is our own, because there is no library for it: binary FBX 7.4, the version that
//! every reader of the last ten years supports. Y up, front +Z, right-handed, centimetres; frame
//! rate, axes and unit are stated, so that users need not choose them on import. Joints have no
//! pre-rotation: their rest rotation is part of the local rotation. Files of any version can be
//! read, binary or text.
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

/// Packs an FBX with its textures into a ZIP: `NAME.fbx` and the files it refers to.
///
/// # Errors
/// [`FbxWriteError::TooLarge`] if it exceeds the limits of ZIP.
pub fn zipped(name: &str, fbx: &[u8], character: &Character) -> Result<Vec<u8>, FbxWriteError> {
    let mut files = vec![(format!("{name}.fbx"), fbx)];
    files.extend(textures(character));
    zip::stored(&files).ok_or(FbxWriteError::TooLarge)
}
