//! Generates new motion of a given length.

use limber_animation::Clip;
use limber_script::{ClipEnds, Message, Script};
use limber_text_to_motion::{Cancel, MotionEngine, MotionRequest, Prompt, Seed};

use crate::{
    ErrorCode, PipelineError, Stage,
    stages::generate::{believable, refused},
};

/// What happens in the new frames.
#[derive(Clone, Copy)]
pub(super) struct SynthesisRequest<'a> {
    pub(super) prompt: &'a Prompt,
    /// Performed instead of the prompt.
    pub(super) script: Option<&'a Script>,
    /// How the motion begins and ends; overrides prompt and script.
    pub(super) ends: ClipEnds,
}

impl<'a> SynthesisRequest<'a> {
    /// Returns `None` if there is no prompt.
    pub(super) fn of(prompt: Option<&'a Prompt>, script: Option<&'a Script>) -> Option<Self> {
        prompt.map(|prompt| Self { prompt, script, ends: ClipEnds::default() })
    }
}

/// A generated clip and the engine's warnings.
pub(super) struct SynthesisedClip {
    pub(super) clip: Clip,
    pub(super) warnings: Vec<Message>,
}

/// Generates `frames` frames of motion. If the action takes longer, it is sped up or cut short.
///
/// # Errors
/// 501 if the engine failed or its result is implausible; 502 if prompt or script contain no known
/// action.
pub(super) fn synthesise(
    request: SynthesisRequest<'_>,
    frames: usize,
    rate: f32,
    seed: Seed,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    share: &mut dyn FnMut(f32),
) -> Result<SynthesisedClip, PipelineError> {
    if cancel.is_cancelled() {
        return Err(PipelineError::Cancelled);
    }
    let duration_s = Some(frames as f32 / rate);
    let (prompt, script) = (request.prompt.clone(), request.script.cloned());
    let motion_request = MotionRequest { prompt, script, ends: request.ends, duration_s };
    let made =
        engine.generate(&motion_request, seed, cancel, share).map_err(|error| refused(&error))?;
    believable(&made.clip).map_err(|problem| {
        let message = format!("the motion could not be made: {problem}; try another seed");
        PipelineError::at(Stage::Generate, ErrorCode::GENERATE, message)
    })?;
    Ok(SynthesisedClip { clip: made.clip, warnings: made.warnings })
}

/// Generates the motion of a transition, if something is to happen in it.
pub(super) fn bridge_of(
    request: Option<SynthesisRequest<'_>>,
    frames: usize,
    rate: f32,
    seed: Seed,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    share: &mut dyn FnMut(f32),
) -> Result<Option<SynthesisedClip>, PipelineError> {
    request
        .map(|request| synthesise(request, frames, rate, seed, engine, cancel, share))
        .transpose()
}
