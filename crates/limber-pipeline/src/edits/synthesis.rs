//! New movement of a given length.

use limber_animation::Clip;
use limber_script::{ClipEnds, Message, Script};
use limber_text_to_motion::{Cancel, MotionEngine, MotionRequest, Prompt, Seed};

use crate::{
    ErrorCode, PipelineError, Stage,
    stages::generate::{believable, refused},
};

/// What happens in new frames.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) prompt: &'a Prompt,
    /// Performed instead of what the prompt means.
    pub(super) script: Option<&'a Script>,
    /// How it begins and ends, whatever prompt or script say of it.
    pub(super) ends: ClipEnds,
}

impl<'a> Wanted<'a> {
    /// Nothing without a prompt.
    pub(super) fn of(prompt: Option<&'a Prompt>, script: Option<&'a Script>) -> Option<Self> {
        prompt.map(|prompt| Self { prompt, script, ends: ClipEnds::default() })
    }
}

/// A clip that an engine made, and what it has to say about it.
pub(super) struct Made {
    pub(super) clip: Clip,
    pub(super) warnings: Vec<Message>,
}

/// Makes `frames` frames of movement: where the action takes longer, done faster or only begun.
///
/// 501: the engine failed or made nonsense; 502: there is no known action in what is wanted.
pub(super) fn synthesise(
    wanted: Wanted<'_>,
    frames: usize,
    rate: f32,
    seed: Seed,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    share: &mut dyn FnMut(f32),
) -> Result<Made, PipelineError> {
    if cancel.is_cancelled() {
        return Err(PipelineError::Cancelled);
    }
    let duration_s = Some(frames as f32 / rate);
    let (prompt, script) = (wanted.prompt.clone(), wanted.script.cloned());
    let request = MotionRequest { prompt, script, ends: wanted.ends, duration_s };
    let made = engine.generate(&request, seed, cancel, share).map_err(|error| refused(&error))?;
    believable(&made.clip).map_err(|problem| {
        let message = format!("the motion could not be made: {problem}; try another seed");
        PipelineError::at(Stage::Generate, ErrorCode::GENERATE, message)
    })?;
    Ok(Made { clip: made.clip, warnings: made.warnings })
}

/// Material for a bridge, when something shall happen on it.
pub(super) fn bridge_of(
    wanted: Option<Wanted<'_>>,
    frames: usize,
    rate: f32,
    seed: Seed,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    share: &mut dyn FnMut(f32),
) -> Result<Option<Made>, PipelineError> {
    wanted.map(|wanted| synthesise(wanted, frames, rate, seed, engine, cancel, share)).transpose()
}
