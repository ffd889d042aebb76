//! The JSON form and its schema.

use schemars::Schema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    Script, ScriptError,
    script::{ScriptJson, Version},
};

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

fn read(value: &Value) -> Result<Script, ScriptError> {
    // serde would read the fields of an object from a list as well, which no schema allows
    let whole = object("", value)?;
    // a script of another version is told so, and not what this one does not know of it
    if let Some(version) = whole.get("version") {
        Version::deserialize(version).map_err(|error| ScriptError::new("version", &error))?;
    }
    let events = whole.get("events").and_then(Value::as_array);
    for (index, event) in events.into_iter().flatten().enumerate() {
        object(&format!("events[{index}]"), event)?;
    }
    let json: ScriptJson = serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        // the way to the whole is told as a dot
        let place = if path == "." { String::new() } else { path };
        ScriptError::new(place, &error.into_inner())
    })?;
    json.try_into()
}

fn object<'a>(place: &str, value: &'a Value) -> Result<&'a Map<String, Value>, ScriptError> {
    let told = "this is no object; write its fields in braces";
    value.as_object().ok_or_else(|| ScriptError::new(place, &told))
}

/// The JSON Schema (draft 2020-12) of the JSON form, made from the types that read it.
#[must_use]
pub fn schema() -> Schema {
    schemars::schema_for!(ScriptJson)
}
