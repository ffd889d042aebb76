//! Names of actions.

use std::{borrow::Cow, fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};

/// Regular expression for action names.
const PATTERN: &str = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$";

/// The name of an action, for example `walk` or `get-up-from-back`: lower case, words joined by
/// hyphens.
///
/// Which actions exist is defined by the vocabulary of the engine, not here.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct ActionName(String);

/// A string that is not a valid action name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not an action name: lower-case words joined by hyphens, at most {max} \
         characters", max = ActionName::MAX_CHARS)]
pub struct InvalidActionName(String);

impl ActionName {
    /// Maximum length in characters.
    pub const MAX_CHARS: usize = 48;

    /// The name as a string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ActionName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for ActionName {
    type Err = InvalidActionName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let starts_with_letter = text.starts_with(|first: char| first.is_ascii_lowercase());
        let words = text.split('-').all(|word| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        });
        if text.len() <= Self::MAX_CHARS && starts_with_letter && words {
            return Ok(Self(text.to_owned()));
        }
        Err(InvalidActionName(text.chars().take(Self::MAX_CHARS).collect()))
    }
}

impl<'de> Deserialize<'de> for ActionName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for ActionName {
    fn schema_name() -> Cow<'static, str> {
        "ActionName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "The name of an action of the vocabulary, for example `walk`.",
            "pattern": PATTERN,
            "maxLength": ActionName::MAX_CHARS,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lower_case_words_with_hyphens() {
        for good in ["walk", "get-up-from-back", "turn-180"] {
            assert_eq!(good.parse::<ActionName>().unwrap().as_str(), good);
        }
        for bad in
            ["", "Walk", "walk-", "-walk", "a--b", "2-step", "walk to", "wälk", &"a".repeat(49)]
        {
            assert!(bad.parse::<ActionName>().is_err(), "{bad}");
        }
    }
}
