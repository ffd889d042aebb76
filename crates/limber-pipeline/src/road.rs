//! The road itself: every stage by name, in order.

use limber_animation::{Character, Clip};
use limber_formats::canonical::{self, CanonicalClip, CanonicalError};
use limber_script::Message;
use limber_text_to_motion::{Cancel, MotionEngine};

use crate::{
    ErrorCode, FileKind, Metrics, Options, Progress, Request, Retry, Stage, base_name, metrics,
    stages::{
        bake, bvh, carry, correct, face, fbx, generate, intake, origins, rename, track, vrma,
    },
};

/// Why there are no files.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PipelineError {
    /// Somebody asked to stop.
    #[error("the work was cancelled")]
    Cancelled,
    /// A stage failed.
    #[error("{0}")]
    Failed(StageFailure),
}

/// What failed, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct StageFailure {
    /// Where on the road.
    pub stage: Stage,
    /// The number clients branch on.
    pub code: ErrorCode,
    /// Whether the same request may succeed when tried again.
    pub retryable: bool,
    /// What happened and what to do.
    pub message: Message,
}

impl PipelineError {
    pub(crate) fn at(stage: Stage, code: ErrorCode, message: impl Into<Message>) -> Self {
        let retryable = code.retry() != Retry::Never;
        Self::Failed(StageFailure { stage, code, retryable, message: message.into() })
    }
}

/// A canonical clip as kept on disk: versioned and checksummed.
///
/// # Errors
/// Code 610 when the clip cannot be written.
pub fn canonical_to_bytes(canonical: &CanonicalClip) -> Result<Vec<u8>, PipelineError> {
    let failed = |error: CanonicalError| {
        PipelineError::at(Stage::Tracking, ErrorCode::TRACKING_SAVE, error.to_string())
    };
    canonical::write(canonical).map_err(failed)
}

/// A canonical clip from bytes that [`canonical_to_bytes()`] made.
///
/// # Errors
/// Code 604 when they are damaged or of another version.
pub fn canonical_from_bytes(bytes: &[u8]) -> Result<CanonicalClip, PipelineError> {
    canonical::read(bytes).map_err(|error| {
        PipelineError::at(Stage::Tracking, ErrorCode::TRACKING_LOAD, error.to_string())
    })
}

/// A finished file.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputFile {
    /// For example `walks_forward_v1.glb`.
    pub name: String,
    /// What it is.
    pub kind: FileKind,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// Everything one variant ends in.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// What all files' names begin with, variant included.
    pub name: String,
    /// The chosen formats in their order, then the metrics.
    pub files: Vec<OutputFile>,
    /// The clip that the files hold, on the character's skeleton.
    pub clip: Clip,
    /// Numbers about it.
    pub metrics: Metrics,
    /// What the user should know.
    pub warnings: Vec<Message>,
}

/// Prompt to files.
///
/// # Errors
/// See [`PipelineError`].
pub fn run(
    request: &Request,
    engine: &dyn MotionEngine,
    character: &Character,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<Output, PipelineError> {
    intake::check_character(character, &request.options)?;
    let canonical = make(request, engine, cancel, report)?;
    derive(&canonical, character, request.variant, &request.options, cancel, report)
}

/// Prompt to canonical clip: the first half of the road.
///
/// # Errors
/// See [`PipelineError`].
pub fn make(
    request: &Request,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<CanonicalClip, PipelineError> {
    let mut walk = Walk { cancel, report };
    walk.stage(Stage::Intake, |_| intake::check(request))?;
    walk.stage(Stage::Generate, |share| generate::generate(request, engine, cancel, share))
}

/// Canonical clip to files: the second half of the road, walked again for every other character
/// or option. The same input gives the same bytes.
///
/// # Errors
/// See [`PipelineError`].
pub fn derive(
    canonical: &CanonicalClip,
    character: &Character,
    variant: u32,
    options: &Options,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<Output, PipelineError> {
    let mut walk = Walk { cancel, report };
    let by_hand = &options.corrections;
    let tracked = walk.stage(Stage::Tracking, |_| {
        intake::check_character(character, options)?;
        if options.require_face {
            face::check(&canonical.clip, character)?;
        }
        track::track(&by_hand.apply(&canonical.clip), character, options)
    })?;
    let moved = walk.stage(Stage::Correction, |share| {
        let corrected = correct::correct(&tracked.clip, options)?;
        share(0.5);
        let carried = carry::carry(&corrected, character, options)?;
        let carried = origins::put_back(carried, canonical, character, options, by_hand, cancel)?;
        Ok(carry::finish(carried, options))
    })?;
    let is_stuck = tracked.is_stuck;
    let base = base_name(options.name.as_deref(), &canonical.meta.prompt);
    let name = format!("{base}_v{variant}");
    let renamed = rename::rename(&moved, character, options.names)?;
    let (called, wearer) = renamed.as_ref().map_or((&moved, character), |(m, c)| (m, c));
    let (bvh, glb, fbx, vrma) = std::thread::scope(|scope| {
        // the largest file is made beside the others
        let fbx = scope.spawn(|| fbx::fbx(called, wearer, (&base, &name), options));
        let bvh = walk.stage(Stage::Bvh, |_| bvh::bvh(called, options))?;
        walk.stage(Stage::Bake, |share| {
            let glb = bake::bake(called, wearer, &base, options)?;
            share(0.4);
            let vrma = vrma::vrma(&moved, &base, options)?;
            share(0.5);
            let fbx = fbx.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok((bvh, glb, fbx, vrma))
        })
    })?;
    walk.stage(Stage::Finish, |_| {
        let metrics = metrics::of(canonical, &moved, character, tracked.physics);
        let made = [
            (FileKind::Bvh, bvh),
            (FileKind::Fbx, fbx.bare),
            (FileKind::FbxZip, fbx.zipped),
            (FileKind::Glb, glb),
            (FileKind::Vrma, vrma),
            (FileKind::Metrics, Some(metrics.to_json())),
        ];
        let files = made
            .into_iter()
            .filter_map(|(kind, bytes)| {
                let file = format!("{name}.{}", kind.extension());
                bytes.map(|bytes| OutputFile { name: file, kind, bytes })
            })
            .collect();
        let mut warnings = canonical.meta.warnings.clone();
        warnings.extend(by_hand.missing_on(Some(character)));
        warnings.extend(is_stuck.then_some(Message::CorrectedBodyStuck));
        Ok(Output { name, files, clip: moved.clip, metrics, warnings })
    })
}

/// Somebody on the road: says where they are, and stops between stages when asked to.
pub(crate) struct Walk<'a> {
    pub(crate) cancel: &'a Cancel,
    pub(crate) report: &'a mut dyn FnMut(Progress),
}

impl Walk<'_> {
    pub(crate) fn stage<T>(
        &mut self,
        stage: Stage,
        work: impl FnOnce(&mut dyn FnMut(f32)) -> Result<T, PipelineError>,
    ) -> Result<T, PipelineError> {
        if self.cancel.is_cancelled() {
            return Err(PipelineError::Cancelled);
        }
        (self.report)(Progress { stage, share: 0.0 });
        let report = &mut *self.report;
        let result = work(&mut |share| report(Progress { stage, share }))?;
        (self.report)(Progress { stage, share: 1.0 });
        Ok(result)
    }
}
