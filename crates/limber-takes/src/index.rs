//! The file in which a library is kept: what was found in each file of a folder, and the movement of its takes.
//!
//! ```text
//! "LIMBTAKE"  u32 version  part: header (JSON)   then for each file   part: record (JSON)  packed movement
//! part: u32 length, u32 length of the movement behind it, SHA-256 of the JSON, the JSON
//! ```
//! All numbers are little-endian. Movement is read when a take is performed and has its own sum in the record. A file
//! that ends in the middle of a part is what an interrupted import left: all parts before count.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufReader, Read, Seek, Write},
    path::Path,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};

use crate::{folder::Why, take::Take};

/// The version this program reads and writes. Libraries of others are read anew from their folders.
pub(crate) const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"LIMBTAKE";
const MAX_JSON: u32 = 4 << 20;
const MAX_MOVEMENT: u32 = 64 << 20;
/// The most files a library may have.
pub(crate) const MAX_FILES: usize = 20_000;

/// What a library is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// What people call it.
    pub name: String,
    /// The folder that it was read from; it is not needed to perform takes.
    pub folder: String,
    /// The terms under which its movement may be used, as its owner states them; may be empty.
    pub licence: String,
}

/// What tells whether a file is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// When it was last written, nanoseconds since 1970; 0 where the system does not say.
    pub modified_ns: u64,
}

/// What was found in one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileRecord {
    /// Its path inside the folder, with `/`.
    pub file: String,
    /// How it was when it was read.
    pub stamp: Stamp,
    /// A sum over the captions that were there for it, so that new words are noticed.
    pub words: String,
    /// What came of it.
    pub outcome: Outcome,
    /// The SHA-256 of the packed movement behind the record, as hexadecimal digits.
    pub(crate) sum: String,
}

/// What came of one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Takes; each has at least one window.
    Takes(Vec<Take>),
    /// Nothing, and why.
    Skipped(Why),
}

impl FileRecord {
    /// The takes in it.
    #[must_use]
    pub fn takes(&self) -> &[Take] {
        match &self.outcome {
            Outcome::Takes(takes) => takes,
            Outcome::Skipped(_) => &[],
        }
    }
}

/// Why a library cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The system refuses.
    #[error("the library cannot be read or written: {0}")]
    File(#[from] io::Error),
    /// It is another file.
    #[error("this is no motion library of Limber's")]
    NoLibrary,
    /// It is of another version.
    #[error(
        "the library is of version {0}, this Limber reads version {VERSION}; add its folder again"
    )]
    Version(u32),
    /// Something in it is not as it was written.
    #[error("the library is damaged; add its folder again")]
    Damaged,
}

/// A record, and where its movement is in the library's file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placed {
    pub(crate) record: FileRecord,
    pub(crate) begins: u64,
    pub(crate) length: u32,
}

/// Everything in a library's file but the movement.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contents {
    pub(crate) header: Header,
    /// In the order of their files.
    pub(crate) records: Vec<Placed>,
}

pub(crate) fn sum_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a library part by part.
pub(crate) struct Writer<W: Write>(W);

impl<W: Write> Writer<W> {
    pub(crate) fn begin(mut to: W, header: &Header) -> Result<Self, IndexError> {
        to.write_all(MAGIC)?;
        to.write_all(&VERSION.to_le_bytes())?;
        let mut writer = Self(to);
        writer.part(header, &[])?;
        Ok(writer)
    }

    /// Goes on behind what is there already.
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
        // one call, so that an interruption leaves a part or a piece of one
        self.0.write_all(&bytes)?;
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<W, IndexError> {
        self.0.flush()?;
        Ok(self.0)
    }
}

/// A library whose import was interrupted: what counts, and how many bytes of the file that is.
pub(crate) struct Begun {
    pub(crate) contents: Contents,
    pub(crate) good_bytes: u64,
}

/// Reads all that is whole.
pub(crate) fn read_begun<R: Read + Seek>(from: R) -> Result<Begun, IndexError> {
    let mut reader = Reader::new(from)?;
    let (header, _) = reader.part::<Header>()?.ok_or(IndexError::Damaged)?;
    let mut good_bytes = reader.at;
    let mut records: BTreeMap<String, Placed> = BTreeMap::new();
    // the last word about a file counts
    while let Ok(Some((record, length))) = reader.part::<FileRecord>() {
        if records.len() >= MAX_FILES {
            return Err(IndexError::Damaged);
        }
        good_bytes = reader.at;
        let begins = reader.at - u64::from(length);
        records.insert(record.file.clone(), Placed { record, begins, length });
    }
    let records = records.into_values().collect();
    Ok(Begun { contents: Contents { header, records }, good_bytes })
}

/// Reads a whole library.
pub(crate) fn read<R: Read + Seek>(from: R) -> Result<Contents, IndexError> {
    let mut reader = Reader::new(from)?;
    let all_bytes = reader.all_bytes;
    let (header, _) = reader.part::<Header>()?.ok_or(IndexError::Damaged)?;
    let mut records: BTreeMap<String, Placed> = BTreeMap::new();
    while let Some((record, length)) = reader.part::<FileRecord>()? {
        if records.len() >= MAX_FILES {
            return Err(IndexError::Damaged);
        }
        let begins = reader.at - u64::from(length);
        records.insert(record.file.clone(), Placed { record, begins, length });
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

/// What a library is, without all that is in it.
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

    /// The next part and the length of the movement behind it, which is passed over; `None` at the end.
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

/// The packed movement of a record, checked.
pub(crate) fn movement<R: Read + Seek>(
    from: &mut R,
    placed: &Placed,
) -> Result<Vec<u8>, IndexError> {
    from.seek(io::SeekFrom::Start(placed.begins))?;
    let mut bytes = vec![0; placed.length as usize];
    from.read_exact(&mut bytes).map_err(|_| IndexError::Damaged)?;
    if sum_of(&bytes) == placed.record.sum { Ok(bytes) } else { Err(IndexError::Damaged) }
}
