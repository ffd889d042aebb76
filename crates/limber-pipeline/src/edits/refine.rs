//! The same again, a little or a lot different.

use limber_script::{ClipEnds, Script};
use limber_text_to_motion::{Cancel, MotionEngine, Prompt, PromptError, Seed};

use super::{
    Creativity, Trim, cut, meta, refused,
    synthesis::{Wanted, synthesise},
};
use crate::{CanonicalClip, ErrorCode, PipelineError, Progress, Stage, road::Walk};

/// What is wanted instead, and how near to the source.
#[derive(Debug, Clone)]
pub struct RefineRequest {
    /// What the person does; `None` takes the source's own prompt.
    pub prompt: Option<Prompt>,
    /// Performed instead of what the prompt means, which is then no more than a name for it.
    pub script: Option<Script>,
    /// How it begins and ends, whatever prompt or script say of it.
    pub ends: ClipEnds,
    /// What is cut off beforehand.
    pub trim: Trim,
    /// 0 almost the source, 1 free.
    pub creativity: Creativity,
    /// The job's seed; the variant's own is [`Seed::for_variant`] of it.
    pub seed: Seed,
    /// Counted from 1.
    pub variant: u32,
}

/// Makes the clip again with another seed, and goes so far towards it.
///
/// # Errors
/// 502 for cuts that leave nothing and prompts without a known action; 501 when the engine fails;
/// [`PipelineError::Cancelled`].
pub fn refine(
    source: &CanonicalClip,
    request: &RefineRequest,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<CanonicalClip, PipelineError> {
    let mut walk = Walk { cancel, report };
    let (clip, prompt) = walk.stage(Stage::Intake, |_| {
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
    walk.stage(Stage::Generate, |share| {
        let rate = clip.fps().per_second();
        let wanted =
            Wanted { prompt: &prompt, script: request.script.as_ref(), ends: request.ends };
        let made = synthesise(wanted, clip.len(), rate, seed, engine, cancel, share)?;
        let refined = limber_cleanup::refine(&clip, &made.clip, request.creativity)
            .map_err(|error| refused(&error))?;
        let meta = meta(prompt.as_str(), seed, engine, made.warnings);
        Ok(CanonicalClip::new(refined, meta))
    })
}
