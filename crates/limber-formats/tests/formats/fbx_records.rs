//! A reader of the FBX container, with which tests inspect single records.

use std::io::Read as _;

use flate2::read::ZlibDecoder;

/// A value of a record; arrays are converted to the widest type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Number(f64),
    Whole(i64),
    Text(String),
    Bytes(Vec<u8>),
    Numbers(Vec<f64>),
    Wholes(Vec<i64>),
}

/// A record with its nested records.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) values: Vec<Value>,
    pub(crate) nested: Vec<Record>,
}

impl Record {
    /// Reads a file; every offset in it must be right.
    pub(crate) fn file(bytes: &[u8]) -> Self {
        assert_eq!(&bytes[..23], b"Kaydara FBX Binary  \0\x1a\0");
        assert_eq!(u32_at(bytes, 23), 7400);
        let (nested, end) = list(bytes, 27);
        assert_eq!(u32_at(bytes, bytes.len() - 140), 7400, "the version is also at the end");
        assert!((bytes.len() - 140).is_multiple_of(16) && end + 16 + 4 < bytes.len() - 140);
        Self { name: String::new(), values: Vec::new(), nested }
    }

    pub(crate) fn all<'a, 'b>(
        &'a self,
        name: &'b str,
    ) -> impl Iterator<Item = &'a Self> + use<'a, 'b> {
        self.nested.iter().filter(move |record| record.name == name)
    }

    /// Returns the only nested record with this name.
    pub(crate) fn one(&self, name: &str) -> &Self {
        let mut all = self.all(name);
        let first = all.next().unwrap_or_else(|| panic!("{} has no {name}", self.name));
        assert!(all.next().is_none(), "{} has more than one {name}", self.name);
        first
    }

    /// Returns the values of a named property, without its types.
    pub(crate) fn property(&self, name: &str) -> Option<&[Value]> {
        let rows = self.one("Properties70").all("P");
        rows.filter(|row| row.text(0) == name).map(|row| &row.values[4..]).next()
    }

    pub(crate) fn whole_property(&self, name: &str) -> i64 {
        match self.property(name) {
            Some([Value::Whole(value)]) => *value,
            other => panic!("{name}: {other:?}"),
        }
    }

    pub(crate) fn number_property(&self, name: &str) -> f64 {
        match self.property(name) {
            Some([Value::Number(value)]) => *value,
            other => panic!("{name}: {other:?}"),
        }
    }

    pub(crate) fn text(&self, place: usize) -> &str {
        match &self.values[place] {
            Value::Text(text) => text,
            other => panic!("{}: {other:?} is not text", self.name),
        }
    }

    pub(crate) fn whole(&self, place: usize) -> i64 {
        match &self.values[place] {
            Value::Whole(value) => *value,
            other => panic!("{}: {other:?} is not an integer", self.name),
        }
    }

    pub(crate) fn numbers(&self) -> &[f64] {
        match &self.values[0] {
            Value::Numbers(row) => row,
            other => panic!("{}: {other:?} is not an array", self.name),
        }
    }

    pub(crate) fn wholes(&self) -> &[i64] {
        match &self.values[0] {
            Value::Wholes(row) => row,
            other => panic!("{}: {other:?} is not an array", self.name),
        }
    }

    /// Returns the object's name without the class that follows it.
    pub(crate) fn title(&self) -> &str {
        self.text(1).split('\0').next().expect("splitting gives at least one part")
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("the slice has four bytes"))
}

/// Reads records up to the terminator; returns them and the end of the list.
fn list(bytes: &[u8], mut at: usize) -> (Vec<Record>, usize) {
    let mut records = Vec::new();
    loop {
        let end = u32_at(bytes, at) as usize;
        if end == 0 {
            assert_eq!(&bytes[at..at + 13], [0; 13]);
            return (records, at + 13);
        }
        records.push(record(bytes, at, end));
        at = end;
    }
}

fn record(bytes: &[u8], at: usize, end: usize) -> Record {
    let count = u32_at(bytes, at + 4);
    let length = u32_at(bytes, at + 8) as usize;
    let name_end = at + 13 + usize::from(bytes[at + 12]);
    let name = String::from_utf8(bytes[at + 13..name_end].to_vec()).expect("a name");
    let mut place = name_end;
    let values = (0..count).map(|_| value(bytes, &mut place)).collect();
    assert_eq!(place, name_end + length, "{name}: the values do not have the declared length");
    let nested = if place == end {
        Vec::new()
    } else {
        let (nested, nested_end) = list(bytes, place);
        assert_eq!(nested_end, end, "{name}: the record does not end where it declares");
        nested
    };
    Record { name, values, nested }
}

fn value(bytes: &[u8], at: &mut usize) -> Value {
    let tag = bytes[*at];
    *at += 1;
    let mut take = |length: usize| {
        *at += length;
        &bytes[*at - length..*at]
    };
    match tag {
        b'C' => Value::Whole(i64::from(take(1)[0])),
        b'I' => Value::Whole(i64::from(i32::from_le_bytes(
            take(4).try_into().expect("the slice has four bytes"),
        ))),
        b'L' => {
            Value::Whole(i64::from_le_bytes(take(8).try_into().expect("the slice has eight bytes")))
        }
        b'D' => Value::Number(f64::from_le_bytes(
            take(8).try_into().expect("the slice has eight bytes"),
        )),
        b'S' | b'R' => {
            let length = u32_at(take(4), 0) as usize;
            let row = take(length).to_vec();
            match tag {
                b'S' => Value::Text(String::from_utf8(row).expect("text is UTF-8")),
                _ => Value::Bytes(row),
            }
        }
        b'i' | b'l' | b'f' | b'd' => {
            let head = take(12);
            let (count, packed) = (u32_at(head, 0) as usize, u32_at(head, 4) == 1);
            let length = u32_at(head, 8) as usize;
            let mut row = take(length).to_vec();
            if packed {
                let mut plain = Vec::new();
                ZlibDecoder::new(row.as_slice())
                    .read_to_end(&mut plain)
                    .expect("the array can be decompressed");
                row = plain;
            }
            numbers(tag, &row, count)
        }
        other => panic!("unknown kind of value: {other}"),
    }
}

fn numbers(tag: u8, row: &[u8], count: usize) -> Value {
    let size = if matches!(tag, b'i' | b'f') { 4 } else { 8 };
    assert_eq!(row.len(), count * size, "an array has the declared length");
    let rows = row.chunks_exact(size);
    let four = |row: &[u8]| -> [u8; 4] { row.try_into().expect("the slice has four bytes") };
    let eight = |row: &[u8]| -> [u8; 8] { row.try_into().expect("the slice has eight bytes") };
    match tag {
        b'i' => Value::Wholes(rows.map(|row| i32::from_le_bytes(four(row)).into()).collect()),
        b'l' => Value::Wholes(rows.map(|row| i64::from_le_bytes(eight(row))).collect()),
        b'f' => Value::Numbers(rows.map(|row| f32::from_le_bytes(four(row)).into()).collect()),
        _ => Value::Numbers(rows.map(|row| f64::from_le_bytes(eight(row))).collect()),
    }
}
