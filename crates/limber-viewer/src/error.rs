//! Why the viewer could not do what it was asked. Messages name files by their last part only.

use std::path::Path;

use limber_api::viewer::MAX_FILES;

/// Why the viewer ended, or did not start.
#[derive(Debug, thiserror::Error)]
pub enum ViewerError {
    /// Nothing to show.
    #[error("name at least one GLB file to show")]
    NoFiles,
    /// More than fit side by side.
    #[error("cannot show {0} files side by side; name at most {MAX_FILES}")]
    TooManyFiles(usize),
    /// A file that is missing, not readable or too large.
    #[error("“{file}” cannot be opened: {reason}")]
    Unreadable {
        /// Its name without folders.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// A file that holds no character.
    #[error("“{file}” cannot be shown: {reason}")]
    NotShowable {
        /// Its name without folders.
        file: String,
        /// What is wrong.
        reason: String,
    },
    /// A frame after the end.
    #[error("frame {frame} does not exist; the last frame is {last}")]
    NoSuchFrame {
        /// Which was asked for.
        frame: usize,
        /// The last one there is.
        last: usize,
    },
    /// A clip that no file has.
    #[error("there is no clip “{clip}”; available clips: {known}")]
    NoSuchClip {
        /// Which was asked for.
        clip: String,
        /// Some that there are.
        known: String,
    },
    /// Nowhere to open a window.
    #[error("there is no display to open a window on; start the viewer from a desktop session")]
    NoDisplay,
    /// The driver has not what is drawn with.
    #[error(
        "this computer's graphics driver offers no OpenGL 3.3 ({0}); update it, or start with \
         LIBGL_ALWAYS_SOFTWARE=1, which draws without it"
    )]
    OldGraphics(String),
    /// The graphics driver refused.
    #[error("the graphics driver refused: {0}; update it, or start with LIBGL_ALWAYS_SOFTWARE=1")]
    Graphics(String),
    /// The picture could not be written.
    #[error("the image cannot be written: {0}")]
    Screenshot(String),
}

impl From<limber_render::RenderError> for ViewerError {
    fn from(error: limber_render::RenderError) -> Self {
        Self::Graphics(error.to_string())
    }
}

/// A file's name as people know it: without its folders.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
