//! Regenerates parts of a clip.

use limber_animation::Clip;
use limber_formats::canonical::Piece;
use limber_script::{ClipEnds, Message, Script};
use limber_text_to_motion::{Cancel, MotionEngine, Prompt, Seed};

use super::{
    Intervals, Trim, cut, meta, origin, refused,
    synthesis::{SynthesisRequest, synthesise},
};
use crate::{CanonicalClip, PipelineError, Progress, Stage, pipeline::StageRunner};

/// A request to regenerate parts of a clip.
#[derive(Debug, Clone)]
pub struct InpaintRequest {
    /// What the character does in the new parts.
    pub prompt: Prompt,
    /// Performed instead of the prompt, which is then only a label.
    pub script: Option<Script>,
    /// The parts to regenerate, in frames of the untrimmed source.
    pub intervals: Intervals,
    /// The trim, applied afterwards.
    pub trim: Trim,
    /// The seed of the job; the variant uses [`Seed::for_variant`] of it.
    pub seed: Seed,
    /// The variant, counted from 1.
    pub variant: u32,
}

/// Regenerates the intervals, then trims. Frames outside the intervals are those of the source, bit
/// for bit. If the intervals cover the whole clip, it is generated from scratch, with a warning.
///
/// # Errors
/// 502 if the intervals do not fit the clip or are trimmed away, or if the prompt contains no known
/// action; 501 if the engine fails; [`PipelineError::Cancelled`].
pub fn inpaint(
    source: &CanonicalClip,
    request: &InpaintRequest,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<CanonicalClip, PipelineError> {
    let mut runner = StageRunner { cancel, report };
    let InpaintRequest { prompt, script, intervals, trim, .. } = request;
    runner.stage(Stage::Intake, |_| {
        trim.kept(source.clip.len()).map_err(|error| refused(&error))?;
        intervals.survive(*trim).map_err(|error| refused(&error.into()))
    })?;
    let seed = request.seed.for_variant(request.variant);
    runner.stage(Stage::Generate, |share| {
        let rate = source.clip.fps().per_second();
        let holes = intervals.ranges();
        let wanted =
            SynthesisRequest { prompt, script: script.as_ref(), ends: ClipEnds::default() };
        let mut material: Vec<Clip> = Vec::with_capacity(holes.len());
        let mut warnings: Vec<Message> = Vec::new();
        for (place, hole) in holes.iter().enumerate() {
            let own = seed.for_variant(u32::try_from(place + 1).unwrap_or(u32::MAX));
            let mut part = |done: f32| share((place as f32 + done) / holes.len() as f32);
            let made = synthesise(wanted, hole.len(), rate, own, engine, cancel, &mut part)?;
            material.push(made.clip);
            warnings.extend(made.warnings);
        }
        warnings.dedup();
        if intervals.cover_all() {
            warnings.push(Message::AllMadeAnew);
        }
        let clip = limber_cleanup::inpaint(&source.clip, intervals, &material)
            .map_err(|error| refused(&error))?;
        let meta = meta(prompt.as_str(), seed, engine, warnings);
        let kept = trim.kept(clip.len()).map_err(|error| refused(&error))?;
        let pieces = intervals.outside().into_iter().filter_map(|piece| {
            let [start, end] = [piece.start, piece.end].map(|at| at.clamp(kept.start, kept.end));
            let frames = start - kept.start..end - kept.start;
            (!frames.is_empty()).then_some(Piece { from: start, frames })
        });
        let origins = vec![origin(source, pieces.collect())];
        let painted = CanonicalClip { clip, meta, origins: Vec::new() };
        Ok(CanonicalClip { clip: cut(&painted, *trim)?, origins, ..painted })
    })
}
