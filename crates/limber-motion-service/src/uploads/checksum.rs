//! CRC-32C and MD5 of a complete file, and the header that carries them.
//!
//! `crc32c=<base64 of 4 bytes, big-endian>,md5=<base64 of 16 bytes>`, either or both; existing
//! vendors use this form. The checksums detect damage in transit or on disk, not tampering.

use std::io::{self, Read};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use crc::{CRC_32_ISCSI, Crc, Table};
use limber_domain::hex;
use md5::{Digest, Md5};

static CRC32C: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_ISCSI);

/// Checksums of a complete file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Checksums {
    pub(crate) crc32c: u32,
    pub(crate) md5: [u8; 16],
}

/// Computes checksums incrementally.
pub(crate) struct Summing {
    crc: crc::Digest<'static, u32, Table<16>>,
    md5: Md5,
}

impl Default for Summing {
    fn default() -> Self {
        Self { crc: CRC32C.digest(), md5: Md5::new() }
    }
}

impl Summing {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.crc.update(bytes);
        self.md5.update(bytes);
    }

    pub(crate) fn finish(self) -> Checksums {
        Checksums { crc32c: self.crc.finalize(), md5: self.md5.finalize().into() }
    }
}

impl Checksums {
    /// Computes the checksums of everything the reader yields.
    pub(crate) fn of(mut bytes: impl Read) -> io::Result<Self> {
        let mut sum = Summing::default();
        let mut buffer = vec![0; 256 << 10];
        loop {
            match bytes.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => sum.add(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(sum.finish())
    }

    /// Returns the value of `x-storage-hash`.
    pub(crate) fn header(&self) -> String {
        let crc32c = STANDARD.encode(self.crc32c.to_be_bytes());
        format!("crc32c={crc32c},md5={}", STANDARD.encode(self.md5))
    }

    /// Returns an `ETag` for these bytes.
    pub(crate) fn tag(&self) -> String {
        format!("\"{}\"", hex(&self.md5))
    }
}

/// The checksums that a client expects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Expected {
    crc32c: Option<u32>,
    md5: Option<[u8; 16]>,
}

impl Expected {
    /// Parses a `name=value,…` header, ignoring unknown names. Returns `None` if it is malformed.
    pub(crate) fn read_hashes(mut self, header: &str) -> Option<Self> {
        for entry in header.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let (name, value) = entry.split_once('=')?;
            match name.trim().to_ascii_lowercase().as_str() {
                "crc32c" => {
                    let bytes = STANDARD.decode(value.trim()).ok()?;
                    self.crc32c = Some(u32::from_be_bytes(bytes.try_into().ok()?));
                }
                "md5" => self = self.read_md5(value)?,
                _ => {}
            }
        }
        Some(self)
    }

    /// Parses `Content-MD5` (RFC 1864). Returns `None` if it is malformed.
    pub(crate) fn read_md5(mut self, value: &str) -> Option<Self> {
        self.md5 = Some(STANDARD.decode(value.trim()).ok()?.try_into().ok()?);
        Some(self)
    }

    /// Returns whether no expected checksum differs.
    pub(crate) fn holds(&self, found: &Checksums) -> bool {
        self.crc32c.is_none_or(|crc32c| crc32c == found.crc32c)
            && self.md5.is_none_or(|md5| md5 == found.md5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_match_the_standards() {
        // RFC 3720 B.4: CRC-32C of 32 zeros; RFC 1321 A.5: MD5 of "abc"
        assert_eq!(Checksums::of(&[0_u8; 32][..]).expect("in memory").crc32c, 0x8a91_36aa);
        let abc = Checksums::of(&b"abc"[..]).expect("in memory");
        assert_eq!(abc.tag(), "\"900150983cd24fb0d6963f7d28e17f72\"");
        assert_eq!(abc.header(), "crc32c=Nks/tw==,md5=kAFQmDzST7DWlj99KOF/cg==");
    }

    #[test]
    fn client_checksums_are_compared_with_the_file() {
        let found = Checksums::of(&b"abc"[..]).expect("in memory");
        let said = |header: &str| Expected::default().read_hashes(header);
        assert!(said(&found.header()).expect("readable").holds(&found));
        assert!(said("md5=kAFQmDzST7DWlj99KOF/cg==").expect("readable").holds(&found));
        assert!(said("sha9=whatever").expect("passed over").holds(&found));
        assert!(!said("crc32c=AAAAAA==").expect("readable").holds(&found));
        for unreadable in ["crc32c", "crc32c=!", "md5=AAAA", "crc32c=kAFQmDzST7DWlj99KOF/cg=="] {
            assert_eq!(said(unreadable), None, "{unreadable}");
        }
    }
}
