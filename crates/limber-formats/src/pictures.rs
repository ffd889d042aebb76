//! Pictures inside files: which are kept, and how large they may be.

use image::ImageReader;
use limber_animation::ImageEncoding;

use crate::model::{MAX_IMAGE_SIDE, ReadError, damaged};

/// How a picture is packed; `None` when it is neither PNG nor JPEG. Only its header is looked at: a
/// small file can unpack to a huge picture.
pub(crate) fn recognise(bytes: &[u8]) -> Result<Option<ImageEncoding>, ReadError> {
    let encoding = match bytes {
        [0x89, b'P', b'N', b'G', ..] => ImageEncoding::Png,
        [0xFF, 0xD8, 0xFF, ..] => ImageEncoding::Jpeg,
        _ => return Ok(None),
    };
    let size = ImageReader::new(std::io::Cursor::new(bytes))
        .with_guessed_format()
        .ok()
        .and_then(|reader| reader.into_dimensions().ok());
    match size {
        None => Err(damaged("a picture in it cannot be read")),
        Some((width, height)) if width.max(height) > MAX_IMAGE_SIDE => {
            Err(ReadError::TooLarge("pixels along a picture's side", MAX_IMAGE_SIDE as usize))
        }
        Some(_) => Ok(Some(encoding)),
    }
}
