//! The rules of upload sessions; see "Uploading a file" in `docs/src/motion-http.md`.

use std::io;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use limber_domain::hex;
use sha2::{Digest, Sha256};

use super::{
    Checksums, Expected, OBJECT_LIFE_MS, PATIENCE, Permit, Piece, SESSION_LIFE_MS, Uploads,
    spool::Partial, whole_steps,
};
use crate::{
    FilesError, StoreError,
    store::uploads::{NewSession, SessionRow},
};

/// Why a request to a session fails.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// The session never existed or was cancelled.
    Unknown,
    /// The session expired or was terminated; the client must start over.
    Ended,
    /// The session was started from another origin.
    OtherOrigin,
    /// Another request is writing.
    Busy,
    /// The length contradicts an earlier one, or is less than what has arrived.
    OtherTotal,
    TooLarge {
        limit_bytes: u64,
    },
    /// The file does not match the client's checksums; it was discarded.
    ChecksumMismatch,
    /// The account has too many unfinished uploads.
    TooMany,
    /// The body ended early or stalled; what has arrived is kept.
    Interrupted,
    /// The service is shutting down; what has arrived is kept.
    Stopping,
    /// The disk is full; what has arrived is kept.
    DiskFull,
    Disk(io::Error),
    Files(FilesError),
    Store(StoreError),
}

impl From<FilesError> for Refusal {
    fn from(error: FilesError) -> Self {
        match error {
            FilesError::Folder(error) => error.into(),
            other => Self::Files(other),
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::Disk(error),
        }
    }
}

/// Progress of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// `stored` bytes are stored; more are expected.
    Open {
        stored: u64,
    },
    Complete(Checksums),
}

/// A new session.
#[derive(Debug)]
pub(crate) struct Started {
    /// Secret token in the session's URL.
    pub(crate) token: String,
}

impl Uploads {
    /// Starts a session as `permit` allows. Each start creates a new session.
    pub(crate) async fn start(
        &self,
        permit: &Permit,
        origin: Option<&str>,
        total: Option<u64>,
    ) -> Result<Started, Refusal> {
        if total.is_some_and(|total| total > permit.limit_bytes) {
            return Err(Refusal::TooLarge { limit_bytes: permit.limit_bytes });
        }
        let token = self.environment.token(32);
        let session = NewSession {
            id: &id_of(&token),
            key: &permit.key,
            origin,
            limit_bytes: as_stored(permit.limit_bytes),
            total: total.map(as_stored),
            now_ms: self.now_ms(),
        };
        let most = i64::from(self.limits.at_once);
        match self.store.insert_upload_session(&session, most).await? {
            true => Ok(Started { token }),
            false => Err(Refusal::TooMany),
        }
    }

    /// Receives a part of the file, or reports progress. Runs to completion even if the client
    /// disconnects, so that what has arrived is kept.
    pub(crate) async fn put<S, E>(
        &self,
        token: &str,
        origin: Option<String>,
        piece: Piece,
        expected: Expected,
        body: S,
    ) -> Result<Standing, Refusal>
    where
        S: Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
        E: Send + 'static,
    {
        let (uploads, id) = (self.clone(), id_of(token));
        let work = async move {
            let mut body = Body { stream: body, uploads: &uploads };
            let done = uploads.take_in(&id, origin.as_deref(), piece, &expected, &mut body).await;
            // a stalled body would yield nothing
            if !matches!(done, Err(Refusal::Interrupted | Refusal::Stopping)) {
                body.drain().await;
            }
            done
        };
        tokio::spawn(work)
            .await
            .map_err(|_| Refusal::Disk(io::Error::other("a writer panicked")))?
    }

    /// Receives a whole file in one request. If it is interrupted, nothing is kept, because the
    /// session has no URL with which to resume. Runs to completion even if the client disconnects.
    pub(crate) async fn put_whole<S, E>(
        &self,
        permit: &Permit,
        total: u64,
        expected: Expected,
        body: S,
    ) -> Result<Checksums, Refusal>
    where
        S: Stream<Item = Result<Bytes, E>> + Send + Unpin + 'static,
        E: Send + 'static,
    {
        let Started { token } = self.start(permit, None, Some(total)).await?;
        let uploads = self.clone();
        let work = async move {
            match uploads.put(&token, None, Piece::Whole { total }, expected, body).await {
                Ok(Standing::Complete(found)) => Ok(found),
                Ok(Standing::Open { .. }) => Err(Refusal::Interrupted),
                Err(refusal) => {
                    let _ = uploads.cancel(&token, None).await;
                    Err(refusal)
                }
            }
        };
        tokio::spawn(work)
            .await
            .map_err(|_| Refusal::Disk(io::Error::other("a writer panicked")))?
    }

    /// Ends a session and removes its bytes.
    pub(crate) async fn cancel(&self, token: &str, origin: Option<&str>) -> Result<(), Refusal> {
        let row = self.find(&id_of(token), origin).await?;
        self.end(&row.id, "cancelled").await
    }

    async fn end(&self, id: &str, word: &str) -> Result<(), Refusal> {
        self.store.end_session(id, word, self.now_ms()).await?;
        Ok(self.spool.remove(id).await?)
    }

    /// Returns the session if it is still usable from this origin.
    async fn find(&self, id: &str, origin: Option<&str>) -> Result<SessionRow, Refusal> {
        let row = self.store.find_session(id).await?.ok_or(Refusal::Unknown)?;
        let now_ms = self.now_ms();
        match (row.state.as_str(), row.ended_ms) {
            ("cancelled", _) => return Err(Refusal::Unknown),
            ("open", _) if row.created_ms + SESSION_LIFE_MS > now_ms => {}
            ("complete", Some(ended_ms)) if ended_ms + OBJECT_LIFE_MS > now_ms => {}
            _ => return Err(Refusal::Ended),
        }
        if row.origin.is_some() && row.origin.as_deref() != origin {
            return Err(Refusal::OtherOrigin);
        }
        Ok(row)
    }

    async fn take_in<S, E>(
        &self,
        id: &str,
        origin: Option<&str>,
        piece: Piece,
        expected: &Expected,
        body: &mut Body<'_, S>,
    ) -> Result<Standing, Refusal>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
    {
        let row = self.find(id, origin).await?;
        check_size(&row, piece)?;
        if let Some(done) = row.checksums() {
            return Ok(Standing::Complete(done));
        }
        let Some(mut file) = self.spool.take(id, PATIENCE).await? else {
            return Err(Refusal::Busy);
        };
        // another writer may have completed or ended it in the meantime
        let row = self.find(id, origin).await?;
        check_size(&row, piece)?;
        if let Some(done) = row.checksums() {
            return Ok(Standing::Complete(done));
        }
        let total = known_total(&row).or(piece.total());
        let stored = file.settle(total).await?;
        if total.is_some_and(|total| total < stored) {
            return Err(Refusal::OtherTotal);
        }
        self.note_total(&row, total).await?;
        let read = self.write(&mut file, stored, piece, total, body).await;
        let stored = file.settle(total).await?;
        read?;
        if total == Some(stored) {
            return self.finish(&row, file, stored, expected).await.map(Standing::Complete);
        }
        Ok(Standing::Open { stored })
    }

    /// Records the length of the file when it is given for the first time.
    async fn note_total(&self, row: &SessionRow, total: Option<u64>) -> Result<(), Refusal> {
        let Some(total) = total.filter(|_| row.total.is_none()) else { return Ok(()) };
        let noted = self.store.note_total(&row.id, as_stored(total)).await?;
        if noted { Ok(()) } else { Err(Refusal::OtherTotal) }
    }

    /// Writes the part of the body beyond `stored`. Unless the part is the last one, bytes beyond a
    /// multiple of `STEP` are not kept.
    async fn write<S, E>(
        &self,
        file: &mut Partial,
        stored: u64,
        piece: Piece,
        total: Option<u64>,
        body: &mut Body<'_, S>,
    ) -> Result<(), Refusal>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
    {
        let (first, end) = piece.span();
        if first > stored {
            return Ok(());
        }
        let end = if total == Some(end) { end } else { whole_steps(end) };
        let mut at = first;
        while at < end {
            let bytes = body.next().await?;
            let from = stored.saturating_sub(at).min(bytes.len() as u64) as usize;
            let to = (end - at).min(bytes.len() as u64) as usize;
            if from < to {
                file.append(&bytes[from..to]).await?;
            }
            at += bytes.len() as u64;
        }
        Ok(())
    }

    /// Verifies the complete file against the checksums, and completes the session.
    async fn finish(
        &self,
        row: &SessionRow,
        mut file: Partial,
        total: u64,
        expected: &Expected,
    ) -> Result<Checksums, Refusal> {
        let found = match file.checksums().await {
            // damaged in the store: end the session instead of asking for that part again
            Err(Refusal::Files(FilesError::Damaged)) => None,
            found => Some(found?).filter(|found| expected.holds(found)),
        };
        let Some(found) = found else {
            self.end(&row.id, "terminated").await?;
            return Err(Refusal::ChecksumMismatch);
        };
        let stored =
            self.store.complete_session(&row.id, as_stored(total), &found, self.now_ms()).await?;
        // cancelled while the checksums were computed
        if stored { Ok(found) } else { Err(Refusal::Unknown) }
    }
}

/// Returns the session's id, used in the database and in file names: a hash, not the secret token.
pub(super) fn id_of(token: &str) -> String {
    hex(&Sha256::digest(token.as_bytes()))
}

fn as_stored(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn check_size(row: &SessionRow, piece: Piece) -> Result<(), Refusal> {
    let limit_bytes = u64::try_from(row.limit_bytes).unwrap_or(0);
    let (_, end) = piece.span();
    let said = piece.total();
    if said.unwrap_or(0).max(end) > limit_bytes {
        return Err(Refusal::TooLarge { limit_bytes });
    }
    match known_total(row) {
        Some(known) if said.unwrap_or(known) != known || end > known => Err(Refusal::OtherTotal),
        _ => Ok(()),
    }
}

fn known_total(row: &SessionRow) -> Option<u64> {
    row.total.and_then(|total| u64::try_from(total).ok())
}

/// A request's body, with a timeout for stalls, which also stops when the service shuts down.
struct Body<'a, S> {
    stream: S,
    uploads: &'a Uploads,
}

impl<S, E> Body<'_, S>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
{
    /// Returns the next bytes. A body that ends before it is complete is interrupted.
    async fn next(&mut self) -> Result<Bytes, Refusal> {
        let next = tokio::time::timeout(self.uploads.limits.silence, self.stream.next());
        tokio::select! {
            next = next => match next {
                Ok(Some(Ok(bytes))) => Ok(bytes),
                _ => Err(Refusal::Interrupted),
            },
            () = self.uploads.stopping.cancelled() => Err(Refusal::Stopping),
        }
    }

    /// Reads and discards the rest, within limits: a client that is still sending would not read
    /// the response.
    async fn drain(&mut self) {
        let silence = self.uploads.limits.silence;
        let mut left = self.uploads.limits.drained_bytes;
        let reading = async {
            while let Ok(bytes) = self.next().await {
                let Some(rest) = left.checked_sub(bytes.len() as u64) else { break };
                left = rest;
            }
        };
        let _ = tokio::time::timeout(silence, reading).await;
    }
}
