//! Sends one file to one session, part by part.

use super::{
    MotionError, OnProgress, UploadError, UploadProgress, Uploader,
    file::Checksum,
    notes::Notes,
    pace::{Patience, PieceSize, Speed},
    session::{self, Begun, Piece, Said},
};

/// Why a file was not uploaded.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The upload has to start over.
    Over,
    Stop(UploadError),
}

impl From<UploadError> for Trouble {
    fn from(error: UploadError) -> Self {
        Self::Stop(error)
    }
}

impl From<MotionError> for Trouble {
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
        let now_ms = uploader.surroundings.now_ms();
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
    pub(super) async fn send(&mut self, notes: &mut Notes) -> Result<(), Trouble> {
        let session = match &notes.parts[self.place].session {
            Some(session) => session.clone(),
            None => self.begin(notes).await?,
        };
        // for a session that was just started, this only costs one extra request
        let mut stored = None;
        loop {
            self.uploader.control.check()?;
            let said = match stored {
                None => self.ask(notes, &session).await,
                Some(from) => self.send_piece(notes, &session, from).await?,
            };
            match said {
                Said::Stored(now) => {
                    self.note_standing(now);
                    let stuck = stored == Some(now);
                    stored = Some(now);
                    if stuck {
                        self.wait(None, MotionError::UnexpectedAnswer).await?;
                    }
                }
                Said::Complete(found) => return self.check_complete(notes, found).await,
                Said::Over => return Err(Trouble::Over),
                Said::Refused(error) => return Err(error.into()),
                Said::Trouble(said, error) => {
                    self.size.shrink();
                    self.wait(said, error).await?;
                    stored = None;
                }
            }
        }
    }

    async fn begin(&mut self, notes: &mut Notes) -> Result<String, Trouble> {
        loop {
            self.uploader.control.check()?;
            let part = &notes.parts[self.place];
            let links = &self.uploader.client.links;
            match session::start(links, &part.url, part.size, &self.uploader.pace).await {
                Begun::Session(session) => {
                    notes.parts[self.place].session = Some(session.clone());
                    self.uploader.save(notes).await?;
                    return Ok(session);
                }
                Begun::Over => return Err(Trouble::Over),
                Begun::Refused(error) => return Err(error.into()),
                Begun::Trouble(said, error) => self.wait(said, error).await?,
            }
        }
    }

    async fn ask(&self, notes: &Notes, session: &str) -> Said {
        let links = &self.uploader.client.links;
        session::ask(links, session, notes.parts[self.place].size, &self.uploader.pace).await
    }

    async fn send_piece(
        &mut self,
        notes: &Notes,
        session: &str,
        from: u64,
    ) -> Result<Said, Trouble> {
        let part = &notes.parts[self.place];
        if !part.is_unchanged().await.map_err(UploadError::File)? {
            return Err(Trouble::Over);
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
        let said = tokio::select! {
            said = session::send(links, session, &piece, &self.uploader.pace) => said,
            () = self.uploader.control.cancelled() => return Err(UploadError::Cancelled.into()),
        };
        let said = said.map_err(UploadError::File)?;
        if let Said::Stored(now) = said
            && now > from
        {
            self.size.grow();
        }
        Ok(said)
    }

    /// Checks that the service has received what was sent.
    async fn check_complete(&mut self, notes: &Notes, found: Option<u32>) -> Result<(), Trouble> {
        let part = &notes.parts[self.place];
        self.checksum.read_on(&part.path, part.size).await.map_err(UploadError::File)?;
        if found.is_some_and(|found| found != self.checksum.value()) {
            return Err(Trouble::Over);
        }
        self.note_standing(part.size);
        Ok(())
    }

    fn note_standing(&mut self, stored: u64) {
        let now_ms = self.uploader.surroundings.now_ms();
        if self.farthest.is_none_or(|farthest| stored > farthest) {
            self.farthest = Some(stored);
            self.patience.moved(now_ms);
        }
        let all = self.earlier + stored;
        let speed = self.speed.get_or_insert_with(|| Speed::new(all, now_ms));
        speed.note(all, now_ms);
        (self.progress)(speed.progress(all, self.total));
    }

    fn tell_of_trouble(&mut self) {
        let stored = self.earlier + self.farthest.unwrap_or(0);
        let standing = UploadProgress::standing(stored, self.total);
        (self.progress)(UploadProgress { is_interrupted: true, ..standing });
    }

    async fn wait(
        &mut self,
        said: Option<std::time::Duration>,
        error: MotionError,
    ) -> Result<(), Trouble> {
        let wait = self.patience.next_wait(said, self.uploader.surroundings.as_ref());
        let Some(wait) = wait else { return Err(UploadError::Paused.into()) };
        tracing::debug!(%error, ?wait, "an upload met trouble and waits");
        self.tell_of_trouble();
        Ok(self.uploader.control.sleep(wait).await?)
    }
}
