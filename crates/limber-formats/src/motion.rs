//! Reads motion capture from any format: BVH, FBX, GLB, and ASF with AMC.
//!
//! ```text
//! bytes ─ files ─▶ Recording: every joint's transform at 30 fps ─ body ─▶ clip of a human body
//! ```
//! A file needs no mesh. Joints are mapped to bones like those of characters ([`crate::humanoid`]).
//! Units and axes are derived from the body: it stands on y = 0, faces +Z at rest and is scaled to
//! the height of the canonical body, because recordings come in every possible unit.

mod body;
mod files;

use limber_animation::Clip;

use crate::{acclaim::AcclaimError, bvh::BvhError, model::ReadError};

/// Maximum size of a file, in bytes.
pub const MAX_MOTION_BYTES: usize = 100 * 1024 * 1024;
/// Maximum length of a recording, in seconds.
pub const MAX_MOTION_S: f64 = 600.0;
/// Maximum number of animations in a file.
const MAX_ANIMATIONS: usize = 200;
/// Maximum number of joint transforms in a file over all its recordings at 30 fps: three times ten
/// minutes of a body with all its fingers.
const MAX_PLACES: usize = 3_600_000;
/// Frame rate to which recordings are resampled.
const FPS: f64 = 30.0;

/// A recording of a human body.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedMotion {
    /// The name in the file; empty if it has none.
    pub name: String,
    /// The motion on the recording's own skeleton, from the hips down, at 30 fps.
    pub clip: Clip,
}

/// Information about a recording that is not in its file.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MotionHints<'a> {
    /// The ASF skeleton of an AMC.
    pub skeleton: Option<&'a [u8]>,
    /// The frame rate of an AMC; 120 if unknown.
    pub frames_per_second: Option<f64>,
}

/// Why a file could not be read as motion capture.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MotionError {
    /// The file is in no supported format.
    #[error("this is not a BVH, FBX, GLB or AMC file")]
    NotMotion,
    /// An AMC without its skeleton.
    #[error("an AMC file needs its skeleton: put the ASF file in the same folder")]
    NoSkeleton,
    /// The text is not UTF-8.
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
    /// The file contains a rig without animation.
    #[error("the file contains no animation; export it with its animation")]
    NoMovement,
    /// A recording is too long; its length in seconds.
    #[error("a recording lasts {0:.0} s, but the limit is {max:.0} s; cut it into \
             pieces", max = MAX_MOTION_S)]
    TooLong(f64),
    /// A size limit is exceeded.
    #[error("the file has too many {0}")]
    TooLarge(&'static str),
    /// No human body is recognisable.
    #[error("no human body was found: {0}")]
    NoBody(String),
    /// No pose is suitable for measuring the body.
    #[error("{0}, and the first frame is no better; start the recording in a T-pose")]
    UnusableRest(String),
    /// A number in this frame is not finite, or a joint is too far away.
    #[error("frame {0} contains a number that is not finite")]
    NotFinite(usize),
}

/// Reads all recordings in a file, whose format is detected by content. Files are untrusted;
/// nothing but the bytes is opened.
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
