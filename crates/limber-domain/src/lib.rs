//! Facts that several crates rely on, each in one place.
//!
//! [`limits`] holds the numbers that a request is checked against: by the app while the user types,
//! by the service when it arrives, and by the pipeline that performs it. [`hex`] writes checksums
//! and tokens as text.
//!
//! **Input and output:** plain values. **Out of scope:** how a violation is reported.
#![warn(missing_docs)]

pub mod limits;

/// Returns bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_two_digits() {
        assert_eq!(hex(&[0, 9, 0xab, 255]), "0009abff");
        assert_eq!(hex(&[]), "");
    }
}
