//! Why there is no picture.

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// No OpenGL without a display on this machine.
    #[error(
        "this machine offers no off-screen OpenGL ({0}); install Mesa's EGL \
         (Debian: libegl1 and libgl1-mesa-dri)"
    )]
    NoGraphics(String),
    /// The driver refused a shader, a buffer or a picture.
    #[error("the graphics driver refused to draw: {0}")]
    Driver(String),
    /// A picture of no pixels, or of too many.
    #[error(
        "a picture of {width} × {height} pixels cannot be drawn; each side may have 1 to {max}"
    )]
    Size {
        /// Pixels asked for.
        width: u32,
        /// Pixels asked for.
        height: u32,
        /// The longest side.
        max: u32,
    },
    /// An actor names a character that is not on the stage.
    #[error("character {0} is not on the stage")]
    NoSuchCharacter(usize),
    /// A pose has another number of joints than the character's skeleton.
    #[error("the pose has {pose} joints, the character {character}")]
    OtherSkeleton {
        /// Joints of the pose.
        pose: usize,
        /// Joints of the character.
        character: usize,
    },
    /// A deformation that is not the character's.
    #[error("the deformation is of another character")]
    OtherSkins,
    /// The parts of the character do not fit together.
    #[error("the character cannot be drawn: {0}")]
    Character(String),
    /// Packing a picture failed.
    #[error("the picture could not be packed: {0}")]
    Packing(#[from] image::ImageError),
    /// Packing a moving picture failed.
    #[error("the moving picture could not be packed: {0}")]
    Moving(String),
}

impl From<three_d::CoreError> for RenderError {
    fn from(error: three_d::CoreError) -> Self {
        Self::Driver(error.to_string())
    }
}
