//! Detects environment variables that a program does not know: most likely typos, which would
//! otherwise have no effect without any notice.

use std::collections::BTreeSet;

/// Minimum similarity of a suggestion, 0 to 1: allows one or two different letters in a short name.
const LIKENESS: f64 = 0.75;

/// Returns one warning for each name in `set` that starts with the prefix and is not in `known`,
/// with a suggestion if a known name is similar. Names in `known` have no prefix.
pub fn unknown_settings<'a>(
    prefix: &str,
    set: impl IntoIterator<Item = &'a str>,
    known: impl IntoIterator<Item = String>,
) -> BTreeSet<String> {
    let known: BTreeSet<String> = known.into_iter().collect();
    let names = set.into_iter().filter_map(|name| name.strip_prefix(prefix));
    let unknown = names.filter(|name| !known.contains(*name));
    let sentence = |name: &str| {
        let offer = nearest(name, &known).map(|near| format!("; did you mean {prefix}{near}?"));
        let offer = offer.unwrap_or_default();
        format!("{prefix}{name} is not a setting of this service{offer}")
    };
    unknown.map(sentence).collect()
}

fn nearest<'a>(name: &str, known: &'a BTreeSet<String>) -> Option<&'a str> {
    let likeness =
        known.iter().map(|near| (strsim::normalized_damerau_levenshtein(name, near), near));
    let (likeness, near) = likeness.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (likeness > LIKENESS).then_some(near.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelled_settings_are_reported_with_a_suggestion() {
        let set = ["SVC_LISTNE", "SVC_STORE", "SVC_QWERTY", "PATH", "OTHERSVC_STORE"];
        let known = ["LISTEN", "STORE"].map(str::to_owned);
        let warnings: Vec<String> = unknown_settings("SVC_", set, known).into_iter().collect();
        assert_eq!(
            warnings,
            [
                "SVC_LISTNE is not a setting of this service; did you mean SVC_LISTEN?",
                "SVC_QWERTY is not a setting of this service"
            ]
        );
    }
}
