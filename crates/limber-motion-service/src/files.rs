//! Content-addressed files: an object's name is the SHA-256 of its bytes.
//!
//! Writing the same bytes twice creates one object, objects never change, and readers can verify
//! what they receive. In a folder, a file is written under a temporary name, synced and renamed; a
//! bucket stores objects atomically. A name therefore either does not exist or is complete.
//!
//! Next to them, under `uploads/`, are the parts of uploads in progress if the store is a bucket
//! ([`crate::uploads`]).

mod integrity;
mod links;
mod media;
mod s3;

use std::{
    fmt,
    io::SeekFrom,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use limber_domain::hex;
use object_store::{
    GetOptions, GetResult, GetResultPayload, ObjectMeta, ObjectStore, ObjectStoreExt, PutPayload,
    WriteMultipart, local::LocalFileSystem, path::Path as Key, signer::Method,
};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio_util::io::ReaderStream;
use url::Url;

use crate::{config::StorePlace, private_folder::keep_private, store_id::StoreId};
use integrity::IntegrityCache;
use s3::Signatures;

pub(crate) use links::{LinkError, Links};
pub(crate) use media::media_type;

/// Chunk size for copying files, in bytes.
const PIECE: usize = 1 << 20;
/// Chunk size for streaming files from a folder, in bytes. Each chunk is read on another thread,
/// which costs more than reading a few kilobytes.
const HANDED_OUT: usize = 256 << 10;
/// Size of the parts of multipart uploads, used for larger files. S3 requires at least 5 MiB.
const PART: usize = 8 << 20;
/// Folder of the content-addressed objects.
const OBJECTS: &str = "objects";
/// Name of the object that holds the [`StoreId`].
const STORE_ID: &str = "store-mark";

/// Why a file cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// The folder cannot be created or accessed.
    #[error("the folder for motion files cannot be used; check that it exists and is writable")]
    Folder(#[source] std::io::Error),
    /// Reading or writing failed.
    #[error("a motion file cannot be read or written; check the disk or the bucket settings")]
    Store(#[source] object_store::Error),
    /// The bucket's server is unreachable or sent an unexpected response.
    #[error(
        "the store for motion files does not respond; check MOTIONSVC_S3_ENDPOINT and the network"
    )]
    Away(#[source] object_store::Error),
    /// The configured bucket does not exist.
    #[error("the bucket for motion files does not exist; create it, or correct MOTIONSVC_STORE")]
    NoBucket,
    /// There is no such file.
    #[error("the file is gone")]
    Gone,
    /// The bytes do not match their hash.
    #[error("a stored motion file is damaged")]
    Damaged,
}

/// The SHA-256 of a file's bytes, in hexadecimal.
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
}

/// Returns the content id of a file, and its length in bytes.
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

/// Stores files in a folder or a bucket.
#[derive(Clone)]
pub(crate) struct FileStore {
    objects: Arc<dyn ObjectStore>,
    /// Prefix of all object keys: empty, or segments that each end with a slash.
    prefix: String,
    /// Path of the folder; `None` for a bucket.
    folder: Option<PathBuf>,
    signatures: Option<Signatures>,
    integrity: IntegrityCache,
}

impl fmt::Debug for FileStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("FileStore").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl FileStore {
    /// Opens the configured store. A bucket is accessed once, so that wrong settings show at
    /// startup.
    pub(crate) async fn at(place: &StorePlace) -> Result<Self, FilesError> {
        let place = match place {
            StorePlace::Folder(folder) => return Self::in_folder(folder),
            StorePlace::S3(place) => place,
        };
        let (bucket, signatures) = s3::open(place)?;
        let prefix =
            if place.prefix.is_empty() { String::new() } else { format!("{}/", place.prefix) };
        let objects = Arc::new(bucket);
        let files = Self {
            objects,
            prefix,
            folder: None,
            signatures,
            integrity: IntegrityCache::default(),
        };
        let mark = Bytes::from_static(b"motion files of Limber\n");
        match files.write("limber-store", mark).await {
            Ok(()) => Ok(files),
            Err(FilesError::Gone) => Err(FilesError::NoBucket),
            Err(error) => Err(error),
        }
    }

    /// Opens a local folder, creating it if it is missing.
    pub(crate) fn in_folder(folder: &Path) -> Result<Self, FilesError> {
        keep_private(folder).map_err(FilesError::Folder)?;
        let local = LocalFileSystem::new_with_prefix(folder).map_err(FilesError::Store)?;
        let objects = Arc::new(local.with_fsync(true));
        let folder = Some(folder.to_owned());
        let (prefix, integrity) = (String::new(), IntegrityCache::default());
        Ok(Self { objects, prefix, folder, signatures: None, integrity })
    }

    fn key(&self, name: &str) -> Key {
        Key::from(format!("{}{name}", self.prefix))
    }

    fn key_of(&self, id: &ContentId) -> Key {
        self.key(&format!("{OBJECTS}/{}/{}", &id.0[..2], id.0))
    }

    /// Stores the bytes. Once this returns, they are durable.
    pub(crate) async fn put(&self, bytes: Bytes) -> Result<ContentId, FilesError> {
        let id = ContentId::of(&bytes);
        if !self.holds(&id, bytes.len() as u64).await? {
            let put = self.objects.put(&self.key_of(&id), PutPayload::from(bytes)).await;
            put.map_err(|error| self.failed(error))?;
        }
        Ok(id)
    }

    /// Returns whether the content is already stored: with this length and, in a folder, with
    /// intact bytes. The bytes in a bucket are verified when they are served.
    pub(crate) async fn holds(&self, id: &ContentId, length: u64) -> Result<bool, FilesError> {
        match self.objects.head(&self.key_of(id)).await {
            Ok(meta) if meta.size != length => Ok(false),
            Ok(meta) => Ok(self.is_remote() || self.check(id, &meta).await.is_ok()),
            // a bucket that cannot answer in time could not be written to in time either
            Err(error) if self.is_remote() => match self.failed(error) {
                FilesError::Gone => Ok(false),
                other => Err(other),
            },
            Err(_) => Ok(false),
        }
    }

    /// Stores a local file of any size.
    pub(crate) async fn adopt(&self, path: &Path) -> Result<ContentId, FilesError> {
        let mut file = tokio::fs::File::open(path).await.map_err(FilesError::Folder)?;
        let (id, length) = identify(&mut file).await.map_err(FilesError::Folder)?;
        if self.holds(&id, length).await? {
            return Ok(id);
        }
        if self.is_remote() && length <= PART as u64 {
            return self.put(tokio::fs::read(path).await.map_err(FilesError::Folder)?.into()).await;
        }
        file.seek(SeekFrom::Start(0)).await.map_err(FilesError::Folder)?;
        let upload = self.objects.put_multipart(&self.key_of(&id)).await;
        let upload = upload.map_err(|error| self.failed(error))?;
        let part = if self.is_remote() { PART } else { PIECE };
        let mut writer = WriteMultipart::new_with_chunk_size(upload, part);
        match self.copy(file, &mut writer).await {
            Ok(()) => writer.finish().await.map(|_| id).map_err(|error| self.failed(error)),
            Err(error) => {
                // unfinished multipart uploads occupy paid storage
                let _ = writer.abort().await;
                Err(error)
            }
        }
    }

    async fn copy(
        &self,
        file: tokio::fs::File,
        writer: &mut WriteMultipart,
    ) -> Result<(), FilesError> {
        let mut pieces = ReaderStream::with_capacity(file, PIECE);
        while let Some(piece) = pieces.next().await {
            writer.wait_for_capacity(1).await.map_err(|error| self.failed(error))?;
            writer.put(piece.map_err(FilesError::Folder)?);
        }
        Ok(())
    }

    /// Reads all bytes and verifies them.
    pub(crate) async fn read(&self, id: &ContentId) -> Result<Bytes, FilesError> {
        let found = self.open(id, GetOptions::new()).await?;
        let bytes = found.bytes().await.map_err(|error| self.failed(error))?;
        if ContentId::of(&bytes) == *id { Ok(bytes) } else { Err(FilesError::Damaged) }
    }

    /// Opens the content as a stream, or only retrieves its metadata.
    pub(crate) async fn open(
        &self,
        id: &ContentId,
        options: GetOptions,
    ) -> Result<GetResult, FilesError> {
        let found = self.objects.get_opts(&self.key_of(id), options).await;
        found.map_err(|error| self.failed(error))
    }

    /// Opens the content as a stream after verifying all its bytes.
    pub(crate) async fn open_verified(
        &self,
        id: &ContentId,
    ) -> Result<BoxStream<'static, Result<Bytes, object_store::Error>>, FilesError> {
        let meta = self.open(id, GetOptions::new().with_head(true)).await?.meta;
        self.check(id, &meta).await?;
        Ok(self.open(id, GetOptions::new()).await?.into_stream())
    }

    /// Streams the bytes of an opened content.
    pub(crate) async fn pieces(
        &self,
        opened: GetResult,
    ) -> Result<BoxStream<'static, std::io::Result<Bytes>>, FilesError> {
        match opened.payload {
            GetResultPayload::File(file, _) => {
                let mut file = tokio::fs::File::from_std(file);
                let Range { start, end } = opened.range;
                file.seek(SeekFrom::Start(start)).await.map_err(FilesError::Folder)?;
                Ok(ReaderStream::with_capacity(file.take(end - start), HANDED_OUT).boxed())
            }
            GetResultPayload::Stream(pieces) => Ok(pieces.map_err(std::io::Error::other).boxed()),
        }
    }

    /// Returns a presigned URL at which the store itself serves the content, valid for `life`, with
    /// these response headers. `None` if the store is a folder or redirecting is disabled.
    pub(crate) async fn own_address(
        &self,
        id: &ContentId,
        method: Method,
        life: Duration,
        headers: &[(&str, &str)],
    ) -> Result<Option<Url>, FilesError> {
        let Some(signatures) = &self.signatures else { return Ok(None) };
        signatures.sign(method, &self.key_of(id), life, headers).await.map(Some)
    }

    /// Removes a content; it is fine if it does not exist.
    pub(crate) async fn remove(&self, id: &ContentId) -> Result<(), FilesError> {
        self.erase(&self.key_of(id)).await
    }

    /// Lists contents that have not been modified for at least `age`.
    pub(crate) fn old_contents(
        &self,
        age: Duration,
    ) -> BoxStream<'static, Result<ContentId, FilesError>> {
        let files = self.clone();
        let found = self.list(OBJECTS).try_filter_map(move |meta| {
            let id = meta.location.filename().and_then(ContentId::parse);
            // objects with other names are not ours to remove
            let old = id.filter(|id| files.key_of(id) == meta.location && age_of(&meta) >= age);
            std::future::ready(Ok(old))
        });
        found.boxed()
    }

    /// Writes, reads back and removes a small file, for `doctor`.
    pub(crate) async fn try_out(&self, mark: &str) -> Result<(), FilesError> {
        let id = self.put(Bytes::from(mark.to_owned())).await?;
        self.read(&id).await?;
        self.remove(&id).await
    }

    /// Removes partial files, at least `age` old, that killed writers left in a folder. A bucket
    /// never contains partial objects.
    pub(crate) async fn remove_unfinished(&self, age: Duration) -> Result<usize, FilesError> {
        let Some(folder) = self.folder.as_ref().map(|folder| folder.join(OBJECTS)) else {
            return Ok(0);
        };
        let removing = tokio::task::spawn_blocking(move || remove_unfinished(&folder, age)).await;
        removing.map_err(std::io::Error::other).flatten().map_err(FilesError::Folder)
    }

    const fn is_remote(&self) -> bool {
        self.folder.is_none()
    }

    /// Stores bytes under a given name instead of their hash.
    pub(crate) async fn write(&self, name: &str, bytes: Bytes) -> Result<(), FilesError> {
        let put = self.objects.put(&self.key(name), PutPayload::from(bytes)).await;
        put.map(drop).map_err(|error| self.failed(error))
    }

    /// Streams the bytes stored under a name.
    pub(crate) async fn read_named(
        &self,
        name: &str,
    ) -> Result<BoxStream<'static, Result<Bytes, object_store::Error>>, FilesError> {
        let found = self.objects.get(&self.key(name)).await;
        Ok(found.map_err(|error| self.failed(error))?.into_stream())
    }

    /// Returns the id that identifies this store, if it has one.
    pub(crate) async fn store_id(&self) -> Result<Option<StoreId>, FilesError> {
        let mut pieces = match self.read_named(STORE_ID).await {
            Ok(pieces) => pieces,
            Err(FilesError::Gone) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut text = Vec::new();
        while let Some(piece) = pieces.next().await {
            text.extend_from_slice(&piece.map_err(|error| self.failed(error))?);
            if text.len() > PIECE {
                return Ok(None);
            }
        }
        Ok(std::str::from_utf8(&text).ok().and_then(StoreId::parse))
    }

    /// Writes the id that identifies this store.
    pub(crate) async fn set_store_id(&self, id: &StoreId) -> Result<(), FilesError> {
        self.write(STORE_ID, Bytes::copy_from_slice(id.as_str().as_bytes())).await
    }

    /// Lists the objects below `folder`, with length and age.
    pub(crate) fn names(&self, folder: &str) -> BoxStream<'static, Result<Named, FilesError>> {
        let start = self.prefix.len();
        let named = self.list(folder).map_ok(move |meta| Named {
            name: meta.location.as_ref().get(start..).unwrap_or_default().to_owned(),
            bytes: meta.size,
            age: age_of(&meta),
        });
        named.boxed()
    }

    /// Removes the object with this name; it is fine if it does not exist.
    pub(crate) async fn remove_named(&self, name: &str) -> Result<(), FilesError> {
        self.erase(&self.key(name)).await
    }

    async fn erase(&self, key: &Key) -> Result<(), FilesError> {
        match self.objects.delete(key).await.map_err(|error| self.failed(error)) {
            Ok(()) | Err(FilesError::Gone) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn list(&self, folder: &str) -> BoxStream<'static, Result<ObjectMeta, FilesError>> {
        let files = self.clone();
        let found = self.objects.list(Some(&self.key(folder)));
        found.map_err(move |error| files.failed(error)).boxed()
    }

    pub(crate) fn failed(&self, error: object_store::Error) -> FilesError {
        match error {
            object_store::Error::NotFound { .. } => FilesError::Gone,
            error @ object_store::Error::Generic { .. } if self.is_remote() => {
                FilesError::Away(error)
            }
            other => FilesError::Store(other),
        }
    }
}

/// An object stored under a given name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    pub(crate) age: Duration,
}

/// Removes files whose name is not a content id; listings do not include them.
fn remove_unfinished(objects: &Path, age: Duration) -> std::io::Result<usize> {
    let mut removed = 0;
    let folders = match std::fs::read_dir(objects) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        folders => folders?,
    };
    for folder in folders {
        for file in std::fs::read_dir(folder?.path())? {
            let file = file?;
            let name = file.file_name();
            let is_content = name.to_str().and_then(ContentId::parse).is_some();
            let changed = file.metadata().and_then(|metadata| metadata.modified());
            // it may have been completed or removed in the meantime
            let old = changed.is_ok_and(|time| time.elapsed().unwrap_or_default() >= age);
            if !is_content && old && std::fs::remove_file(file.path()).is_ok() {
                removed += 1;
            }
        }
    }
    Ok(removed)
}

fn age_of(meta: &ObjectMeta) -> Duration {
    SystemTime::from(meta.last_modified).elapsed().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn leftovers_of_killed_writers_are_removed_but_contents_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = FileStore::in_folder(folder.path()).expect("a store");
        let id = files.put(Bytes::from_static(b"walk")).await.expect("stored");
        let half =
            folder.path().join("objects").join(&id.as_str()[..2]).join(format!("{}#3", id.0));
        std::fs::write(&half, b"wa").expect("written");
        let hour = Duration::from_secs(3600);
        assert_eq!(files.remove_unfinished(hour).await.expect("looked"), 0, "it may be in use");
        assert_eq!(files.remove_unfinished(Duration::ZERO).await.expect("removed"), 1);
        assert!(!half.exists());
        let old: Vec<_> = files.old_contents(hour).try_collect().await.expect("a list");
        assert!(old.is_empty(), "{old:?}");
        let all: Vec<_> = files.old_contents(Duration::ZERO).try_collect().await.expect("a list");
        assert_eq!(all, [id]);
    }

    #[tokio::test]
    async fn stored_files_can_be_read_and_damage_is_detected() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = FileStore::in_folder(folder.path()).expect("a store");
        let id = files.put(Bytes::from_static(b"walk")).await.expect("stored");
        assert_eq!(files.read(&id).await.expect("it exists"), Bytes::from_static(b"walk"));
        let path = folder.path().join("objects").join(&id.as_str()[..2]).join(id.as_str());
        std::fs::write(path, b"wolk").expect("damaged");
        assert!(matches!(files.read(&id).await, Err(FilesError::Damaged)));
        files.put(Bytes::from_static(b"walk")).await.expect("stored again");
        assert_eq!(files.read(&id).await.expect("whole again"), Bytes::from_static(b"walk"));
        files.remove(&id).await.expect("removed");
        assert!(matches!(files.read(&id).await, Err(FilesError::Gone)));
    }

    #[tokio::test]
    async fn a_file_is_named_by_its_content_however_it_is_stored() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = FileStore::in_folder(&folder.path().join("store")).expect("a store");
        let bytes = vec![7; 3 * PIECE + 5];
        let path = folder.path().join("large");
        std::fs::write(&path, &bytes).expect("written");
        let id = files.adopt(&path).await.expect("stored");
        assert_eq!(id, ContentId::of(&bytes));
        assert_eq!(files.read(&id).await.expect("it exists"), bytes);
        assert_eq!(files.adopt(&path).await.expect("known already"), id);
    }
}
