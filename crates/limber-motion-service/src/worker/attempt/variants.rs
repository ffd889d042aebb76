//! Makes the variants of a job one after another: first the canonical clip, then the files from it.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use limber_animation::Character;
use limber_pipeline::{
    Cancel, CanonicalClip, ErrorCode, FileKind, Message, Output, PipelineError, Seed,
    canonical_from_bytes, canonical_to_bytes,
};
use tokio::sync::OnceCell;

use crate::{
    FilesError, StoreError,
    files::ContentId,
    jobs::{Cause, Edit, JobSpec, Source},
    pipeline::{
        Pipeline, artifact_kind, no_character, own_character, shown_metrics, stock_character,
        stored_clip,
    },
    store::{
        artifacts::{ArtifactRow, NewArtifact, VariantFacts},
        contents::Saving,
        queue::Taken,
    },
    worker::{Worker, watch::Watch},
};

/// Kind of the artifact that all others are derived from.
const CLIP: &str = "clip";
/// Kind of the artifact that is stored last: a variant that has it is complete.
const LAST: &str = "json";
/// How many other seeds are tried for a variant that fails.
const OTHER_SEEDS: u32 = 2;
/// Number of the first other seed; the engine uses lower ones for its own retries.
const FIRST_OTHER: u32 = 100;
/// Errors that another seed may avoid.
const SEED_DEPENDENT: [ErrorCode; 4] =
    [ErrorCode::GENERATE, ErrorCode::GENERATE_PARAMETERS, ErrorCode::TRACKING, ErrorCode::RETARGET];

/// The failure of a variant or of the whole job.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    /// Number of the variant; `None` for the whole job.
    pub(super) variant: Option<u32>,
    pub(super) seed: String,
    pub(super) cause: Cause,
}

impl Failure {
    pub(super) const fn of_job(cause: Cause) -> Self {
        Self { variant: None, seed: String::new(), cause }
    }
}

/// Why work on a variant stopped.
pub(in crate::worker) enum AttemptError {
    /// The variant failed; others may still succeed.
    Failed(Cause),
    /// The database is unavailable, or the lease was lost.
    Store(StoreError),
    Stopped,
}

impl From<StoreError> for AttemptError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<PipelineError> for AttemptError {
    fn from(error: PipelineError) -> Self {
        match error {
            PipelineError::Cancelled => Self::Stopped,
            PipelineError::Failed(failure) => {
                Self::Failed(Cause::of_code(failure.code.number(), failure.message))
            }
        }
    }
}

/// The context of one attempt.
pub(super) struct Variants<'a> {
    pub(super) worker: &'a Worker<'a>,
    pub(super) job: &'a Taken,
    pub(super) spec: &'a JobSpec,
    pub(super) cancel: &'a Cancel,
    pub(super) watch: &'a Watch,
    /// Loaded on first use.
    pub(super) character: OnceCell<Arc<Character>>,
    /// The clips that an edit starts from, loaded on first use.
    pub(super) sources: OnceCell<Arc<Vec<CanonicalClip>>>,
}

impl Variants<'_> {
    /// Makes all variants that earlier attempts have not made. Returns the failures, or `None` if
    /// the attempt was stopped or the lease was lost.
    pub(super) async fn make_all(&self) -> Result<Option<Vec<Failure>>, StoreError> {
        let known = self.worker.store.artifacts_of(&[self.job.rid.to_string()]).await?;
        let mut failures = Vec::new();
        for variant in 1..=self.spec.variants {
            let own: Vec<&ArtifactRow> =
                known.iter().filter(|row| u32::try_from(row.number) == Ok(variant)).collect();
            match self.make_with_some_seed(variant, &own).await {
                Ok(()) => {}
                Err(AttemptError::Failed(cause)) => {
                    failures.push(Failure {
                        variant: Some(variant),
                        seed: seed_of(self.spec, variant),
                        cause,
                    });
                }
                Err(AttemptError::Store(error)) => return Err(error),
                Err(AttemptError::Stopped) => return Ok(None),
            }
            self.watch.finish(variant);
        }
        Ok(Some(failures))
    }

    /// Makes a variant with its own seed or, if that fails, with another one: a job must deliver
    /// all of its variants.
    async fn make_with_some_seed(
        &self,
        variant: u32,
        known: &[&ArtifactRow],
    ) -> Result<(), AttemptError> {
        if known.iter().any(|row| row.kind == LAST) && all_exist(self.worker, known).await? {
            return Ok(());
        }
        let mut made = self.make_one(variant, self.spec, known).await;
        for number in 1..=OTHER_SEEDS {
            if !matches!(&made, Err(AttemptError::Failed(cause)) if is_seed_dependent(cause)) {
                break;
            }
            tracing::info!(job.id = %self.job.rid, variant, "trying another seed for a variant");
            let other = JobSpec {
                seed: Seed(self.spec.seed).for_try(FIRST_OTHER + number).0,
                ..self.spec.clone()
            };
            made = self.make_one(variant, &other, &[]).await;
        }
        made
    }

    async fn make_one(
        &self,
        variant: u32,
        spec: &JobSpec,
        known: &[&ArtifactRow],
    ) -> Result<(), AttemptError> {
        self.watch.prepare(variant);
        let kept = known.iter().find(|row| row.kind == CLIP);
        let clip = match self.stored_clip(kept.copied()).await {
            Some(clip) => clip,
            None => self.fresh_clip(variant, spec).await?,
        };
        let output = self.derive(variant, clip).await?;
        self.put_output(variant, &output).await
    }

    /// Loads the clip of an earlier attempt, if it is intact.
    async fn stored_clip(&self, row: Option<&ArtifactRow>) -> Option<CanonicalClip> {
        let id = ContentId::parse(&row?.content_id)?;
        let bytes = self.worker.files.read(&id).await;
        let clip = bytes.ok().and_then(|bytes| canonical_from_bytes(&bytes).ok());
        if clip.is_none() {
            tracing::warn!(job.id = %self.job.rid, "a stored clip is damaged; making it again");
        }
        clip
    }

    async fn fresh_clip(
        &self,
        variant: u32,
        spec: &JobSpec,
    ) -> Result<CanonicalClip, AttemptError> {
        let pipeline = self.worker.pipeline.clone();
        let seed = seed_of(spec, variant);
        let (spec, cancel, watch) = (spec.clone(), self.cancel.clone(), self.watch.clone());
        let sources = self.sources().await?;
        let clip = compute(move || {
            let mut report = |progress| watch.report(variant, progress);
            pipeline.make(&spec, &sources, variant, &cancel, &mut report)
        })
        .await?;
        self.watch.store(variant);
        let bytes = Bytes::from(canonical_to_bytes(&clip)?);
        let length = bytes.len();
        let saving = Saving::begin(&self.worker.store).await?;
        let put = self.worker.files.put(bytes).await;
        let id = put.map_err(|error| unwritten(ErrorCode::TRACKING_SAVE, &error))?;
        let file_name = format!("{}_v{variant}.clip", self.spec.name);
        let clip_row = NewArtifact {
            kind: CLIP,
            content_id: id.as_str(),
            bytes: length,
            file_name: &file_name,
        };
        let held = saving.put_clip(self.job, variant, &seed, &clip_row).await?;
        if held { Ok(clip) } else { Err(AttemptError::Stopped) }
    }

    async fn derive(&self, variant: u32, clip: CanonicalClip) -> Result<Output, AttemptError> {
        let (spec, cancel, watch) = (self.spec.clone(), self.cancel.clone(), self.watch.clone());
        self.watch.prepare(variant);
        let character = self.character().await?;
        let output = compute(move || {
            Pipeline::derive(&spec, &character, variant, &clip, &cancel, &mut |progress| {
                watch.report(variant, progress);
            })
        })
        .await?;
        self.watch.store(variant);
        Ok(output)
    }

    /// Loads the clips that an edit starts from; empty for a regular job.
    async fn sources(&self) -> Result<Arc<Vec<CanonicalClip>>, AttemptError> {
        let read = async || {
            let mut clips = Vec::new();
            for source in self.spec.edit.iter().flat_map(Edit::sources) {
                let id = ContentId::parse(&source.content).ok_or_else(|| vanished(source))?;
                let bytes = match self.worker.files.read(&id).await {
                    Ok(bytes) => bytes,
                    Err(FilesError::Gone) => return Err(vanished(source)),
                    Err(error) => return Err(unread(&error, source)),
                };
                clips.push(stored_clip(&bytes)?);
            }
            Ok(Arc::new(clips))
        };
        self.sources.get_or_try_init(read).await.cloned()
    }

    async fn character(&self) -> Result<Arc<Character>, AttemptError> {
        let read = async || character_of(self.worker, self.spec).await;
        self.character.get_or_try_init(read).await.cloned()
    }

    async fn put_output(&self, variant: u32, output: &Output) -> Result<(), AttemptError> {
        let saving = Saving::begin(&self.worker.store).await?;
        let mut kept = Vec::new();
        for file in &output.files {
            let bytes = Bytes::from(file.bytes.clone());
            let put = self.worker.files.put(bytes).await;
            let id = put.map_err(|error| unwritten(save_code(file.kind), &error))?;
            kept.push((file, id));
        }
        let rows: Vec<NewArtifact<'_>> = kept
            .iter()
            .map(|(file, id)| NewArtifact {
                kind: artifact_kind(file.kind),
                content_id: id.as_str(),
                bytes: file.bytes.len(),
                file_name: &file.name,
            })
            .collect();
        let (facts, pictures) = (facts(output), self.worker.config.pictures);
        let held = saving.put_outputs(self.job, variant, &facts, &rows, pictures).await?;
        if held { Ok(()) } else { Err(AttemptError::Stopped) }
    }
}

/// Returns whether all files that an earlier attempt recorded still exist, so that no job succeeds
/// with a file that has been lost since.
pub(super) async fn all_exist(
    worker: &Worker<'_>,
    noted: &[&ArtifactRow],
) -> Result<bool, AttemptError> {
    for row in noted {
        let Some(id) = ContentId::parse(&row.content_id) else { return Ok(false) };
        let bytes = u64::try_from(row.bytes).unwrap_or(0);
        let kept = worker.files.holds(&id, bytes).await;
        if !kept.map_err(|error| unwritten(ErrorCode::EXPORT, &error))? {
            tracing::warn!(job.id = %row.rid, kind = %row.kind, "a recorded file is missing; \
                making it again");
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the variant's seed, as reported to clients.
fn seed_of(spec: &JobSpec, variant: u32) -> String {
    Seed(spec.seed).for_variant(variant).0.to_string()
}

fn is_seed_dependent(cause: &Cause) -> bool {
    cause
        .codes
        .iter()
        .any(|code| SEED_DEPENDENT.iter().any(|dependent| dependent.number() == *code))
}

/// Loads the character of a job: a stock character, or the account's own as it was when the job was
/// submitted.
pub(in crate::worker) async fn character_of(
    worker: &Worker<'_>,
    spec: &JobSpec,
) -> Result<Arc<Character>, AttemptError> {
    match own_glb(worker, spec).await? {
        Some(glb) => compute(move || own_character(&glb)).await,
        None => Ok(stock_character(spec)?),
    }
}

/// Loads the GLB of the account's own character; `None` for stock characters.
pub(in crate::worker) async fn own_glb(
    worker: &Worker<'_>,
    spec: &JobSpec,
) -> Result<Option<Bytes>, AttemptError> {
    let Some(content) = &spec.character else { return Ok(None) };
    let id = ContentId::parse(content).ok_or_else(|| no_character(spec))?;
    match worker.files.read(&id).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(FilesError::Gone | FilesError::Damaged) => Err(no_character(spec).into()),
        Err(error) => Err(no_character_now(&error)),
    }
}

fn facts(output: &Output) -> VariantFacts {
    VariantFacts {
        frames: output.clip.len(),
        fps: output.clip.fps().get(),
        metrics: Some(shown_metrics(&output.metrics)),
    }
}

/// Resolves shortly after cancellation is requested.
pub(super) async fn until_cancelled(cancel: &Cancel) {
    while !cancel.is_cancelled() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Computes on another thread. A panic there fails the job with code 498 instead of the worker.
pub(in crate::worker) async fn compute<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, PipelineError> + Send + 'static,
) -> Result<T, AttemptError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => Ok(result?),
        Err(_) => {
            let text =
                "the pipeline had an internal error; if retries fail too, submit the job again";
            Err(AttemptError::Failed(Cause::of_code(ErrorCode::UNKNOWN.number(), text)))
        }
    }
}

/// Code 494: the source clip no longer exists.
fn vanished(source: &Source) -> AttemptError {
    let message = Message::SourceRemoved { clip: source.name() };
    AttemptError::Failed(Cause::of_code(ErrorCode::INPUT.number(), message))
}

/// Code 604: the source clip cannot be read.
fn unread(error: &FilesError, source: &Source) -> AttemptError {
    tracing::error!(error = error as &dyn std::error::Error, "a clip cannot be read: {error}");
    let message = Message::SourceUnreadable { clip: source.name() };
    AttemptError::Failed(Cause::of_code(ErrorCode::TRACKING_LOAD.number(), message))
}

/// Returns whether the failure may be temporary: the character exists but could not be read.
pub(in crate::worker) fn is_temporary(cause: &Cause) -> bool {
    cause.codes == [ErrorCode::CORRECTION_LOAD.number()]
}

/// Code 704: the character exists, but cannot be read at the moment.
fn no_character_now(error: &FilesError) -> AttemptError {
    tracing::error!(error = error as &dyn std::error::Error, "a character cannot be read: {error}");
    let text = "the character cannot be read now; if retries fail too, submit the job again";
    AttemptError::Failed(Cause::of_code(ErrorCode::CORRECTION_LOAD.number(), text))
}

/// Returns the error code for failing to store this kind of file.
const fn save_code(kind: FileKind) -> ErrorCode {
    match kind {
        FileKind::Bvh => ErrorCode::BVH_SAVE,
        // contacts and metrics of the corrected clip
        FileKind::Metrics => ErrorCode::CORRECTION_SAVE,
        FileKind::Fbx | FileKind::FbxZip | FileKind::Glb | FileKind::Vrma | FileKind::Picture => {
            ErrorCode::EXPORT
        }
    }
}

/// A result cannot be written.
fn unwritten(code: ErrorCode, error: &FilesError) -> AttemptError {
    tracing::error!(error = error as &dyn std::error::Error, "a result cannot be written: {error}");
    if let FilesError::Away(_) = error {
        // an error that allows more retries
        let code = if code == ErrorCode::EXPORT { ErrorCode::UNKNOWN } else { code };
        let text = "the file store does not respond; if retries fail too, submit the job again and \
            tell the operator";
        return AttemptError::Failed(Cause::of_code(code.number(), text));
    }
    let text = "the result cannot be written; ask the operator to check the disk of the service";
    AttemptError::Failed(Cause::of_code(code.number(), text))
}
