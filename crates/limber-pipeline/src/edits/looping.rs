//! A clip that goes round.

use limber_script::Script;
use limber_text_to_motion::{Cancel, MotionEngine, Prompt, Seed};

use super::{
    LoopSettings, Trim, cut, meta, refused, short_enough,
    synthesis::{Wanted, bridge_of},
};
use crate::{CanonicalClip, PipelineError, Progress, Stage, road::Walk};

/// How a clip goes round.
#[derive(Debug, Clone)]
pub struct LoopRequest {
    /// What happens on the way back to the beginning; `None` goes straight there.
    pub prompt: Option<Prompt>,
    /// Performed instead of what the prompt means, which is then no more than a name for it; nothing
    /// without a prompt.
    pub script: Option<Script>,
    /// What is cut off beforehand.
    pub trim: Trim,
    /// Repetitions, length of the way back, root.
    pub settings: LoopSettings,
    /// The job's seed; the variant's own is [`Seed::for_variant`] of it.
    pub seed: Seed,
    /// Counted from 1.
    pub variant: u32,
}

/// The clip with a way back to its beginning, as often as asked for.
///
/// # Errors
/// 502 for cuts that leave nothing, settings and results of no possible length, and prompts
/// without a known action; 501 when the engine fails; [`PipelineError::Cancelled`].
pub fn make_loop(
    source: &CanonicalClip,
    request: &LoopRequest,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<CanonicalClip, PipelineError> {
    let mut walk = Walk { cancel, report };
    let LoopSettings { repetitions, blend_frames: frames, .. } = request.settings;
    let clip = walk.stage(Stage::Intake, |_| {
        let clip = cut(source, request.trim)?;
        let round = clip.len().saturating_add(frames);
        short_enough(round.saturating_mul(repetitions as usize), &clip)?;
        Ok(clip)
    })?;
    let seed = request.seed.for_variant(request.variant);
    walk.stage(Stage::Generate, |share| {
        let rate = clip.fps().per_second();
        let wanted = Wanted::of(request.prompt.as_ref(), request.script.as_ref());
        let made = bridge_of(wanted, frames, rate, seed, engine, cancel, share)?;
        let material = made.as_ref().map(|made| &made.clip);
        let looped = limber_cleanup::make_loop(&clip, &request.settings, material)
            .map_err(|error| refused(&error))?;
        let warnings = made.map(|made| made.warnings).unwrap_or_default();
        let meta = meta(&source.meta.prompt, seed, engine, warnings);
        Ok(CanonicalClip::new(looped.clip, meta))
    })
}
