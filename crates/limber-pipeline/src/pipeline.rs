//! The pipeline itself: runs the stages in order.

use limber_animation::{Character, Clip};
use limber_formats::canonical::{self, CanonicalClip, CanonicalError};
use limber_script::Message;
use limber_text_to_motion::{Cancel, MotionEngine};

use crate::{
    ErrorCode, FileKind, Metrics, Options, Progress, Request, Retry, Stage, base_name, metrics,
    stages::{
        bake, bvh, face, fbx, generate, intake, origins, rename, retarget, smooth_and_lock, track,
        vrma,
    },
};

/// Why there are no files.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PipelineError {
    /// The caller cancelled.
    #[error("the work was cancelled")]
    Cancelled,
    /// A stage failed.
    #[error("{0}")]
    Failed(StageFailure),
}

/// The failure of a stage.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct StageFailure {
    /// The stage that failed.
    pub stage: Stage,
    /// The error code that clients branch on.
    pub code: ErrorCode,
    /// Whether the same request may succeed when retried.
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

/// Serialises a canonical clip for storage, with a version and a checksum.
///
/// # Errors
/// Code 610 if the clip cannot be written.
pub fn canonical_to_bytes(canonical: &CanonicalClip) -> Result<Vec<u8>, PipelineError> {
    let failed = |error: CanonicalError| {
        PipelineError::at(Stage::Tracking, ErrorCode::TRACKING_SAVE, error.to_string())
    };
    canonical::write(canonical).map_err(failed)
}

/// Reads a canonical clip written by [`canonical_to_bytes()`].
///
/// # Errors
/// Code 604 if the bytes are damaged or of another version.
pub fn canonical_from_bytes(bytes: &[u8]) -> Result<CanonicalClip, PipelineError> {
    canonical::read(bytes).map_err(|error| {
        PipelineError::at(Stage::Tracking, ErrorCode::TRACKING_LOAD, error.to_string())
    })
}

/// A finished file.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputFile {
    /// File name, for example `walks_forward_v1.glb`.
    pub name: String,
    /// The kind of file.
    pub kind: FileKind,
    /// The contents.
    pub bytes: Vec<u8>,
}

/// The result of one variant.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The common stem of all file names, including the variant.
    pub name: String,
    /// The chosen formats in their order, then the metrics.
    pub files: Vec<OutputFile>,
    /// The clip in the files, on the character's skeleton.
    pub clip: Clip,
    /// Metrics of the clip.
    pub metrics: Metrics,
    /// Warnings for the user.
    pub warnings: Vec<Message>,
}

/// Runs the whole pipeline, from prompt to files.
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

/// Runs the first half of the pipeline, from prompt to canonical clip.
///
/// # Errors
/// See [`PipelineError`].
pub fn make(
    request: &Request,
    engine: &dyn MotionEngine,
    cancel: &Cancel,
    report: &mut dyn FnMut(Progress),
) -> Result<CanonicalClip, PipelineError> {
    let mut runner = StageRunner { cancel, report };
    runner.stage(Stage::Intake, |_| intake::check(request))?;
    runner.stage(Stage::Generate, |share| generate::generate(request, engine, cancel, share))
}

/// Runs the second half of the pipeline, from canonical clip to files; repeat it for other
/// characters or options. The same input gives the same bytes.
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
    let mut runner = StageRunner { cancel, report };
    let by_hand = &options.corrections;
    let tracked = runner.stage(Stage::Tracking, |_| {
        intake::check_character(character, options)?;
        if options.require_face {
            face::check(&canonical.clip, character)?;
        }
        track::track(&by_hand.apply(&canonical.clip), character, options)
    })?;
    let moved = runner.stage(Stage::Correction, |share| {
        let corrected = smooth_and_lock::smooth_and_lock_feet(&tracked.clip, options)?;
        share(0.5);
        let retargeted = retarget::to_character(&corrected, character, options)?;
        let retargeted =
            origins::restore_origins(retargeted, canonical, character, options, by_hand, cancel)?;
        Ok(retarget::finish(retargeted, options))
    })?;
    let is_stuck = tracked.is_stuck;
    let base = base_name(options.name.as_deref(), &canonical.meta.prompt);
    let name = format!("{base}_v{variant}");
    let renamed = rename::rename(&moved, character, options.names)?;
    let (named, named_character) = renamed.as_ref().map_or((&moved, character), |(m, c)| (m, c));
    let (bvh, glb, fbx, vrma) = std::thread::scope(|scope| {
        // the largest file is written in parallel with the others
        let fbx = scope.spawn(|| fbx::fbx(named, named_character, (&base, &name), options));
        let bvh = runner.stage(Stage::Bvh, |_| bvh::bvh(named, options))?;
        runner.stage(Stage::Bake, |share| {
            let glb = bake::bake(named, named_character, &base, options)?;
            share(0.4);
            let vrma = vrma::vrma(&moved, &base, options)?;
            share(0.5);
            let fbx = fbx.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Ok((bvh, glb, fbx, vrma))
        })
    })?;
    runner.stage(Stage::Finish, |_| {
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

/// Runs stages: reports progress, and checks for cancellation between stages.
pub(crate) struct StageRunner<'a> {
    pub(crate) cancel: &'a Cancel,
    pub(crate) report: &'a mut dyn FnMut(Progress),
}

impl StageRunner<'_> {
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
