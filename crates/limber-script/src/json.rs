//! The JSON form and its schema.

use schemars::Schema;
use serde_json::Value;

use crate::{Script, ScriptError, script::ScriptJson};

/// The longest JSON that is read, in bytes: sixty events with every field said are shorter.
const LONGEST: usize = 128 * 1024;

impl Script {
    /// Reads the JSON form.
    ///
    /// # Errors
    /// [`ScriptError`] names the place: `events[2].count: 0 is below 1`.
    pub fn from_json(text: &str) -> Result<Self, ScriptError> {
        if text.len() > LONGEST {
            let reason = format!("{} bytes are more than a script may have, {LONGEST}", text.len());
            return Err(ScriptError::new("", &reason));
        }
        // in two steps, because only what is no JSON at all has a line and a column worth telling
        let value: Value =
            serde_json::from_str(text).map_err(|error| ScriptError::new("", &error))?;
        read(&value)
    }

    /// Reads the JSON form out of a larger document.
    ///
    /// # Errors
    /// As [`Self::from_json`].
    pub fn from_value(value: &Value) -> Result<Self, ScriptError> {
        read(value)
    }

    /// The JSON form. What was left open is absent.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // only maps with keys that are no texts cannot be written, and there are none
        serde_json::to_value(self).unwrap_or_default()
    }
}

fn read<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Script, ScriptError>
where
    D::Error: std::error::Error,
{
    let json: ScriptJson = serde_path_to_error::deserialize(reader).map_err(|error| {
        let path = error.path().to_string();
        // the way to the whole is told as a dot
        let place = if path == "." { String::new() } else { path };
        ScriptError::new(place, &error.into_inner())
    })?;
    json.try_into()
}

/// The JSON Schema (draft 2020-12) of the JSON form, made from the types that read it.
#[must_use]
pub fn schema() -> Schema {
    schemars::schema_for!(ScriptJson)
}
