//! Sentences are for people. Programs use structured data that accompanies them: codes with
//! arguments, in `limber-script`'s `message` and `limber-app`'s `messages`. No program may search
//! a sentence for words.

use std::path::Path;

use crate::{project_files, text_of};

/// Exceptions, with their reasons.
const ALLOWED: &[(&str, &str, &str)] =
    &[("xtask/src/packages.rs", "install ok installed", "dpkg's own word for a state")];

/// Methods that search a text.
const SEARCH_METHODS: &[&str] = &[
    "contains",
    "starts_with",
    "ends_with",
    "split_once",
    "rsplit_once",
    "strip_prefix",
    "strip_suffix",
    "find",
    "rfind",
    "split",
    "matches",
    // the same in TypeScript
    "includes",
    "startsWith",
    "endsWith",
    "indexOf",
];

/// Returns whether a file is shipped or supports what is shipped. Tests are not: they may check
/// what people read.
fn is_program(path: &Path) -> bool {
    let text = path.to_string_lossy();
    let is_source = text.ends_with(".rs") || text.ends_with(".ts") || text.ends_with(".svelte");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_test = text.contains("/tests/")
        || text.starts_with("tests/")
        || text.contains("/testing/")
        || text.ends_with(".test.ts")
        || ["tests.rs", "testing.rs"].contains(&name.as_ref());
    is_source && !is_test && !text.starts_with("training/")
}

/// Returns the code of a file without its tests and comments.
fn code(text: &str) -> String {
    let own = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    own.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Returns whether a literal contains at least two words of more than one letter.
fn is_prose(literal: &str) -> bool {
    let words = literal.split(' ').map(|word| word.trim_matches(|c: char| !c.is_alphabetic()));
    words.filter(|word| word.len() > 1 && word.chars().all(char::is_alphabetic)).count() > 1
}

/// Returns the quoted string at the start of a text; our search patterns contain no escapes.
fn quoted(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|first| ['"', '`', '\''].contains(first))?;
    text[1..].split(quote).next()
}

/// Returns prose that the code searches for.
fn searched_texts(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for method in SEARCH_METHODS {
        let call = format!(".{method}(");
        for (place, _) in code.match_indices(&call) {
            let literal = quoted(&code[place + call.len()..]);
            found.extend(literal.filter(|words| is_prose(words)).map(str::to_owned));
        }
    }
    found
}

/// Returns keys of a front-end table that are sentences, as in a table of translations by sentence.
fn keys_that_are_sentences(code: &str) -> Vec<String> {
    let lines = code.lines().map(str::trim_start).filter(|line| line.starts_with('"'));
    let keys = lines.filter_map(|line| line[1..].split_once("\":")).map(|(key, _)| key);
    keys.filter(|key| is_prose(key) && key.ends_with(['.', '!', '?'])).map(str::to_owned).collect()
}

#[test]
fn no_code_searches_messages_for_words() {
    let files: Vec<_> = project_files().into_iter().filter(|path| is_program(path)).collect();
    assert!(files.len() > 500, "{} files", files.len());
    let mut faults = Vec::new();
    let mut used = Vec::new();
    for path in &files {
        let code = code(&text_of(path));
        let mut words = searched_texts(&code);
        if path.starts_with("ui/src") {
            words.extend(keys_that_are_sentences(&code));
        }
        for words in words {
            let known =
                ALLOWED.iter().find(|(file, text, _)| path == Path::new(file) && words == *text);
            match known {
                Some(known) => used.push(known),
                None => faults.push(format!("{}: \"{words}\"", path.display())),
            }
        }
    }
    assert!(
        faults.is_empty(),
        "pass these facts as data instead of searching in messages:\n{}",
        faults.join("\n")
    );
    assert_eq!(used.len(), ALLOWED.len(), "only these exceptions are used: {used:?}");
}

#[test]
fn searches_in_messages_are_detected() {
    let reading = r#"let (_, rest) = warning.split_once("does not know \"")?;
        if complaint.contains("memory allocation") { return; }
        // warning.contains("a comment is no code")
        let plain = name.contains("glb") || line.starts_with("- ") || ways.contains(&"two words");"#;
    assert_eq!(searched_texts(&code(reading)).len(), 2);
    let table = "export const told = {\n  \"This clip was deleted for good.\":\n    \"Weg.\",\n  walk: \"geht\",\n};";
    assert_eq!(keys_that_are_sentences(table), ["This clip was deleted for good."]);
    assert_eq!(
        searched_texts("if (error.message.includes('not a motion')) return;"),
        ["not a motion"]
    );
}
