//! Detects the format of a file by its content.

use crate::{
    fbx, glb,
    model::{Beside, Model, ReadError, nothing_beside},
};

/// Reads a character file of any supported format, which is detected by content, not by name.
///
/// # Errors
/// See [`ReadError`].
pub fn read_model(bytes: &[u8]) -> Result<Model, ReadError> {
    read_model_beside(bytes, &nothing_beside)
}

/// Like [`read_model`], with access to textures that an FBX references but does not embed.
///
/// # Errors
/// See [`ReadError`].
pub(crate) fn read_model_beside(bytes: &[u8], beside: &Beside<'_>) -> Result<Model, ReadError> {
    let holds_text = |text: &str| bytes.trim_ascii_start().starts_with(text.as_bytes());
    let other = match bytes {
        [] => "the file is empty; upload it again",
        [b'P', b'K', 3, 4, ..] => {
            "this is a ZIP archive; unpack it and upload the character file that it contains"
        }
        [b'B', b'L', b'E', b'N', b'D', b'E', b'R', ..] => {
            "this is a Blender file; export the character from Blender as .glb or .fbx"
        }
        _ if holds_text("HIERARCHY") => {
            "this is a BVH file, which contains motion but no mesh; upload the character that it \
             belongs to"
        }
        _ if fbx::looks_like_fbx(bytes) => return fbx::read_model(bytes, beside),
        _ if bytes.starts_with(b"glTF") || holds_text("{") => return glb::read_model(bytes),
        _ => "this is not a supported character file; export the character as .glb, .vrm or .fbx",
    };
    Err(ReadError::NotCharacterFile(other))
}
