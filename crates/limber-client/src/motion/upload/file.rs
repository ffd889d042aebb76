//! The file to upload: change detection, checksum, and parts.

use std::{
    io::{self, SeekFrom},
    path::Path,
    time::UNIX_EPOCH,
};

use crc::{CRC_32_ISCSI, Crc, Digest, Table};
use limber_domain::hex;
use sha2::Digest as _;
use tokio::{
    fs::File,
    io::{AsyncReadExt, AsyncSeekExt},
};

use super::pace::STEP;

static CRC32C: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);

/// Identifies a version of a file: size, and modification time in nanoseconds.
pub(super) type Stamp = (u64, u64);

pub(super) async fn stamp(path: &Path) -> io::Result<Stamp> {
    let metadata = tokio::fs::metadata(path).await?;
    let changed = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok((metadata.len(), u64::try_from(changed.as_nanos()).unwrap_or(u64::MAX)))
}

/// Returns the SHA-256 of the first and the last 256 KiB, in hexadecimal.
pub(super) async fn edges(path: &Path) -> io::Result<String> {
    let mut file = File::open(path).await?;
    let length = file.metadata().await?.len();
    let mut hash = sha2::Sha256::new();
    for from in [0, length.saturating_sub(STEP)] {
        file.seek(SeekFrom::Start(from)).await?;
        let mut bytes = Vec::new();
        (&mut file).take(STEP).read_to_end(&mut bytes).await?;
        hash.update(&bytes);
    }
    Ok(hex(&hash.finalize()))
}

/// CRC-32C of a file up to an offset, extended as the file is sent.
pub(super) struct Checksum {
    digest: Digest<'static, u32, Table<16>>,
    upto: u64,
}

impl std::fmt::Debug for Checksum {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Checksum(up to {})", self.upto)
    }
}

impl Checksum {
    pub(super) fn new() -> Self {
        Self { digest: CRC32C.digest(), upto: 0 }
    }

    /// Continues up to `end`, without reading anything twice.
    pub(super) async fn read_on(&mut self, path: &Path, end: u64) -> io::Result<()> {
        if end <= self.upto {
            return Ok(());
        }
        let mut file = File::open(path).await?;
        file.seek(SeekFrom::Start(self.upto)).await?;
        let mut rest = file.take(end - self.upto);
        let mut buffer = vec![0; STEP as usize];
        loop {
            let count = rest.read(&mut buffer).await?;
            if count == 0 {
                break;
            }
            self.digest.update(&buffer[..count]);
            self.upto += count as u64;
        }
        if self.upto < end { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    /// Returns the checksum up to the current offset.
    pub(super) fn value(&self) -> u32 {
        self.digest.clone().finalize()
    }
}

/// Opens the part of the file that starts at `from` and is `length` bytes long.
pub(super) async fn piece(
    path: &Path,
    from: u64,
    length: u64,
) -> io::Result<tokio::io::Take<File>> {
    let mut file = File::open(path).await?;
    file.seek(SeekFrom::Start(from)).await?;
    Ok(file.take(length))
}
