//! Storage of unfinished uploads, next to finished files: in the same folder or bucket.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    Checksums, Refusal,
    partial::{PartialFile, PartialFolder},
    pieces::{PartialPieces, PieceFolder},
};
use crate::{
    Environment, FilesError,
    config::{Config, StorePlace},
    files::FileStore,
    importing::Scratch,
    store::Store,
};

/// Stores the bytes of sessions.
#[derive(Debug, Clone)]
pub(crate) enum Spool {
    /// In a folder: one growing file per session.
    Folder(PartialFolder),
    /// In a bucket: pieces, to which any server can add.
    Pieces { pieces: PieceFolder, scratch: PathBuf },
}

impl Spool {
    /// Opens the spool that belongs to the file store of `config`.
    pub(crate) fn beside(
        files: &FileStore,
        store: &Store,
        config: &Config,
        environment: &Environment,
    ) -> Result<Self, FilesError> {
        match &config.store {
            StorePlace::Folder(folder) => {
                let folder = PartialFolder::open(&folder.join("uploads"));
                folder.map(Self::Folder).map_err(FilesError::Folder)
            }
            StorePlace::S3(_) => {
                let pieces = PieceFolder::new(files.clone(), store.clone(), environment.clone());
                Ok(Self::Pieces { pieces, scratch: config.scratch.join("imports") })
            }
        }
    }

    /// Claims a session for writing. Returns `None` if another writer holds it for `patience`.
    pub(crate) async fn take(
        &self,
        session: &str,
        patience: Duration,
    ) -> Result<Option<Partial>, Refusal> {
        Ok(match self {
            Self::Folder(folder) => folder.take(session, patience).await?.map(Partial::File),
            Self::Pieces { pieces, .. } => {
                pieces.take(session, patience).await?.map(Partial::Pieces)
            }
        })
    }

    /// Returns a local copy of a completed session's file. `name` must be unique.
    pub(crate) async fn local(&self, session: &str, name: &str) -> Result<Local, FilesError> {
        match self {
            Self::Folder(folder) => Ok(Local { path: folder.path(session), _folder: None }),
            Self::Pieces { pieces, scratch } => {
                let folder = Scratch::make(scratch.join(format!("{name}-upload")));
                let folder = folder.map_err(FilesError::Folder)?;
                let path = folder.0.join("upload");
                pieces.copy(session, &path).await?;
                Ok(Local { path, _folder: Some(folder) })
            }
        }
    }

    /// Removes a session's bytes; it is fine if there are none.
    pub(crate) async fn remove(&self, session: &str) -> Result<(), FilesError> {
        match self {
            Self::Folder(folder) => folder.remove(session).await.map_err(FilesError::Folder),
            Self::Pieces { pieces, .. } => pieces.remove(session).await,
        }
    }

    /// Lists sessions that have bytes, with their age.
    pub(crate) async fn list(&self) -> Result<Vec<(String, Duration)>, FilesError> {
        match self {
            Self::Folder(folder) => folder.list().await.map_err(FilesError::Folder),
            Self::Pieces { pieces, .. } => pieces.list().await,
        }
    }
}

/// A local file; removed on drop if it is a copy.
#[derive(Debug)]
pub(crate) struct Local {
    path: PathBuf,
    _folder: Option<Scratch>,
}

impl Local {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Computes the checksums of the file as it is now.
    pub(crate) async fn checksums(&self) -> Result<Checksums, FilesError> {
        let path = self.path.clone();
        let reading = tokio::task::spawn_blocking(move || Checksums::of(File::open(path)?)).await;
        reading.map_err(io::Error::other).flatten().map_err(FilesError::Folder)
    }
}

/// A session claimed by this writer; released on drop.
#[derive(Debug)]
pub(crate) enum Partial {
    File(PartialFile),
    Pieces(PartialPieces),
}

impl Partial {
    /// Appends bytes.
    pub(crate) async fn append(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        match self {
            Self::File(file) => Ok(file.append(bytes).await?),
            Self::Pieces(pieces) => pieces.append(bytes).await,
        }
    }

    /// Stores the bytes. Unless the file is complete, truncates it to a multiple of `STEP` first.
    /// Returns the length.
    pub(crate) async fn settle(&mut self, total: Option<u64>) -> Result<u64, Refusal> {
        match self {
            Self::File(file) => Ok(file.settle(total).await?),
            Self::Pieces(pieces) => pieces.settle(total).await,
        }
    }

    /// Computes the checksums of what is stored.
    pub(crate) async fn checksums(&mut self) -> Result<Checksums, Refusal> {
        match self {
            Self::File(file) => {
                // another handle on the same file, so that the lock is kept
                let read = file.reading().await?;
                let found = tokio::task::spawn_blocking(move || Checksums::of(read)).await;
                Ok(found.map_err(io::Error::other)??)
            }
            Self::Pieces(pieces) => pieces.checksums().await,
        }
    }
}
