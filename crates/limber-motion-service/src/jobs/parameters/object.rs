//! Request objects: JSON inside a parameter. Numbers may be given as strings.

use limber_pipeline::{Script, corrections::Corrections};
use serde_json::{Map, Value};

use super::{corrections, script, values};

/// Quotation marks that word processors substitute for `"`.
const TYPOGRAPHIC: [char; 9] = ['“', '”', '„', '‟', '‘', '’', '«', '»', '″'];

/// A JSON object, with the name of its parameter.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RequestObject {
    name: String,
    members: Map<String, Value>,
}

impl RequestObject {
    /// Parses a JSON object; the error is a message.
    pub(super) fn read(name: &str, text: &str) -> Result<Self, String> {
        // some clients add another layer of quotes around the object
        let parsed = match serde_json::from_str(text) {
            Ok(Value::String(inner)) => serde_json::from_str(&inner),
            other => other,
        };
        match parsed {
            Ok(Value::Object(members)) => Ok(Self { name: name.to_owned(), members }),
            Ok(_) => Err(format!("{name} must be a JSON object like {{\"name\": 1}}")),
            Err(_) if text.contains(TYPOGRAPHIC) => Err(format!(
                "{name} contains typographic quotes; use the plain quote \" of JSON instead"
            )),
            Err(_) => Err(format!("{name} is not JSON; check its quotes and brackets")),
        }
    }

    fn get(&self, member: &str) -> Option<&Value> {
        self.members.get(member).filter(|value| !value.is_null())
    }

    /// Returns the path of a member, for messages.
    pub(super) fn path(&self, member: &str) -> String {
        format!("{}.{member}", self.name)
    }

    fn wrong<T>(&self, member: &str, expected: &str) -> Result<T, String> {
        Err(format!("{} must be {expected}", self.path(member)))
    }

    /// Returns a string that is not blank.
    pub(super) fn text(&self, member: &str) -> Result<Option<String>, String> {
        match self.get(member) {
            None => Ok(None),
            Some(Value::String(text)) => {
                let text = values::text_value(text);
                Ok(Some(text).filter(|text| !text.trim().is_empty()))
            }
            Some(_) => self.wrong(member, "a text"),
        }
    }

    /// Returns a motion script.
    pub(super) fn script(&self, member: &str) -> Result<Option<Script>, String> {
        let read = |value| script::of_member(&self.path(member), value);
        self.get(member).map_or(Ok(None), read)
    }

    /// Returns manual corrections.
    pub(super) fn corrections(&self, member: &str) -> Result<Option<Corrections>, String> {
        let read = |value| corrections::of_member(&self.path(member), value);
        self.get(member).map_or(Ok(None), read)
    }

    /// Returns a number, with the way it was written.
    pub(super) fn number(&self, member: &str) -> Result<Option<WrittenNumber>, String> {
        let Some(value) = self.get(member) else { return Ok(None) };
        let number = WrittenNumber::of(value);
        number.map_or_else(|| self.wrong(member, "a number"), |number| Ok(Some(number)))
    }

    /// Returns a number within these bounds.
    pub(super) fn within(
        &self,
        member: &str,
        least: f64,
        most: f64,
    ) -> Result<Option<f64>, String> {
        match self.number(member)? {
            Some(number) if (least..=most).contains(&number.value) => Ok(Some(number.value)),
            Some(_) => self.wrong(member, &format!("a number from {least} to {most}")),
            None => Ok(None),
        }
    }

    /// Returns a whole number within these bounds.
    pub(super) fn whole(&self, member: &str, least: u64, most: u64) -> Result<Option<u64>, String> {
        match self.number(member)? {
            Some(WrittenNumber { value, whole: true })
                if value >= least as f64 && value <= most as f64 =>
            {
                Ok(Some(value as u64))
            }
            Some(_) if most == u64::MAX => {
                self.wrong(member, &format!("a whole number from {least}"))
            }
            Some(_) => self.wrong(member, &format!("a whole number from {least} to {most}")),
            None => Ok(None),
        }
    }

    /// Parses `0`, `1`, `true` or `false`, as JSON or as a string; absent means false.
    pub(super) fn switch(&self, member: &str) -> Result<bool, String> {
        let read = match self.get(member) {
            None => Some(false),
            Some(Value::Bool(on)) => Some(*on),
            Some(Value::String(text)) => values::switch(text.trim()),
            Some(Value::Number(number)) => values::switch(&number.to_string()),
            Some(_) => None,
        };
        read.map_or_else(|| self.wrong(member, "0 or 1"), Ok)
    }

    /// Returns a nested object, which may also be a string of JSON.
    pub(super) fn object(&self, member: &str) -> Result<Option<Self>, String> {
        let path = self.path(member);
        match self.get(member) {
            None => Ok(None),
            Some(Value::Object(members)) => Ok(Some(Self { name: path, members: members.clone() })),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(Value::String(text)) => Self::read(&path, text).map(Some),
            Some(_) => self.wrong(member, "an object"),
        }
    }

    /// Returns how many frames an `editRequest` cuts off at the beginning and at the end.
    pub(super) fn trim(&self) -> Result<[u64; 2], String> {
        let frames = |member| self.whole(member, 0, u64::MAX).map(Option::unwrap_or_default);
        Ok([frames("numTrimLeft")?, frames("numTrimRight")?])
    }

    /// Returns a list of objects.
    pub(super) fn list(&self, member: &str) -> Result<Vec<Self>, String> {
        let Some(Value::Array(items)) = self.get(member) else {
            return self.wrong(member, "a list of objects");
        };
        let item = |(place, item): (usize, &Value)| match item {
            Value::Object(members) => {
                let name = format!("{}[{place}]", self.path(member));
                Ok(Self { name, members: members.clone() })
            }
            _ => self.wrong(member, "a list of objects"),
        };
        items.iter().enumerate().map(item).collect()
    }
}

/// A number, and whether it was written without fraction and exponent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct WrittenNumber {
    pub(super) value: f64,
    pub(super) whole: bool,
}

impl WrittenNumber {
    fn of(value: &Value) -> Option<Self> {
        let text = match value {
            Value::Number(number) => number.to_string(),
            Value::String(text) => text.trim().to_owned(),
            _ => return None,
        };
        let digits = text.strip_prefix('-').unwrap_or(&text);
        let plain = digits.starts_with(|c: char| c.is_ascii_digit());
        let value = text.parse::<f64>().ok().filter(|value| plain && value.is_finite())?;
        Some(Self { value, whole: digits.bytes().all(|byte| byte.is_ascii_digit()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<RequestObject, String> {
        RequestObject::read("loopRequest", text)
    }

    #[test]
    fn numbers_may_be_given_as_strings() {
        let object = read(r#"{"a": 3, "b": "4", "c": 1.5, "d": "x", "e": null, "f": 2.0}"#);
        let object = object.expect("an object");
        assert_eq!(object.whole("a", 0, 9), Ok(Some(3)));
        assert_eq!(object.whole("b", 0, 9), Ok(Some(4)));
        assert_eq!(object.within("c", 0.0, 2.0), Ok(Some(1.5)));
        assert!(object.whole("c", 0, 9).is_err() && object.within("d", 0.0, 1.0).is_err());
        assert_eq!(object.whole("e", 0, 9), Ok(None));
        assert_eq!(object.number("f").map(|n| n.map(|n| n.whole)), Ok(Some(false)));
        let far = object.whole("a", 5, u64::MAX).expect_err("3 is below 5");
        assert_eq!(far, "loopRequest.a must be a whole number from 5");
    }

    #[test]
    fn typographic_quotes_have_their_own_message() {
        let hint = read("{“numReps”: 2}").expect_err("no JSON");
        assert!(hint.contains("typographic"), "{hint}");
        assert!(!read("{\"numReps\": }").expect_err("no JSON").contains("typographic"));
        assert!(read("[1]").expect_err("no object").contains("object"));
        assert!(read(r#""{\"numReps\": 2}""#).is_ok(), "an object in a JSON string");
    }

    #[test]
    fn errors_in_lists_name_the_item() {
        let object =
            read(r#"{"intervals": [{"start": 1}, {"start": "soon"}]}"#).expect("an object");
        let list = object.list("intervals").expect("a list");
        let wrong = list[1].number("start").expect_err("no number");
        assert_eq!(wrong, "loopRequest.intervals[1].start must be a number");
        assert!(object.list("none").is_err());
    }
}
