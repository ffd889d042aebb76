//! The file format of a library: the result of importing each file of a folder, and the movement of
//! its takes.
//!
//! ```text
//! "LIMBTAKE"  u32 version  part: header (JSON)   then for each file   part: record (JSON)  packed
//! movement part: u32 length, u32 length of the movement behind it, SHA-256 of the JSON, the JSON
//! ```
//! All numbers are little-endian. Movement is read only when a take is performed, and its checksum
//! is in the record. A file that ends in the middle of a part was left by an interrupted import;
//! all parts before that are valid.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufReader, Read, Seek, Write},
    path::Path,
};

use limber_domain::hex;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use crate::{folder::SkipReason, take::Take};

/// The format version that this program reads and writes. Libraries of other versions have to be
/// imported again.
pub(crate) const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"LIMBTAKE";
const MAX_JSON: u32 = 4 << 20;
const MAX_MOVEMENT: u32 = 64 << 20;
/// Maximum number of files in a library.
pub(crate) const MAX_FILES: usize = 20_000;

/// Description of a library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// Display name.
    pub name: String,
    /// The folder that it was imported from; not needed for performing takes.
    pub folder: String,
    /// Terms of use, as the owner states them; may be empty.
    pub licence: String,
}

/// File metadata that shows whether a file has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stamp {
    /// Size in bytes.
    pub size: u64,
    /// Time of the last modification, nanoseconds since 1970; 0 if the system does not say.
    pub modified_ns: u64,
}

/// The result of importing one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileRecord {
    /// Path relative to the folder, with `/`.
    pub file: String,
    /// The file's stamp when it was read.
    pub stamp: Stamp,
    /// Checksum of the file's captions, so that changed captions are noticed.
    pub words: String,
    /// The outcome of the import.
    pub outcome: Outcome,
    /// SHA-256 of the packed movement after the record, in hexadecimal.
    pub(crate) sum: String,
}

/// Outcome of importing one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Takes, each with at least one window.
    Takes(Vec<Take>),
    /// The file was skipped.
    Skipped(SkipReason),
}

impl FileRecord {
    /// The takes in the file; none if it was skipped.
    #[must_use]
    pub fn takes(&self) -> &[Take] {
        match &self.outcome {
            Outcome::Takes(takes) => takes,
            Outcome::Skipped(_) => &[],
        }
    }
}

/// Why a library's file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// An I/O error.
    #[error("the library cannot be read or written: {0}")]
    File(#[from] io::Error),
    /// The file is not a library.
    #[error("this file is not a motion library")]
    NoLibrary,
    /// The file has another format version.
    #[error(
        "the library has version {0}, but this version of Limber reads version {VERSION}; add its \
         folder again"
    )]
    Version(u32),
    /// The file is damaged.
    #[error("the library is damaged; add its folder again")]
    Damaged,
}

/// A record, and the position of its movement in the library's file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StoredRecord {
    pub(crate) record: FileRecord,
    pub(crate) begins: u64,
    pub(crate) length: u32,
}

/// The contents of a library's file without the movement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contents {
    pub(crate) header: Header,
    /// Ordered by file name.
    pub(crate) records: Vec<StoredRecord>,
}

pub(crate) fn sum_of(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Writes a library's file part by part.
pub(crate) struct Writer<W: Write>(W);

impl<W: Write> Writer<W> {
    pub(crate) fn begin(mut to: W, header: &Header) -> Result<Self, IndexError> {
        to.write_all(MAGIC)?;
        to.write_all(&VERSION.to_le_bytes())?;
        let mut writer = Self(to);
        writer.part(header, &[])?;
        Ok(writer)
    }

    /// Continues after existing parts.
    pub(crate) const fn go_on(to: W) -> Self {
        Self(to)
    }

    pub(crate) fn record(
        &mut self,
        record: &FileRecord,
        movement: &[u8],
    ) -> Result<(), IndexError> {
        self.part(record, movement)
    }

    fn part<T: Serialize>(&mut self, part: &T, movement: &[u8]) -> Result<(), IndexError> {
        let json = serde_json::to_vec(part).map_err(io::Error::from)?;
        let lengths = (u32::try_from(json.len()), u32::try_from(movement.len()));
        let (Ok(length), Ok(moves)) = lengths else { return Err(IndexError::Damaged) };
        let mut bytes = Vec::with_capacity(40 + json.len() + movement.len());
        bytes.extend(length.to_le_bytes());
        bytes.extend(moves.to_le_bytes());
        bytes.extend(Sha256::digest(&json));
        bytes.extend(json);
        bytes.extend(movement);
        // one call, so that an interruption leaves either the whole part or a truncated one
        self.0.write_all(&bytes)?;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<W, IndexError> {
        self.0.flush()?;
        Ok(self.0)
    }
}

/// The valid part of an interrupted import, and its length in bytes.
pub(crate) struct PartialImport {
    pub(crate) contents: Contents,
    pub(crate) good_bytes: u64,
}

/// Reads all complete parts.
pub(crate) fn read_partial_import<R: Read + Seek>(from: R) -> Result<PartialImport, IndexError> {
    let mut reader = Reader::new(from)?;
    let (header, _) = reader.part::<Header>()?.ok_or(IndexError::Damaged)?;
    let mut good_bytes = reader.at;
    let mut records: BTreeMap<String, StoredRecord> = BTreeMap::new();
    // the last record of a file counts
    while let Ok(Some((record, length))) = reader.part::<FileRecord>() {
        if records.len() >= MAX_FILES {
            return Err(IndexError::Damaged);
        }
        good_bytes = reader.at;
        let begins = reader.at - u64::from(length);
        records.insert(record.file.clone(), StoredRecord { record, begins, length });
    }
    let records = records.into_values().collect();
    Ok(PartialImport { contents: Contents { header, records }, good_bytes })
}

/// Reads a complete library.
pub(crate) fn read<R: Read + Seek>(from: R) -> Result<Contents, IndexError> {
    let mut reader = Reader::new(from)?;
    let all_bytes = reader.all_bytes;
    let (header, _) = reader.part::<Header>()?.ok_or(IndexError::Damaged)?;
    let mut records: BTreeMap<String, StoredRecord> = BTreeMap::new();
    while let Some((record, length)) = reader.part::<FileRecord>()? {
        if records.len() >= MAX_FILES {
            return Err(IndexError::Damaged);
        }
        let begins = reader.at - u64::from(length);
        records.insert(record.file.clone(), StoredRecord { record, begins, length });
    }
    if reader.at != all_bytes {
        return Err(IndexError::Damaged);
    }
    Ok(Contents { header, records: records.into_values().collect() })
}

/// Opens a library's file.
pub(crate) fn open(path: &Path) -> Result<Contents, IndexError> {
    read(File::open(path)?)
}

/// Reads only the description of a library.
pub(crate) fn header(path: &Path) -> Result<Header, IndexError> {
    let (header, _) = Reader::new(File::open(path)?)?.part()?.ok_or(IndexError::Damaged)?;
    Ok(header)
}

struct Reader<R> {
    from: BufReader<R>,
    at: u64,
    all_bytes: u64,
}

impl<R: Read + Seek> Reader<R> {
    fn new(mut from: R) -> Result<Self, IndexError> {
        let all_bytes = from.seek(io::SeekFrom::End(0))?;
        from.rewind()?;
        let mut from = BufReader::new(from);
        let mut head = [0; 12];
        from.read_exact(&mut head).map_err(|_| IndexError::NoLibrary)?;
        if &head[..8] != MAGIC {
            return Err(IndexError::NoLibrary);
        }
        let version = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        if version != VERSION {
            return Err(IndexError::Version(version));
        }
        Ok(Self { from, at: 12, all_bytes })
    }

    /// The next part and the length of the movement after it, which is skipped; `None` at the end.
    fn part<T: DeserializeOwned>(&mut self) -> Result<Option<(T, u32)>, IndexError> {
        if self.at == self.all_bytes {
            return Ok(None);
        }
        let mut head = [0; 40];
        self.from.read_exact(&mut head).map_err(|_| IndexError::Damaged)?;
        let number = |from: usize| {
            u32::from_le_bytes([head[from], head[from + 1], head[from + 2], head[from + 3]])
        };
        let (length, movement) = (number(0), number(4));
        let ends = self.at + 40 + u64::from(length) + u64::from(movement);
        if length > MAX_JSON || movement > MAX_MOVEMENT || ends > self.all_bytes {
            return Err(IndexError::Damaged);
        }
        let mut json = vec![0; length as usize];
        self.from.read_exact(&mut json).map_err(|_| IndexError::Damaged)?;
        if Sha256::digest(&json).as_slice() != &head[8..] {
            return Err(IndexError::Damaged);
        }
        let part = serde_json::from_slice(&json).map_err(|_| IndexError::Damaged)?;
        self.from.seek_relative(i64::from(movement))?;
        self.at = ends;
        Ok(Some((part, movement)))
    }
}

/// Reads the packed movement of a record and verifies its checksum.
pub(crate) fn movement<R: Read + Seek>(
    from: &mut R,
    stored: &StoredRecord,
) -> Result<Vec<u8>, IndexError> {
    from.seek(io::SeekFrom::Start(stored.begins))?;
    let mut bytes = vec![0; stored.length as usize];
    from.read_exact(&mut bytes).map_err(|_| IndexError::Damaged)?;
    if sum_of(&bytes) == stored.record.sum { Ok(bytes) } else { Err(IndexError::Damaged) }
}
