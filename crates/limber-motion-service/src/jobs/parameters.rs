//! Converts `name=value` elements to a job. `docs/src/motion-http.md` describes the parameters.
//!
//! Parsing has two steps, because errors have an order: [`RawParameters::read`] checks the syntax
//! (400), [`RawParameters::validate`] checks all values and collects all problems (422).

mod check;
mod corrections;
mod edited;
mod finish;
mod object;
mod regular;
mod render;
mod request;
mod script;
mod values;

use std::collections::BTreeMap;

use limber_api::motion::ParameterProblem;
use limber_pipeline::corrections::Corrections;
use serde_json::{Map, Value};

pub(crate) use corrections::{CORRECTIONS, fault as correction_fault};
pub(crate) use regular::{Rules, Validated};
pub(crate) use request::{EditReading, MERGE};
pub(crate) use values::text_value;

const MOST_ELEMENTS: usize = 64;
const LONGEST_ELEMENT: usize = 16 << 10;

/// The syntax is wrong; holds a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct MalformedParameters(String);

/// At least one value is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParameterError {
    /// In the order of the specification; never empty.
    pub(crate) problems: Vec<ParameterProblem>,
}

/// Parameters by name, with unparsed values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RawParameters {
    values: BTreeMap<String, String>,
    /// Names that occur twice with different values.
    contradictions: Vec<String>,
}

impl RawParameters {
    /// Parses the body's `params`.
    pub(crate) fn read(body: &Value) -> Result<Self, MalformedParameters> {
        let malformed = |text: &str| MalformedParameters(text.to_owned());
        let elements = body
            .get("params")
            .and_then(Value::as_array)
            .ok_or_else(|| malformed("the body must be {\"params\": [\"name=value\", …]}"))?;
        if elements.len() > MOST_ELEMENTS {
            return Err(malformed("params may have at most 64 elements"));
        }
        let mut read = Self { values: BTreeMap::new(), contradictions: Vec::new() };
        for element in elements {
            let element = element
                .as_str()
                .ok_or_else(|| malformed("every element of params must be a string"))?;
            let longest = longest_of(element);
            if element.len() > longest {
                let kib = longest >> 10;
                return Err(malformed(&format!("an element of params is longer than {kib} KiB")));
            }
            let (name, value) = element.split_once('=').ok_or_else(|| {
                malformed("an element of params has no =; the form is name=value")
            })?;
            read.insert(name.trim(), value);
        }
        Ok(read)
    }

    fn insert(&mut self, name: &str, value: &str) {
        match self.values.get(name) {
            Some(known) if known != value => self.contradictions.push(name.to_owned()),
            Some(_) => {}
            None => {
                self.values.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    /// Returns the value of a parameter; an empty one counts as absent.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// Returns the parameters as submitted, with request objects as parsed JSON.
    pub(crate) fn as_shown(&self) -> Map<String, Value> {
        // some clients add another layer of quotes around the object
        let shown = |name: &str, value: &str| {
            let text = text_value(value);
            let object = name.ends_with("Request").then(|| serde_json::from_str(&text));
            match object {
                Some(Ok(object @ Value::Object(_))) => storable(object),
                _ => storable(Value::String(text)),
            }
        };
        self.values
            .iter()
            .map(|(name, value)| (name.replace('\0', " "), shown(name, value)))
            .collect()
    }
}

/// Returns the maximum length of an element. Scripts and corrections that are too long are reported
/// as invalid values elsewhere.
fn longest_of(element: &str) -> usize {
    match element.split_once('=').map(|(name, _)| name.trim()) {
        Some(regular::SCRIPT | CORRECTIONS) => usize::MAX,
        Some(request::MERGE) => LONGEST_ELEMENT + script::LONGEST + Corrections::LONGEST_JSON,
        Some(name) if request::KINDS.contains(&name) => LONGEST_ELEMENT + script::LONGEST,
        _ => LONGEST_ELEMENT,
    }
}

/// Replaces NUL, which PostgreSQL cannot store in text.
fn storable(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace('\0', " ")),
        Value::Array(items) => items.into_iter().map(storable).collect(),
        Value::Object(members) => {
            let clean = |(name, value): (String, Value)| (name.replace('\0', " "), storable(value));
            Value::Object(members.into_iter().map(clean).collect())
        }
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn elements_split_at_the_first_equals_sign() {
        let read = RawParameters::read(&json!({"params": [" prompt =a = b", "model=m"]}))
            .expect("well formed");
        assert_eq!(read.get("prompt"), Some("a = b"));
    }

    #[test]
    fn wrong_syntax_is_distinguished_from_wrong_values() {
        for body in [
            json!({}),
            json!({"params": "a=b"}),
            json!({"params": [1]}),
            json!({"params": ["prompt"]}),
        ] {
            assert!(RawParameters::read(&body).is_err(), "{body}");
        }
        assert!(RawParameters::read(&json!({"params": vec!["a=b"; 65]})).is_err());
        assert!(RawParameters::read(&json!({"params": []})).is_ok());
        let long = |name: &str, kib: usize| format!("{name}={}", "x".repeat(kib << 10));
        for (element, is_read) in [
            (long("prompt", 15), true),
            (long("prompt", 17), false),
            (long("loopRequest", 70), true),
            (long("loopRequest", 81), false),
            (long("script", 200), true),
        ] {
            let read = RawParameters::read(&json!({"params": [element]}));
            assert_eq!(read.is_ok(), is_read, "{:?}", read.err());
        }
    }
}
