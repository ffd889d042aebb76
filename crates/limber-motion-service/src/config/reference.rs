//! Generates the settings page of the book from the doc comments of the settings.

use std::{collections::BTreeMap, fmt::Write as _};

use super::Config;

const INTRODUCTION: &str = "\
# Motion service settings

<!-- Generated from the declarations in the code; a test says how to regenerate it. -->

Settings are environment variables, the same for `limber-motion serve` and `limber-motion work`. An
empty value counts as not set. Every start checks all settings and lists all problems at once;
`limber-motion doctor` shows them and tests what they refer to.

| name | meaning |
|---|---|
";

const SOURCES: [&str; 3] =
    [include_str!("../config.rs"), include_str!("place.rs"), include_str!("watching.rs")];

/// Returns names and descriptions of all documented settings, in the order of declaration.
fn declared() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for source in SOURCES {
        let mut comment = String::new();
        for line in source.lines().map(str::trim) {
            if let Some(text) = line.strip_prefix("///") {
                comment.push(' ');
                comment.push_str(text.trim());
                continue;
            }
            let text = std::mem::take(&mut comment);
            let Some((name, meaning)) =
                text.trim().strip_prefix('`').and_then(|t| t.split_once('`'))
            else {
                continue;
            };
            if name.starts_with("MOTIONSVC_") || name.starts_with("OTEL_") {
                let meaning = meaning.trim_start_matches([':', ',', ' ']);
                found.push((name.to_owned(), capital(meaning)));
            }
        }
    }
    found
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    for (name, meaning) in declared() {
        writeln!(page, "| `{name}` | {} |", meaning.replace('|', "\\|")).expect("it is a text");
    }
    page
}

/// Returns the names that the code passes to the reader, with how often each occurs.
fn names_read() -> BTreeMap<String, usize> {
    let mut names = BTreeMap::new();
    for source in SOURCES {
        let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let quoted = line.split('"').skip(1).step_by(2);
            for name in quoted.filter(|w| w.starts_with("MOTIONSVC_") || w.starts_with("OTEL_")) {
                *names.entry(name.to_owned()).or_default() += 1;
            }
        }
    }
    names
}

/// The pages for operators name only settings that exist; a prefix alone stands for all of them.
#[test]
fn pages_for_operators_name_only_existing_settings() {
    for page in ["server.md", "operate/existing-clients.md"] {
        let path = format!("{}/../../docs/src/{page}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the page exists");
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let names: Vec<&str> = words.filter(|word| word.starts_with("MOTIONSVC_")).collect();
        assert!(names.len() > 5, "{page} names {names:?}");
        let named = names.into_iter().filter(|name| *name != "MOTIONSVC_");
        let unknown: Vec<String> = Config::unknown_names(named).into_iter().collect();
        assert!(unknown.is_empty(), "{page}: {unknown:?}");
    }
}

const PAGE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/operate/motion-settings.md");

#[test]
fn the_settings_page_matches_the_code() {
    if std::env::var_os("LIMBER_RENEW_PAGES").is_some() {
        std::fs::write(PAGE, page()).expect("the page is writable");
    }
    assert!(
        std::fs::read_to_string(PAGE).unwrap_or_default() == page(),
        "the page is out of date; regenerate it with `LIMBER_RENEW_PAGES=1 cargo test -p \
         limber-motion-service the_settings_page`"
    );
}

#[test]
fn every_setting_is_documented_and_used() {
    let declared = declared();
    let names: Vec<&str> = declared.iter().map(|(name, _)| name.as_str()).collect();
    let read = names_read();
    for name in read.keys() {
        assert!(names.contains(&name.as_str()), "{name} is read but not declared");
    }
    for (name, meaning) in &declared {
        assert!(read.contains_key(name), "{name} is declared but not read");
        assert!(meaning.ends_with('.') && meaning.len() > 15, "{name}: {meaning}");
    }
}
