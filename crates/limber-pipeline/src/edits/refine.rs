//! Makes a similar clip that differs a little or a lot.

use limber_script::{ClipEnds, Script};
use limber_text_to_motion::{Cancel, MotionEngine, Prompt, PromptError, Seed};

use super::{
    Creativity, Trim, cut, meta, refused,
    synthesis::{SynthesisRequest, synthesise},
};
use crate::{CanonicalClip, ErrorCode, PipelineError, Progress, Stage, pipeline::StageRunner};

/// A request to refine a clip.
#[derive(Debug, Clone)]
pub struct RefineRequest {
    /// What the character does; `None` takes the source's own prompt.
    pub prompt: Option<Prompt>,
    /// Performed instead of the prompt, which is then only a label.
    pub script: Option<Script>,
    /// How the clip begins and ends; overrides prompt and script.
    pub ends: ClipEnds,
    /// The trim, applied before refining.
    pub trim: Trim,
    /// How far to depart from the source: 0 is almost the source, 1 is free.
    pub creativity: Creativity,
    /// The seed of the job; the variant uses [`Seed::for_variant`] of it.
    pub seed: Seed,
    /// The variant, counted from 1.
    pub variant: u32,
}

/// Generates the clip again with another seed and blends the source towards it according to the
/// creativity.
///
/// # Errors
/// 502 if the trim leaves nothing or the prompt contains no known action; 501 if the engine fails;
/// [`PipelineError::Cancelled`].
pub fn refine(
    source: &CanonicalClip,
    request: &RefineRequest,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<CanonicalClip, PipelineError> {
    let mut runner = StageRunner { cancel, report };
    let (clip, prompt) = runner.stage(Stage::Intake, |_| {
        let nothing_to_say = |error: PromptError| {
            PipelineError::at(Stage::Intake, ErrorCode::GENERATE_PARAMETERS, error)
        };
        let prompt = match &request.prompt {
            Some(prompt) => prompt.clone(),
            None => Prompt::parse(&source.meta.prompt).map_err(nothing_to_say)?,
        };
        Ok((cut(source, request.trim)?, prompt))
    })?;
    let seed = request.seed.for_variant(request.variant);
    runner.stage(Stage::Generate, |share| {
        let rate = clip.fps().per_second();
        let wanted = SynthesisRequest {
            prompt: &prompt,
            script: request.script.as_ref(),
            ends: request.ends,
        };
        let made = synthesise(wanted, clip.len(), rate, seed, engine, cancel, share)?;
        let refined = limber_cleanup::refine(&clip, &made.clip, request.creativity)
            .map_err(|error| refused(&error))?;
        let meta = meta(prompt.as_str(), seed, engine, made.warnings);
        Ok(CanonicalClip::new(refined, meta))
    })
}
