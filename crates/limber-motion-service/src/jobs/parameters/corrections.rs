//! Manual corrections in parameters: a JSON object, or a string that contains one.

use limber_pipeline::corrections::{Corrections, CorrectionsError};
use serde_json::Value;

use super::text_value;

/// Name of the parameter, and of the object member, that contains corrections.
pub(crate) const CORRECTIONS: &str = "corrections";
/// Limit on the length of messages, which quote the input.
const LONGEST_FAULT: usize = 400;

/// Parses corrections; the error is a message about `name`.
pub(super) fn read(name: &str, text: &str) -> Result<Corrections, String> {
    // some clients add another layer of quotes around the object
    let text = text_value(text);
    Corrections::from_json(&text).map_err(|error| fault(name, &error))
}

/// Parses the member of a request object; blank counts as absent.
pub(super) fn of_member(name: &str, value: &Value) -> Result<Option<Corrections>, String> {
    match value {
        Value::String(text) if text.trim().is_empty() => Ok(None),
        Value::String(text) => read(name, text).map(Some),
        object => Corrections::from_value(object).map(Some).map_err(|error| fault(name, &error)),
    }
}

/// Returns a message that says what is wrong, and where.
pub(crate) fn fault(name: &str, error: &CorrectionsError) -> String {
    let CorrectionsError { place, fault } = error;
    let dot = if place.is_empty() { "" } else { "." };
    let told = format!("{name}{dot}{place}: {fault}");
    if told.chars().count() <= LONGEST_FAULT {
        return told;
    }
    let beginning: String = told.chars().take(LONGEST_FAULT).collect();
    format!("{beginning}…")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn corrections_are_an_object_or_a_string_that_contains_one() {
        let what = json!({ "pull": { "limb": "rightHand", "offset": [0, 0.1, 0] } });
        let object = json!({ "layers": [{ "keys": [{ "frame": 3, "what": what }] }] });
        let bare = read(CORRECTIONS, &object.to_string()).expect("they are valid");
        let quoted = read(CORRECTIONS, &Value::from(object.to_string()).to_string());
        assert_eq!(quoted, Ok(bare.clone()));
        assert_eq!(of_member("a.corrections", &object), Ok(Some(bare)));
        assert_eq!(of_member("a.corrections", &json!(" ")), Ok(None));
    }

    #[test]
    fn errors_name_their_place_and_are_short() {
        let wrong = json!({ "layers": [{ "keys": [{ "frame": 3, "what": { "push": 1 } }] }] });
        let told = of_member("mergingRequest.corrections", &wrong).expect_err("it is wrong");
        assert!(told.starts_with("mergingRequest.corrections.layers[0].keys[0].what"), "{told}");
        let long = json!({ "layers": [{ "x".repeat(9000): 1, "keys": [] }] });
        let told = read(CORRECTIONS, &long.to_string()).expect_err("it is wrong");
        assert!(told.chars().count() < 500, "{told}");
    }
}
