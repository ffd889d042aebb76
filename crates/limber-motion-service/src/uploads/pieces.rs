//! Uploads in object storage, which cannot append: each session is a series of objects ("pieces")
//! whose names contain their offset.
//!
//! A piece is written atomically, under a unique name, and never changes. What one server has
//! acknowledged is therefore visible to every other server, whichever is killed, and a writer that
//! has lost the session without knowing it yet does no harm. The writer holds a short lease in the
//! session's row. The name ends with the first digits of the SHA-256 of the bytes, so that damage
//! is detected when the file is assembled.

use std::{
    collections::HashMap,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use limber_domain::hex;
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;

use super::{Checksums, Refusal, checksum::Summing, whole_steps};
use crate::{Environment, FilesError, files::FileStore, store::Store};

/// Number of hash digits in a piece's name. 128 bits suffice to detect damage, and some stores do
/// not allow longer names.
const NAMED_DIGITS: usize = 32;
/// Folder of the sessions.
const FOLDER: &str = "uploads";
/// Maximum size of a piece in bytes, which is also what a writer buffers in memory.
const LARGEST: usize = 4 << 20;
/// Duration of a writer's lease, unless it renews it.
const LEASE: Duration = Duration::from_secs(6);
/// Interval at which the lease is renewed.
const RENEWAL: Duration = Duration::from_secs(1);
/// Interval at which a waiting writer tries again.
const AGAIN: Duration = Duration::from_millis(100);

/// Sessions in object storage.
#[derive(Debug, Clone)]
pub(crate) struct PieceFolder {
    files: FileStore,
    store: Store,
    environment: Environment,
}

/// A piece, or the part of it that is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    name: String,
    /// Leading bytes that earlier pieces already contain.
    skip: u64,
    bytes: u64,
}

impl PieceFolder {
    pub(crate) const fn new(files: FileStore, store: Store, environment: Environment) -> Self {
        Self { files, store, environment }
    }

    /// Claims the session for writing. Returns `None` if another writer holds it for `patience`.
    pub(crate) async fn take(
        &self,
        session: &str,
        patience: Duration,
    ) -> Result<Option<PartialPieces>, Refusal> {
        let writer = self.environment.token(12);
        let (mut waited, mut first) = (Duration::ZERO, None);
        while let Some(until_ms) = self.store.take_session(session, &writer, LEASE).await? {
            // a live writer renews its lease; one that was killed does not
            let alive = *first.get_or_insert(until_ms) < until_ms;
            if (alive && waited >= patience) || waited > 2 * LEASE {
                return Ok(None);
            }
            tokio::time::sleep(AGAIN).await;
            waited += AGAIN;
        }
        let hold = Hold::of(self.store.clone(), session.to_owned(), writer);
        let stored = self.parts(session).await?.iter().map(|part| part.bytes).sum();
        let pending = BytesMut::new();
        Ok(Some(PartialPieces { folder: self.clone(), hold, stored, pending }))
    }

    /// Returns the pieces from the beginning up to the first gap.
    async fn parts(&self, session: &str) -> Result<Vec<Part>, FilesError> {
        let mut found: Vec<(u64, u64, String)> = Vec::new();
        let mut names = self.files.names(&format!("{FOLDER}/{session}"));
        while let Some(named) = names.try_next().await? {
            let from = named.name.rsplit('/').next().and_then(|last| last.split('-').next());
            if let Some(from) = from.and_then(|from| u64::from_str_radix(from, 16).ok()) {
                found.push((from, named.bytes, named.name));
            }
        }
        Ok(without_gaps(found))
    }

    /// Reads all bytes in order.
    async fn read(&self, session: &str) -> Result<Reading, FilesError> {
        let parts = self.parts(session).await?.into_iter();
        Ok(Reading { files: self.files.clone(), parts, open: None })
    }

    /// Copies the complete file to a local path.
    pub(crate) async fn copy(&self, session: &str, to: &Path) -> Result<(), FilesError> {
        let mut file = tokio::fs::File::create(to).await.map_err(FilesError::Folder)?;
        let mut reading = self.read(session).await?;
        while let Some(bytes) = reading.next().await? {
            file.write_all(&bytes).await.map_err(FilesError::Folder)?;
        }
        file.flush().await.map_err(FilesError::Folder)
    }

    /// Removes all pieces; it is fine if there are none.
    pub(crate) async fn remove(&self, session: &str) -> Result<(), FilesError> {
        let mut names = self.files.names(&format!("{FOLDER}/{session}"));
        while let Some(named) = names.try_next().await? {
            self.files.remove_named(&named.name).await?;
        }
        Ok(())
    }

    /// Lists sessions that have pieces, with the age of the latest one.
    pub(crate) async fn list(&self) -> Result<Vec<(String, Duration)>, FilesError> {
        let mut ages: HashMap<String, Duration> = HashMap::new();
        let mut names = self.files.names(FOLDER);
        while let Some(named) = names.try_next().await? {
            let Some(session) = named.name.split('/').nth(1) else { continue };
            let age = ages.entry(session.to_owned()).or_insert(named.age);
            *age = named.age.min(*age);
        }
        Ok(ages.into_iter().collect())
    }
}

/// Reads a file from its pieces.
struct Reading {
    files: FileStore,
    parts: std::vec::IntoIter<Part>,
    open: Option<Open>,
}

/// The piece that is being read.
struct Open {
    stream: BoxStream<'static, Result<Bytes, object_store::Error>>,
    skip: u64,
    left: u64,
    /// Hash of all its bytes so far, and the expected one; `None` for pieces of earlier versions,
    /// whose names have no hash.
    hash: Sha256,
    expected: Option<String>,
}

impl Open {
    /// Returns whether the piece was complete and intact.
    fn is_sound(&mut self) -> bool {
        let found = hex(&self.hash.finalize_reset());
        self.left == 0 && self.expected.as_ref().is_none_or(|expected| found.starts_with(expected))
    }
}

impl Reading {
    async fn next(&mut self) -> Result<Option<Bytes>, FilesError> {
        loop {
            let Some(open) = &mut self.open else {
                let Some(part) = self.parts.next() else { return Ok(None) };
                let stream = self.files.read_named(&part.name).await?;
                let (hash, expected) = (Sha256::new(), content_of(&part.name));
                self.open =
                    Some(Open { stream, skip: part.skip, left: part.bytes, hash, expected });
                continue;
            };
            let Some(bytes) = open.stream.next().await else {
                if !open.is_sound() {
                    return Err(FilesError::Damaged);
                }
                self.open = None;
                continue;
            };
            let mut bytes = bytes.map_err(|error| self.files.failed(error))?;
            open.hash.update(&bytes);
            let before = open.skip.min(bytes.len() as u64);
            open.skip -= before;
            let bytes = bytes.split_off(before as usize);
            open.left = open.left.saturating_sub(bytes.len() as u64);
            if !bytes.is_empty() {
                return Ok(Some(bytes));
            }
        }
    }
}

/// Returns the first digits of a piece's hash, if its name contains them.
fn content_of(name: &str) -> Option<String> {
    let last = name.rsplit('-').next()?;
    let is_hex = last.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (last.len() == NAMED_DIGITS && is_hex).then(|| last.to_owned())
}

/// Sorts pieces and cuts them off at the first gap. They overlap if a writer lost its lease.
fn without_gaps(mut found: Vec<(u64, u64, String)>) -> Vec<Part> {
    found.sort();
    let (mut at, mut parts) = (0, Vec::new());
    for (from, bytes, name) in found {
        let end = from + bytes;
        if from > at {
            break;
        }
        if end > at {
            parts.push(Part { name, skip: at - from, bytes: end - at });
            at = end;
        }
    }
    parts
}

/// A writer's lease, renewed in the background until dropped or lost.
#[derive(Debug)]
struct Hold {
    store: Store,
    session: String,
    writer: String,
    lost: Arc<AtomicBool>,
    renewing: tokio::task::JoinHandle<()>,
}

impl Hold {
    fn of(store: Store, session: String, writer: String) -> Self {
        let lost = Arc::new(AtomicBool::new(false));
        let renewing = {
            let (store, session, writer) = (store.clone(), session.clone(), writer.clone());
            let lost = Arc::clone(&lost);
            tokio::spawn(async move {
                let mut silent = Duration::ZERO;
                while silent < LEASE {
                    tokio::time::sleep(RENEWAL).await;
                    match store.renew_session(&session, &writer, LEASE).await {
                        Ok(true) => silent = Duration::ZERO,
                        Ok(false) => break,
                        Err(_) => silent += RENEWAL,
                    }
                }
                lost.store(true, Ordering::SeqCst);
            })
        };
        Self { store, session, writer, lost, renewing }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.renewing.abort();
        let (store, session) = (self.store.clone(), std::mem::take(&mut self.session));
        let writer = std::mem::take(&mut self.writer);
        // release it now, so that the next writer need not wait for the lease to expire
        tokio::spawn(async move {
            let _ = store.release_session(&session, &writer).await;
        });
    }
}

/// A session claimed by this writer; released on drop.
#[derive(Debug)]
pub(crate) struct PartialPieces {
    folder: PieceFolder,
    hold: Hold,
    stored: u64,
    /// Bytes that have not been written yet.
    pending: BytesMut,
}

impl PartialPieces {
    /// Appends bytes.
    pub(crate) async fn append(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.pending.extend_from_slice(bytes);
        while self.pending.len() >= LARGEST {
            let piece = self.pending.split_to(LARGEST);
            if let Err(refusal) = self.write(piece).await {
                // bytes after a gap are useless
                self.pending.clear();
                return Err(refusal);
            }
        }
        Ok(())
    }

    async fn write(&mut self, piece: BytesMut) -> Result<(), Refusal> {
        if self.hold.lost.load(Ordering::SeqCst) {
            return Err(Refusal::Busy);
        }
        let token = self.folder.environment.token(6);
        let content = hex(&Sha256::digest(&piece));
        let name = format!(
            "{FOLDER}/{}/{:016x}-{token}-{}",
            self.hold.session,
            self.stored,
            &content[..NAMED_DIGITS]
        );
        let length = piece.len() as u64;
        self.folder.files.write(&name, piece.freeze()).await?;
        self.stored += length;
        Ok(())
    }

    /// Stores the bytes. Unless the file is complete, truncates it to a multiple of `STEP` first.
    /// Returns the length.
    pub(crate) async fn settle(&mut self, total: Option<u64>) -> Result<u64, Refusal> {
        let mut rest = self.pending.split();
        let end = self.stored + rest.len() as u64;
        if total != Some(end) {
            let kept = whole_steps(end).saturating_sub(self.stored);
            rest.truncate(kept as usize);
            self.stored = self.stored.min(whole_steps(end));
        }
        if !rest.is_empty() {
            self.write(rest).await?;
        }
        Ok(self.stored)
    }

    /// Computes the checksums of what is stored.
    pub(crate) async fn checksums(&self) -> Result<Checksums, Refusal> {
        let mut sum = Summing::default();
        let mut reading = self.folder.read(&self.hold.session).await?;
        while let Some(bytes) = reading.next().await? {
            sum.add(&bytes);
        }
        Ok(sum.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(spans: &[(u64, u64)]) -> Vec<(u64, u64)> {
        let found = spans.iter().map(|(from, end)| (*from, end - from, format!("{from}-{end}")));
        let parts = without_gaps(found.collect());
        parts.iter().map(|part| (part.skip, part.bytes)).collect()
    }

    #[test]
    fn pieces_count_up_to_the_first_gap() {
        assert!(pieces(&[]).is_empty());
        assert_eq!(pieces(&[(0, 4), (4, 9)]), [(0, 4), (0, 5)]);
        assert_eq!(pieces(&[(4, 9), (0, 4), (10, 12)]), [(0, 4), (0, 5)]);
        assert!(pieces(&[(1, 4)]).is_empty());
    }

    #[test]
    fn bytes_written_by_two_writers_count_once() {
        assert_eq!(pieces(&[(0, 4), (0, 8), (4, 9)]), [(0, 4), (4, 4), (4, 1)]);
        assert_eq!(pieces(&[(0, 8), (4, 6), (8, 9)]), [(0, 8), (0, 1)]);
    }

    #[test]
    fn piece_names_contain_a_hash_except_old_ones() {
        let content = &hex(&Sha256::digest(b"walk"))[..NAMED_DIGITS];
        let name = format!("uploads/session/0000000000040000-a_-b9Xyz-{content}");
        assert_eq!(content_of(&name).as_deref(), Some(content));
        assert_eq!(content_of("uploads/session/0000000000040000-a_-b9Xyz"), None);
    }
}
