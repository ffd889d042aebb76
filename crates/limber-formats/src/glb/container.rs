//! The GLB container: a header and two chunks.

use crate::model::{ReadError, damaged};

pub(super) const MAGIC: &[u8; 4] = b"glTF";
const JSON_CHUNK: u32 = u32::from_le_bytes(*b"JSON");
const BIN_CHUNK: u32 = u32::from_le_bytes(*b"BIN\0");

/// Packs JSON text and binary data into a GLB.
pub(super) fn join(json: &[u8], bin: &[u8]) -> Vec<u8> {
    let json_length = json.len().next_multiple_of(4);
    let bin_length = bin.len().next_multiple_of(4);
    let total = 12 + 8 + json_length + if bin.is_empty() { 0 } else { 8 + bin_length };
    let mut file = Vec::with_capacity(total);
    let word = |length: usize| {
        u32::try_from(length)
            .expect("files are kept below four gigabytes when they are written")
            .to_le_bytes()
    };
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&2_u32.to_le_bytes());
    file.extend_from_slice(&word(total));
    file.extend_from_slice(&word(json_length));
    file.extend_from_slice(&JSON_CHUNK.to_le_bytes());
    file.extend_from_slice(json);
    file.resize(20 + json_length, b' ');
    if !bin.is_empty() {
        file.extend_from_slice(&word(bin_length));
        file.extend_from_slice(&BIN_CHUNK.to_le_bytes());
        file.extend_from_slice(bin);
        file.resize(total, 0);
    }
    file
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(four.try_into().ok()?))
}

/// Returns the JSON text and the binary data of a GLB. The data is empty if there is none.
pub(super) fn split(file: &[u8]) -> Result<(&[u8], &[u8]), ReadError> {
    if file.get(..4) != Some(MAGIC.as_slice()) || word(file, 4) != Some(2) {
        return Err(ReadError::NotGlb);
    }
    if word(file, 8).is_none_or(|length| length as usize != file.len()) {
        return Err(damaged("its length is not the one that its header declares"));
    }
    let (kind, json, rest) =
        chunk(&file[12..]).ok_or_else(|| damaged("its first chunk is truncated"))?;
    if kind != JSON_CHUNK {
        return Err(damaged("its first chunk is not JSON"));
    }
    if rest.is_empty() {
        return Ok((json, &[]));
    }
    let (kind, bin, _) = chunk(rest).ok_or_else(|| damaged("its binary chunk is truncated"))?;
    Ok((json, if kind == BIN_CHUNK { bin } else { &[] }))
}

fn chunk(bytes: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    let length = word(bytes, 0)? as usize;
    let kind = word(bytes, 4)?;
    let body = bytes.get(8..)?;
    Some((kind, body.get(..length)?, body.get(length..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_read_back() {
        let file = join(b"{}", &[1, 2, 3]);
        assert_eq!(
            split(&file).expect("the container is complete"),
            (b"{}  ".as_slice(), [1, 2, 3, 0].as_slice())
        );
        let file = join(b"{}", &[]);
        assert_eq!(split(&file).expect("the container is complete").1, b"");
    }

    #[test]
    fn truncated_containers_are_rejected() {
        let file = join(b"{\"a\":1}", &[7; 9]);
        for length in 0..file.len() {
            assert!(split(&file[..length]).is_err(), "{length}");
        }
    }
}
