//! Pictures for cards: a clip that moves, a character that stands.
//!
//! They are made by drawing off screen and can fail where a computer cannot draw at all; then the
//! clip is as good as ever and only its card has no picture.

use std::{io::Cursor, sync::Arc};

use limber_animation::{Character, Clip, Fps};
use limber_render::{PictureSize, RenderError, sprite_sheet, thumbnail};

/// Pictures per second of a moving picture.
pub const PICTURES_PER_SECOND: u16 = 10;
/// Width and height of one of its cells, pixels.
pub const CELL_SIZE: u32 = 192;
/// The most cells there are.
const MAX_PICTURES: u32 = 240;
/// Width of a portrait, pixels; it is a quarter higher than wide.
const PORTRAIT_WIDTH: u32 = 320;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[error("the picture could not be drawn: {0}")]
pub struct PictureError(String);

impl From<RenderError> for PictureError {
    fn from(error: RenderError) -> Self {
        Self(error.to_string())
    }
}

/// The whole clip as one PNG: square cells of [`CELL_SIZE`], [`PICTURES_PER_SECOND`] of them a
/// second, at most 240, in rows; about as many across as down.
///
/// # Errors
/// When this computer cannot draw.
pub fn moving_picture(character: &Character, clip: &Clip) -> Result<Vec<u8>, PictureError> {
    let size = PictureSize { width: CELL_SIZE, height: CELL_SIZE };
    let wanted = (clip.duration_s() * f32::from(PICTURES_PER_SECOND)).round() as u32;
    let count = wanted.clamp(1, MAX_PICTURES);
    let columns = f64::from(count).sqrt().ceil() as u32;
    Ok(sprite_sheet(&Arc::new(character.clone()), clip, columns, count, size)?.png)
}

/// A character in its rest pose as PNG.
///
/// # Errors
/// When this computer cannot draw.
pub fn portrait(character: &Character) -> Result<Vec<u8>, PictureError> {
    let pose = character.skeleton.rest_pose();
    let clip = Clip::new(Arc::clone(&character.skeleton), Fps::DEFAULT, vec![pose])
        .map_err(|error| PictureError(error.to_string()))?;
    let size = PictureSize { width: PORTRAIT_WIDTH, height: PORTRAIT_WIDTH * 5 / 4 };
    let picture = thumbnail(&Arc::new(character.clone()), &clip, 0.0, size)?;
    let mut png = Cursor::new(Vec::new());
    picture
        .write_to(&mut png, image::ImageFormat::Png)
        .map_err(|error| PictureError(error.to_string()))?;
    Ok(png.into_inner())
}
