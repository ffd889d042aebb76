//! Makes a video: loads the clip's GLB, renders it in a child process, and stores the result.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use limber_animation::Character;
use limber_api::motion::FileKind;
use limber_pipeline::{Cancel, ErrorCode, Message, Progress, Stage};

use super::{
    Failure,
    variants::{AttemptError, all_exist, character_of, compute, until_cancelled},
};
use crate::{
    FilesError, StoreError,
    files::ContentId,
    jobs::{Cause, JobSpec, RenderSpec},
    pipeline::{Pipeline, stored_clip},
    store::{
        artifacts::{ArtifactRow, NewArtifact, VariantFacts},
        contents::Saving,
        queue::Taken,
    },
    video::{RenderedVideo, VideoError, VideoRenderer},
    worker::{Worker, watch::Watch},
};

/// The context of one attempt at a video.
pub(super) struct VideoAttempt<'a> {
    pub(super) worker: &'a Worker<'a>,
    pub(super) job: &'a Taken,
    pub(super) spec: &'a RenderSpec,
    pub(super) cancel: &'a Cancel,
    pub(super) watch: &'a Watch,
}

impl VideoAttempt<'_> {
    /// Makes the video unless an earlier attempt has. Returns its failure, if any; `None` if the
    /// attempt was stopped or the lease was lost.
    pub(super) async fn make(&self) -> Result<Option<Vec<Failure>>, StoreError> {
        let known = self.worker.store.artifacts_of(&[self.job.rid.to_string()]).await?;
        let known: Vec<&ArtifactRow> = known.iter().collect();
        let making = async {
            if !known.is_empty() && all_exist(self.worker, &known).await? {
                return Ok(());
            }
            let video = self.render().await?;
            self.put(&video).await
        };
        let made = tokio::select! {
            made = making => made,
            // dropping the future kills the rendering process
            () = until_cancelled(self.cancel) => return Ok(None),
        };
        match made {
            Ok(()) => Ok(Some(Vec::new())),
            Err(AttemptError::Failed(cause)) => Ok(Some(vec![Failure::of_job(cause)])),
            Err(AttemptError::Store(error)) => Err(error),
            Err(AttemptError::Stopped) => Ok(None),
        }
    }

    async fn render(&self) -> Result<RenderedVideo, AttemptError> {
        self.at(Stage::Load, 0.0);
        let glb = match &self.spec.glb {
            Some(content) => self.kept(content).await?,
            None => self.fresh_glb().await?,
        };
        let maker = VideoRenderer::new(self.worker.config).map_err(|error| unstarted(&error))?;
        let scratch = self.worker.environment.token(12);
        let mut told = |progress, cpu| self.watch.report_from_elsewhere(1, progress, cpu);
        let made = maker.make(&glb, &self.spec.video, &scratch, &mut told).await;
        made.map_err(|error| match error {
            VideoError::Failed { code, message } => {
                AttemptError::Failed(Cause::of_code(code, message))
            }
            VideoError::Died => {
                let text = "the process that renders the video crashed; if retries fail too, \
                    render it at a smaller size or ask the operator about the graphics driver";
                AttemptError::Failed(Cause::of_code(ErrorCode::STUCK.number(), text))
            }
            VideoError::System(error) => unstarted(&error),
        })
    }

    /// Loads a file that the clip's job has stored.
    async fn kept(&self, content: &str) -> Result<Bytes, AttemptError> {
        let id = ContentId::parse(content).ok_or_else(|| self.vanished())?;
        match self.worker.files.read(&id).await {
            Ok(bytes) => Ok(bytes),
            Err(FilesError::Gone) => Err(self.vanished()),
            Err(error) => {
                let why = &error as &dyn std::error::Error;
                tracing::error!(error = why, "the clip to render cannot be read: {error}");
                let message = Message::VideoSourceUnreadable { clip: self.spec.source() };
                let code = ErrorCode::RENDER_CHARACTER.number();
                Err(AttemptError::Failed(Cause::of_code(code, message)))
            }
        }
    }

    /// Exports a GLB for a job that has none.
    async fn fresh_glb(&self) -> Result<Bytes, AttemptError> {
        let clip = stored_clip(&self.kept(&self.spec.clip).await?)?;
        let character: Arc<Character> = character_of(self.worker, &self.spec.motion).await?;
        let spec = JobSpec { formats: vec![FileKind::Glb], ..self.spec.motion.clone() };
        let (variant, cancel) = (self.spec.variant.get(), self.cancel.clone());
        let output = compute(move || {
            Pipeline::derive(&spec, &character, variant, &clip, &cancel, &mut |_| {})
        });
        let glb = output.await?.files.into_iter();
        let glb = glb.filter(|file| file.kind == limber_pipeline::FileKind::Glb);
        glb.map(|file| Bytes::from(file.bytes)).next().ok_or_else(|| self.vanished())
    }

    async fn put(&self, video: &RenderedVideo) -> Result<(), AttemptError> {
        self.at(Stage::Encode, 0.0);
        let length = tokio::fs::metadata(&video.path).await.map_err(|error| unstarted(&error))?;
        let saving = Saving::begin(&self.worker.store).await?;
        let id = self.worker.files.adopt(&video.path).await.map_err(|error| {
            tracing::error!(error = &error as &dyn std::error::Error, "a video cannot be stored");
            let text =
                "the video cannot be stored; ask the operator to check the disk of the service";
            AttemptError::Failed(Cause::of_code(ErrorCode::UNKNOWN.number(), text))
        })?;
        let artifact = NewArtifact {
            kind: self.spec.video.container.extension(),
            content_id: id.as_str(),
            bytes: usize::try_from(length.len()).unwrap_or(usize::MAX),
            file_name: &self.spec.file_name(),
        };
        let facts = VariantFacts {
            frames: self.spec.video.pictures(),
            fps: self.spec.video.fps,
            metrics: None,
        };
        self.at(Stage::Encode, 1.0);
        let held = saving.put_video(self.job, &facts, &artifact).await?;
        if held { Ok(()) } else { Err(AttemptError::Stopped) }
    }

    /// Records progress of work in this process, whose CPU time is negligible.
    fn at(&self, stage: Stage, share: f32) {
        self.watch.report_from_elsewhere(1, Progress { stage, share }, Duration::ZERO);
    }

    /// Code 494: the clip no longer exists.
    fn vanished(&self) -> AttemptError {
        let message = Message::VideoSourceRemoved { clip: self.spec.source() };
        AttemptError::Failed(Cause::of_code(ErrorCode::INPUT.number(), message))
    }
}

/// The child process could not be started, or has no space to work in.
fn unstarted(error: &std::io::Error) -> AttemptError {
    tracing::error!(%error, "the rendering of a video cannot be started: {error}");
    let text = "the rendering of the video cannot be started; ask the operator to check the disk \
        and the processes of the service";
    AttemptError::Failed(Cause::of_code(ErrorCode::UNKNOWN.number(), text))
}
