//! Sanitises names from untrusted files.

/// Maximum length of a name in characters.
const LONGEST: usize = 100;

/// Returns a name without characters that could mislead a reader: no control or direction marks, at
/// most 100 characters.
pub(crate) fn plain_text(name: &str) -> String {
    let misleads = |c: char| {
        c.is_control()
            || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}')
            || c == '\u{FEFF}'
    };
    name.chars().filter(|c| !misleads(*c)).take(LONGEST).collect()
}

/// Returns a name that no other joint has.
pub(super) fn unique(
    name: &str,
    node: usize,
    taken: &mut std::collections::HashSet<String>,
) -> String {
    let wanted = plain_text(name);
    let wanted = if wanted.trim().is_empty() { format!("node_{node}") } else { wanted };
    let mut unique = wanted.clone();
    let mut number = 2;
    while !taken.insert(unique.clone()) {
        unique = format!("{wanted}_{number}");
        number += 1;
    }
    unique
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn misleading_parts_of_names_are_removed() {
        assert_eq!(plain_text("a\0b\nc\u{202E}d"), "abcd");
        assert_eq!(plain_text(&"x".repeat(20_000)).len(), LONGEST);
        assert_eq!(plain_text("左腕"), "左腕");
    }

    #[test]
    fn duplicate_names_get_numbers() {
        let mut taken = HashSet::new();
        let names = ["arm", "arm", "", "arm"].map(|name| unique(name, 7, &mut taken));
        assert_eq!(names, ["arm", "arm_2", "node_7", "arm_3"]);
    }
}
