//! Joins two clips.

use limber_script::Script;
use limber_text_to_motion::{Cancel, MotionEngine, Prompt, Seed};

use super::{
    Trim, cut, meta, origin, piece, refused, short_enough,
    synthesis::{SynthesisRequest, bridge_of},
};
use crate::{CanonicalClip, PipelineError, Progress, Stage, pipeline::StageRunner};

/// A request to join two clips with a transition.
#[derive(Debug, Clone)]
pub struct MergeRequest {
    /// What happens during the transition; `None` makes a plain one.
    pub prompt: Option<Prompt>,
    /// Performed instead of the prompt, which is then only a label. Ignored without a prompt.
    pub script: Option<Script>,
    /// The trim of the first clip.
    pub trim_first: Trim,
    /// The trim of the second clip.
    pub trim_second: Trim,
    /// Length of the transition in frames, at the rate of the first clip.
    pub bridge_frames: usize,
    /// The seed of the job; the variant uses [`Seed::for_variant`] of it.
    pub seed: Seed,
    /// The variant, counted from 1.
    pub variant: u32,
}

/// Joins the first clip, new frames for the transition, and the second clip, moved to where the
/// transition ends.
///
/// # Errors
/// 502 if a trim leaves nothing, the length of the transition or the result is out of range, or the
/// prompt contains no known action; 501 if the engine fails; [`PipelineError::Cancelled`].
pub fn merge(
    first: &CanonicalClip,
    second: &CanonicalClip,
    request: &MergeRequest,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<CanonicalClip, PipelineError> {
    let mut runner = StageRunner { cancel, report };
    let frames = request.bridge_frames;
    let (a, b) = runner.stage(Stage::Intake, |_| {
        let a = cut(first, request.trim_first)?;
        let b = cut(second, request.trim_second)?.resampled(a.fps());
        short_enough(a.len().saturating_add(frames).saturating_add(b.len()), &a)?;
        Ok((a, b))
    })?;
    let seed = request.seed.for_variant(request.variant);
    runner.stage(Stage::Generate, |share| {
        let (prompt, rate) = (request.prompt.as_ref(), a.fps().per_second());
        let wanted = SynthesisRequest::of(prompt, request.script.as_ref());
        let made = bridge_of(wanted, frames, rate, seed, engine, cancel, share)?;
        let material = made.as_ref().map(|made| &made.clip);
        let merged =
            limber_cleanup::merge(&a, &b, frames, material).map_err(|error| refused(&error))?;
        let prompts =
            [Some(&first.meta.prompt[..]), prompt.map(Prompt::as_str), Some(&second.meta.prompt)];
        let said: Vec<&str> =
            prompts.into_iter().flatten().filter(|prompt| !prompt.is_empty()).collect();
        let warnings = made.map(|made| made.warnings).unwrap_or_default();
        let meta = meta(&said.join(", then "), seed, engine, warnings);
        let mut origins = vec![origin(first, piece(request.trim_first, 0..a.len()))];
        // after resampling, the frames of the second clip are no longer the original ones
        if second.clip.fps() == a.fps() {
            let frames = merged.bridge.end..merged.clip.len();
            origins.push(origin(second, piece(request.trim_second, frames)));
        }
        Ok(CanonicalClip { clip: merged.clip, meta, origins })
    })
}

/// A request to cross-fade two clips.
#[derive(Debug, Clone)]
pub struct OverlapRequest {
    /// The trim of the first clip.
    pub trim_first: Trim,
    /// The trim of the second clip.
    pub trim_second: Trim,
    /// Number of frames in which the end of the first clip and the start of the second overlap, at
    /// the rate of the first clip.
    pub frames: usize,
    /// The seed of the job; the motion does not depend on it.
    pub seed: Seed,
}

/// Cross-fades the first clip into the second, which is moved to where the two match best.
///
/// # Errors
/// 502 if a trim leaves nothing, the overlap is longer than one of the clips, or the length of the
/// result is out of range; [`PipelineError::Cancelled`].
pub fn overlap(
    first: &CanonicalClip,
    second: &CanonicalClip,
    request: &OverlapRequest,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<CanonicalClip, PipelineError> {
    let mut runner = StageRunner { cancel, report };
    let frames = request.frames;
    let (a, b) = runner.stage(Stage::Intake, |_| {
        let a = cut(first, request.trim_first)?;
        let b = cut(second, request.trim_second)?.resampled(a.fps());
        short_enough(a.len().saturating_add(b.len()).saturating_sub(frames), &a)?;
        Ok((a, b))
    })?;
    runner.stage(Stage::Generate, |_| {
        let merged = limber_cleanup::overlap(&a, &b, frames).map_err(|error| refused(&error))?;
        let prompts = [&first.meta.prompt[..], &second.meta.prompt];
        let said: Vec<&str> = prompts.into_iter().filter(|prompt| !prompt.is_empty()).collect();
        let meta = meta(&said.join(", then "), request.seed, engine, Vec::new());
        let mut origins = Vec::new();
        if merged.bridge.start > 0 {
            origins.push(origin(first, piece(request.trim_first, 0..merged.bridge.start)));
        }
        // after resampling, the frames of the second clip are no longer the original ones
        if second.clip.fps() == a.fps() && merged.bridge.end < merged.clip.len() {
            let from = Trim { left: request.trim_second.left + frames, ..request.trim_second };
            origins.push(origin(second, piece(from, merged.bridge.end..merged.clip.len())));
        }
        Ok(CanonicalClip { clip: merged.clip, meta, origins })
    })
}
