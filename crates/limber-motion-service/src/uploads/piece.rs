//! Parses `Content-Range`: which part of the file a request carries, or that it is a status query.

use std::num::IntErrorKind;

/// The header is invalid or contradicts the length of the body; holds a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct MalformedPiece(&'static str);

/// What a PUT to a session carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// No `Content-Range`: the whole file.
    Whole {
        /// Length in bytes.
        total: u64,
    },
    /// `bytes a-b/T`: the bytes from `first` up to, but not including, `end`.
    Part {
        first: u64,
        end: u64,
        /// Length of the complete file in bytes; `None` for `*`, not known yet.
        total: Option<u64>,
    },
    /// `bytes */T`: asks how much has arrived.
    Ask { total: Option<u64> },
}

impl Piece {
    /// Parses the header of a request whose body has `length` bytes.
    pub(crate) fn read(header: Option<&str>, length: u64) -> Result<Self, MalformedPiece> {
        let Some(text) = header else { return Ok(Self::Whole { total: length }) };
        let wrong = MalformedPiece(
            "Content-Range must be `bytes a-b/T`, `bytes a-b/*`, `bytes */T` or `bytes */*`",
        );
        let (range, total) = text
            .trim()
            .strip_prefix("bytes")
            .filter(|rest| rest.starts_with([' ', '=']))
            .and_then(|rest| rest[1..].split_once('/'))
            .ok_or(wrong.clone())?;
        let total = match total.trim() {
            "*" => None,
            digits => Some(number(digits).ok_or(wrong.clone())?),
        };
        if range.trim() == "*" {
            return match length {
                0 => Ok(Self::Ask { total }),
                _ => Err(MalformedPiece("a status query must not have a body")),
            };
        }
        let (first, last) = range.trim().split_once('-').ok_or(wrong.clone())?;
        let first = number(first).ok_or(wrong.clone())?;
        let end = number(last).and_then(|last| last.checked_add(1)).ok_or(wrong)?;
        if first >= end {
            return Err(MalformedPiece("Content-Range ends before it begins"));
        }
        if total.is_some_and(|total| end > total) {
            return Err(MalformedPiece("Content-Range reaches beyond the file's length"));
        }
        if end - first != length {
            return Err(MalformedPiece("Content-Length is not the length of Content-Range"));
        }
        Ok(Self::Part { first, end, total })
    }

    /// Returns the length of the complete file, if the request gives it.
    pub(crate) const fn total(self) -> Option<u64> {
        match self {
            Self::Whole { total } => Some(total),
            Self::Part { total, .. } | Self::Ask { total } => total,
        }
    }

    /// Returns the range of the body: start, and end (exclusive).
    pub(crate) const fn span(self) -> (u64, u64) {
        match self {
            Self::Whole { total } => (0, total),
            Self::Part { first, end, .. } => (first, end),
            Self::Ask { .. } => (0, 0),
        }
    }
}

/// Parses digits only. A number too large for any file is invalid.
fn number(text: &str) -> Option<u64> {
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    match text.parse::<u64>() {
        Ok(number) if number <= i64::MAX as u64 => Some(number),
        Err(error) if *error.kind() == IntErrorKind::PosOverflow => None,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_range_forms_are_parsed() {
        let read = |header, length| Piece::read(header, length).expect("well formed");
        assert_eq!(read(None, 7), Piece::Whole { total: 7 });
        let part = |first, end, total| Piece::Part { first, end, total };
        assert_eq!(read(Some("bytes 0-262143/600000"), 262_144), part(0, 262_144, Some(600_000)));
        assert_eq!(read(Some("bytes 5-5/*"), 1), part(5, 6, None));
        assert_eq!(read(Some("bytes */600000"), 0), Piece::Ask { total: Some(600_000) });
        assert_eq!(read(Some("bytes */*"), 0), Piece::Ask { total: None });
        assert_eq!(read(Some("bytes */0"), 0), Piece::Ask { total: Some(0) });
    }

    #[test]
    fn contradictory_ranges_are_rejected() {
        for (header, length) in [
            ("bytes 5-4/10", 0),
            ("bytes 0-9/9", 10),
            ("bytes 0-9/10", 9),
            ("bytes */10", 3),
            ("bytes -5/10", 5),
            ("bytes 0-/10", 10),
            ("bytes 0-9", 10),
            ("bytes0-9/10", 10),
            ("lines 0-9/10", 10),
            ("bytes 0-9/x", 10),
            ("bytes +0-9/10", 10),
            ("bytes 0-18446744073709551615/*", 10),
            ("bytes 0-9/99999999999999999999", 10),
            ("", 0),
            ("byteß 0-9/10", 10),
        ] {
            assert!(Piece::read(Some(header), length).is_err(), "{header}");
        }
    }

    proptest::proptest! {
        #[test]
        fn ranges_survive_a_round_trip(first in 0_u64..1 << 40, length in 1_u64..1 << 30, more in 0_u64..1 << 30) {
            let end = first + length;
            let header = format!("bytes {first}-{}/{}", end - 1, end + more);
            let piece = Piece::read(Some(&header), length).expect("well formed");
            proptest::prop_assert_eq!(piece, Piece::Part { first, end, total: Some(end + more) });
        }

        #[test]
        fn arbitrary_input_does_not_panic(text in ".{0,60}", length: u64) {
            let _ = Piece::read(Some(&text), length);
        }
    }
}
