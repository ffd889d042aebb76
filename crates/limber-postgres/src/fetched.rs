//! PostgreSQL for a computer that has none: one version, which is known here to the bit.
//!
//! It is fetched once and found again. Whatever arrives is no program before its checksum was compared with
//! the one below, which came with ours.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use flate2::read::GzDecoder;
use limber_system::disk;
use sha2::{Digest, Sha256};

/// Builds by `theseus-rs/postgresql-binaries`, which need nothing but themselves.
const VERSION: &str = "18.6.0";
const MAJOR: u32 = 18;
const RELEASES: &str = "https://github.com/theseus-rs/postgresql-binaries/releases/download";
/// Systems, and the SHA-256 of the archive for each, as published beside it for this release.
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

/// Archives of this release have 12 to 54 MB.
const LARGEST_ARCHIVE_BYTES: usize = 200 << 20;
/// The largest of them needs 180 MB unpacked, the database that is made next some 40 MB.
const ROOM_BYTES: u64 = 250 << 20;
/// How far it is is told once for so many bytes.
const TELLING_BYTES: u64 = 1 << 20;
/// On the slowest line that is worth waiting for.
const FETCH_TIME: Duration = Duration::from_secs(600);
const CONNECT_TIME: Duration = Duration::from_secs(20);
/// Longest silence between two pieces.
const SILENCE: Duration = Duration::from_secs(30);

/// How far PostgreSQL's programs have come, while they are fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fetching {
    /// That have arrived.
    pub bytes: u64,
    /// That there are, as far as the server says.
    pub of_bytes: Option<u64>,
}

/// Hears how far PostgreSQL's programs have come.
pub type HearFetching<'a> = &'a (dyn Fn(Fetching) + Send + Sync);

/// Why there are no fetched programs. Nothing of them is left behind.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// No connection, a server that does not have it, or an end in the middle.
    #[error("the download failed: {0}")]
    Network(#[source] reqwest::Error),
    /// The line is too slow.
    #[error("the download took longer than ten minutes")]
    TooSlow,
    /// It is not the archive.
    #[error("what was downloaded is too large to be PostgreSQL")]
    TooLarge,
    /// It is not the archive that we know.
    #[error("what was downloaded is not the PostgreSQL that Limber knows, and was thrown away")]
    OtherChecksum,
    /// The disk has no room for it.
    #[error("the disk has no room for PostgreSQL")]
    NoRoom,
    /// It arrived and cannot be unpacked.
    #[error("what was downloaded could not be unpacked: {0}")]
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

/// One archive with the programs in it.
#[derive(Debug, Clone)]
pub(crate) struct Archive {
    pub(crate) major: u32,
    version: String,
    address: String,
    sha256: String,
    /// Everything in it lies in this folder.
    root: String,
    /// What has to be free on the disk before it is fetched.
    room_bytes: u64,
}

impl Archive {
    /// The one for this system, if there is one.
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

    /// The folder above `bin/`: the one in `place` from earlier, or else it is fetched now.
    pub(crate) async fn installed_in(
        &self,
        place: &Path,
        hear: HearFetching<'_>,
    ) -> Result<PathBuf, FetchError> {
        let installation = place.join(&self.version);
        if installation.join("bin").is_dir() {
            return Ok(installation);
        }
        fs::create_dir_all(place)?;
        if disk::free_bytes(place).is_ok_and(|free| free < self.room_bytes) {
            return Err(FetchError::NoRoom);
        }
        tracing::info!(version = self.version, "PostgreSQL is not installed; it is fetched");
        let bytes = tokio::time::timeout(FETCH_TIME, self.fetch(hear))
            .await
            .map_err(|_| FetchError::TooSlow)??;
        let (root, fresh) = (self.root.clone(), place.join("unpacked"));
        let to = installation.clone();
        let unpacking = tokio::task::spawn_blocking(move || {
            let unpacked = unpack(&bytes, &fresh, &root, &to);
            // of no use to anybody, and takes up room
            let _ = fs::remove_dir_all(&fresh);
            unpacked
        });
        unpacking.await.unwrap_or_else(|error| Err(io::Error::other(error)))?;
        Ok(installation)
    }

    /// Its bytes, if they are the right ones.
    async fn fetch(&self, hear: HearFetching<'_>) -> Result<Vec<u8>, FetchError> {
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIME)
            .read_timeout(SILENCE)
            .user_agent(concat!("limber/", env!("CARGO_PKG_VERSION")))
            .build()?;
        let mut response = http.get(&self.address).send().await?.error_for_status()?;
        let of_bytes = response.content_length();
        let (mut bytes, mut told) = (Vec::new(), None);
        while let Some(piece) = response.chunk().await? {
            if bytes.len() + piece.len() > LARGEST_ARCHIVE_BYTES {
                return Err(FetchError::TooLarge);
            }
            bytes.extend_from_slice(&piece);
            let arrived = bytes.len() as u64;
            if told.replace(arrived / TELLING_BYTES) != Some(arrived / TELLING_BYTES) {
                hear(Fetching { bytes: arrived, of_bytes });
            }
        }
        let found: String =
            Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if found == self.sha256 { Ok(bytes) } else { Err(FetchError::OtherChecksum) }
    }
}

/// Unpacks an archive in a folder of its own, and gives what lies at `root` in it its name: under that name
/// it is whole.
fn unpack(bytes: &[u8], fresh: &Path, root: &str, to: &Path) -> io::Result<()> {
    // of a start that was killed here
    let _ = fs::remove_dir_all(fresh);
    tar::Archive::new(GzDecoder::new(bytes)).unpack(fresh)?;
    fs::rename(fresh.join(root), to)
}

#[cfg(test)]
mod tests;
