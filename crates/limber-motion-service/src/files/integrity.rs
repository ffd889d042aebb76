//! Verifies that stored files are still intact before any part of them is served.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard},
    time::SystemTime,
};

use futures_util::{
    FutureExt as _, StreamExt as _,
    future::{BoxFuture, Shared},
};
use limber_domain::{hex, lock};
use object_store::{GetOptions, GetRange, ObjectMeta};
use sha2::{Digest as _, Sha256};

use super::{ContentId, FileStore, FilesError, PART};

/// Maximum number of files remembered as intact.
const MOST: usize = 10_000;

/// A file's metadata. Dates in a bucket have a resolution of one second; the ETag is more precise.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct FileVersion {
    bytes: u64,
    changed: SystemTime,
    tag: Option<String>,
}

impl FileVersion {
    fn of(meta: &ObjectMeta) -> Self {
        let changed = SystemTime::from(meta.last_modified);
        Self { bytes: meta.size, changed, tag: meta.e_tag.clone() }
    }
}

/// A running verification; resolves to whether the file is intact.
type Verification = Shared<BoxFuture<'static, Result<bool, Arc<FilesError>>>>;

#[derive(Debug, Default)]
struct CacheState {
    /// Files found intact, with their metadata at the time.
    intact: HashMap<ContentId, FileVersion>,
    /// Running verifications, shared by all who ask in the meantime.
    running: HashMap<(ContentId, FileVersion), Verification>,
}

/// Remembers which files are intact and which are being verified.
#[derive(Debug, Clone, Default)]
pub(super) struct IntegrityCache(Arc<Mutex<CacheState>>);

impl IntegrityCache {
    fn lock(&self) -> MutexGuard<'_, CacheState> {
        lock(&self.0)
    }

    fn note(&self, id: ContentId, seen: FileVersion) {
        let intact = &mut self.lock().intact;
        if intact.len() >= MOST {
            intact.clear();
        }
        intact.insert(id, seen);
    }
}

/// Removes the verification from the running ones on drop, however it ends.
struct UnderWay {
    cache: IntegrityCache,
    what: (ContentId, FileVersion),
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.cache.lock().running.remove(&self.what);
    }
}

impl FileStore {
    /// Verifies a file before it is streamed or served by the bucket itself; fails with
    /// [`FilesError::Damaged`]. Each server verifies a file once for each combination of length,
    /// date and ETag, however many requests ask for it at the same time.
    pub(crate) async fn check(&self, id: &ContentId, meta: &ObjectMeta) -> Result<(), FilesError> {
        let Some(verification) = self.verify(id, FileVersion::of(meta)) else { return Ok(()) };
        match verification.await {
            Ok(true) => Ok(()),
            Ok(false) => Err(FilesError::Damaged),
            Err(error) => Err(shared_error(&error)),
        }
    }

    /// Returns the running verification of this file, or starts one; `None` if the file is known to
    /// be intact. A verification continues even if nobody waits for it any more: a large file in a
    /// slow bucket takes longer than a request may, and would never become available if each
    /// request started over.
    fn verify(&self, id: &ContentId, seen: FileVersion) -> Option<Verification> {
        let mut known = self.integrity.lock();
        if known.intact.get(id) == Some(&seen) {
            return None;
        }
        let what = (id.clone(), seen);
        if let Some(verification) = known.running.get(&what) {
            return Some(verification.clone());
        }
        let task = tokio::spawn(self.clone().run_verification(what.clone()));
        let verification = async move {
            task.await.unwrap_or_else(|error| {
                Err(Arc::new(FilesError::Folder(std::io::Error::other(error))))
            })
        };
        let verification = verification.boxed().shared();
        known.running.insert(what, verification.clone());
        Some(verification)
    }

    async fn run_verification(
        self,
        what: (ContentId, FileVersion),
    ) -> Result<bool, Arc<FilesError>> {
        let (id, seen) = what.clone();
        // the result is recorded before the verification is removed, so that nobody starts another
        let _under_way = UnderWay { cache: self.integrity.clone(), what };
        let is_intact = self.digest(&id, seen.bytes).await? == id.as_str();
        if is_intact {
            self.integrity.note(id, seen);
        }
        Ok(is_intact)
    }

    /// Returns the SHA-256, in hexadecimal, of a file of this length.
    async fn digest(&self, id: &ContentId, bytes: u64) -> Result<String, FilesError> {
        let mut hash = Sha256::new();
        if self.is_remote() {
            let mut start = 0;
            while start < bytes {
                // in parts, because each request to a bucket has a time limit that a large file
                // would exceed
                let end = bytes.min(start + PART as u64);
                let part = GetOptions::new().with_range(Some(GetRange::Bounded(start..end)));
                let mut pieces = self.open(id, part).await?.into_stream();
                while let Some(piece) = pieces.next().await {
                    hash.update(&piece.map_err(|error| self.failed(error))?);
                }
                start = end;
            }
        } else {
            let opened = self.open(id, GetOptions::new()).await?;
            let mut pieces = self.pieces(opened).await?;
            while let Some(piece) = pieces.next().await {
                hash.update(&piece.map_err(FilesError::Folder)?);
            }
        }
        Ok(hex(&hash.finalize()))
    }
}

/// Converts a shared verification error into one for a single waiter.
fn shared_error(error: &Arc<FilesError>) -> FilesError {
    let source = Arc::clone(error);
    let again = || object_store::Error::Generic { store: "files", source: Box::new(source) };
    match &**error {
        FilesError::Gone => FilesError::Gone,
        FilesError::Damaged => FilesError::Damaged,
        FilesError::NoBucket => FilesError::NoBucket,
        FilesError::Away(_) => FilesError::Away(again()),
        FilesError::Store(_) => FilesError::Store(again()),
        FilesError::Folder(folder) => {
            FilesError::Folder(std::io::Error::new(folder.kind(), Arc::clone(error)))
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use object_store::{ObjectStoreExt as _, PutPayload, memory::InMemory};

    use super::*;

    #[tokio::test]
    async fn a_multipart_object_is_verified_to_its_last_byte() {
        let (prefix, integrity) = (String::new(), IntegrityCache::default());
        let objects = Arc::new(InMemory::new());
        let files = FileStore { objects, prefix, folder: None, signatures: None, integrity };
        let mut bytes: Vec<u8> = (0..2 * PART + 5).map(|place| (place % 251) as u8).collect();
        let id = files.put(Bytes::from(bytes.clone())).await.expect("stored");
        let meta = async || {
            files.open(&id, GetOptions::new().with_head(true)).await.expect("it exists").meta
        };
        files.check(&id, &meta().await).await.expect("it is unchanged");
        *bytes.last_mut().expect("a byte") ^= 1;
        files.objects.put(&files.key_of(&id), PutPayload::from(bytes)).await.expect("written");
        assert!(matches!(files.check(&id, &meta().await).await, Err(FilesError::Damaged)));
        assert!(files.integrity.lock().running.is_empty(), "no verification is left running");
    }

    #[tokio::test]
    async fn truncated_files_are_not_served_even_if_once_intact() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = FileStore::in_folder(folder.path()).expect("a store");
        let id = files.put(Bytes::from_static(b"walk")).await.expect("stored");
        let check = async || {
            let meta =
                files.open(&id, GetOptions::new().with_head(true)).await.expect("it exists").meta;
            files.check(&id, &meta).await
        };
        assert!(check().await.is_ok() && check().await.is_ok());
        let path = folder.path().join("objects").join(&id.as_str()[..2]).join(id.as_str());
        std::fs::write(path, b"wa").expect("truncated");
        assert!(matches!(check().await, Err(FilesError::Damaged)));
    }
}
