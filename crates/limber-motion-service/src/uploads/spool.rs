//! Where files wait until they have arrived: beside those that have, in a folder or in a bucket.

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
    FilesError, Surroundings,
    config::{Config, StorePlace},
    files::FileStore,
    importing::Scratch,
    store::Store,
};

/// Files of sessions.
#[derive(Debug, Clone)]
pub(crate) enum Spool {
    /// One file each, growing at its end.
    Folder(PartialFolder),
    /// Pieces each, that any server can add to.
    Pieces { pieces: PieceFolder, scratch: PathBuf },
}

impl Spool {
    /// Beside `files`, which are what `config` names.
    pub(crate) fn beside(
        files: &FileStore,
        store: &Store,
        config: &Config,
        surroundings: &Surroundings,
    ) -> Result<Self, FilesError> {
        match &config.store {
            StorePlace::Folder(folder) => {
                let folder = PartialFolder::open(&folder.join("uploads"));
                folder.map(Self::Folder).map_err(FilesError::Folder)
            }
            StorePlace::S3(_) => {
                let pieces = PieceFolder::new(files.clone(), store.clone(), surroundings.clone());
                Ok(Self::Pieces { pieces, scratch: config.scratch.join("imports") })
            }
        }
    }

    /// Takes a session's file for writing. `None`: somebody else keeps writing for `patience`.
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

    /// The file of a session that has arrived, on this computer. `name` is one that nobody else uses.
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

    /// Removes what there is of a session; nothing there is fine.
    pub(crate) async fn remove(&self, session: &str) -> Result<(), FilesError> {
        match self {
            Self::Folder(folder) => folder.remove(session).await.map_err(FilesError::Folder),
            Self::Pieces { pieces, .. } => pieces.remove(session).await,
        }
    }

    /// Sessions of which there is something, and its age.
    pub(crate) async fn list(&self) -> Result<Vec<(String, Duration)>, FilesError> {
        match self {
            Self::Folder(folder) => folder.list().await.map_err(FilesError::Folder),
            Self::Pieces { pieces, .. } => pieces.list().await,
        }
    }
}

/// A file on this computer. One that was brought here goes when this is dropped.
#[derive(Debug)]
pub(crate) struct Local {
    path: PathBuf,
    _folder: Option<Scratch>,
}

impl Local {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Of the bytes that are there now.
    pub(crate) async fn checksums(&self) -> Result<Checksums, FilesError> {
        let path = self.path.clone();
        let reading = tokio::task::spawn_blocking(move || Checksums::of(File::open(path)?)).await;
        reading.map_err(io::Error::other).flatten().map_err(FilesError::Folder)
    }
}

/// A file that nobody else writes to; given back when dropped.
#[derive(Debug)]
pub(crate) enum Partial {
    File(PartialFile),
    Pieces(PartialPieces),
}

impl Partial {
    /// Adds to the end.
    pub(crate) async fn append(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        match self {
            Self::File(file) => Ok(file.append(bytes).await?),
            Self::Pieces(pieces) => pieces.append(bytes).await,
        }
    }

    /// Makes sure that everything up to the end, or up to the last whole step of an unfinished
    /// file, is kept, and drops what is beyond. Answers the length.
    pub(crate) async fn settle(&mut self, total: Option<u64>) -> Result<u64, Refusal> {
        match self {
            Self::File(file) => Ok(file.settle(total).await?),
            Self::Pieces(pieces) => pieces.settle(total).await,
        }
    }

    /// Of all that is kept.
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
