//! Preview images: sprite sheets of clips, portraits of characters.
//!
//! They are rendered off screen, which fails on computers that cannot render at all; the clip is
//! then still valid and only lacks its preview. Images that users upload instead are re-encoded.

use std::{io::Cursor, sync::Arc};

use glam::{Quat, Vec3};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, metadata::Orientation};
use limber_animation::{Character, Clip, Fps, HumanBone, Pose};
use limber_render::{
    Backdrop, Look, PictureSize, RenderError, Shot, Studio, sprite_sheet, thumbnail,
};

/// Frame rate of sprite sheets. Lower rates look jerky; each frame costs more than 10 ms without a
/// GPU.
pub const PICTURES_PER_SECOND: u32 = 8;
/// Width and height of a cell of a sprite sheet, in pixels.
pub const CELL_SIZE: u32 = 192;
/// Maximum number of cells; in longer clips they are farther apart in time.
const MAX_PICTURES: u32 = 96;
/// Width and height of an image for lists, in pixels.
const LIST_SIZE: u32 = 512;
/// Maximum width and height of an uploaded image, in pixels.
const LARGEST_SIDE: u32 = 8192;
/// Width of a portrait in pixels; its height is 5/4 of that.
const PORTRAIT_WIDTH: u32 = 320;

/// Why an image could not be made.
#[derive(Debug, thiserror::Error)]
#[error("the image could not be rendered: {0}")]
pub struct PictureError(String);

impl PictureError {
    pub(crate) fn new(why: impl std::fmt::Display) -> Self {
        Self(why.to_string())
    }
}

impl From<RenderError> for PictureError {
    fn from(error: RenderError) -> Self {
        Self(error.to_string())
    }
}

/// The layout of a sprite sheet: about as many rows as columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cells {
    /// Number of cells, spread evenly over the clip.
    pub count: u32,
    /// Number of cells in a row.
    pub columns: u32,
    /// Number of rows; the last one may be incomplete.
    pub rows: u32,
}

impl Cells {
    /// Returns the layout for a clip with this many frames at `fps`: [`PICTURES_PER_SECOND`] cells
    /// per second, at most 96.
    #[must_use]
    pub const fn of(frames: u32, fps: u32) -> Self {
        let fps = if fps == 0 { 1 } else { fps };
        let wanted =
            (2 * frames as u64 * PICTURES_PER_SECOND as u64 + fps as u64) / (2 * fps as u64);
        let count = match wanted {
            0 => 1,
            more if more > MAX_PICTURES as u64 => MAX_PICTURES,
            some => some as u32,
        };
        let root = count.isqrt();
        let columns = if root * root < count { root + 1 } else { root };
        Self { count, columns, rows: count.div_ceil(columns) }
    }
}

/// Renders a clip as a sprite sheet with the layout [`Cells::of`], as PNG.
///
/// # Errors
/// If this computer cannot render.
pub fn moving_picture(character: &Character, clip: &Clip) -> Result<Vec<u8>, PictureError> {
    let size = PictureSize { width: CELL_SIZE, height: CELL_SIZE };
    let frames = u32::try_from(clip.len()).unwrap_or(u32::MAX);
    let cells = Cells::of(frames, u32::from(clip.fps().get()));
    let character = Arc::new(character.clone());
    Ok(sprite_sheet(&character, clip, cells.columns, cells.count, size)?.png)
}

/// Renders one frame of a GLB with one animation as a square PNG of `side` pixels, with the camera
/// of [`moving_picture`] but in full quality. Numbers beyond the end give the last frame.
///
/// # Errors
/// If the file is not a GLB with an animation, or this computer cannot render.
pub fn moment(glb: &[u8], frame: u32, side: u32) -> Result<Vec<u8>, PictureError> {
    let read = limber_formats::glb::read(glb).map_err(PictureError::new)?;
    let first = read.clips.into_iter().next();
    let clip = first.ok_or_else(|| PictureError("it contains no animation".to_owned()))?.clip;
    let character = Arc::new(read.character);
    let size = PictureSize { width: side, height: side };
    let mut studio = Studio::new(Arc::clone(&character), size)?;
    studio.look = Look { grid: false, dither: false, ..Look::default() };
    let shot = Shot::card(&character, &clip, size.aspect());
    let frame = (frame as usize).min(clip.len().saturating_sub(1));
    let time_s = frame as f32 / clip.fps().per_second();
    to_png(&studio.picture(&clip, time_s, &shot.camera_at_time(time_s, &clip))?)
}

/// Renders a character standing at ease as PNG, from the front and a little to the left.
///
/// # Errors
/// If this computer cannot render.
pub fn portrait(character: &Character) -> Result<Vec<u8>, PictureError> {
    let clip = standing(character)?;
    let size = PictureSize { width: PORTRAIT_WIDTH, height: PORTRAIT_WIDTH * 5 / 4 };
    let picture = thumbnail(&Arc::new(character.clone()), &clip, 0.0, size)?;
    to_png(&picture)
}

/// Renders a character standing at ease as a square PNG with a transparent background.
///
/// # Errors
/// If this computer cannot render.
pub fn cut_out(character: &Character) -> Result<Vec<u8>, PictureError> {
    let clip = standing(character)?;
    let size = PictureSize { width: LIST_SIZE, height: LIST_SIZE };
    let mut studio = Studio::new(Arc::new(character.clone()), size)?;
    let shot = Shot::card(character, &clip, size.aspect());
    let camera = shot.camera_at_time(0.0, &clip);
    let mut on = |shade: f32| {
        let backdrop = Backdrop::Plain([shade; 3]);
        studio.look =
            Look { backdrop, shadow: false, grid: false, dither: false, ..Look::default() };
        studio.picture(&clip, 0.0, &camera)
    };
    let (black, white) = (on(0.0)?, on(1.0)?);
    let mut cut = black.clone();
    for ((pixel, black), white) in cut.pixels_mut().zip(black.pixels()).zip(white.pixels()) {
        pixel.0 = seen_through(black.0, white.0);
    }
    to_png(&cut)
}

/// Re-encodes an uploaded image for lists, as PNG: upright, at most 512 pixels wide and high,
/// without metadata.
///
/// # Errors
/// If it is not a PNG, JPEG or WebP, is damaged, or has a side longer than 8192 pixels.
pub fn fitted(bytes: &[u8]) -> Result<Vec<u8>, PictureError> {
    let failed = |error: &dyn std::error::Error| PictureError(error.to_string());
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| failed(&e))?;
    let known = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP];
    if !reader.format().is_some_and(|format| known.contains(&format)) {
        return Err(PictureError("it is neither PNG nor JPEG nor WebP".to_owned()));
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(LARGEST_SIDE);
    limits.max_image_height = Some(LARGEST_SIDE);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| failed(&error))?;
    let upright = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|error| failed(&error))?;
    picture.apply_orientation(upright);
    if picture.width().max(picture.height()) > LIST_SIZE {
        picture = picture.thumbnail(LIST_SIZE, LIST_SIZE);
    }
    to_png(&picture.into_rgba8())
}

/// Reconstructs colour and alpha of a pixel from its renderings on black and on white.
fn seen_through(black: [u8; 4], white: [u8; 4]) -> [u8; 4] {
    let through = (0..3).map(|c| white[c].saturating_sub(black[c])).min().unwrap_or(0);
    let alpha = u16::from(255 - through);
    let color = |c: usize| match alpha {
        0 => 0,
        alpha => (u16::from(black[c]) * 255 / alpha).min(255) as u8,
    };
    [color(0), color(1), color(2), alpha as u8]
}

pub(crate) fn to_png(picture: &image::RgbaImage) -> Result<Vec<u8>, PictureError> {
    let mut png = Cursor::new(Vec::new());
    picture
        .write_to(&mut png, image::ImageFormat::Png)
        .map_err(|error| PictureError(error.to_string()))?;
    Ok(png.into_inner())
}

/// Returns a clip of one frame in which a character stands at ease.
pub(crate) fn standing(character: &Character) -> Result<Clip, PictureError> {
    Clip::new(Arc::clone(&character.skeleton), Fps::DEFAULT, vec![at_ease(character)])
        .map_err(PictureError::new)
}

/// Returns the rest pose with the arms down and slightly bent.
fn at_ease(character: &Character) -> Pose {
    let skeleton = &character.skeleton;
    let mut pose = skeleton.rest_pose();
    let down = [
        (HumanBone::LeftUpperArm, HumanBone::LeftLowerArm, HumanBone::LeftHand, 1.0),
        (HumanBone::RightUpperArm, HumanBone::RightLowerArm, HumanBone::RightHand, -1.0),
    ];
    for (upper, lower, hand, side) in down {
        let chain = [upper, lower, hand].map(|bone| skeleton.find(bone));
        let [Some(upper), Some(lower), Some(hand)] = chain else { continue };
        let aims =
            [(upper, lower, [0.22 * side, -1.0, -0.04]), (lower, hand, [0.10 * side, -1.0, 0.24])];
        for (joint, next, aim) in aims {
            let world = skeleton.world(&pose);
            let now = (world.position(next) - world.position(joint)).normalize_or_zero();
            let turn = Quat::from_rotation_arc(now, Vec3::from(aim).normalize());
            let turned = turn * world.rotations[joint.get()];
            let above =
                skeleton.joint(joint).parent.map_or(Quat::IDENTITY, |p| world.rotations[p.get()]);
            pose.set_rotation(joint, (above.inverse() * turned).normalize());
        }
    }
    pose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_spread_over_the_clip_and_are_never_too_many() {
        assert_eq!(Cells::of(180, 30), Cells { count: 48, columns: 7, rows: 7 });
        assert_eq!(Cells::of(1, 30), Cells { count: 1, columns: 1, rows: 1 });
        assert_eq!(Cells::of(0, 0).count, 1);
        assert_eq!(Cells::of(u32::MAX, 24), Cells { count: 96, columns: 10, rows: 10 });
    }

    #[test]
    fn foreground_is_distinguished_from_background() {
        assert_eq!(seen_through([0, 0, 0, 255], [255, 255, 255, 255]), [0, 0, 0, 0]);
        assert_eq!(seen_through([9, 80, 200, 255], [9, 80, 200, 255]), [9, 80, 200, 255]);
        // half covered by pure red
        assert_eq!(seen_through([128, 0, 0, 255], [255, 127, 127, 255]), [255, 0, 0, 128]);
    }

    fn packed(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let picture = image::RgbImage::from_fn(width, height, |x, _| {
            image::Rgb([if x < width / 2 { 255 } else { 0 }, 90, 90])
        });
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).expect("it can be packed");
        bytes.into_inner()
    }

    #[test]
    fn uploaded_thumbnails_are_scaled_down() {
        for (format, size, wanted) in [
            (ImageFormat::Png, (1024, 256), (512, 128)),
            (ImageFormat::Jpeg, (300, 2000), (77, 512)),
            (ImageFormat::WebP, (40, 30), (40, 30)),
        ] {
            let png = fitted(&packed(size.0, size.1, format)).expect("it is a picture");
            assert!(png.starts_with(b"\x89PNG"), "{format:?}");
            let picture = image::load_from_memory(&png).expect("a picture").into_rgb8();
            assert_eq!(picture.dimensions(), wanted, "{format:?}");
            let [left, right] = [0, wanted.0 - 1].map(|x| picture[(x, wanted.1 / 2)].0[0]);
            assert!(left > 200 && right < 60, "{format:?}: {left} {right}");
        }
    }

    #[test]
    fn image_metadata_is_removed() {
        let mut jpeg = packed(8, 8, ImageFormat::Jpeg);
        // a JPEG comment, where cameras store places and names
        jpeg.splice(2..2, *b"\xff\xfe\0\x08Lisbon");
        let fitted = fitted(&jpeg).expect("it is a picture");
        assert!(!fitted.windows(6).any(|six| six == b"Lisbon"));
    }

    #[test]
    fn non_images_are_rejected() {
        let png = packed(64, 64, ImageFormat::Png);
        let huge = packed(LARGEST_SIDE + 1, 1, ImageFormat::Png);
        for bytes in [&b""[..], b"<svg/>", b"GIF89a", b"RIFF\0\0\0\0WAVE", &png[..60], &huge] {
            assert!(fitted(bytes).is_err(), "{:?}", &bytes[..bytes.len().min(8)]);
        }
    }

    #[test]
    fn a_cut_out_character_has_a_transparent_background() {
        let character = crate::stock::list()[0].character().expect("it reads");
        let png = cut_out(character).expect("this computer can render");
        if let Some(folder) = std::env::var_os("LIMBER_LOOK") {
            std::fs::write(std::path::Path::new(&folder).join("cut_out.png"), &png)
                .expect("written");
        }
        let picture = image::load_from_memory(&png).expect("a picture").into_rgba8();
        assert_eq!(picture.dimensions(), (512, 512));
        assert!(
            [(0, 0), (511, 0), (0, 511), (511, 511)].map(|(x, y)| picture[(x, y)].0[3]) == [0; 4]
        );
        let solid = picture.pixels().filter(|pixel| pixel.0[3] == 255).count();
        let nothing = picture.pixels().filter(|pixel| pixel.0[3] == 0).count();
        assert!(solid > 10_000 && nothing > 150_000, "{solid} {nothing}");
    }

    #[test]
    fn in_the_rest_pose_the_hands_hang_beside_the_hips() {
        for stock in crate::stock::list() {
            let character = stock.character().expect("it reads");
            let world = character.skeleton.world(&at_ease(character));
            let place = |bone| world.position(character.skeleton.find(bone).expect("it has it"));
            for (hand, shoulder, side) in [
                (HumanBone::LeftHand, HumanBone::LeftUpperArm, 1.0),
                (HumanBone::RightHand, HumanBone::RightUpperArm, -1.0),
            ] {
                let way = place(hand) - place(shoulder);
                assert!(way.y < -0.75 * way.length(), "{}: {way}", stock.name);
                assert!((0.0..0.25).contains(&(way.x * side)), "{}: {way}", stock.name);
            }
        }
    }
}
