//! Checks the documentation page about scripts: its tables match the schema and its examples are
//! valid scripts.

use std::{collections::BTreeSet, fs, path::Path};

use limber_script::{Script, schema};
use serde_json::Value;

fn page() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/motion-script.md");
    fs::read_to_string(page).expect("the page exists")
}

/// The section below this heading.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, below) = page.split_once(&format!("\n## {heading}\n")).expect(heading);
    below.split("\n## ").next().unwrap_or_default()
}

/// The contents of the only code fence of this kind.
fn fenced<'a>(example: &'a str, kind: &str) -> &'a str {
    let fences: Vec<&str> = example.split(&format!("```{kind}\n")).skip(1).collect();
    assert_eq!(fences.len(), 1, "one {kind} in {example}");
    fences[0].split("\n```").next().unwrap_or_default()
}

/// The names in the first cells of a table.
fn named(section: &str) -> BTreeSet<String> {
    let cells = section.lines().filter_map(|line| line.strip_prefix("| ")?.split('|').next());
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned)).collect()
}

fn properties(schema: &Value) -> BTreeSet<String> {
    schema.as_object().expect("properties").keys().cloned().collect()
}

#[test]
fn the_tables_match_the_schema() {
    let page = page();
    let schema = schema();
    let schema = schema.as_value();
    assert_eq!(named(section(&page, "Script fields")), properties(&schema["properties"]));
    let event = &schema["$defs"]["Event"]["properties"];
    assert_eq!(named(section(&page, "Event fields")), properties(event));
    assert!(page.contains("`GET /job/v1/script-schema`"));
}

#[test]
fn every_example_is_a_script_in_both_its_forms() {
    let page = page();
    let examples: Vec<&str> = section(&page, "Examples").split("\n### ").skip(1).collect();
    assert_eq!(examples.len(), 10);
    let validator = jsonschema::validator_for(schema().as_value()).expect("the schema is valid");
    for example in examples {
        let sentence = example.lines().next().unwrap_or_default();
        let json = fenced(example, "json");
        let value: Value = serde_json::from_str(json).unwrap_or_else(|e| panic!("{sentence}: {e}"));
        let faults: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(faults.is_empty(), "{sentence}: {faults:?}");
        let script = Script::from_json(json).unwrap_or_else(|e| panic!("{sentence}: {e}"));
        let line = fenced(example, "text");
        assert_eq!(script.to_string(), line, "{sentence}");
        assert_eq!(line.parse::<Script>(), Ok(script), "{sentence}");
    }
}
