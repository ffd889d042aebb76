//! Renders animated previews after their jobs have succeeded, so that nobody waits for them.
//! Accounts take turns. If rendering fails or crashes, a card lacks its preview and nothing else
//! happens.

use std::{sync::atomic::Ordering, time::Duration};

use bytes::Bytes;

use super::{
    End, Notifications, Stop, Worker,
    attempt::{AttemptError, is_temporary, own_glb},
};
use crate::{
    FilesError, ServiceError, StoreError,
    files::ContentId,
    jobs::Work,
    preview::{PreviewError, PreviewInput, PreviewRenderer},
    store::{
        artifacts::NewArtifact,
        contents::Saving,
        pictures::{DuePicture, Subject},
    },
};

/// How long a preview waits for an idle worker; after that, it is rendered alongside a job.
const PATIENCE: Duration = Duration::from_secs(30);
/// A renderer that died may have been killed for lack of memory; if it dies again, the driver is at
/// fault.
const TRIES: usize = 2;

/// Outcome of rendering a preview.
enum Drawn {
    /// File name and PNG.
    Picture(String, Vec<u8>),
    /// Cannot be rendered now.
    NotNow,
    /// Cannot be rendered at all.
    Never,
}

impl Worker<'_> {
    /// Renders queued previews one after another. One that has been started is always finished.
    pub(super) async fn render_previews(
        &self,
        number: i32,
        notifications: &Notifications,
        stop: &Stop,
    ) -> Result<End, ServiceError> {
        if !self.config.pictures {
            return std::future::pending().await;
        }
        loop {
            if stop.drain.is_requested() {
                // stopping: the worker ends when its current job does
                return std::future::pending().await;
            }
            if !self.draw_next(number).await? {
                tokio::select! {
                    () = notifications.pictures.notified() => {}
                    () = tokio::time::sleep(self.config.work.poll) => {}
                }
            }
        }
    }

    /// Renders the next preview. Returns whether there may be more to render at once.
    async fn draw_next(&self, number: i32) -> Result<bool, StoreError> {
        // in another store there are no clips, and nobody would find the previews
        if self.is_other_store().await? {
            return Ok(false);
        }
        let is_free = !self.busy.load(Ordering::SeqCst);
        let waited = if is_free { Duration::ZERO } else { PATIENCE };
        let waited_ms = i64::try_from(waited.as_millis()).unwrap_or(i64::MAX);
        let Some(due) = self.store.claim_picture(number, waited_ms).await? else {
            return Ok(false);
        };
        let drawn = match self.store.subject_of(&due).await? {
            Some(subject) => self.drawn(&due, subject).await?,
            None => Drawn::Never,
        };
        match drawn {
            Drawn::Picture(file_name, png) => self.put_picture(&due, &file_name, png).await,
            Drawn::NotNow => self.store.put_off_picture(&due).await.map(|()| false),
            Drawn::Never => self.store.forget_picture(&due).await.map(|()| true),
        }
    }

    async fn drawn(&self, due: &DuePicture, subject: Subject) -> Result<Drawn, StoreError> {
        match self.try_to_draw(due, subject).await {
            Ok(drawn) => Ok(drawn),
            Err(AttemptError::Store(error)) => Err(error),
            Err(AttemptError::Failed(cause)) if is_temporary(&cause) => Ok(Drawn::NotNow),
            Err(AttemptError::Failed(cause)) => {
                tracing::warn!(job.id = %due.rid, "a job gets no animated preview: {}", cause.text);
                Ok(Drawn::Never)
            }
            Err(AttemptError::Stopped) => Ok(Drawn::NotNow),
        }
    }

    async fn try_to_draw(&self, due: &DuePicture, subject: Subject) -> Result<Drawn, AttemptError> {
        let clip = ContentId::parse(&subject.clip);
        let (Ok(Work::Motion(spec)), Some(clip)) = (subject.work, clip) else {
            return Ok(Drawn::Never);
        };
        let clip = match self.files.read(&clip).await {
            Ok(bytes) => bytes,
            Err(FilesError::Away(_)) => return Ok(Drawn::NotNow),
            Err(_) => return Ok(Drawn::Never),
        };
        let character = own_glb(self, &spec).await?;
        let (variant, frames) = (u32::try_from(due.number).unwrap_or(1), subject.frames);
        Ok(self.draw(due, &PreviewInput { spec, variant, frames, clip, character }).await)
    }

    async fn draw(&self, due: &DuePicture, input: &PreviewInput) -> Drawn {
        for _ in 0..TRIES {
            let scratch = self.environment.token(12);
            let drawn = match PreviewRenderer::new(self.config) {
                Ok(renderer) => renderer.draw(input, &scratch).await,
                Err(error) => Err(error.into()),
            };
            match drawn {
                Ok(picture) => return Drawn::Picture(picture.file_name, picture.png),
                Err(PreviewError::Refused(why)) => {
                    tracing::warn!(job.id = %due.rid, "a job gets no animated preview: {why}");
                    return Drawn::Never;
                }
                Err(PreviewError::System(error)) => {
                    tracing::warn!(%error, "an animated preview cannot be started now: {error}");
                    return Drawn::NotNow;
                }
                Err(PreviewError::Died) => {}
            }
        }
        Drawn::Never
    }

    async fn put_picture(
        &self,
        due: &DuePicture,
        file_name: &str,
        png: Vec<u8>,
    ) -> Result<bool, StoreError> {
        let bytes = Bytes::from(png);
        let length = bytes.len();
        let saving = Saving::begin(&self.store).await?;
        let Ok(id) = self.files.put(bytes).await else {
            drop(saving);
            return self.store.put_off_picture(due).await.map(|()| false);
        };
        let picture =
            NewArtifact { kind: "png", content_id: id.as_str(), bytes: length, file_name };
        saving.put_picture(due, &picture).await.map(|()| true)
    }
}
