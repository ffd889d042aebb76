//! The container format: nested records with typed values, as in binary FBX 7.4.
//!
//! Source: A. Gessler and C. Barton, *FBX binary file format specification*, Blender developers'
//! blog, 2013; the footer bytes are those of Autodesk's own files, which every reader knows.

use flate2::{Compress, Compression, FlushCompress, Status};

const MAGIC: &[u8] = b"Kaydara FBX Binary  \0\x1a\0";
/// FBX 7.4, supported by Autodesk's readers since 2014.
pub(super) const VERSION: i32 = 7400;
/// Terminates a list of nested records.
const END_OF_LIST: [u8; 13] = [0; 13];
/// `FILE_ID`, `FOOT_ID` and `CREATION_TIME` belong together: the footer id is derived from the
/// other two.
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
/// Minimum size in bytes from which arrays are compressed.
const PACK_FROM: usize = 256;

/// A value of a record.
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

/// A named record with values, followed by nested records.
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

    /// Creates a record with one value and no nested records.
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

    /// Whether a list of nested records is written. Readers distinguish an empty list from none;
    /// these records always have one.
    fn has_list(&self) -> bool {
        !self.nested.is_empty()
            || self.values.is_empty()
            || matches!(self.name, "AnimationStack" | "AnimationLayer")
    }

    /// Writes the record; `None` if an offset exceeds 32 bits.
    fn pack(&self, packer: &mut Packer) -> Option<()> {
        let start = packer.file.len();
        packer.file.extend([0; 12]);
        packer.file.push(u8::try_from(self.name.len()).ok()?);
        packer.file.extend(self.name.as_bytes());
        let values_start = packer.file.len();
        for value in &self.values {
            value.pack(packer)?;
        }
        let values_length = u32::try_from(packer.file.len() - values_start).ok()?;
        for record in &self.nested {
            record.pack(packer)?;
        }
        let file = &mut packer.file;
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
    fn pack(&self, packer: &mut Packer) -> Option<()> {
        let file = &mut packer.file;
        match self {
            Self::Byte(value) => file.extend([b'C', *value]),
            Self::Int(value) => tagged(file, b'I', &value.to_le_bytes()),
            Self::Long(value) => tagged(file, b'L', &value.to_le_bytes()),
            Self::Double(value) => tagged(file, b'D', &value.to_le_bytes()),
            Self::Text(text) => long_bytes(file, b'S', text.as_bytes())?,
            Self::Bytes(bytes) => long_bytes(file, b'R', bytes)?,
            Self::Ints(row) => packer.list(b'i', row.iter().map(|value| value.to_le_bytes()))?,
            Self::Longs(row) => packer.list(b'l', row.iter().map(|value| value.to_le_bytes()))?,
            Self::Floats(row) => packer.list(b'f', row.iter().map(|value| value.to_le_bytes()))?,
            Self::Doubles(row) => packer.list(b'd', row.iter().map(|value| value.to_le_bytes()))?,
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

/// The file under construction.
struct Packer {
    file: Vec<u8>,
    /// One compressor for all arrays, because a file has thousands of them.
    zlib: Compress,
    /// The last long array of 64-bit integers, plain and compressed: all curves of a clip have the
    /// same times.
    times: (Vec<u8>, Vec<u8>),
}

impl Packer {
    fn new() -> Self {
        let zlib = Compress::new(Compression::fast(), true);
        Self { file: Vec::new(), zlib, times: (Vec::new(), Vec::new()) }
    }

    /// Writes an array, compressed with zlib if it is long.
    fn list<const N: usize>(
        &mut self,
        tag: u8,
        numbers: impl ExactSizeIterator<Item = [u8; N]>,
    ) -> Option<()> {
        tagged(&mut self.file, tag, &u32::try_from(numbers.len()).ok()?.to_le_bytes());
        let mut plain = Vec::with_capacity(N * numbers.len());
        numbers.for_each(|number| plain.extend_from_slice(&number));
        if plain.len() < PACK_FROM {
            return self.bytes(false, &plain);
        }
        let packed = match tag {
            b'l' if self.times.0 == plain => self.times.1.clone(),
            _ => self.zlib(&plain),
        };
        self.bytes(true, &packed)?;
        if tag == b'l' {
            self.times = (plain, packed);
        }
        Some(())
    }

    fn bytes(&mut self, packed: bool, bytes: &[u8]) -> Option<()> {
        self.file.extend(u32::from(packed).to_le_bytes());
        self.file.extend(u32::try_from(bytes.len()).ok()?.to_le_bytes());
        self.file.extend(bytes);
        Some(())
    }

    fn zlib(&mut self, plain: &[u8]) -> Vec<u8> {
        self.zlib.reset();
        let mut packed = Vec::with_capacity(plain.len() / 2 + 64);
        loop {
            let done = self.zlib.total_in() as usize;
            let status = self.zlib.compress_vec(&plain[done..], &mut packed, FlushCompress::Finish);
            match status.expect("the compressor is finished only once") {
                Status::StreamEnd => return packed,
                Status::Ok | Status::BufError => packed.reserve(plain.len() / 2 + 64),
            }
        }
    }
}

/// Returns the whole file; `None` if it would exceed 4 GiB, the limit of its offsets.
pub(super) fn file(records: &[Record]) -> Option<Vec<u8>> {
    let mut packer = Packer::new();
    packer.file.extend(MAGIC);
    packer.file.extend(VERSION.to_le_bytes());
    for record in records {
        record.pack(&mut packer)?;
    }
    let mut file = packer.file;
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
    fn records_contain_their_end_and_the_length_of_their_values() {
        let record = Record::leaf("Outer", 7).nest([Record::leaf("Inner", "ab")]);
        let mut packer = Packer::new();
        record.pack(&mut packer).expect("the file is small enough");
        let bytes = packer.file;
        let number = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        assert_eq!(number(0) as usize, bytes.len());
        assert_eq!((number(4), number(8), bytes[12]), (1, 5, 5));
        // the nested record begins after the 13-byte header, the name and the value
        assert_eq!(number(13 + 5 + 5) as usize, bytes.len() - END_OF_LIST.len());
        assert_eq!(bytes[bytes.len() - 13..], END_OF_LIST);
    }

    #[test]
    fn the_file_is_padded_to_16_bytes_and_ends_with_its_version() {
        let bytes = file(&[Record::new("Documents")]).expect("the file is small enough");
        assert_eq!(bytes.len() % 16, (4 + 120 + 16) % 16);
        assert_eq!(bytes[bytes.len() - 16..], FOOT_MAGIC);
        assert_eq!(bytes[23..27], 7400_i32.to_le_bytes());
    }

    #[test]
    fn only_long_arrays_are_compressed() {
        let packed = |value: Value| {
            let mut packer = Packer::new();
            value.pack(&mut packer).expect("the file is small enough");
            packer.file
        };
        let long = packed(Value::Doubles(vec![1.0; 1000]));
        assert!(long.len() < 400, "{}", long.len());
        assert_eq!(long[5..9], 1_u32.to_le_bytes());
        let short = packed(Value::Doubles(vec![1.0; 3]));
        assert_eq!((short.len(), &short[5..9]), (13 + 24, &0_u32.to_le_bytes()[..]));
    }

    proptest::proptest! {
        #[test]
        fn compressed_arrays_decompress_to_the_original(
            lists in proptest::collection::vec(proptest::collection::vec(0..9_i64, 20..400), 1..6),
        ) {
            let mut packer = Packer::new();
            for list in lists.iter().chain(&lists) {
                let plain: Vec<u8> = list.iter().flat_map(|number| number.to_le_bytes()).collect();
                let start = packer.file.len();
                Value::Longs(list.clone()).pack(&mut packer).expect("the file is small enough");
                let body = &packer.file[start + 13..];
                let unpacked = if plain.len() < PACK_FROM {
                    body.to_vec()
                } else {
                    let mut unpacked = Vec::new();
                    let mut zlib = flate2::read::ZlibDecoder::new(body);
                    std::io::Read::read_to_end(&mut zlib, &mut unpacked).expect("the data is a \
                                                                                 zlib stream");
                    unpacked
                };
                proptest::prop_assert!(unpacked == plain);
            }
        }
    }
}
