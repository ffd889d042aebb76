//! glTF 2.0 in one binary file.
//!
//! Source: Khronos Group, *glTF 2.0 Specification*, 2021. Space and units are Limber's own: metres,
//! Y up, facing +Z.

mod accessor;
mod container;
mod movement;
mod parts;
mod read;
mod surface;
mod tree;
mod write;

pub use read::{Glb, NamedClip, read};
pub(crate) use write::write_movement;
pub use write::{GlbOptions, WriteError, write_character, write_clip};

/// The largest file that is read, bytes.
pub const MAX_FILE_BYTES: usize = 200 * 1024 * 1024;
/// The most vertices a file may hold.
pub const MAX_VERTICES: usize = 500_000;
/// The most triangles a file may hold.
pub const MAX_TRIANGLES: usize = 1_000_000;
/// The most nodes a file may hold.
pub const MAX_NODES: usize = 20_000;
/// The largest width or height of a picture, pixels.
pub const MAX_IMAGE_SIDE: u32 = 8192;
/// The longest animation, seconds.
pub const MAX_ANIMATION_S: f32 = 3600.0;

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GlbError {
    /// It does not begin as a binary glTF 2.0 file does.
    #[error("this is not a binary glTF 2.0 file; export the character as .glb again")]
    NotGlb,
    /// A limit is exceeded.
    #[error("the file has too many {0}, at most {1} are read; simplify it and export again")]
    TooLarge(&'static str, usize),
    /// The contents contradict themselves.
    #[error("the file is damaged: {0}; export it again")]
    Damaged(String),
    /// It refers to something outside itself, which is never opened.
    #[error(
        "the file refers to another file, which is not opened; export it with everything inside"
    )]
    ExternalReference,
    /// It demands an extension that is not supported.
    #[error("the file needs the extension `{0}`, which is not supported; export it without")]
    UnsupportedExtension(String),
    /// The parts are readable but make no character.
    #[error("the file holds no usable character: {0}")]
    NoCharacter(String),
}

fn damaged(what: impl Into<String>) -> GlbError {
    GlbError::Damaged(what.into())
}
