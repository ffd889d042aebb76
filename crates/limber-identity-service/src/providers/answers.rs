//! Everything a provider said about one person.

use serde_json::Value;

/// Answers by the name of their question.
pub(crate) struct Answers<'a> {
    /// Whose word this is.
    pub(super) issuer: &'a str,
    /// Of Microsoft: the operator named the tenants whose people come.
    pub(super) tenant_is_pinned: bool,
    /// Of WorkOS: the directories that the operator named.
    pub(super) directories: &'a [String],
    pub(super) values: Vec<(&'static str, Value)>,
}

/// The claims of a checked ID token.
pub(super) const CLAIMS: &str = "claims";
/// What the answer to the code held.
pub(super) const TOKEN: &str = "token";
/// What the browser brought besides the code.
pub(super) const FORM: &str = "form";

impl Answers<'_> {
    /// `null` when the question was not asked.
    pub(super) fn get(&self, name: &str) -> &Value {
        self.values.iter().find(|(n, _)| *n == name).map_or(&Value::Null, |(_, value)| value)
    }

    /// The answer to the question `user`, or the claims where there is an ID token.
    pub(super) fn user_or_claims(&self) -> &Value {
        match self.get("user") {
            Value::Null => self.get(CLAIMS),
            user => user,
        }
    }
}

/// A number or a text as text; providers write ids either way.
pub(super) fn id(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if is_plain(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn is_plain(text: &str) -> bool {
    (1..=255).contains(&text.len()) && !text.contains(char::is_control)
}

/// `true`, `"true"` or `"1"`; providers write booleans either way.
pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Bool(yes) => *yes,
        Value::String(text) => matches!(text.as_str(), "true" | "1"),
        Value::Number(number) => number.as_i64() == Some(1),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ids_and_truths_are_read_however_they_are_written() {
        assert_eq!(id(&json!(42)).as_deref(), Some("42"));
        assert_eq!(id(&json!("a")).as_deref(), Some("a"));
        for bad in [json!(""), json!("a\0"), json!("x".repeat(256)), json!(null), json!([1])] {
            assert_eq!(id(&bad), None, "{bad}");
        }
        for yes in [json!(true), json!("true"), json!("1"), json!(1)] {
            assert!(is_true(&yes), "{yes}");
        }
        for no in [json!(false), json!("false"), json!("0"), json!(null), json!("yes"), json!(2)] {
            assert!(!is_true(&no), "{no}");
        }
    }
}
