//! Validated email addresses and phone numbers, and the audience within which they are unique.

use crate::refusal::{
    AUDIENCE_TOO_LONG, EMAIL_MALFORMED, EMAIL_MISSING, EMAIL_TOO_LONG, Outcome, PHONE_MALFORMED,
    refuse,
};

/// Maximum length in bytes of values by which the database looks accounts up.
const MAX_BYTES: usize = 255;

/// Rejects an audience too long for any account to have.
pub(crate) fn check_audience(text: &str) -> Outcome<()> {
    if text.len() > MAX_BYTES { refuse(AUDIENCE_TOO_LONG) } else { Ok(()) }
}

/// An email address in lower case, valid for an HTML `type=email` input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EmailAddress(String);

impl EmailAddress {
    pub(crate) fn parse(text: &str) -> Outcome<Self> {
        // Only ASCII is lower-cased: some non-ASCII letters have an ASCII lower-case form but
        // belong to other addresses.
        let text = text.trim().to_ascii_lowercase();
        if text.is_empty() {
            return refuse(EMAIL_MISSING);
        }
        if text.len() > MAX_BYTES {
            return refuse(EMAIL_TOO_LONG);
        }
        if !is_html_email(&text) {
            return refuse(EMAIL_MALFORMED);
        }
        Ok(Self(text))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Tells whether the text matches the email grammar of the HTML standard.
fn is_html_email(text: &str) -> bool {
    let Some((local, host)) = text.rsplit_once('@') else { return false };
    let local_ok = !local.is_empty()
        && local.bytes().all(|b| b.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&b));
    local_ok && host.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let edge = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = label.as_bytes();
    bytes.len() <= 63
        && edge(bytes.first())
        && edge(bytes.last())
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-')
}

/// The digits of an E.164 phone number, without the `+`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PhoneNumber(String);

impl PhoneNumber {
    pub(crate) fn parse(text: &str) -> Outcome<Self> {
        let text: String = text.chars().filter(|c| *c != ' ').collect();
        let digits = text.strip_prefix('+').unwrap_or(&text);
        let good = (2..=15).contains(&digits.len())
            && digits.bytes().all(|b| b.is_ascii_digit())
            && !digits.starts_with('0');
        if !good {
            return refuse(PHONE_MALFORMED);
        }
        Ok(Self(digits.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn email_addresses_are_validated_as_specified() {
        assert_eq!(EmailAddress::parse(" Asd@A.aa").expect("good").as_str(), "asd@a.aa");
        for bad in [
            "a",
            "xx:;x@x.x",
            "@x.xx",
            "a@",
            "a b@c.dd",
            "a@-b.cc",
            "a@b..cc",
            "ä@b.cc",
            // KELVIN SIGN, whose Unicode lower-case form is an ASCII `k`.
            "mi\u{212a}e@b.cc",
        ] {
            assert!(EmailAddress::parse(bad).is_err(), "{bad}");
        }
        assert!(EmailAddress::parse(&format!("{}@b.cc", "a".repeat(255))).is_err());
    }

    #[test]
    fn phone_numbers_are_normalized_to_digits() {
        assert_eq!(PhoneNumber::parse("+41 79 123 45 67").expect("good").as_str(), "41791234567");
        for bad in ["", "+", "0123", "+1", "++4179", "41-79", "1234567890123456"] {
            assert!(PhoneNumber::parse(bad).is_err(), "{bad}");
        }
    }
}
