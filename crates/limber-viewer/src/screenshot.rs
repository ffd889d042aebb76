//! The window's picture as a file.

use std::path::Path;

use image::RgbaImage;
use three_d::RenderTarget;

use crate::{ViewerError, error::file_name};

/// Writes what was drawn on the screen as PNG.
pub(crate) fn save(screen: &RenderTarget<'_>, file: &Path) -> Result<(), ViewerError> {
    let pixels: Vec<[u8; 4]> = screen.read_color();
    let opaque = pixels.into_iter().flat_map(|[red, green, blue, _]| [red, green, blue, 255]);
    let picture = RgbaImage::from_raw(screen.width(), screen.height(), opaque.collect())
        .ok_or_else(|| ViewerError::Screenshot("the driver returned too few pixels".into()))?;
    picture
        .save_with_format(file, image::ImageFormat::Png)
        .map_err(|error| ViewerError::Screenshot(format!("{} ({error})", file_name(file))))
}
