//! Edits of stored clips: inpainting, merging, looping, refining, trimming.
//!
//! ```text
//! stored clip(s) ─ intake: trim, check ─▶ generate: new motion ─▶ join ─▶ canonical clip
//! ```
//! Each edit is one function that takes the stored clips, a request, the engine that generates new
//! motion, a cancellation token and a progress callback. It returns a canonical clip, from which
//! [`crate::derive()`] makes files. What was not to change is identical bit for bit; feet are
//! corrected in new frames only.

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
use limber_domain::limits::MAX_PROMPT_CHARS;
use limber_formats::canonical::{ClipMeta, Origin, Piece};
use limber_script::Message;
use limber_text_to_motion::{MotionEngine, Seed};

use crate::{CanonicalClip, ErrorCode, PipelineError, Request, Stage};

/// Returns error 502: an edit that is not possible with these clips.
fn refused(error: &EditError) -> PipelineError {
    PipelineError::at(Stage::Intake, ErrorCode::GENERATE_PARAMETERS, error.to_string())
}

/// Returns the trimmed clip.
fn cut(source: &CanonicalClip, by: Trim) -> Result<Clip, PipelineError> {
    limber_cleanup::trim(&source.clip, by).map_err(|error| refused(&error))
}

/// Records which pieces of a stored clip a new clip took over.
fn origin(source: &CanonicalClip, pieces: Vec<Piece>) -> Origin {
    let clip = Arc::new(source.remembering(CanonicalClip::MOST_GENERATIONS - 1));
    Origin { clip, pieces }
}

/// Returns the piece that remains of a trimmed clip, and where it is in the new one.
fn piece(cut: Trim, frames: Range<FrameIndex>) -> Vec<Piece> {
    vec![Piece { from: cut.left, frames }]
}

/// Checks that the result is not too long (error 502).
fn short_enough(frames: usize, clip: &Clip) -> Result<(), PipelineError> {
    let duration_s = frames as f32 / clip.fps().per_second();
    if duration_s <= Request::MAX_DURATION_S {
        return Ok(());
    }
    let message = format!(
        "the result would last {duration_s:.1} seconds, at most {:.0} are possible; trim more, or \
         repeat less often",
        Request::MAX_DURATION_S
    );
    Err(PipelineError::at(Stage::Intake, ErrorCode::GENERATE_PARAMETERS, message))
}

/// Returns the metadata of a clip with new frames: prompt, seed and engine.
fn meta(prompt: &str, seed: Seed, engine: &dyn MotionEngine, warnings: Vec<Message>) -> ClipMeta {
    let info = engine.describe();
    let prompt = prompt.chars().take(MAX_PROMPT_CHARS).collect();
    let (engine, engine_version) = (info.name.to_owned(), info.version);
    ClipMeta { prompt, seed: seed.0, engine, engine_version, warnings, ..ClipMeta::default() }
}
