//! The provider's responses about one user.

use serde_json::Value;

/// Responses, by the name of their call.
pub(crate) struct Answers<'a> {
    /// The issuer of these claims.
    pub(super) issuer: &'a str,
    /// Microsoft only: the operator has restricted which tenants are admitted.
    pub(super) tenant_is_pinned: bool,
    /// WorkOS only: the connections and organisations that the operator admits.
    pub(super) directories: &'a [String],
    pub(super) values: Vec<(&'static str, Value)>,
}

/// Name of the claims of a verified ID token.
pub(super) const CLAIMS: &str = "claims";
/// Name of the token endpoint's response.
pub(super) const TOKEN: &str = "token";
/// Name of the form data that the browser brought besides the code.
pub(super) const FORM: &str = "form";

impl Answers<'_> {
    /// Returns a response, or `null` if the call was not made.
    pub(super) fn get(&self, name: &str) -> &Value {
        self.values.iter().find(|(n, _)| *n == name).map_or(&Value::Null, |(_, value)| value)
    }

    /// Returns the response of the call `user`, or the claims of the ID token.
    pub(super) fn user_or_claims(&self) -> &Value {
        match self.get("user") {
            Value::Null => self.get(CLAIMS),
            user => user,
        }
    }
}

/// Returns an id as text; providers send ids as numbers or strings.
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

/// Tells whether the value is `true`, `"true"`, `"1"` or 1; providers encode booleans in all these
/// ways.
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
    fn ids_and_booleans_are_read_as_strings_numbers_or_booleans() {
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
