//! Files by content: an object's name is the SHA-256 of its bytes.
//!
//! Writing the same bytes twice is one object, an object never changes, and whoever reads can check
//! what arrived. The store writes to a temporary name, syncs and renames, so that a name is either
//! absent or whole.

mod links;
mod media;

use std::{fmt, io::SeekFrom, path::Path, sync::Arc};

use bytes::Bytes;
use futures_util::StreamExt;
use object_store::{
    GetOptions, GetResult, ObjectStore, ObjectStoreExt, PutPayload, WriteMultipart,
    local::LocalFileSystem, path::Path as Key,
};
use sha2::{Digest, Sha256};
use tokio::io::AsyncSeekExt;
use tokio_util::io::ReaderStream;

pub(crate) use links::{LinkError, Links};
pub(crate) use media::media_type;

/// Files are copied in pieces of so many bytes.
const PIECE: usize = 1 << 20;

/// The file store said no.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// The folder cannot be made or used.
    #[error(
        "the folder for motion files cannot be used; check that it exists and can be written to"
    )]
    Folder(#[source] std::io::Error),
    /// Reading or writing failed.
    #[error("a motion file cannot be read or written; check the disk")]
    Store(#[source] object_store::Error),
    /// There is no such content.
    #[error("the file is gone")]
    Gone,
    /// The bytes are not those that were written.
    #[error("a stored motion file is damaged")]
    Damaged,
}

/// The SHA-256 of a file's bytes, in hex.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ContentId(String);

impl ContentId {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self(hex(&Sha256::digest(bytes)))
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let fits = text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        fits.then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    fn key(&self) -> Key {
        Key::from(format!("objects/{}/{}", &self.0[..2], self.0))
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The content id of a whole file, and its length.
async fn identify(file: &mut tokio::fs::File) -> std::io::Result<(ContentId, u64)> {
    let mut hash = Sha256::new();
    let mut length = 0;
    let mut pieces = ReaderStream::with_capacity(file, PIECE);
    while let Some(piece) = pieces.next().await {
        let piece = piece?;
        hash.update(&piece);
        length += piece.len() as u64;
    }
    Ok((ContentId(hex(&hash.finalize())), length))
}

/// Where files lie.
#[derive(Clone)]
pub(crate) struct FileStore(Arc<dyn ObjectStore>);

impl fmt::Debug for FileStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("FileStore")
    }
}

impl FileStore {
    /// A folder on this computer; made when it is missing.
    pub(crate) fn in_folder(folder: &Path) -> Result<Self, FilesError> {
        std::fs::create_dir_all(folder).map_err(FilesError::Folder)?;
        let local = LocalFileSystem::new_with_prefix(folder).map_err(FilesError::Store)?;
        Ok(Self(Arc::new(local.with_fsync(true))))
    }

    /// Keeps the bytes; when this answers, they are on the disk.
    pub(crate) async fn put(&self, bytes: Bytes) -> Result<ContentId, FilesError> {
        let id = ContentId::of(&bytes);
        let known = self.0.head(&id.key()).await.is_ok_and(|meta| meta.size == bytes.len() as u64);
        if !known {
            self.0.put(&id.key(), PutPayload::from(bytes)).await.map_err(FilesError::Store)?;
        }
        Ok(id)
    }

    /// Keeps a file of this computer, however large it is.
    pub(crate) async fn adopt(&self, path: &Path) -> Result<ContentId, FilesError> {
        let mut file = tokio::fs::File::open(path).await.map_err(FilesError::Folder)?;
        let (id, length) = identify(&mut file).await.map_err(FilesError::Folder)?;
        if self.0.head(&id.key()).await.is_ok_and(|meta| meta.size == length) {
            return Ok(id);
        }
        file.seek(SeekFrom::Start(0)).await.map_err(FilesError::Folder)?;
        let upload = self.0.put_multipart(&id.key()).await.map_err(FilesError::Store)?;
        let mut writer = WriteMultipart::new_with_chunk_size(upload, PIECE);
        let mut pieces = ReaderStream::with_capacity(file, PIECE);
        while let Some(piece) = pieces.next().await {
            writer.wait_for_capacity(1).await.map_err(FilesError::Store)?;
            writer.put(piece.map_err(FilesError::Folder)?);
        }
        writer.finish().await.map_err(FilesError::Store)?;
        Ok(id)
    }

    /// All bytes, checked.
    pub(crate) async fn read(&self, id: &ContentId) -> Result<Bytes, FilesError> {
        let found = self.0.get(&id.key()).await.map_err(gone_or)?;
        let bytes = found.bytes().await.map_err(gone_or)?;
        if ContentId::of(&bytes) == *id { Ok(bytes) } else { Err(FilesError::Damaged) }
    }

    /// A stream of bytes, or only length and date.
    pub(crate) async fn open(
        &self,
        id: &ContentId,
        options: GetOptions,
    ) -> Result<GetResult, FilesError> {
        self.0.get_opts(&id.key(), options).await.map_err(gone_or)
    }

    /// Removes what is there; nothing there is fine.
    pub(crate) async fn remove(&self, id: &ContentId) -> Result<(), FilesError> {
        match self.0.delete(&id.key()).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(FilesError::Store(error)),
        }
    }

    /// Writes, reads back and removes a small file, for `doctor`.
    pub(crate) async fn try_out(&self, mark: &str) -> Result<(), FilesError> {
        let id = self.put(Bytes::from(mark.to_owned())).await?;
        self.read(&id).await?;
        self.remove(&id).await
    }
}

fn gone_or(error: object_store::Error) -> FilesError {
    match error {
        object_store::Error::NotFound { .. } => FilesError::Gone,
        other => FilesError::Store(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_was_put_can_be_read_and_damage_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = FileStore::in_folder(folder.path()).expect("a store");
        let id = files.put(Bytes::from_static(b"walk")).await.expect("kept");
        assert_eq!(files.read(&id).await.expect("there"), Bytes::from_static(b"walk"));
        let path = folder.path().join("objects").join(&id.as_str()[..2]).join(id.as_str());
        std::fs::write(path, b"wolk").expect("damaged");
        assert!(matches!(files.read(&id).await, Err(FilesError::Damaged)));
        files.remove(&id).await.expect("removed");
        assert!(matches!(files.read(&id).await, Err(FilesError::Gone)));
    }

    #[tokio::test]
    async fn a_file_is_kept_under_the_name_of_its_content_however_it_comes() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = FileStore::in_folder(&folder.path().join("store")).expect("a store");
        let bytes = vec![7; 3 * PIECE + 5];
        let path = folder.path().join("large");
        std::fs::write(&path, &bytes).expect("written");
        let id = files.adopt(&path).await.expect("kept");
        assert_eq!(id, ContentId::of(&bytes));
        assert_eq!(files.read(&id).await.expect("there"), bytes);
        assert_eq!(files.adopt(&path).await.expect("known already"), id);
    }
}
