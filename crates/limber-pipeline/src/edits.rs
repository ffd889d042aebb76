//! New canonical clips of kept ones: painted over, joined, gone round, refined, cut.
//!
//! ```text
//! kept clip(s) ─ intake: cut, intervals ─▶ ─ generate: engine makes what is new ─▶ joined ─▶ canonical clip
//! ```
//! Each is one function that takes the kept clips, a request, the engine that makes new movement,
//! a wish to stop and somebody to tell how far it is; it comes back with a canonical clip that
//! [`crate::derive()`] makes files of. What was not asked to change is the same bit for bit; feet are
//! set in new frames only.

mod inpaint;
mod looping;
mod merge;
mod refine;
mod rerun;
mod synthesis;

pub use inpaint::{InpaintRequest, inpaint};
pub use limber_cleanup::{
    Creativity, EditError, IntervalError, Intervals, LoopSettings, RootMode, Trim,
};
pub use looping::{LoopRequest, make_loop};
pub use merge::{MergeRequest, OverlapRequest, merge, overlap};
pub use refine::{RefineRequest, refine};
pub use rerun::rerun;

use std::{ops::Range, sync::Arc};

use limber_animation::{Clip, FrameIndex};
use limber_formats::canonical::{ClipMeta, Origin, Piece};
use limber_script::Message;
use limber_text_to_motion::{MotionEngine, Prompt, Seed};

use crate::{CanonicalClip, ErrorCode, PipelineError, Request, Stage};

/// 502: an edit that the clips do not allow.
fn refused(error: &EditError) -> PipelineError {
    PipelineError::at(Stage::Intake, ErrorCode::GENERATE_PARAMETERS, error.to_string())
}

/// The kept clip without its ends.
fn cut(source: &CanonicalClip, by: Trim) -> Result<Clip, PipelineError> {
    limber_cleanup::trim(&source.clip, by).map_err(|error| refused(&error))
}

/// What a new clip took of a kept one.
fn origin(source: &CanonicalClip, pieces: Vec<Piece>) -> Origin {
    let clip = Arc::new(source.remembering(CanonicalClip::MOST_GENERATIONS - 1));
    Origin { clip, pieces }
}

/// All that was not cut off a kept clip, and where it is now.
fn piece(cut: Trim, frames: Range<FrameIndex>) -> Vec<Piece> {
    vec![Piece { from: cut.left, frames }]
}

/// 502: results that are longer than a clip may be.
fn short_enough(frames: usize, clip: &Clip) -> Result<(), PipelineError> {
    let duration_s = frames as f32 / clip.fps().per_second();
    if duration_s <= Request::MAX_DURATION_S {
        return Ok(());
    }
    let message = format!(
        "the result would last {duration_s:.1} seconds, at most {:.0} are possible; cut more, or \
         repeat less often",
        Request::MAX_DURATION_S
    );
    Err(PipelineError::at(Stage::Intake, ErrorCode::GENERATE_PARAMETERS, message))
}

/// Who made the new frames of a clip, and what for.
fn meta(prompt: &str, seed: Seed, engine: &dyn MotionEngine, warnings: Vec<Message>) -> ClipMeta {
    let info = engine.describe();
    let prompt = prompt.chars().take(Prompt::MAX_CHARS).collect();
    let (engine, engine_version) = (info.name.to_owned(), info.version);
    ClipMeta { prompt, seed: seed.0, engine, engine_version, warnings, ..ClipMeta::default() }
}
