//! Durations in settings: plain seconds, or a form such as `1h30m`.

use std::time::Duration;

/// Unit suffixes and their length in seconds. Longer suffixes come before their prefixes, so that
/// `ms` is not read as `m`.
const UNITS: [(&str, f64); 7] = [
    ("ns", 1e-9),
    ("us", 1e-6),
    ("µs", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
    ("m", 60.0),
    ("h", 3600.0),
];
/// Upper limit, about a hundred years. Anything longer is most likely a typo.
const MAX_SECONDS: f64 = 3.2e9;

/// Parses `900`, `60s`, `1h30m` or `1.5h`. Returns `None` for any other form.
#[must_use]
pub fn parse_duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        let seconds: u64 = text.parse().ok()?;
        return (seconds as f64 <= MAX_SECONDS).then(|| Duration::from_secs(seconds));
    }
    parse_compound(text)
}

/// Parses only forms with units, as `ban_duration` requires.
#[must_use]
pub fn parse_compound(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    if rest == "0" {
        return Some(Duration::ZERO);
    }
    if rest.is_empty() {
        return None;
    }
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..end].parse().ok()?;
        rest = &rest[end..];
        let (unit, factor) = UNITS.iter().find(|(unit, _)| {
            rest.strip_prefix(unit).is_some_and(|after| {
                // `m` must not match the first letter of `ms`.
                !after.starts_with(|c: char| c.is_alphabetic())
            })
        })?;
        seconds += number * factor;
        rest = &rest[unit.len()..];
    }
    (seconds <= MAX_SECONDS).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_go_durations_are_both_parsed() {
        let cases = [("900", 900.0), ("60s", 60.0), ("1h30m", 5400.0), ("1.5h", 5400.0)];
        for (text, seconds) in cases {
            assert_eq!(parse_duration(text), Some(Duration::from_secs_f64(seconds)), "{text}");
        }
        assert_eq!(parse_duration("250ms"), Some(Duration::from_millis(250)));
    }

    #[test]
    fn invalid_durations_are_rejected() {
        for text in ["", "h", "1x", "-5s", "1h30", "1..2s", "99999999999999999999", "1e9h"] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }
}
