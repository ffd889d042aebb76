//! Downloads PostgreSQL on computers without it: a single version, whose archives are pinned by
//! checksum.
//!
//! It is downloaded once and reused. Nothing that was downloaded is executed before its checksum
//! matches the one compiled in below.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use flate2::read::GzDecoder;
use limber_domain::hex;
use limber_system::disk;
use sha2::{Digest, Sha256};

/// Builds from `theseus-rs/postgresql-binaries`, which are self-contained.
const VERSION: &str = "18.6.0";
const MAJOR: u32 = 18;
const RELEASES: &str = "https://github.com/theseus-rs/postgresql-binaries/releases/download";
/// Platforms, and the SHA-256 of the archive for each, as published with this release: operating
/// system, architecture, target triple, checksum.
const ARCHIVES: [(&str, &str, &str, &str); 5] = [
    (
        "linux",
        "x86_64",
        "x86_64-unknown-linux-gnu",
        "bb3d09f876b2383e25a8c9ce09e32d185a03656a23d074f5195542b1b1b3ca61",
    ),
    (
        "linux",
        "aarch64",
        "aarch64-unknown-linux-gnu",
        "5d2b5e8be9e96bfc3d7f22090057a836ec36d5d092542d8d3b93cc145cf4ee13",
    ),
    (
        "macos",
        "aarch64",
        "aarch64-apple-darwin",
        "a257bcdb8aa3301a13d6a5bcec48f8c9517045b7cbae71e50788b2615539e95b",
    ),
    (
        "macos",
        "x86_64",
        "x86_64-apple-darwin",
        "f8918fbe747e0d79bda58ad8f8afcf23ac384b847ff3af18856f0825ba54b031",
    ),
    (
        "windows",
        "x86_64",
        "x86_64-pc-windows-msvc",
        "7da44c2dbcda3b49688ea08ce8cf99cfe677adf565f53a9145bf9002c74db7d5",
    ),
];

/// Maximum size of an archive. Those of this release have 12 to 54 MB.
const LARGEST_ARCHIVE_BYTES: usize = 200 << 20;
/// Disk space required before downloading. The largest archive unpacks to 180 MB, and a new cluster
/// needs some 40 MB.
const ROOM_BYTES: u64 = 250 << 20;
/// Number of bytes between two progress reports.
const PROGRESS_INTERVAL_BYTES: u64 = 1 << 20;
/// Time limit of the whole download, sufficient for the slowest connection that is worth waiting
/// for.
const FETCH_TIME: Duration = Duration::from_secs(600);
const CONNECT_TIME: Duration = Duration::from_secs(20);
/// Longest pause between two chunks.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// Progress of downloading PostgreSQL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DownloadProgress {
    /// Bytes received so far.
    pub bytes: u64,
    /// Total size in bytes, if the server states it.
    pub of_bytes: Option<u64>,
}

/// Callback that receives the progress of downloading PostgreSQL.
pub type OnDownloadProgress<'a> = &'a (dyn Fn(DownloadProgress) + Send + Sync);

/// Why downloading PostgreSQL failed. No partial download is left behind.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// There was no connection, the server refused, or the transfer was interrupted.
    #[error("the connection failed: {0}")]
    Network(#[source] reqwest::Error),
    /// The connection is too slow.
    #[error("the download took longer than ten minutes")]
    TooSlow,
    /// The download exceeds the maximum size.
    #[error("the downloaded file is too large to be PostgreSQL")]
    TooLarge,
    /// The checksum does not match.
    #[error("the downloaded file does not match the expected checksum, so it was deleted")]
    OtherChecksum,
    /// There is not enough disk space.
    #[error("there is not enough disk space for PostgreSQL")]
    NoRoom,
    /// The archive could not be unpacked.
    #[error("the downloaded file could not be unpacked: {0}")]
    Disk(#[source] io::Error),
}

impl From<reqwest::Error> for FetchError {
    fn from(error: reqwest::Error) -> Self {
        Self::Network(error.without_url())
    }
}

impl From<io::Error> for FetchError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoRoom,
            _ => Self::Disk(error),
        }
    }
}

/// An archive of PostgreSQL's programs.
#[derive(Debug, Clone)]
pub(crate) struct Archive {
    pub(crate) major: u32,
    version: String,
    address: String,
    sha256: String,
    /// Top-level folder inside the archive.
    root: String,
    /// Disk space required before downloading, in bytes.
    room_bytes: u64,
}

impl Archive {
    /// Returns the archive for this platform, if there is one.
    pub(crate) fn of_this_system() -> Option<Self> {
        let this = (std::env::consts::OS, std::env::consts::ARCH);
        let (_, _, target, sha256) =
            ARCHIVES.into_iter().find(|(os, machine, ..)| (*os, *machine) == this)?;
        let root = format!("postgresql-{VERSION}-{target}");
        Some(Self {
            major: MAJOR,
            version: VERSION.to_owned(),
            address: format!("{RELEASES}/{VERSION}/{root}.tar.gz"),
            sha256: sha256.to_owned(),
            root,
            room_bytes: ROOM_BYTES,
        })
    }

    /// Returns the installation, which is the folder above `bin/`: an earlier one in `place`, or
    /// else a fresh download.
    pub(crate) async fn installed_in(
        &self,
        place: &Path,
        on_progress: OnDownloadProgress<'_>,
    ) -> Result<PathBuf, FetchError> {
        let installation = place.join(&self.version);
        if installation.join("bin").is_dir() {
            return Ok(installation);
        }
        fs::create_dir_all(place)?;
        if disk::free_bytes(place).is_ok_and(|free| free < self.room_bytes) {
            return Err(FetchError::NoRoom);
        }
        tracing::info!(version = self.version, "PostgreSQL is not installed; downloading it");
        let bytes = tokio::time::timeout(FETCH_TIME, self.fetch(on_progress))
            .await
            .map_err(|_| FetchError::TooSlow)??;
        let (root, fresh) = (self.root.clone(), place.join("unpacked"));
        let to = installation.clone();
        let unpacking = tokio::task::spawn_blocking(move || {
            let unpacked = unpack(&bytes, &fresh, &root, &to);
            // A partial installation is useless and takes up space.
            let _ = fs::remove_dir_all(&fresh);
            unpacked
        });
        unpacking.await.unwrap_or_else(|error| Err(io::Error::other(error)))?;
        Ok(installation)
    }

    /// Downloads the archive and verifies its checksum.
    async fn fetch(&self, on_progress: OnDownloadProgress<'_>) -> Result<Vec<u8>, FetchError> {
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIME)
            .read_timeout(READ_TIMEOUT)
            .user_agent(concat!("limber/", env!("CARGO_PKG_VERSION")))
            .build()?;
        let mut response = http.get(&self.address).send().await?.error_for_status()?;
        let of_bytes = response.content_length();
        let (mut bytes, mut reported) = (Vec::new(), None);
        while let Some(piece) = response.chunk().await? {
            if bytes.len() + piece.len() > LARGEST_ARCHIVE_BYTES {
                return Err(FetchError::TooLarge);
            }
            bytes.extend_from_slice(&piece);
            let arrived = bytes.len() as u64;
            if reported.replace(arrived / PROGRESS_INTERVAL_BYTES)
                != Some(arrived / PROGRESS_INTERVAL_BYTES)
            {
                on_progress(DownloadProgress { bytes: arrived, of_bytes });
            }
        }
        let found = hex(&Sha256::digest(&bytes));
        if found == self.sha256 { Ok(bytes) } else { Err(FetchError::OtherChecksum) }
    }
}

/// Unpacks an archive in a temporary folder, then moves its folder `root` to the final path, so
/// that an installation at that path is always complete.
fn unpack(bytes: &[u8], fresh: &Path, root: &str, to: &Path) -> io::Result<()> {
    // Left behind by a start that was killed while unpacking.
    let _ = fs::remove_dir_all(fresh);
    tar::Archive::new(GzDecoder::new(bytes)).unpack(fresh)?;
    fs::rename(fresh.join(root), to)
}

#[cfg(test)]
mod tests;
