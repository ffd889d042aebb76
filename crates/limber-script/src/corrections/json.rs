//! The JSON form of corrections and its schema.

use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::Value;

use super::{CorrectionFault, CorrectionLayer, Corrections, CorrectionsError};

/// Maximum length of the JSON text, bytes; five hundred keys with all digits are shorter.
const LONGEST: usize = 256 * 1024;

/// The JSON form.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "Corrections")]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    /// The layers, from bottom to top.
    #[schemars(length(max = 100))]
    layers: Vec<CorrectionLayer>,
}

impl TryFrom<Written> for Corrections {
    type Error = CorrectionsError;

    fn try_from(written: Written) -> Result<Self, CorrectionsError> {
        Self::new(written.layers)
    }
}

impl Corrections {
    /// Maximum length of the JSON text, bytes.
    pub const LONGEST_JSON: usize = LONGEST;

    /// Reads the JSON form.
    ///
    /// # Errors
    /// [`CorrectionsError`] names the place: `layers[0].keys[3].what.pull.offset: …`.
    pub fn from_json(text: &str) -> Result<Self, CorrectionsError> {
        if text.len() > LONGEST {
            let fault = CorrectionFault::TooLong { found: text.len(), most: LONGEST };
            return Err(CorrectionsError::at("", fault));
        }
        // in two steps, because a line and column help only if the text is not JSON at all
        let value: Value = serde_json::from_str(text).map_err(|error| formless("", &error))?;
        Self::from_value(&value)
    }

    /// Reads the JSON form out of a larger document.
    ///
    /// # Errors
    /// See [`Self::from_json`].
    pub fn from_value(value: &Value) -> Result<Self, CorrectionsError> {
        objects(value)?;
        let written: Written = serde_path_to_error::deserialize(value).map_err(|error| {
            let path = error.path().to_string();
            // the path of the whole document is "."
            let place = if path == "." { String::new() } else { path };
            formless(place, &error.into_inner())
        })?;
        written.try_into()
    }

    /// The JSON form.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // serialisation fails only for maps whose keys are not strings, and there are none
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// Checks that objects are written as objects: serde would also read their fields from an array,
/// which the schema does not allow.
fn objects(whole: &Value) -> Result<(), CorrectionsError> {
    let object = |place: String, value: &Value| {
        let told = "this is not an object; write its fields in braces";
        if value.is_object() { Ok(()) } else { Err(formless(place, &told)) }
    };
    let list = |value: &Value, field: &str| -> Vec<Value> {
        value.get(field).and_then(Value::as_array).cloned().unwrap_or_default()
    };
    object(String::new(), whole)?;
    for (place, layer) in list(whole, "layers").iter().enumerate() {
        object(format!("layers[{place}]"), layer)?;
        for (number, key) in list(layer, "keys").iter().enumerate() {
            object(format!("layers[{place}].keys[{number}]"), key)?;
        }
    }
    Ok(())
}

fn formless(place: impl Into<String>, error: &dyn std::fmt::Display) -> CorrectionsError {
    CorrectionsError::at(place, CorrectionFault::Form(error.to_string()))
}

/// The JSON Schema (draft 2020-12) of the JSON form, generated from the types that read it.
#[must_use]
pub fn schema() -> Schema {
    schemars::schema_for!(Written)
}
