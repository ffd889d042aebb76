//! New movement of a given length.

use limber_animation::Clip;
use limber_text_to_motion::{Cancel, EngineError, MotionEngine, MotionRequest, Prompt, Seed};

use crate::{
    ErrorCode, PipelineError, Stage,
    stages::generate::{believable, refused},
};

/// An action that does not fit is made this much longer and played faster.
const FASTER: f32 = 1.5;

/// A clip that an engine made, and what it has to say about it.
pub(super) struct Made {
    pub(super) clip: Clip,
    pub(super) warnings: Vec<String>,
}

/// Makes `frames` frames of movement, or up to half as many again when the action needs them: who
/// joins the clip plays it faster then.
///
/// 501: the engine failed or made nonsense; 502: the prompt holds no known action.
pub(super) fn synthesise(
    prompt: &Prompt,
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
    let duration_s = frames as f32 / rate;
    let mut ask = |duration_s: f32| {
        let request = MotionRequest { prompt: prompt.clone(), duration_s: Some(duration_s) };
        engine.generate(&request, seed, cancel, share)
    };
    let made = match ask(duration_s) {
        // the first answer is the one that speaks of the time that was asked for
        Err(first @ EngineError::Failed(_)) => ask(FASTER * duration_s).map_err(|_| first),
        other => other,
    }
    .map_err(|error| refused(&error))?;
    believable(&made.clip).map_err(|problem| {
        let message = format!("the motion could not be made: {problem}; try another seed");
        PipelineError::at(Stage::Generate, ErrorCode::GENERATE, message)
    })?;
    Ok(Made { clip: made.clip, warnings: made.warnings })
}

/// Material for a bridge, when something shall happen on it.
pub(super) fn bridge_of(
    prompt: Option<&Prompt>,
    frames: usize,
    rate: f32,
    seed: Seed,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    share: &mut dyn FnMut(f32),
) -> Result<Option<Made>, PipelineError> {
    prompt.map(|prompt| synthesise(prompt, frames, rate, seed, engine, cancel, share)).transpose()
}
