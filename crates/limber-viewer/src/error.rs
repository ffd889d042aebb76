//! Errors of the viewer. Messages contain file names without their folders.

use std::path::Path;

use limber_api::viewer::MAX_FILES;

/// Why the viewer ended or did not start.
#[derive(Debug, thiserror::Error)]
pub enum ViewerError {
    /// No files were given.
    #[error("name at least one GLB file to show")]
    NoFiles,
    /// More files than fit side by side.
    #[error("cannot show {0} files side by side; name at most {MAX_FILES}")]
    TooManyFiles(usize),
    /// A file is missing, unreadable or too large.
    #[error("“{file}” cannot be opened: {reason}")]
    Unreadable {
        /// File name without its folder.
        file: String,
        /// The reason.
        reason: String,
    },
    /// A file contains no character.
    #[error("“{file}” cannot be shown: {reason}")]
    NotShowable {
        /// File name without its folder.
        file: String,
        /// The reason.
        reason: String,
    },
    /// A frame beyond the end of the clip.
    #[error("frame {frame} does not exist; the last frame is {last}")]
    NoSuchFrame {
        /// The requested frame.
        frame: usize,
        /// The last frame.
        last: usize,
    },
    /// A clip that no file contains.
    #[error("there is no clip “{clip}”; available clips: {known}")]
    NoSuchClip {
        /// The requested clip.
        clip: String,
        /// Some of the available clips.
        known: String,
    },
    /// There is no display to open a window on.
    #[error("there is no display to open a window on; start the viewer from a desktop session")]
    NoDisplay,
    /// The graphics driver does not support OpenGL 3.3.
    #[error(
        "this computer's graphics driver does not support OpenGL 3.3 ({0}); update it, or start \
         with LIBGL_ALWAYS_SOFTWARE=1, which draws without it"
    )]
    OldGraphics(String),
    /// The graphics driver reported an error.
    #[error("the graphics driver refused: {0}; update it, or start with LIBGL_ALWAYS_SOFTWARE=1")]
    Graphics(String),
    /// The image could not be written.
    #[error("the image cannot be written: {0}")]
    Screenshot(String),
}

impl From<limber_render::RenderError> for ViewerError {
    fn from(error: limber_render::RenderError) -> Self {
        Self::Graphics(error.to_string())
    }
}

/// Returns a file name without its folder.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
