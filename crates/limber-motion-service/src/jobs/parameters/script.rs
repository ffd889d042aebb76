//! Motion scripts in parameters: a JSON object, or a string that contains one.

use limber_pipeline::{Script, ScriptError};
use serde_json::Value;

use super::text_value;

/// Maximum length of a script in bytes.
pub(super) const LONGEST: usize = 64 << 10;
/// Limit on the length of messages, which quote the input.
const LONGEST_FAULT: usize = 400;

/// Parses a script; the error is a message about `name`.
pub(super) fn read(name: &str, text: &str) -> Result<Script, String> {
    // some clients add another layer of quotes around the object
    let text = text_value(text);
    is_short(name, text.len())?;
    Script::from_json(&text).map_err(|error| told(name, &error))
}

/// Parses the member of a request object; blank counts as absent.
pub(super) fn of_member(name: &str, value: &Value) -> Result<Option<Script>, String> {
    match value {
        Value::String(text) if text.trim().is_empty() => Ok(None),
        Value::String(text) => read(name, text).map(Some),
        object => {
            is_short(name, object.to_string().len())?;
            Script::from_value(object).map(Some).map_err(|error| told(name, &error))
        }
    }
}

fn is_short(name: &str, bytes: usize) -> Result<(), String> {
    if bytes <= LONGEST {
        return Ok(());
    }
    Err(format!("{name} has {bytes} bytes, at most {LONGEST} are allowed; use fewer events"))
}

fn told(name: &str, ScriptError { place, reason }: &ScriptError) -> String {
    let dot = if place.is_empty() { "" } else { "." };
    let fault = format!("{name}{dot}{place}: {reason}");
    if fault.chars().count() <= LONGEST_FAULT {
        return fault;
    }
    let beginning: String = fault.chars().take(LONGEST_FAULT).collect();
    format!("{beginning}…")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const WALK: &str = r#"{"version": 2, "events": [{"do": "walk", "steps": 3}]}"#;

    #[test]
    fn a_script_is_an_object_or_a_string_that_contains_one() {
        let bare = read("script", WALK).expect("a script");
        let quoted = read("script", &Value::from(WALK).to_string()).expect("a script");
        let inside = of_member("script", &serde_json::from_str(WALK).expect("JSON"));
        let text = of_member("script", &json!(WALK));
        assert_eq!(bare, quoted);
        assert_eq!([inside, text], [Ok(Some(bare.clone())), Ok(Some(bare))]);
        assert_eq!(of_member("script", &json!(" ")), Ok(None));
    }

    #[test]
    fn errors_name_their_place_and_are_short() {
        let events = |event: &str| format!(r#"{{"version": 2, "events": [{event}]}}"#);
        let of = |event: &str| read("loopRequest.script", &events(event)).expect_err(event);
        let none = of(r#"{"do": "walk"}, {"do": "nod"}, {"do": "jump", "count": 0}"#);
        assert_eq!(none, "loopRequest.script.events[2].count: 0 is below 1");
        let name = "x".repeat(20_000);
        let long = of(&format!(r#"{{"do": "walk", "{name}": 1}}"#));
        assert!(long.chars().count() < 500 && long.contains("events[0]"), "{long}");
        let deep = of(&"[".repeat(20_000));
        assert!(deep.chars().count() < 500, "{deep}");
        let heavy = read("script", &events(&" ".repeat(LONGEST))).expect_err("it is too long");
        assert!(heavy.contains("at most 65536"), "{heavy}");
    }
}
