//! Changing a finished clip: cut it, paint over a part, join two, let it go round, correct it by hand.
//!
//! Every edit makes some frames new and leaves all others as they are, bit for bit. New frames come
//! from *material*, a clip that an engine made for the purpose, or from nothing but the poses on
//! both sides. They are led from one side to the other ([`GroundMove`]s only turn about the
//! vertical and slide over the floor), what still differs at the edges fades away inside
//! (inertialisation), and feet are set on footprints of their own, with steps put in where a foot
//! stands elsewhere afterwards than before.

mod alignment;
mod bridge;
mod corrections;
mod fill;
mod footwork;
mod ground_move;
mod inpaint;
mod intervals;
mod join;
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

/// Why an edit cannot be made. Every sentence says what to do instead.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EditError {
    /// Two clips of different bodies.
    #[error("the clips move different skeletons; edit them before they are put on a character")]
    OtherSkeleton,
    /// Nothing would be left.
    #[error(
        "cutting {left} frames off the beginning and {right} off the end leaves nothing of \
         {frames} frames; cut fewer"
    )]
    NothingLeft {
        /// Frames to go at the beginning.
        left: usize,
        /// Frames to go at the end.
        right: usize,
        /// Frames there are.
        frames: usize,
    },
    /// The intervals make no sense.
    #[error(transparent)]
    Intervals(#[from] IntervalError),
    /// The intervals were made for a clip of another length.
    #[error("the intervals belong to a clip of {intervals} frames, this one has {clip}")]
    OtherLength {
        /// Frames of the clip the intervals were checked against.
        intervals: usize,
        /// Frames of this clip.
        clip: usize,
    },
    /// Not one piece of material per interval.
    #[error("{found} pieces of new movement were given for {wanted} intervals")]
    MaterialCount {
        /// Intervals.
        wanted: usize,
        /// Pieces.
        found: usize,
    },
    /// A bridge without frames, or one that is longer than a clip may be.
    #[error("a transition has between {least} and {most} frames, not {found}; ask for a time in between", least = EditError::LEAST_BRIDGE, most = EditError::MOST_FRAMES)]
    BridgeLength {
        /// What was asked for.
        found: usize,
    },
    /// An overlap of no or one frame, or of more than one of the clips has.
    #[error("two clips overlap by {least} frames or more and by at most {most}, as many as the shorter one has, not {found}; ask for fewer, or cut less", least = EditError::LEAST_BRIDGE)]
    OverlapLength {
        /// What was asked for.
        found: usize,
        /// As many as the shorter clip has.
        most: usize,
    },
    /// The result would be too long to be kept.
    #[error("the result would have {0} frames, at most {max} are possible; cut, or repeat less often", max = EditError::MOST_FRAMES)]
    TooLong(usize),
    /// No repetition.
    #[error("a loop is played at least once; ask for 1 repetition or more")]
    NoRepetition,
    /// Outside 0 to 1, or no number.
    #[error("the creativity must be between 0 and 1")]
    Creativity,
}

impl EditError {
    /// The fewest frames a bridge has.
    pub const LEAST_BRIDGE: usize = 2;
    /// The most frames any result has: two minutes at 120 frames a second.
    pub const MOST_FRAMES: usize = 14_400;
}

/// Whether two clips move the same skeleton.
fn same_skeleton(one: &Clip, other: &Clip) -> Result<(), EditError> {
    if one.skeleton() == other.skeleton() { Ok(()) } else { Err(EditError::OtherSkeleton) }
}

/// Poses as a clip; they come from clips of this skeleton, changed by finite numbers only.
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
