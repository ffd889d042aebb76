//! The container: nested records with typed values, as binary FBX 7.4 packs them.
//!
//! Source: A. Gessler and C. Barton, *FBX binary file format specification*, Blender developers'
//! blog, 2013; the closing bytes are those every reader knows from Autodesk's own files.

use std::io::Write as _;

use flate2::{Compression, write::ZlibEncoder};

const MAGIC: &[u8] = b"Kaydara FBX Binary  \0\x1a\0";
/// FBX 7.4, which Autodesk's readers take since 2014.
pub(super) const VERSION: i32 = 7400;
/// Closes a list of nested records.
const END_OF_LIST: [u8; 13] = [0; 13];
/// The three marks belong together: the second is the first, mixed with the third.
pub(super) const FILE_ID: [u8; 16] = [
    0x28, 0xB3, 0x2A, 0xEB, 0xB6, 0x24, 0xCC, 0xC2, 0xBF, 0xC8, 0xB0, 0x2A, 0xA9, 0x2B, 0xFC, 0xF1,
];
const FOOT_ID: [u8; 16] = [
    0xFA, 0xBC, 0xAB, 0x09, 0xD0, 0xC8, 0xD4, 0x66, 0xB1, 0x76, 0xFB, 0x83, 0x1C, 0xF7, 0x26, 0x7E,
];
pub(super) const CREATION_TIME: &str = "1970-01-01 10:00:00:000";
const FOOT_MAGIC: [u8; 16] = [
    0xF8, 0x5A, 0x8C, 0x6A, 0xDE, 0xF5, 0xD9, 0x7E, 0xEC, 0xE9, 0x0C, 0xE3, 0x75, 0x8F, 0x29, 0x0B,
];
/// Lists shorter than this are not worth packing, bytes.
const PACK_FROM: usize = 256;

/// A value in front of a record's nested records.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Byte(u8),
    Int(i32),
    Long(i64),
    Double(f64),
    Text(String),
    Bytes(Vec<u8>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
}

macro_rules! values {
    ($($from:ty => $kind:ident),*) => {
        $(impl From<$from> for Value {
            fn from(value: $from) -> Self {
                Self::$kind(value.into())
            }
        })*
    };
}

values! {
    i32 => Int, i64 => Long, f64 => Double, &str => Text, String => Text, Vec<u8> => Bytes,
    Vec<i32> => Ints, Vec<i64> => Longs, Vec<f32> => Floats, Vec<f64> => Doubles
}

/// A named record: values, then nested records.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Record {
    pub(super) name: &'static str,
    pub(super) values: Vec<Value>,
    pub(super) nested: Vec<Record>,
}

impl Record {
    pub(super) fn new(name: &'static str) -> Self {
        Self { name, values: Vec::new(), nested: Vec::new() }
    }

    /// A record with one value and nothing nested.
    pub(super) fn leaf(name: &'static str, value: impl Into<Value>) -> Self {
        Self::new(name).value(value)
    }

    pub(super) fn value(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    pub(super) fn nest(mut self, nested: impl IntoIterator<Item = Record>) -> Self {
        self.nested.extend(nested);
        self
    }

    /// Readers tell an empty list from no list; these always have one.
    fn has_list(&self) -> bool {
        !self.nested.is_empty()
            || self.values.is_empty()
            || matches!(self.name, "AnimationStack" | "AnimationLayer")
    }

    /// `None` when an offset does not fit into 32 bits.
    fn pack(&self, file: &mut Vec<u8>) -> Option<()> {
        let start = file.len();
        file.extend([0; 12]);
        file.push(u8::try_from(self.name.len()).ok()?);
        file.extend(self.name.as_bytes());
        let values_start = file.len();
        for value in &self.values {
            value.pack(file)?;
        }
        let values_length = u32::try_from(file.len() - values_start).ok()?;
        for record in &self.nested {
            record.pack(file)?;
        }
        if self.has_list() {
            file.extend(END_OF_LIST);
        }
        let end = u32::try_from(file.len()).ok()?;
        let count = u32::try_from(self.values.len()).ok()?;
        for (place, number) in [end, count, values_length].into_iter().enumerate() {
            let at = start + 4 * place;
            file[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        Some(())
    }
}

impl Value {
    fn pack(&self, file: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Byte(value) => file.extend([b'C', *value]),
            Self::Int(value) => tagged(file, b'I', &value.to_le_bytes()),
            Self::Long(value) => tagged(file, b'L', &value.to_le_bytes()),
            Self::Double(value) => tagged(file, b'D', &value.to_le_bytes()),
            Self::Text(text) => long_bytes(file, b'S', text.as_bytes())?,
            Self::Bytes(bytes) => long_bytes(file, b'R', bytes)?,
            Self::Ints(row) => list(file, b'i', row.iter().map(|value| value.to_le_bytes()))?,
            Self::Longs(row) => list(file, b'l', row.iter().map(|value| value.to_le_bytes()))?,
            Self::Floats(row) => list(file, b'f', row.iter().map(|value| value.to_le_bytes()))?,
            Self::Doubles(row) => list(file, b'd', row.iter().map(|value| value.to_le_bytes()))?,
        }
        Some(())
    }
}

fn tagged(file: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    file.push(tag);
    file.extend(bytes);
}

fn long_bytes(file: &mut Vec<u8>, tag: u8, bytes: &[u8]) -> Option<()> {
    tagged(file, tag, &u32::try_from(bytes.len()).ok()?.to_le_bytes());
    file.extend(bytes);
    Some(())
}

/// Numbers of one kind, packed with zlib when there are many.
fn list<const N: usize>(
    file: &mut Vec<u8>,
    tag: u8,
    numbers: impl ExactSizeIterator<Item = [u8; N]>,
) -> Option<()> {
    tagged(file, tag, &u32::try_from(numbers.len()).ok()?.to_le_bytes());
    let plain: Vec<u8> = numbers.flatten().collect();
    let packed = (plain.len() >= PACK_FROM).then(|| zlib(&plain));
    let bytes = packed.as_ref().unwrap_or(&plain);
    file.extend(u32::from(packed.is_some()).to_le_bytes());
    file.extend(u32::try_from(bytes.len()).ok()?.to_le_bytes());
    file.extend(bytes);
    Some(())
}

fn zlib(plain: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(plain).expect("memory takes every byte");
    encoder.finish().expect("memory takes every byte")
}

/// The whole file; `None` when it would be larger than its offsets can say, 4 GiB.
pub(super) fn file(records: &[Record]) -> Option<Vec<u8>> {
    let mut file = MAGIC.to_vec();
    file.extend(VERSION.to_le_bytes());
    for record in records {
        record.pack(&mut file)?;
    }
    file.extend(END_OF_LIST);
    file.extend(FOOT_ID);
    file.extend([0; 4]);
    // at least one byte, up to the next multiple of 16
    let padding = 16 - file.len() % 16;
    file.extend(vec![0; padding]);
    file.extend(VERSION.to_le_bytes());
    file.extend([0; 120]);
    file.extend(FOOT_MAGIC);
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_says_where_it_ends_and_how_long_its_values_are() {
        let record = Record::leaf("Outer", 7).nest([Record::leaf("Inner", "ab")]);
        let mut bytes = Vec::new();
        record.pack(&mut bytes).expect("it is small");
        let number = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        assert_eq!(number(0) as usize, bytes.len());
        assert_eq!((number(4), number(8), bytes[12]), (1, 5, 5));
        // 13 bytes of head, the name, the value: there the inner record begins
        assert_eq!(number(13 + 5 + 5) as usize, bytes.len() - END_OF_LIST.len());
        assert_eq!(bytes[bytes.len() - 13..], END_OF_LIST);
    }

    #[test]
    fn the_file_ends_on_a_multiple_of_sixteen_with_its_version() {
        let bytes = file(&[Record::new("Documents")]).expect("it is small");
        assert_eq!(bytes.len() % 16, (4 + 120 + 16) % 16);
        assert_eq!(bytes[bytes.len() - 16..], FOOT_MAGIC);
        assert_eq!(bytes[23..27], 7400_i32.to_le_bytes());
    }

    #[test]
    fn long_lists_are_packed_and_short_ones_are_not() {
        let mut long = Vec::new();
        Value::Doubles(vec![1.0; 1000]).pack(&mut long).expect("it is small");
        assert!(long.len() < 400, "{}", long.len());
        assert_eq!(long[5..9], 1_u32.to_le_bytes());
        let mut short = Vec::new();
        Value::Doubles(vec![1.0; 3]).pack(&mut short).expect("it is small");
        assert_eq!((short.len(), &short[5..9]), (13 + 24, &0_u32.to_le_bytes()[..]));
    }
}
