//! Parses single values: strings in three encodings, switches, numbers.

/// Decodes a string in any of the forms that existing clients send: bare, quoted, or a JSON string.
pub(crate) fn text_value(value: &str) -> String {
    let trimmed = value.trim();
    if trimmed.len() > 1 && trimmed.starts_with('"') && trimmed.ends_with('"') {
        return serde_json::from_str(trimmed)
            .unwrap_or_else(|_| trimmed[1..trimmed.len() - 1].to_owned());
    }
    value.to_owned()
}

/// Parses `0`, `1`, `true` or `false`.
pub(super) fn switch(value: &str) -> Option<bool> {
    match value {
        "0" | "false" => Some(false),
        "1" | "true" => Some(true),
        _ => None,
    }
}

/// Parses a finite decimal number.
pub(super) fn decimal(value: &str) -> Option<f32> {
    value.parse::<f32>().ok().filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_encodings_of_a_string_are_equal() {
        assert_eq!(text_value("walks"), "walks");
        assert_eq!(text_value(r#""walks""#), "walks");
        assert_eq!(text_value(r#""says \"hi\"""#), r#"says "hi""#);
        assert_eq!(text_value(r#""says "hi" loudly""#), r#"says "hi" loudly"#);
        assert_eq!(text_value("\""), "\"");
    }

    #[test]
    fn infinity_is_not_a_number() {
        assert_eq!(decimal("inf"), None);
        assert_eq!(decimal("NaN"), None);
        assert_eq!(decimal("0.5"), Some(0.5));
    }
}
