//! Two clips in one.

use limber_script::Script;
use limber_text_to_motion::{Cancel, MotionEngine, Prompt, Seed};

use super::{
    Trim, cut, meta, origin, piece, refused, short_enough,
    synthesis::{Wanted, bridge_of},
};
use crate::{CanonicalClip, PipelineError, Progress, Stage, road::Walk};

/// How two clips are joined.
#[derive(Debug, Clone)]
pub struct MergeRequest {
    /// What happens between them; `None` goes straight over.
    pub prompt: Option<Prompt>,
    /// Performed instead of what the prompt means, which is then no more than a name for it; nothing
    /// without a prompt.
    pub script: Option<Script>,
    /// What is cut off the first clip.
    pub trim_first: Trim,
    /// What is cut off the second clip.
    pub trim_second: Trim,
    /// New frames between them, at the first clip's rate.
    pub bridge_frames: usize,
    /// The job's seed; the variant's own is [`Seed::for_variant`] of it.
    pub seed: Seed,
    /// Counted from 1.
    pub variant: u32,
}

/// The first clip, new frames, the second clip moved to where they end.
///
/// # Errors
/// 502 for cuts that leave nothing, bridges and results of no possible length, and prompts without
/// a known action; 501 when the engine fails; [`PipelineError::Cancelled`].
pub fn merge(
    first: &CanonicalClip,
    second: &CanonicalClip,
    request: &MergeRequest,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<CanonicalClip, PipelineError> {
    let mut walk = Walk { cancel, report };
    let frames = request.bridge_frames;
    let (a, b) = walk.stage(Stage::Intake, |_| {
        let a = cut(first, request.trim_first)?;
        let b = cut(second, request.trim_second)?.resampled(a.fps());
        short_enough(a.len().saturating_add(frames).saturating_add(b.len()), &a)?;
        Ok((a, b))
    })?;
    let seed = request.seed.for_variant(request.variant);
    walk.stage(Stage::Generate, |share| {
        let (prompt, rate) = (request.prompt.as_ref(), a.fps().per_second());
        let wanted = Wanted::of(prompt, request.script.as_ref());
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
        // at another rate its frames are not the same ones any more
        if second.clip.fps() == a.fps() {
            let frames = merged.bridge.end..merged.clip.len();
            origins.push(origin(second, piece(request.trim_second, frames)));
        }
        Ok(CanonicalClip { clip: merged.clip, meta, origins })
    })
}

/// How two clips go over into each other.
#[derive(Debug, Clone)]
pub struct OverlapRequest {
    /// What is cut off the first clip.
    pub trim_first: Trim,
    /// What is cut off the second clip.
    pub trim_second: Trim,
    /// So many last frames of the first clip are first ones of the second too, at the first clip's rate.
    pub frames: usize,
    /// The job's seed; the movement does not depend on it.
    pub seed: Seed,
}

/// The first clip going over into the second, which is moved to where both agree best.
///
/// # Errors
/// 502 for cuts that leave nothing, overlaps that are longer than a part, and results of no possible
/// length; [`PipelineError::Cancelled`].
pub fn overlap(
    first: &CanonicalClip,
    second: &CanonicalClip,
    request: &OverlapRequest,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<CanonicalClip, PipelineError> {
    let mut walk = Walk { cancel, report };
    let frames = request.frames;
    let (a, b) = walk.stage(Stage::Intake, |_| {
        let a = cut(first, request.trim_first)?;
        let b = cut(second, request.trim_second)?.resampled(a.fps());
        short_enough(a.len().saturating_add(b.len()).saturating_sub(frames), &a)?;
        Ok((a, b))
    })?;
    walk.stage(Stage::Generate, |_| {
        let merged = limber_cleanup::overlap(&a, &b, frames).map_err(|error| refused(&error))?;
        let prompts = [&first.meta.prompt[..], &second.meta.prompt];
        let said: Vec<&str> = prompts.into_iter().filter(|prompt| !prompt.is_empty()).collect();
        let meta = meta(&said.join(", then "), request.seed, engine, Vec::new());
        let mut origins = Vec::new();
        if merged.bridge.start > 0 {
            origins.push(origin(first, piece(request.trim_first, 0..merged.bridge.start)));
        }
        // at another rate its frames are not the same ones any more
        if second.clip.fps() == a.fps() && merged.bridge.end < merged.clip.len() {
            let from = Trim { left: request.trim_second.left + frames, ..request.trim_second };
            origins.push(origin(second, piece(from, merged.bridge.end..merged.clip.len())));
        }
        Ok(CanonicalClip { clip: merged.clip, meta, origins })
    })
}
