//! Whether kept bytes are still those that were written: half a file is worth no more than none.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use futures_util::StreamExt as _;
use object_store::{GetOptions, ObjectMeta};
use sha2::{Digest as _, Sha256};

use super::{ContentId, FileStore, FilesError, hex};

/// So many files are remembered.
const MOST: usize = 10_000;

/// Length and date of a file.
type Seen = (u64, SystemTime);

/// Files that were looked through and found to be as they were written.
#[derive(Debug, Clone, Default)]
pub(super) struct Sound(Arc<Mutex<HashMap<ContentId, Seen>>>);

impl Sound {
    fn lock(&self) -> MutexGuard<'_, HashMap<ContentId, Seen>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn holds(&self, id: &ContentId, seen: Seen) -> bool {
        self.lock().get(id) == Some(&seen)
    }

    fn note(&self, id: &ContentId, seen: Seen) {
        let mut known = self.lock();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(id.clone(), seen);
    }
}

impl FileStore {
    /// [`FilesError::Damaged`] where the bytes must not be handed out piece by piece. They are looked through
    /// once for each length and date of the file; a bucket sees to it itself.
    pub(crate) async fn check(&self, id: &ContentId, meta: &ObjectMeta) -> Result<(), FilesError> {
        let seen = (meta.size, SystemTime::from(meta.last_modified));
        if self.is_remote() || self.sound.holds(id, seen) {
            return Ok(());
        }
        let opened = self.open(id, GetOptions::new()).await?;
        let mut pieces = self.pieces(opened).await?;
        let mut hash = Sha256::new();
        while let Some(piece) = pieces.next().await {
            hash.update(&piece.map_err(FilesError::Folder)?);
        }
        if hex(&hash.finalize()) != id.as_str() {
            return Err(FilesError::Damaged);
        }
        self.sound.note(id, seen);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;

    #[tokio::test]
    async fn what_was_cut_in_half_is_not_handed_out_even_where_it_was_sound_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = FileStore::in_folder(folder.path()).expect("a store");
        let id = files.put(Bytes::from_static(b"walk")).await.expect("kept");
        let check = async || {
            let meta =
                files.open(&id, GetOptions::new().with_head(true)).await.expect("there").meta;
            files.check(&id, &meta).await
        };
        assert!(check().await.is_ok() && check().await.is_ok());
        let path = folder.path().join("objects").join(&id.as_str()[..2]).join(id.as_str());
        std::fs::write(path, b"wa").expect("cut");
        assert!(matches!(check().await, Err(FilesError::Damaged)));
    }
}
