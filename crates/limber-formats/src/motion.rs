//! Recorded movement from files of any format: BVH, FBX, GLB, and ASF with AMC.
//!
//! ```text
//! bytes ─ files ─▶ Recording: where every joint is, 30 times a second ─ body ─▶ clip of a human body
//! ```
//! A file needs no mesh. Joints are mapped to bones as those of characters are ([`crate::humanoid`]), units and axes
//! are put right by the body itself: it stands on y = 0, faces +Z where it rests and is as tall as the canonical one,
//! because recordings come in every unit there is.

mod body;
mod files;

use limber_animation::Clip;

use crate::{acclaim::AcclaimError, bvh::BvhError, model::ReadError};

/// The largest file that is read, bytes.
pub const MAX_MOTION_BYTES: usize = 100 * 1024 * 1024;
/// The longest recording that is read, seconds.
pub const MAX_MOTION_S: f64 = 600.0;
/// The most animations of one file that are read.
const MAX_ANIMATIONS: usize = 200;
/// The most places of joints that one file may hold over all its recordings, at 30 frames a second: ten minutes of a
/// body with all its fingers, three times over.
const MAX_PLACES: usize = 3_600_000;
/// What recordings are read at, frames a second.
const FPS: f64 = 30.0;

/// A recording of a human body.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedMotion {
    /// What the file calls it; empty where it has no name of its own.
    pub name: String,
    /// On the skeleton of the recording, from the hips down, at 30 frames a second.
    pub clip: Clip,
}

/// What is known of a recording beside its file.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MotionHints<'a> {
    /// The skeleton that an AMC belongs to: an ASF.
    pub skeleton: Option<&'a [u8]>,
    /// How many frames a second an AMC has; 120 where nobody says it.
    pub frames_per_second: Option<f64>,
}

/// Why a file gives no recording.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MotionError {
    /// It is no file that movement comes in.
    #[error("this is no BVH, FBX, GLB or AMC file")]
    NotMotion,
    /// An AMC without its skeleton.
    #[error("an AMC needs its skeleton: put the ASF file beside it")]
    NoSkeleton,
    /// Text that is not UTF-8.
    #[error("the file is not plain text; export it again")]
    NotText,
    /// A GLB or FBX cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// A BVH cannot be read.
    #[error(transparent)]
    Bvh(#[from] BvhError),
    /// An ASF or AMC cannot be read.
    #[error(transparent)]
    Acclaim(#[from] AcclaimError),
    /// The file holds a rig and nothing moves it.
    #[error("nothing moves in the file; export it with its animation")]
    NoMovement,
    /// A recording is too long.
    #[error("a recording lasts {0:.0} s, at most {max:.0} s are read; cut it into pieces", max = MAX_MOTION_S)]
    TooLong(f64),
    /// A limit is exceeded.
    #[error("the file has too many {0}")]
    TooLarge(&'static str),
    /// No human body can be recognised in its joints.
    #[error("no human body was found: {0}")]
    NoBody(String),
    /// No pose of it can be measured.
    #[error("{0}, neither at rest nor in the first frame; begin the recording in a T-pose")]
    UnusableRest(String),
    /// A number is not finite, or a joint is beyond all measure.
    #[error("frame {0} holds a number that is not finite")]
    NotFinite(usize),
}

/// Reads all recordings in a file by its content, whatever it is called. Files are never trusted, nothing but the
/// bytes is opened.
///
/// # Errors
/// See [`MotionError`].
pub fn read(bytes: &[u8], hints: &MotionHints<'_>) -> Result<Vec<RecordedMotion>, MotionError> {
    if bytes.len() > MAX_MOTION_BYTES {
        return Err(MotionError::TooLarge("bytes"));
    }
    let recordings = files::read(bytes, hints)?;
    if recordings.is_empty() {
        return Err(MotionError::NoMovement);
    }
    let bodies = recordings.into_iter().map(|recording| {
        let clip = body::clip(&recording)?;
        Ok(RecordedMotion { name: recording.name, clip })
    });
    bodies.collect()
}
