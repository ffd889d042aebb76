//! GLB files of clips, which the page fetches for its 3D view.

use std::sync::Arc;

use super::{Clip, ClipId, Library};
use crate::{AppError, views::SaveFormat};

/// URL scheme of [`ClipDetails::glb_url`](crate::views::ClipDetails::glb_url); the window answers
/// such requests with [`clip_glb`](crate::App::clip_glb).
pub const CLIP_SCHEME: &str = "clip";

/// Size limit for files sent to the page. Stock characters take less than 2 MB; the web view
/// expands a file to several times its size.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// A clip's GLB, or that it is too large for the page.
#[derive(Debug, PartialEq, Eq)]
pub enum ClipGlb {
    /// The whole file.
    Bytes(Arc<Vec<u8>>),
    /// The file is too large for a web view.
    TooLarge,
}

/// Returns the URL of a clip's GLB.
fn url(id: &ClipId) -> String {
    // WebView2 on Windows exposes custom schemes as hosts
    if cfg!(windows) {
        format!("http://{CLIP_SCHEME}.localhost/{id}")
    } else {
        format!("{CLIP_SCHEME}://localhost/{id}")
    }
}

impl Library {
    /// Returns the URL of a clip's GLB; `None` if it has none.
    pub(super) fn glb_url(&self, clip: &Clip) -> Option<String> {
        clip.files.contains_key(SaveFormat::Glb.ending()).then(|| url(&clip.id))
    }

    /// Returns a clip's GLB with its corrections. A downloaded file is verified against its
    /// checksum; one that is too large is not even read, since corrections would not make it
    /// smaller.
    pub(crate) fn glb(&self, clip: &Clip) -> Result<ClipGlb, AppError> {
        let ending = SaveFormat::Glb.ending();
        if clip.files.get(ending).is_some_and(|file| file.bytes > MAX_BYTES) {
            return Ok(ClipGlb::TooLarge);
        }
        self.seen(clip, SaveFormat::Glb).map(ClipGlb::fitting)
    }
}

impl ClipGlb {
    fn fitting(bytes: Arc<Vec<u8>>) -> Self {
        if bytes.len() as u64 > MAX_BYTES { Self::TooLarge } else { Self::Bytes(bytes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorCode, library::tests::library_with};

    #[test]
    fn a_glb_is_served_by_clip_id_and_only_if_intact() {
        let (_folder, library, mut clip) = library_with(b"glTF");
        assert_eq!(library.glb(&clip).expect("it exists"), ClipGlb::Bytes(b"glTF".to_vec().into()));
        let url = library.details(&clip).glb_url.expect("there is one");
        assert!(url.ends_with("/job-000000000001.1") && url.contains(CLIP_SCHEME), "{url}");
        std::fs::write(library.path(&clip.id, "glb"), b"glXF").expect("damage");
        assert_eq!(library.glb(&clip).expect_err("damaged").code, ErrorCode::FileDamaged);
        clip.files.clear();
        assert_eq!(library.glb(&clip).expect_err("none").code, ErrorCode::NotFound);
        assert_eq!(library.details(&clip).glb_url, None);
    }

    #[test]
    fn a_glb_that_is_too_large_for_the_page_is_not_read() {
        let (_folder, library, mut clip) = library_with(b"glTF");
        let file = clip.files.get_mut("glb").expect("it has one");
        file.bytes = MAX_BYTES + 1;
        std::fs::remove_file(library.path(&clip.id, "glb")).expect("reading it fails");
        assert_eq!(library.glb(&clip).expect("an answer"), ClipGlb::TooLarge);
    }

    #[test]
    fn a_generated_glb_is_measured_itself() {
        let [fits, too_large] = [MAX_BYTES, MAX_BYTES + 1].map(|bytes| vec![0; bytes as usize]);
        assert!(matches!(ClipGlb::fitting(Arc::new(fits)), ClipGlb::Bytes(_)));
        assert_eq!(ClipGlb::fitting(Arc::new(too_large)), ClipGlb::TooLarge);
    }
}
