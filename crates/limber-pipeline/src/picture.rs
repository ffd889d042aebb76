//! Pictures for cards: a clip that moves, a character that stands.
//!
//! They are made by drawing off screen and can fail where a computer cannot draw at all; then the
//! clip is as good as ever and only its card has no picture.

use std::{io::Cursor, sync::Arc};

use glam::{Quat, Vec3};
use limber_animation::{Character, Clip, Fps, HumanBone, Pose};
use limber_render::{PictureSize, RenderError, sprite_sheet, thumbnail};

/// Pictures per second of a moving picture. Fewer look jerky; each costs a processor without a
/// graphics card more than ten milliseconds.
pub const PICTURES_PER_SECOND: u32 = 8;
/// Width and height of one of its cells, pixels.
pub const CELL_SIZE: u32 = 192;
/// The most cells there are; those of longer clips are further apart.
const MAX_PICTURES: u32 = 96;
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

/// How the cells of a moving picture lie: in rows, about as many across as down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cells {
    /// How many there are; they spread evenly over the clip.
    pub count: u32,
    /// In a row.
    pub columns: u32,
    /// The last one may have holes.
    pub rows: u32,
}

impl Cells {
    /// Those of a clip of so many frames, [`PICTURES_PER_SECOND`] of them a second, at most 96.
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

/// The whole clip as one PNG of [`Cells`].
///
/// # Errors
/// When this computer cannot draw.
pub fn moving_picture(character: &Character, clip: &Clip) -> Result<Vec<u8>, PictureError> {
    let size = PictureSize { width: CELL_SIZE, height: CELL_SIZE };
    let frames = u32::try_from(clip.len()).unwrap_or(u32::MAX);
    let cells = Cells::of(frames, u32::from(clip.fps().get()));
    let character = Arc::new(character.clone());
    Ok(sprite_sheet(&character, clip, cells.columns, cells.count, size)?.png)
}

/// A character that stands at ease as PNG, from the front and a little to the left.
///
/// # Errors
/// When this computer cannot draw.
pub fn portrait(character: &Character) -> Result<Vec<u8>, PictureError> {
    let pose = at_ease(character);
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

/// The rest pose with the arms down and a little bent: nobody stands about with arms stretched out.
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
    fn at_ease_the_hands_hang_beside_the_hips() {
        for stock in crate::stock::list() {
            let character = stock.character().expect("it reads");
            let world = character.skeleton.world(&at_ease(character));
            let place = |bone| world.position(character.skeleton.find(bone).expect("it has it"));
            for (hand, shoulder, side) in [
                (HumanBone::LeftHand, HumanBone::LeftUpperArm, 1.0),
                (HumanBone::RightHand, HumanBone::RightUpperArm, -1.0),
            ] {
                let way = place(hand) - place(shoulder);
                assert!(way.y < -0.4, "{}: {way}", stock.name);
                assert!((0.0..0.25).contains(&(way.x * side)), "{}: {way}", stock.name);
            }
        }
    }
}
