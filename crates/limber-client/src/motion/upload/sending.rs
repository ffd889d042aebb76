//! Sends one file to one session, part by part.

use super::{
    MotionError, OnProgress, UploadError, UploadProgress, Uploader,
    file::Checksum,
    notes::Notes,
    pace::{Patience, PieceSize, Speed},
    session::{self, Piece, PutOutcome, StartOutcome},
};

/// Why a file was not uploaded.
#[derive(Debug)]
pub(super) enum SendError {
    /// The upload has to start over.
    StartOver,
    Stop(UploadError),
}

impl From<UploadError> for SendError {
    fn from(error: UploadError) -> Self {
        Self::Stop(error)
    }
}

impl From<MotionError> for SendError {
    fn from(error: MotionError) -> Self {
        Self::Stop(error.into())
    }
}

/// The upload of one file.
pub(super) struct Sending<'a, 'b> {
    uploader: &'a Uploader<'b>,
    /// Index of the file in the notes.
    place: usize,
    /// Bytes of the files before it; total bytes of all files.
    earlier: u64,
    total: u64,
    progress: OnProgress<'a>,
    size: PieceSize,
    patience: Patience,
    speed: Option<Speed>,
    checksum: Checksum,
    /// Highest offset reached so far.
    farthest: Option<u64>,
}

impl<'a, 'b> Sending<'a, 'b> {
    pub(super) fn new(
        uploader: &'a Uploader<'b>,
        place: usize,
        earlier: u64,
        total: u64,
        progress: OnProgress<'a>,
    ) -> Self {
        let now_ms = uploader.environment.now_ms();
        Self {
            uploader,
            place,
            earlier,
            total,
            progress,
            size: PieceSize::new(uploader.pace),
            patience: Patience::new(uploader.pace, now_ms),
            speed: None,
            checksum: Checksum::new(),
            farthest: None,
        }
    }

    /// Sends until the service has the complete file.
    pub(super) async fn send(&mut self, notes: &mut Notes) -> Result<(), SendError> {
        let session = match &notes.parts[self.place].session {
            Some(session) => session.clone(),
            None => self.begin(notes).await?,
        };
        // for a session that was just started, this only costs one extra request
        let mut stored = None;
        loop {
            self.uploader.control.check()?;
            let outcome = match stored {
                None => self.ask(notes, &session).await,
                Some(from) => self.send_piece(notes, &session, from).await?,
            };
            match outcome {
                PutOutcome::Stored(now) => {
                    self.note_standing(now);
                    let stuck = stored == Some(now);
                    stored = Some(now);
                    if stuck {
                        self.wait(None, MotionError::UnexpectedAnswer).await?;
                    }
                }
                PutOutcome::Complete(found) => return self.check_complete(notes, found).await,
                PutOutcome::Expired => return Err(SendError::StartOver),
                PutOutcome::Refused(error) => return Err(error.into()),
                PutOutcome::Transient(retry_after, error) => {
                    self.size.shrink();
                    self.wait(retry_after, error).await?;
                    stored = None;
                }
            }
        }
    }

    async fn begin(&mut self, notes: &mut Notes) -> Result<String, SendError> {
        loop {
            self.uploader.control.check()?;
            let part = &notes.parts[self.place];
            let links = &self.uploader.client.links;
            match session::start(links, &part.url, part.size, &self.uploader.pace).await {
                StartOutcome::Session(session) => {
                    notes.parts[self.place].session = Some(session.clone());
                    self.uploader.save(notes).await?;
                    return Ok(session);
                }
                StartOutcome::Expired => return Err(SendError::StartOver),
                StartOutcome::Refused(error) => return Err(error.into()),
                StartOutcome::Transient(retry_after, error) => {
                    self.wait(retry_after, error).await?;
                }
            }
        }
    }

    async fn ask(&self, notes: &Notes, session: &str) -> PutOutcome {
        let links = &self.uploader.client.links;
        session::ask(links, session, notes.parts[self.place].size, &self.uploader.pace).await
    }

    async fn send_piece(
        &mut self,
        notes: &Notes,
        session: &str,
        from: u64,
    ) -> Result<PutOutcome, SendError> {
        let part = &notes.parts[self.place];
        if !part.is_unchanged().await.map_err(UploadError::File)? {
            return Err(SendError::StartOver);
        }
        let end = self.size.end(from, part.size);
        // the part is then sent from the system's file cache, so it is read from disk only once
        self.checksum.read_on(&part.path, end).await.map_err(UploadError::File)?;
        let piece = Piece {
            path: &part.path,
            from,
            end,
            total: part.size,
            crc32c: (end == part.size).then(|| self.checksum.value()),
        };
        let links = &self.uploader.client.links;
        let outcome = tokio::select! {
            outcome = session::send(links, session, &piece, &self.uploader.pace) => outcome,
            () = self.uploader.control.cancelled() => return Err(UploadError::Cancelled.into()),
        };
        let outcome = outcome.map_err(UploadError::File)?;
        if let PutOutcome::Stored(now) = outcome
            && now > from
        {
            self.size.grow();
        }
        Ok(outcome)
    }

    /// Checks that the service has received what was sent.
    async fn check_complete(&mut self, notes: &Notes, found: Option<u32>) -> Result<(), SendError> {
        let part = &notes.parts[self.place];
        self.checksum.read_on(&part.path, part.size).await.map_err(UploadError::File)?;
        if found.is_some_and(|found| found != self.checksum.value()) {
            return Err(SendError::StartOver);
        }
        self.note_standing(part.size);
        Ok(())
    }

    fn note_standing(&mut self, stored: u64) {
        let now_ms = self.uploader.environment.now_ms();
        if self.farthest.is_none_or(|farthest| stored > farthest) {
            self.farthest = Some(stored);
            self.patience.moved(now_ms);
        }
        let all = self.earlier + stored;
        let speed = self.speed.get_or_insert_with(|| Speed::new(all, now_ms));
        speed.note(all, now_ms);
        (self.progress)(speed.progress(all, self.total));
    }

    fn report_interruption(&mut self) {
        let stored = self.earlier + self.farthest.unwrap_or(0);
        let standing = UploadProgress::standing(stored, self.total);
        (self.progress)(UploadProgress { is_interrupted: true, ..standing });
    }

    async fn wait(
        &mut self,
        retry_after: Option<std::time::Duration>,
        error: MotionError,
    ) -> Result<(), SendError> {
        let wait = self.patience.next_wait(retry_after, self.uploader.environment.as_ref());
        let Some(wait) = wait else { return Err(UploadError::Paused.into()) };
        tracing::debug!(%error, ?wait, "the upload was interrupted; retrying after a pause");
        self.report_interruption();
        Ok(self.uploader.control.sleep(wait).await?)
    }
}
