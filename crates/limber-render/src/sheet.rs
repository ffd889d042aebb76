//! Preview images of a clip: a thumbnail, a contact sheet, a sprite sheet that plays.

use std::{io::Cursor, sync::Arc};

use glam::Vec2;
use image::{
    ExtendedColorType, ImageEncoder, RgbaImage,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};
use limber_animation::{Character, Clip, Seconds};

use crate::{Look, PictureSize, Quality, RenderError, Shot, Studio, numerals};

/// Maximum number of frames in a sprite sheet.
const MAX_SPRITES: u32 = 240;

/// All frames of a small animation in one PNG, row after row. A web page plays it by moving the
/// background of a `frame_width` × `frame_height` box from cell to cell.
#[derive(Debug, Clone, PartialEq)]
pub struct SpriteSheet {
    /// The image as PNG: 8-bit RGB.
    pub png: Vec<u8>,
    /// Number of cells in a row; the last row may have fewer.
    pub columns: u32,
    /// Number of cells.
    pub frames: u32,
    /// Width of a cell in pixels.
    pub frame_width: u32,
    /// Height of a cell in pixels.
    pub frame_height: u32,
    /// Playback rate in cells per second.
    pub fps: f32,
}

/// Renders one moment of a clip, from the front and a little to the left.
///
/// # Errors
/// See [`Studio::new`] and [`Studio::picture`].
pub fn thumbnail(
    character: &Arc<Character>,
    clip: &Clip,
    time_s: Seconds,
    size: PictureSize,
) -> Result<RgbaImage, RenderError> {
    let mut studio = Studio::new(Arc::clone(character), size)?;
    let shot = Shot::card(character, clip, size.aspect());
    studio.picture(clip, time_s, &shot.camera_at_time(time_s, clip))
}

/// Renders `count` moments, evenly spaced from the first frame to the last, in rows of `columns`.
/// Each cell has the size `size` and shows its frame number.
///
/// # Errors
/// See [`thumbnail`]. [`RenderError::Size`] if the sheet exceeds the maximum image size.
pub fn contact_sheet(
    character: &Arc<Character>,
    clip: &Clip,
    columns: u32,
    count: u32,
    size: PictureSize,
) -> Result<RgbaImage, RenderError> {
    let (columns, count) = (columns.max(1), count.max(1));
    let mut sheet = empty_sheet(columns.min(count), count.div_ceil(columns), size)?;
    let mut studio = Studio::new(Arc::clone(character), size)?;
    let shot = Shot::card(character, clip, size.aspect());
    for cell in 0..count {
        let share = cell as f32 / (count - 1).max(1) as f32;
        let frame = (share * (clip.len() - 1) as f32).round() as usize;
        let time_s = frame as f32 / clip.fps().per_second();
        let mut picture = studio.picture(clip, time_s, &shot.camera_at(frame))?;
        let height = (size.height as f32 * 0.06).clamp(9.0, 28.0);
        let corner = Vec2::splat(height * 0.6);
        numerals::write_number(&mut picture, frame, corner, height, [214, 220, 228]);
        put(&mut sheet, &picture, cell, columns, size);
    }
    Ok(sheet)
}

/// Renders a clip as a sprite sheet of `count` evenly spaced moments. The last one is a step before
/// the end, so that a looping clip plays without a pause. The grid is hidden, because it would
/// flicker at this size.
///
/// # Errors
/// See [`contact_sheet`].
pub fn sprite_sheet(
    character: &Arc<Character>,
    clip: &Clip,
    columns: u32,
    count: u32,
    size: PictureSize,
) -> Result<SpriteSheet, RenderError> {
    let frames = count.clamp(1, MAX_SPRITES);
    let columns = columns.clamp(1, frames);
    let mut sheet = empty_sheet(columns, frames.div_ceil(columns), size)?;
    let mut studio = Studio::new(Arc::clone(character), size)?;
    studio.look = Look { quality: Quality::Small, grid: false, dither: false, ..Look::default() };
    let shot = Shot::card(character, clip, size.aspect());
    for cell in 0..frames {
        let time_s = cell as f32 * clip.duration_s() / frames as f32;
        let picture = studio.picture(clip, time_s, &shot.camera_at_time(time_s, clip))?;
        put(&mut sheet, &picture, cell, columns, size);
    }
    Ok(SpriteSheet {
        png: packed(&sheet)?,
        columns,
        frames,
        frame_width: size.width,
        frame_height: size.height,
        fps: frames as f32 / clip.duration_s(),
    })
}

fn empty_sheet(columns: u32, rows: u32, size: PictureSize) -> Result<RgbaImage, RenderError> {
    let (width, height) = (columns.saturating_mul(size.width), rows.saturating_mul(size.height));
    let max = PictureSize::MAX_SIDE * 2;
    if width > max || height > max {
        return Err(RenderError::Size { width, height, max });
    }
    Ok(RgbaImage::new(width, height))
}

fn put(sheet: &mut RgbaImage, picture: &RgbaImage, cell: u32, columns: u32, size: PictureSize) {
    let (x, y) = ((cell % columns) * size.width, (cell / columns) * size.height);
    image::imageops::replace(sheet, picture, i64::from(x), i64::from(y));
}

/// Encodes a sheet as PNG without alpha. Uses fast compression: the larger file costs less time to
/// send and decode than better compression would take.
fn packed(sheet: &RgbaImage) -> Result<Vec<u8>, RenderError> {
    let pixels: Vec<u8> = sheet.pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let mut png = Cursor::new(Vec::new());
    PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Paeth).write_image(
        &pixels,
        sheet.width(),
        sheet.height(),
        ExtendedColorType::Rgb8,
    )?;
    Ok(png.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_that_is_too_large_is_refused() {
        let size = PictureSize::new(4096, 4096);
        assert!(matches!(empty_sheet(9, 9, size), Err(RenderError::Size { .. })));
    }
}
