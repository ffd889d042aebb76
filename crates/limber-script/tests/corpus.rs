//! Checks that the sentences from which the prompt reader is trained are well formed.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use limber_script::{EventAction, Script};
use serde_json::{Map, Value};

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets")
}

fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(assets().join(folder)).expect("the folder exists");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("the folder is read").path())
        .filter(|path| path.extension().is_some_and(|own| own == ending))
        .collect();
    files.sort();
    files
}

/// The names of rows of data files, by the keys of the list and of the name.
fn names(folder: &str, list: &str, key: &str) -> Vec<String> {
    let rows = files(folder, "toml").into_iter().flat_map(|path| {
        let text = fs::read_to_string(&path).expect("the file is read");
        let table: toml::Table = text.parse().unwrap_or_else(|error| panic!("{path:?}: {error}"));
        table.get(list).and_then(toml::Value::as_array).cloned().unwrap_or_default()
    });
    let names =
        rows.filter_map(|row| row.get(key).and_then(toml::Value::as_str).map(str::to_owned));
    names.collect()
}

fn performed() -> Vec<String> {
    names("lexicon/actions", "action", "action")
}

fn only_understood() -> Vec<String> {
    names("lexicon/senses", "senses", "sense")
}

/// Checks one line and returns its text, or what is wrong with it.
fn faults(line: &str, actions: &HashSet<String>, says_where: bool) -> Result<String, String> {
    let row: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let Value::Object(mut row) = row else { return Err("is not an object".to_owned()) };
    let text = match row.remove("text") {
        Some(Value::String(text)) if !text.trim().is_empty() && text.chars().count() <= 1024 => {
            text
        }
        _ => return Err("`text` is missing, empty or over 1024 characters".to_owned()),
    };
    for (index, event) in row["events"].as_array_mut().into_iter().flatten().enumerate() {
        let Some(event) = event.as_object_mut() else { continue };
        let from = event.remove("from");
        words_stand_in_text(event, from, &text, says_where)
            .map_err(|fault| format!("events[{index}].{fault}"))?;
    }
    row.insert("version".to_owned(), 2.into());
    let script = Script::from_value(&Value::Object(row)).map_err(|error| error.to_string())?;
    for (index, event) in script.events().iter().enumerate() {
        let done = match &event.deed {
            EventAction::Action(action) => Some(action),
            EventAction::Body { .. } => None,
        };
        let unknown =
            done.into_iter().chain(&event.avoid).find(|name| !actions.contains(name.as_str()));
        if let Some(unknown) = unknown {
            return Err(format!("events[{index}]: no action is called {unknown}"));
        }
    }
    Ok(text)
}

fn words_stand_in_text(
    event: &Map<String, Value>,
    from: Option<Value>,
    text: &str,
    needed: bool,
) -> Result<(), String> {
    let Some(Value::Object(from)) = from else {
        return if needed { Err("from: is missing".to_owned()) } else { Ok(()) };
    };
    for (field, words) in &from {
        let found = words.as_str().is_some_and(|words| stand_in(words, text));
        if !found || !event.contains_key(field) {
            return Err(format!(
                "from.{field}: {words} does not stand in the text, or there is no such field"
            ));
        }
    }
    Ok(())
}

/// Whether the text contains the words, as often as a number after them says: `left#2`.
fn stand_in(words: &str, text: &str) -> bool {
    let counted =
        words.rsplit_once('#').and_then(|(words, count)| Some((words, count.parse().ok()?)));
    let (words, count): (&str, usize) = counted.unwrap_or((words, 1));
    !words.is_empty() && count > 0 && text.matches(words).count() >= count
}

/// Normalises a text for comparison, ignoring case and punctuation.
fn bare(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_line_is_valid() {
    let actions: HashSet<String> = performed().into_iter().chain(only_understood()).collect();
    let mut found: Vec<String> = Vec::new();
    let mut seen: HashMap<String, String> = HashMap::new();
    for (folder, says_where) in [("reader/corpus", true), ("reader/phrases", false)] {
        for path in files(folder, "jsonl") {
            let lines = fs::read_to_string(&path).expect("the file is read");
            for (number, line) in lines.lines().enumerate() {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let place = format!("{name}:{}", number + 1);
                match faults(line, &actions, says_where) {
                    Err(fault) => found.push(format!("{place}: {fault}")),
                    Ok(text) => {
                        if let Some(before) = seen.insert(bare(&text), place.clone()) {
                            found.push(format!("{place}: the text stands at {before} already"));
                        }
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_action_is_named_twice() {
    let mut names: Vec<String> = performed().into_iter().chain(only_understood()).collect();
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all);
    let performed: HashSet<String> = performed().into_iter().collect();
    for nearest in files("lexicon/senses", "toml").iter().flat_map(|path| {
        let table: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
        let rows = table["senses"].as_array().cloned().unwrap_or_default();
        rows.into_iter().map(|row| row["nearest"].as_str().unwrap_or_default().to_owned())
    }) {
        assert!(
            performed.contains(&nearest),
            "`{nearest}` in `nearest` is not an action that can be performed"
        );
    }
}
