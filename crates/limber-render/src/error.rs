//! Errors of rendering.

/// Why nothing could be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// This machine has no OpenGL context without a display.
    #[error(
        "this machine does not support off-screen OpenGL ({0}); update its graphics driver, or on \
         Linux install Mesa's EGL (Debian: libegl1 and libgl1-mesa-dri)"
    )]
    NoGraphics(String),
    /// The driver rejected a shader, a buffer or a texture.
    #[error("the graphics driver refused to draw: {0}")]
    Driver(String),
    /// The requested image size is zero or too large.
    #[error(
        "an image of {width} × {height} pixels cannot be rendered; each side can have 1 to {max}"
    )]
    Size {
        /// Requested width in pixels.
        width: u32,
        /// Requested height in pixels.
        height: u32,
        /// Maximum length of a side in pixels.
        max: u32,
    },
    /// An actor refers to a character that is not on the stage.
    #[error("character {0} is not on the stage")]
    NoSuchCharacter(usize),
    /// The number of joints in a pose differs from the character's skeleton.
    #[error("the pose has {pose} joints, the character {character}")]
    OtherSkeleton {
        /// Number of joints in the pose.
        pose: usize,
        /// Number of joints in the character's skeleton.
        character: usize,
    },
    /// The deformation was made for another character.
    #[error("the deformation belongs to another character")]
    OtherSkins,
    /// The character's data is inconsistent, for example an index is out of range.
    #[error("the character cannot be rendered: {0}")]
    Character(String),
    /// Encoding an image failed.
    #[error("the image could not be encoded: {0}")]
    Packing(#[from] image::ImageError),
    /// Encoding an animated image failed.
    #[error("the animated image could not be encoded: {0}")]
    Moving(String),
}

impl From<three_d::CoreError> for RenderError {
    fn from(error: three_d::CoreError) -> Self {
        Self::Driver(error.to_string())
    }
}
