//! Reads arrays from a ZIP archive as written by NumPy; only the types that occur in the data.

use std::{collections::HashMap, io::Read, ops::Range};

use flate2::read::DeflateDecoder;

use super::MocapError;

/// Maximum size of an array in bytes.
const MOST_BYTES: u64 = 1 << 28;

/// The values of an array in storage order.
pub(super) struct Array {
    pub(super) values: Vec<f32>,
}

/// Location of an entry's bytes in the archive, and whether they are compressed.
#[derive(Debug)]
struct Entry {
    bytes: Range<usize>,
    deflated: bool,
}

/// An archive in memory.
#[derive(Debug)]
pub(super) struct Archive {
    bytes: Vec<u8>,
    entries: HashMap<String, Entry>,
}

fn damaged(what: impl Into<String>) -> MocapError {
    MocapError::Damaged(what.into())
}

fn number(bytes: &[u8], at: usize, size: usize) -> Result<usize, MocapError> {
    let part = bytes.get(at..at + size).ok_or_else(|| damaged("the archive is truncated"))?;
    Ok(part.iter().rev().fold(0, |whole, byte| (whole << 8) | usize::from(*byte)))
}

impl Archive {
    /// Reads the central directory of a ZIP archive (PKWARE APPNOTE 6.3.10, 4.3.12 and 4.3.16).
    pub(super) fn of(bytes: Vec<u8>) -> Result<Self, MocapError> {
        let end = bytes
            .windows(4)
            .rposition(|four| four == b"PK\x05\x06")
            .ok_or_else(|| damaged("the file is not a ZIP archive"))?;
        let count = number(&bytes, end + 10, 2)?;
        let mut at = number(&bytes, end + 16, 4)?;
        let mut entries = HashMap::new();
        for _ in 0..count {
            let method = number(&bytes, at + 10, 2)?;
            let size = number(&bytes, at + 20, 4)?;
            let [name, extra, comment] =
                [28, 30, 32].map(|offset| number(&bytes, at + offset, 2).unwrap_or(0));
            let local = number(&bytes, at + 42, 4)?;
            let called = bytes
                .get(at + 46..at + 46 + name)
                .ok_or_else(|| damaged("an entry has no name"))?;
            let called = String::from_utf8_lossy(called).into_owned();
            let start =
                local + 30 + number(&bytes, local + 26, 2)? + number(&bytes, local + 28, 2)?;
            let entry = Entry { bytes: start..start + size, deflated: method == 8 };
            entries.insert(called, entry);
            at += 46 + name + extra + comment;
        }
        Ok(Self { bytes, entries })
    }

    /// The data type of an array (NumPy's `descr`) and its bytes.
    fn entry(&self, name: &str) -> Result<(String, Vec<u8>), MocapError> {
        let entry = self.entries.get(&format!("{name}.npy"));
        let entry = entry.ok_or_else(|| damaged(format!("there is no array `{name}`")))?;
        let packed = self
            .bytes
            .get(entry.bytes.clone())
            .ok_or_else(|| damaged("the archive is truncated"))?;
        let mut bytes = Vec::new();
        let read = if entry.deflated {
            DeflateDecoder::new(packed).take(MOST_BYTES).read_to_end(&mut bytes)
        } else {
            packed.take(MOST_BYTES).read_to_end(&mut bytes)
        };
        read.map_err(|error| damaged(format!("{name}: {error}")))?;
        // NumPy format 1.0: magic, version, length of a header that is a Python dict literal
        let length = number(&bytes, 8, 2)?;
        let header = bytes.get(10..10 + length).ok_or_else(|| damaged("an array has no header"))?;
        let header = String::from_utf8_lossy(header).into_owned();
        let descr = header.split("'descr': '").nth(1).and_then(|rest| rest.split('\'').next());
        let descr = descr.ok_or_else(|| damaged(format!("{name} does not declare its type")))?;
        Ok((descr.to_owned(), bytes.split_off(10 + length)))
    }

    pub(super) fn array(&self, name: &str) -> Result<Array, MocapError> {
        let (descr, bytes) = self.entry(name)?;
        let values = match descr.as_str() {
            "<f4" => fold(&bytes, f32::from_le_bytes),
            "<f2" => fold(&bytes, |two| half::f16::from_le_bytes(two).to_f32()),
            "<i8" => fold(&bytes, |eight| i64::from_le_bytes(eight) as f32),
            other => {
                return Err(damaged(format!(
                    "{name} contains numbers of the unsupported type {other}"
                )));
            }
        };
        Ok(Array { values })
    }

    /// Reads an array of strings with a fixed number of four-byte characters each.
    pub(super) fn names(&self, name: &str) -> Result<Vec<String>, MocapError> {
        let (descr, bytes) = self.entry(name)?;
        let length = descr.strip_prefix("<U").and_then(|length| length.parse::<usize>().ok());
        let length = length.filter(|length| *length > 0);
        let length = length.ok_or_else(|| damaged(format!("{name} does not contain text")))?;
        let text = |chars: &[u8]| {
            chars
                .chunks_exact(4)
                .filter_map(|four| char::from_u32(u32::from_le_bytes(four.try_into().ok()?)))
                .filter(|c| *c != '\0')
                .collect()
        };
        Ok(bytes.chunks_exact(4 * length).map(text).collect())
    }
}

/// Decodes numbers of N bytes each.
fn fold<const N: usize>(bytes: &[u8], read: impl Fn([u8; N]) -> f32) -> Vec<f32> {
    bytes.chunks_exact(N).filter_map(|part| part.try_into().ok().map(&read)).collect()
}
