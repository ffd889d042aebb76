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
/// On the slowest line that is worth waiting for.
const FETCH_TIME: Duration = Duration::from_secs(600);
const CONNECT_TIME: Duration = Duration::from_secs(20);
/// Longest silence between two pieces.
const SILENCE: Duration = Duration::from_secs(30);

/// Why there are no fetched programs.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    #[error("it could not be fetched either: {0}")]
    Network(#[source] reqwest::Error),
    #[error("it could not be fetched in ten minutes either")]
    TooSlow,
    #[error("what was fetched in its place is too large")]
    TooLarge,
    #[error("what was fetched in its place is something else, and was thrown away")]
    OtherChecksum,
    #[error("what was fetched could not be unpacked: {0}")]
    Disk(#[source] io::Error),
}

impl From<reqwest::Error> for FetchError {
    fn from(error: reqwest::Error) -> Self {
        Self::Network(error.without_url())
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
        })
    }

    /// The folder above `bin/`: the one in `place` from earlier, or else it is fetched now.
    pub(crate) async fn installed_in(&self, place: &Path) -> Result<PathBuf, FetchError> {
        let installation = place.join(&self.version);
        if installation.join("bin").is_dir() {
            return Ok(installation);
        }
        tracing::info!(version = self.version, "PostgreSQL is not installed; it is fetched");
        let bytes = tokio::time::timeout(FETCH_TIME, self.fetch())
            .await
            .map_err(|_| FetchError::TooSlow)??;
        let (root, fresh) = (self.root.clone(), place.join("unpacked"));
        let (unpacked, to) = (fresh.join(root), installation.clone());
        let unpacking = tokio::task::spawn_blocking(move || {
            // of a start that was killed here
            let _ = fs::remove_dir_all(&fresh);
            tar::Archive::new(GzDecoder::new(bytes.as_slice())).unpack(&fresh)?;
            // under its own name it is whole
            fs::rename(unpacked, to)?;
            fs::remove_dir_all(fresh)
        });
        let unpacked = unpacking.await.unwrap_or_else(|error| Err(io::Error::other(error)));
        unpacked.map_err(FetchError::Disk)?;
        Ok(installation)
    }

    /// Its bytes, if they are the right ones.
    async fn fetch(&self) -> Result<Vec<u8>, FetchError> {
        let http = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIME)
            .read_timeout(SILENCE)
            .user_agent(concat!("limber/", env!("CARGO_PKG_VERSION")))
            .build()?;
        let mut response = http.get(&self.address).send().await?.error_for_status()?;
        let mut bytes = Vec::new();
        while let Some(piece) = response.chunk().await? {
            if bytes.len() + piece.len() > LARGEST_ARCHIVE_BYTES {
                return Err(FetchError::TooLarge);
            }
            bytes.extend_from_slice(&piece);
        }
        let found: String =
            Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if found == self.sha256 { Ok(bytes) } else { Err(FetchError::OtherChecksum) }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashMap,
        io::{Read, Write},
        net::TcpListener,
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
    };

    use flate2::{Compression, write::GzEncoder};

    use super::*;
    use crate::{Cluster, PostgresError, Programs, Reach};

    /// The installed programs once more, as an archive: scripts that run them.
    fn archive_of(programs: &Programs) -> Vec<u8> {
        let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for name in ["postgres", "initdb", "pg_ctl"] {
            let real = programs.installation.join("bin").join(name);
            let script = format!("#!/bin/sh\nexec '{}' \"$@\"\n", real.display());
            let mut header = tar::Header::new_gnu();
            header.set_size(script.len() as u64);
            header.set_mode(0o755);
            header.set_cksum();
            let path = format!("programs/bin/{name}");
            tar.append_data(&mut header, path, script.as_bytes()).expect("appended");
        }
        tar.into_inner().expect("whole").finish().expect("packed")
    }

    /// Hands these bytes to whoever asks; tells where, and how often it was asked.
    fn serve(bytes: Vec<u8>) -> (String, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/programs.tar.gz", listener.local_addr().expect("it"));
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                count.fetch_add(1, Ordering::SeqCst);
                let _ = stream.read(&mut [0; 4096]);
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    bytes.len()
                );
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes));
            }
        });
        (address, asked)
    }

    fn hex(bytes: &[u8]) -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn archive(major: u32, address: String, sha256: String) -> Archive {
        // every test asks; only the first succeeds
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (version, root) = ("1.2.3".to_owned(), "programs".to_owned());
        Archive { major, version, address, sha256, root }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_was_fetched_for_the_first_start_is_found_again_at_the_second() {
        let installed = Programs::find(None).expect("PostgreSQL is installed for tests");
        let bytes = archive_of(&installed);
        let sha256 = hex(&bytes);
        let (address, asked) = serve(bytes);
        let archive = archive(installed.major(), address, sha256);
        let folder = tempfile::tempdir().expect("a folder");
        for start in ["first", "second"] {
            let none_installed = |_| None;
            let programs =
                Programs::chosen(folder.path(), none_installed, Some(archive.clone())).await;
            let runnable = programs.and_then(|p| p.for_this_user(&folder.path().join("programs")));
            let programs = runnable.expect(start);
            let prepared =
                Cluster::prepare_with(folder.path(), programs, Reach::Folder, HashMap::new()).await;
            let cluster = prepared.expect(start).start().await.expect(start);
            cluster.check().await.expect("it answers");
            cluster.stop().await.expect("it stops");
        }
        assert_eq!(asked.load(Ordering::SeqCst), 1, "it was fetched once");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn an_archive_with_another_checksum_is_not_even_unpacked() {
        let installed = Programs::find(None).expect("PostgreSQL is installed for tests");
        let bytes = archive_of(&installed);
        let other = hex(&bytes[1..]);
        let (address, _) = serve(bytes);
        let archive = archive(installed.major(), address, other);
        let folder = tempfile::tempdir().expect("a folder");
        let refused = Programs::chosen(folder.path(), |_| None, Some(archive)).await;
        let error = refused.expect_err("it is something else");
        assert!(matches!(error, PostgresError::NotInstalled(_)), "{error}");
        assert!(error.to_string().contains("install the package"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn every_archive_is_pinned_to_the_bit() {
        for (_, _, target, sha256) in ARCHIVES {
            let is_hex = sha256.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
            assert!(sha256.len() == 64 && is_hex, "{target}");
        }
        assert!(VERSION.starts_with(&format!("{MAJOR}.")));
    }
}
