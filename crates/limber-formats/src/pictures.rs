//! Checks embedded images: encoding and size.

use image::ImageReader;
use limber_animation::ImageEncoding;

use crate::model::{MAX_IMAGE_SIDE, MAX_UNPACKED_BYTES, ReadError, damaged};

/// Checks the images of a file one by one. Only their headers are read, because a small file can
/// decode to huge images or refer to the same one many times.
#[derive(Debug, Default)]
pub(crate) struct PictureCheck {
    /// Total decoded size so far, in bytes.
    unpacked: usize,
}

impl PictureCheck {
    /// Returns the encoding of an image; `None` if it is neither PNG nor JPEG.
    pub(crate) fn recognise(&mut self, bytes: &[u8]) -> Result<Option<ImageEncoding>, ReadError> {
        let encoding = match bytes {
            [0x89, b'P', b'N', b'G', ..] => ImageEncoding::Png,
            [0xFF, 0xD8, 0xFF, ..] => ImageEncoding::Jpeg,
            _ => return Ok(None),
        };
        let size = ImageReader::new(std::io::Cursor::new(bytes))
            .with_guessed_format()
            .ok()
            .and_then(|reader| reader.into_dimensions().ok());
        let (width, height) = size.ok_or_else(|| damaged("an image in it cannot be read"))?;
        if width.max(height) > MAX_IMAGE_SIDE {
            let most = MAX_IMAGE_SIDE as usize;
            return Err(ReadError::TooLarge("pixels along the side of an image", most));
        }
        let unpacked = width as usize * height as usize * 4 + bytes.len();
        self.unpacked = self.unpacked.saturating_add(unpacked);
        if self.unpacked > MAX_UNPACKED_BYTES {
            return Err(ReadError::TooLarge("bytes of decompressed images", MAX_UNPACKED_BYTES));
        }
        Ok(Some(encoding))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let picture = image::GrayImage::new(width, height);
        picture.write_to(&mut bytes, image::ImageFormat::Png).expect("the image can be encoded");
        bytes.into_inner()
    }

    #[test]
    fn images_are_counted_by_decompressed_size() {
        let large = png(8192, 1024);
        assert!(large.len() < 100_000, "the file is small");
        let mut check = PictureCheck::default();
        let mut seen = 0;
        while let Ok(encoding) = check.recognise(&large) {
            assert_eq!(encoding, Some(ImageEncoding::Png));
            seen += 1;
        }
        assert_eq!(seen, 31, "the images have 32 MiB each");
    }

    #[test]
    fn oversized_and_damaged_images_are_rejected() {
        let mut check = PictureCheck::default();
        let wide = check.recognise(&png(8193, 1)).expect_err("the image is too wide");
        assert!(matches!(wide, ReadError::TooLarge(_, 8192)), "{wide}");
        assert!(check.recognise(&png(8, 8)[..20]).is_err());
        assert_eq!(check.recognise(b"RIFF").expect("other formats are ignored"), None);
    }
}
