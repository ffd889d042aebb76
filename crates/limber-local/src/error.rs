//! Errors of starting the local studio.

use limber_postgres::{FetchError, PostgresError};

/// Why the studio did not start. Each message says what to do and contains no path.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// The data folder cannot be created or written to.
    #[error(
        "Limber cannot write to its data folder. Give your user account write access, or set \
         LIMBER_DATA to another folder when you start Limber."
    )]
    FolderNotWritable(#[source] std::io::Error),
    /// The disk is full.
    #[error("The disk is full. Free at least 300 MB and try again.")]
    DiskFull,
    /// Another instance of Limber uses the folder.
    #[error("Limber is already running with this data folder. Use its window, or close it first.")]
    AlreadyOpen,
    /// The database folder was created by a PostgreSQL version that is not installed.
    #[error(
        "Your studio was created with PostgreSQL {version}, which is not installed here. Install \
         the package `postgresql-{version}` and try again. Nothing was changed; your clips are \
         safe."
    )]
    DatabaseVersion {
        /// The major version recorded in the folder.
        version: String,
    },
    /// PostgreSQL is not installed.
    #[error("PostgreSQL is missing. Install the package `postgresql` and try again.")]
    DatabaseMissing,
    /// PostgreSQL is not installed and could not be downloaded.
    #[error(
        "PostgreSQL is not installed, and it could not be downloaded. Connect this computer to the \
         internet and try again, or install PostgreSQL yourself."
    )]
    DatabaseOffline(#[source] FetchError),
    /// The downloaded PostgreSQL failed verification.
    #[error(
        "The download is not the PostgreSQL that Limber expects, so it was deleted. Try again \
         later, or install PostgreSQL yourself."
    )]
    DatabaseDownload(#[source] FetchError),
    /// PostgreSQL failed to start.
    #[error("The database did not start. Try again; if it keeps failing, restart the computer.")]
    Database(#[source] PostgresError),
    /// A service failed to start.
    #[error("The {0} did not start. Try again; its log in Limber's folder says why.")]
    Service(&'static str),
    /// The system refused a port, a process or a thread.
    #[error("The system refused a request of the studio: {0}. Try again, or restart the computer.")]
    System(#[source] std::io::Error),
}

impl From<PostgresError> for LocalError {
    fn from(error: PostgresError) -> Self {
        match error {
            PostgresError::OtherMajorVersion { folder } => {
                Self::DatabaseVersion { version: folder }
            }
            PostgresError::NotInstalled => Self::DatabaseMissing,
            PostgresError::NotFetched(FetchError::NoRoom) => Self::DiskFull,
            PostgresError::NotFetched(FetchError::Disk(cause)) => Self::folder(cause),
            PostgresError::NotFetched(
                error @ (FetchError::OtherChecksum | FetchError::TooLarge),
            ) => Self::DatabaseDownload(error),
            PostgresError::NotFetched(error) => Self::DatabaseOffline(error),
            PostgresError::Folder(cause) => Self::folder(cause),
            other => Self::Database(other),
        }
    }
}

impl LocalError {
    pub(crate) fn folder(cause: std::io::Error) -> Self {
        use std::io::ErrorKind;
        match cause.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::DiskFull,
            _ => Self::FolderNotWritable(cause),
        }
    }
}
