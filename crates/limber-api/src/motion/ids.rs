//! Ids used on the wire. Each kind has its own type, so that they cannot be confused.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The text is not a valid id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{shown}` is not a {kind}")]
pub struct IdError {
    kind: &'static str,
    shown: String,
}

impl IdError {
    fn new(kind: &'static str, text: &str) -> Self {
        Self { kind, shown: text.chars().take(40).filter(|c| !c.is_control()).collect() }
    }
}

/// Id of a job; called `rid` on the wire. 16 to 40 letters, digits, `_` or `-`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(try_from = "String", into = "String")]
pub struct JobId(String);

impl JobId {
    /// Checks length and alphabet.
    ///
    /// # Errors
    /// [`IdError`] if either is wrong.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        let fits = (16..=40).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if fits { Ok(Self(text.to_owned())) } else { Err(IdError::new("job id", text)) }
    }

    /// Returns the wire value.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Id of a character; called model on the wire. 1 to 40 letters, digits, `_` or `-`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(try_from = "String", into = "String")]
pub struct ModelId(String);

impl ModelId {
    /// Checks length and alphabet.
    ///
    /// # Errors
    /// [`IdError`] if either is wrong.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        let fits = (1..=40).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if fits { Ok(Self(text.to_owned())) } else { Err(IdError::new("model id", text)) }
    }

    /// Returns the wire value.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Number of a job's variant, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(try_from = "u32", into = "u32")]
pub struct VariantId(u32);

impl VariantId {
    /// The first variant, which every job has.
    pub const FIRST: Self = Self(1);

    /// Returns `None` for 0.
    #[must_use]
    pub const fn new(number: u32) -> Option<Self> {
        if number == 0 { None } else { Some(Self(number)) }
    }

    /// Returns the number, from 1.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

impl TryFrom<String> for JobId {
    type Error = IdError;
    fn try_from(text: String) -> Result<Self, IdError> {
        Self::parse(&text)
    }
}

impl From<JobId> for String {
    fn from(id: JobId) -> Self {
        id.0
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl TryFrom<String> for ModelId {
    type Error = IdError;
    fn try_from(text: String) -> Result<Self, IdError> {
        Self::parse(&text)
    }
}

impl From<ModelId> for String {
    fn from(id: ModelId) -> Self {
        id.0
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl TryFrom<u32> for VariantId {
    type Error = IdError;
    fn try_from(number: u32) -> Result<Self, IdError> {
        Self::new(number).ok_or_else(|| IdError::new("variant id", "0"))
    }
}

impl From<VariantId> for u32 {
    fn from(id: VariantId) -> Self {
        id.0
    }
}

impl fmt::Display for VariantId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn job_ids_contain_neither_commas_nor_slashes() {
        assert!(JobId::parse("abcdefghijklmnop_-09").is_ok());
        for bad in ["", "short", "abcdefghijklmnop,q", "abcdefgh/../ijklmnop", "ä234567890123456"]
        {
            assert!(JobId::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn variants_are_numbered_from_one() {
        assert_eq!(VariantId::new(0), None);
        assert!(serde_json::from_str::<VariantId>("0").is_err());
        assert_eq!(
            serde_json::from_str::<VariantId>("3").expect("the number is a valid id").get(),
            3
        );
    }
}
