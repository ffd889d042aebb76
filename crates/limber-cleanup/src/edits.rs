//! Edits of finished clips: trim, regenerate a part, join two clips, loop, correct by hand.
//!
//! Every edit replaces some frames and leaves all others as they are, bit for bit. New frames come
//! from *material*, a clip that an engine made for the purpose, or are interpolated from the poses
//! on both sides. The material is fitted between the two sides ([`GroundMove`]s only rotate it
//! about the vertical axis and translate it over the floor), differences that remain at the edges
//! are blended out by inertialisation, and feet are locked to footprints, with steps inserted where
//! a foot stands somewhere else afterwards.

mod alignment;
mod bridge;
mod corrections;
mod fill;
mod footwork;
mod ground_move;
mod hole_edges;
mod inpaint;
mod intervals;
mod knees;
mod looping;
mod merge;
mod refine;
mod residual;
mod restore;
mod root_path;
mod seam;
mod trim;

pub use corrections::{
    Blend, Correction, CorrectionEase, CorrectionKey, CorrectionLayer, Curve, CurveKey, PulledLimb,
    Weighted, apply_corrections, facing,
};
pub use ground_move::GroundMove;
pub use inpaint::inpaint;
pub use intervals::{IntervalError, Intervals};
pub use looping::{LoopSettings, Looped, RootMode, make_loop};
pub use merge::{Merged, merge, overlap};
pub use refine::{Creativity, refine};
pub use restore::{Untouched, restore};
pub use seam::{Seam, loop_seam, seam};
pub use trim::{Trim, trim};

use limber_animation::{Clip, ContactTrack};

/// Why an edit cannot be made. Every message says what to do instead.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EditError {
    /// The clips have different skeletons.
    #[error("the clips move different skeletons; edit them before they are put on a character")]
    OtherSkeleton,
    /// The trim would remove all frames.
    #[error(
        "cutting {left} frames off the beginning and {right} off the end leaves nothing of \
         {frames} frames; trim fewer"
    )]
    NothingLeft {
        /// Frames to cut at the beginning.
        left: usize,
        /// Frames to cut at the end.
        right: usize,
        /// Frames of the clip.
        frames: usize,
    },
    /// The intervals are invalid.
    #[error(transparent)]
    Intervals(#[from] IntervalError),
    /// The intervals were made for a clip of a different length.
    #[error("the intervals belong to a clip of {intervals} frames, this one has {clip}")]
    OtherLength {
        /// Frames of the clip that the intervals were checked against.
        intervals: usize,
        /// Frames of this clip.
        clip: usize,
    },
    /// The number of pieces of material differs from the number of intervals.
    #[error("{found} pieces of new movement were given for {wanted} intervals")]
    MaterialCount {
        /// Number of intervals.
        wanted: usize,
        /// Number of pieces of material.
        found: usize,
    },
    /// The bridge has too few frames or is longer than a clip may be.
    #[error("a transition has between {least} and {most} frames, not {found}; ask for a time in between", least = EditError::LEAST_BRIDGE, most = EditError::MOST_FRAMES)]
    BridgeLength {
        /// The requested number of frames.
        found: usize,
    },
    /// The overlap has fewer than two frames or more than one of the clips.
    #[error("two clips overlap by at least {least} frames and at most the {most} of the shorter \
             one, not by {found}; request fewer, or trim less", least = EditError::LEAST_BRIDGE)]
    OverlapLength {
        /// The requested number of frames.
        found: usize,
        /// Frames of the shorter clip.
        most: usize,
    },
    /// The result would be longer than [`EditError::MOST_FRAMES`].
    #[error("the result would have {0} frames, at most {max} are possible; trim, or repeat less \
             often", max = EditError::MOST_FRAMES)]
    TooLong(usize),
    /// The number of repetitions is zero.
    #[error("a loop is played at least once; ask for 1 repetition or more")]
    NoRepetition,
    /// The creativity is outside 0 to 1 or NaN.
    #[error("the creativity must be between 0 and 1")]
    Creativity,
}

impl EditError {
    /// Minimum length of a bridge in frames.
    pub const LEAST_BRIDGE: usize = 2;
    /// Maximum length of any result in frames: two minutes at 120 fps.
    pub const MOST_FRAMES: usize = 14_400;
}

/// Checks that two clips have the same skeleton.
fn same_skeleton(one: &Clip, other: &Clip) -> Result<(), EditError> {
    if one.skeleton() == other.skeleton() { Ok(()) } else { Err(EditError::OtherSkeleton) }
}

/// Makes a clip like `like` of these poses, which come from clips of its skeleton and were changed
/// by finite numbers only.
fn clip_of(
    like: &Clip,
    frames: Vec<limber_animation::Pose>,
    contacts: Option<ContactTrack>,
) -> Clip {
    let clip = Clip::new(std::sync::Arc::clone(like.skeleton()), like.fps(), frames)
        .expect("the poses come from clips on this skeleton");
    match contacts {
        Some(track) => clip.with_contacts(track).expect("there is one entry per frame"),
        None => clip,
    }
}
