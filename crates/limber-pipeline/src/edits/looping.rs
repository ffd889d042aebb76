//! Turns a clip into a loop.

use limber_script::Script;
use limber_text_to_motion::{Cancel, MotionEngine, Prompt, Seed};

use super::{
    LoopSettings, Trim, cut, meta, refused, short_enough,
    synthesis::{SynthesisRequest, bridge_of},
};
use crate::{CanonicalClip, PipelineError, Progress, Stage, pipeline::StageRunner};

/// A request to loop a clip.
#[derive(Debug, Clone)]
pub struct LoopRequest {
    /// What happens during the transition back to the start; `None` makes a plain transition.
    pub prompt: Option<Prompt>,
    /// Performed instead of the prompt, which is then only a label. Ignored without a prompt.
    pub script: Option<Script>,
    /// The trim, applied before looping.
    pub trim: Trim,
    /// Number of repetitions, length of the transition, handling of the root.
    pub settings: LoopSettings,
    /// The seed of the job; the variant uses [`Seed::for_variant`] of it.
    pub seed: Seed,
    /// The variant, counted from 1.
    pub variant: u32,
}

/// Appends a transition back to the start and repeats the result as often as requested.
///
/// # Errors
/// 502 if the trim leaves nothing, a setting or the length of the result is out of range, or the
/// prompt contains no known action; 501 if the engine fails; [`PipelineError::Cancelled`].
pub fn make_loop(
    source: &CanonicalClip,
    request: &LoopRequest,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<CanonicalClip, PipelineError> {
    let mut runner = StageRunner { cancel, report };
    let LoopSettings { repetitions, blend_frames: frames, .. } = request.settings;
    let clip = runner.stage(Stage::Intake, |_| {
        let clip = cut(source, request.trim)?;
        let round = clip.len().saturating_add(frames);
        short_enough(round.saturating_mul(repetitions as usize), &clip)?;
        Ok(clip)
    })?;
    let seed = request.seed.for_variant(request.variant);
    runner.stage(Stage::Generate, |share| {
        let rate = clip.fps().per_second();
        let wanted = SynthesisRequest::of(request.prompt.as_ref(), request.script.as_ref());
        let made = bridge_of(wanted, frames, rate, seed, engine, cancel, share)?;
        let material = made.as_ref().map(|made| &made.clip);
        let looped = limber_cleanup::make_loop(&clip, &request.settings, material)
            .map_err(|error| refused(&error))?;
        let warnings = made.map(|made| made.warnings).unwrap_or_default();
        let meta = meta(&source.meta.prompt, seed, engine, warnings);
        Ok(CanonicalClip::new(looped.clip, meta))
    })
}
