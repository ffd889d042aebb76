//! S1: the engine generates the canonical clip, which is checked for plausibility.

use limber_animation::{Clip, Fps, canonical_skeleton};
use limber_formats::canonical::ClipMeta;
use limber_script::{Message, message::sentences};
use limber_text_to_motion::{Cancel, EngineError, MotionEngine, MotionRequest};

use crate::{CanonicalClip, ErrorCode, PipelineError, Request, Stage};

/// Maximum speed of a human's hips.
const MAX_SPEED_M_S: f32 = 12.0;
/// Maximum rotation of a human's joint in 1/30 s.
const MAX_TURN_PER_FRAME_DEG: f32 = 60.0;

/// Generates the canonical clip.
///
/// # Errors
/// 501 if the engine failed or its result is implausible; 502 if the prompt contains no known
/// action.
pub(crate) fn generate(
    request: &Request,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    share: &mut dyn FnMut(f32),
) -> Result<CanonicalClip, PipelineError> {
    let seed = request.seed.for_variant(request.variant);
    let wanted = MotionRequest {
        prompt: request.prompt.clone(),
        script: request.script.clone(),
        ends: request.ends,
        duration_s: request.duration_s,
    };
    let made = engine.generate(&wanted, seed, cancel, share).map_err(|error| refused(&error))?;
    quality(&made.clip, request).map_err(|problem| {
        let message = format!("the motion could not be made: {problem}; try another seed");
        PipelineError::at(Stage::Generate, ErrorCode::GENERATE, message)
    })?;
    let info = engine.describe();
    let meta = ClipMeta {
        prompt: request.prompt.as_str().to_owned(),
        seed: seed.0,
        engine: info.name.to_owned(),
        engine_version: info.version,
        script: Some(made.script.to_string()),
        warnings: made.warnings,
    };
    Ok(CanonicalClip::new(made.clip, meta))
}

/// Converts an engine's error to a pipeline error.
pub(crate) fn refused(error: &EngineError) -> PipelineError {
    let (code, message) = match error {
        EngineError::Cancelled => return PipelineError::Cancelled,
        EngineError::UnknownAction { messages } => {
            let message = match &messages[..] {
                [message] => message.clone(),
                several => sentences(several).into(),
            };
            (ErrorCode::GENERATE_PARAMETERS, message)
        }
        EngineError::Failed(Message::Sentence { .. }) => {
            (ErrorCode::GENERATE, error.to_string().into())
        }
        EngineError::Failed(message) => (ErrorCode::GENERATE, message.clone()),
    };
    PipelineError::at(Stage::Generate, code, message)
}

/// Checks the plausibility of a generated clip, and its length.
fn quality(clip: &Clip, request: &Request) -> Result<(), String> {
    believable(clip)?;
    match request.duration_s.map(|duration_s| duration_s * clip.fps().per_second()) {
        Some(wanted) if clip.len().abs_diff(wanted.round() as usize) > 1 => {
            Err(format!("it has {} frames instead of {wanted:.0}", clip.len()))
        }
        _ => Ok(()),
    }
}

/// Checks the plausibility of a generated clip of any length.
pub(crate) fn believable(clip: &Clip) -> Result<(), String> {
    if clip.skeleton() != &canonical_skeleton() || clip.fps() != Fps::DEFAULT {
        return Err("it is not on the canonical skeleton at 30 frames a second".to_owned());
    }
    if let Some(frame) = clip.frames().iter().position(|pose| !pose.is_finite()) {
        return Err(format!("frame {frame} contains a number that is not finite"));
    }
    for (frame, pair) in clip.frames().windows(2).enumerate() {
        let step = pair[0].hips_translation.distance(pair[1].hips_translation);
        if step * clip.fps().per_second() > MAX_SPEED_M_S {
            return Err(format!("the body moves too fast in frame {frame}"));
        }
        for (joint, (a, b)) in pair[0].rotations.iter().zip(&pair[1].rotations).enumerate() {
            if a.angle_between(*b).to_degrees() > MAX_TURN_PER_FRAME_DEG {
                let name = &clip.skeleton().joints()[joint].name;
                return Err(format!("the joint {name} jumps in frame {frame}"));
            }
        }
    }
    Ok(())
}
