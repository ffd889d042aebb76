//! Pictures of a whole clip: one moment, a sheet of moments, a strip that plays.

use std::{io::Cursor, sync::Arc};

use glam::Vec2;
use image::{
    ExtendedColorType, ImageEncoder, RgbaImage,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};
use limber_animation::{Character, Clip, Seconds};

use crate::{PictureSize, Quality, RenderError, Shot, Studio, numerals};

/// The most frames of a sprite sheet.
const MAX_SPRITES: usize = 240;

/// All frames of a small moving picture in one PNG, row after row. A page plays it by moving the
/// background of a box `frame_width` × `frame_height` from cell to cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpriteSheet {
    /// The picture: RGB, eight bits.
    pub png: Vec<u8>,
    /// Cells in a row; the last row may have fewer.
    pub columns: u32,
    /// How many cells there are.
    pub frames: u32,
    /// Pixels.
    pub frame_width: u32,
    /// Pixels.
    pub frame_height: u32,
    /// How many cells to show in a second.
    pub fps: u16,
}

/// One moment of a clip, from the front and a little to the left.
///
/// # Errors
/// As [`Studio::new`] and [`Studio::picture`].
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

/// `count` moments, evenly from the first frame to the last, in rows of `columns`; each cell is
/// `size` large and carries its frame number.
///
/// # Errors
/// As [`thumbnail`]; [`RenderError::Size`] when the sheet would be larger than a picture may be.
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

/// The whole clip as a strip that plays: `fps` cells a second, at most 240 cells.
///
/// # Errors
/// As [`contact_sheet`].
pub fn sprite_sheet(
    character: &Arc<Character>,
    clip: &Clip,
    size: PictureSize,
    fps: u16,
) -> Result<SpriteSheet, RenderError> {
    let fps = fps.clamp(1, 60);
    let wanted = (clip.duration_s() * f32::from(fps)).round().max(1.0) as usize;
    let frames = wanted.min(MAX_SPRITES) as u32;
    let columns = cells_across(frames, size);
    let mut sheet = empty_sheet(columns, frames.div_ceil(columns), size)?;
    let mut studio = Studio::new(Arc::clone(character), size)?;
    studio.look.quality = Quality::Fast;
    let shot = Shot::card(character, clip, size.aspect());
    for cell in 0..frames {
        let time_s = cell as f32 * clip.duration_s() / frames as f32;
        let picture = studio.picture(clip, time_s, &shot.camera_at_time(time_s, clip))?;
        put(&mut sheet, &picture, cell, columns, size);
    }
    let png = packed(&sheet)?;
    let (frame_width, frame_height) = (size.width, size.height);
    Ok(SpriteSheet { png, columns, frames, frame_width, frame_height, fps })
}

/// About as many cells across as makes the sheet square.
fn cells_across(frames: u32, size: PictureSize) -> u32 {
    let square = (frames as f32 / size.aspect()).sqrt().ceil() as u32;
    square.clamp(1, (PictureSize::MAX_SIDE / size.width.max(1)).max(1)).min(frames)
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

/// As PNG without alpha, packed well and fast.
fn packed(sheet: &RgbaImage) -> Result<Vec<u8>, RenderError> {
    let pixels: Vec<u8> = sheet.pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let mut png = Cursor::new(Vec::new());
    PngEncoder::new_with_quality(&mut png, CompressionType::Fast, FilterType::Adaptive)
        .write_image(&pixels, sheet.width(), sheet.height(), ExtendedColorType::Rgb8)?;
    Ok(png.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_about_square_and_holds_all_cells() {
        let size = PictureSize::new(160, 200);
        assert_eq!(cells_across(48, size), 8);
        assert_eq!(cells_across(1, size), 1);
        assert!(cells_across(240, size) * size.width <= PictureSize::MAX_SIDE);
    }

    #[test]
    fn a_sheet_that_is_too_large_is_refused() {
        let size = PictureSize::new(4096, 4096);
        assert!(matches!(empty_sheet(9, 9, size), Err(RenderError::Size { .. })));
    }
}
