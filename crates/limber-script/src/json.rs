//! The JSON form of a script and its schema.

use schemars::Schema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    Script, ScriptError,
    script::{ScriptJson, Version},
};

/// Maximum length of the JSON text, bytes; sixty events with every field set are shorter.
const LONGEST: usize = 128 * 1024;

impl Script {
    /// Reads the JSON form.
    ///
    /// # Errors
    /// [`ScriptError`] names the place: `events[2].count: 0 is below 1`.
    pub fn from_json(text: &str) -> Result<Self, ScriptError> {
        if text.len() > LONGEST {
            let reason = format!("{} bytes are more than a script can have, {LONGEST}", text.len());
            return Err(ScriptError::new("", &reason));
        }
        // in two steps, because a line and column help only if the text is not JSON at all
        let value: Value =
            serde_json::from_str(text).map_err(|error| ScriptError::new("", &error))?;
        read(&value)
    }

    /// Reads the JSON form out of a larger document.
    ///
    /// # Errors
    /// See [`Self::from_json`].
    pub fn from_value(value: &Value) -> Result<Self, ScriptError> {
        read(value)
    }

    /// The JSON form. Open fields are absent.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // serialisation fails only for maps whose keys are not strings, and there are none
        serde_json::to_value(self).unwrap_or_default()
    }
}

fn read(value: &Value) -> Result<Script, ScriptError> {
    // serde would also read an object's fields from an array, which the schema does not allow
    let whole = object("", value)?;
    // check the version first, so that a script of another version gets that error rather than one
    // about unknown fields
    if let Some(version) = whole.get("version") {
        Version::deserialize(version).map_err(|error| ScriptError::new("version", &error))?;
    }
    let events = whole.get("events").and_then(Value::as_array);
    for (index, event) in events.into_iter().flatten().enumerate() {
        object(&format!("events[{index}]"), event)?;
    }
    let json: ScriptJson = serde_path_to_error::deserialize(value).map_err(|error| {
        let path = error.path().to_string();
        // the path of the whole document is "."
        let place = if path == "." { String::new() } else { path };
        ScriptError::new(place, &error.into_inner())
    })?;
    json.try_into()
}

fn object<'a>(place: &str, value: &'a Value) -> Result<&'a Map<String, Value>, ScriptError> {
    let told = "this is not an object; write its fields in braces";
    value.as_object().ok_or_else(|| ScriptError::new(place, &told))
}

/// The JSON Schema (draft 2020-12) of the JSON form, generated from the types that read it.
#[must_use]
pub fn schema() -> Schema {
    schemars::schema_for!(ScriptJson)
}
