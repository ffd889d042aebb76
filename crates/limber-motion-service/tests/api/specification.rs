//! Checks the page about the specification: every promise names an existing test or says that there
//! is none, and no line of the specification is missing.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use limber_pipeline::ErrorCode;

use crate::proofs::{Row, Tests, quoted, rows};

const PAGE: &str = "../../docs/src/motion-specification.md";
const SPECIFICATION: &str = "../../../shared/spec/motion.md";

fn crate_file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn page() -> Vec<Row> {
    rows(&std::fs::read_to_string(crate_file(PAGE)).expect("the page exists"))
}

#[test]
fn every_row_names_existing_tests_or_says_that_there_are_none() {
    let rows = page();
    assert!(rows.len() > 100, "{} rows", rows.len());
    let mut wrong = Tests::of(&crate_file(""), "cargo xtask bench service").problems(&rows);
    for row in rows.iter().filter(|row| row.proofs.is_empty()) {
        println!("{}: {}: {}", row.section, row.what, row.instead);
        if !row.instead.starts_with("not yet: ") {
            wrong.push(format!("{}: {}: neither a test nor `not yet: …`", row.section, row.what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_has_a_row() {
    let rows = page();
    let told: BTreeSet<&str> = rows
        .iter()
        .filter(|row| row.section == "Errors")
        .filter_map(|row| row.what.split(" | ").next())
        .collect();
    for code in ErrorCode::ALL {
        assert!(told.contains(code.number().to_string().as_str()), "{}", code.number());
    }
}

/// Returns the numbered lines of each section, and the first cells of its tables.
fn lines_of(specification: &str) -> Vec<(String, String)> {
    let (mut lines, mut section, mut before) = (Vec::new(), String::new(), "");
    for line in specification.lines() {
        if let Some(title) = line.strip_prefix("## ").or_else(|| line.strip_prefix("### ")) {
            title.clone_into(&mut section);
        }
        let number = line.split_once(". ").map(|(number, _)| number);
        if let Some(number) = number.filter(|n| n.parse::<u32>().is_ok()) {
            lines.push((section.clone(), number.to_owned()));
        }
        if line.starts_with('|') {
            // the first two lines of a table are its header and a separator
            let is_head = !before.starts_with('|');
            let cell = line.trim_start_matches('|').split('|').next().unwrap_or_default().trim();
            if !is_head && !cell.starts_with("---") {
                lines.push((section.clone(), cell.to_owned()));
            }
        }
        before = line;
    }
    lines
}

/// Returns the calls, which are in bold.
fn calls_of(specification: &str) -> BTreeSet<String> {
    let bold = specification.split("**").skip(1).step_by(2);
    let is_call = |text: &&str| ["GET /", "POST /", "DELETE /"].iter().any(|m| text.starts_with(m));
    bold.filter(is_call).map(str::to_owned).collect()
}

/// Returns whether a row covers this line.
fn told(rows: &[Row], section: &str, line: &str) -> bool {
    let names: Vec<&str> = line.split(", ").collect();
    rows.iter().any(|row| {
        let first = row.what.split(" | ").next().unwrap_or_default();
        let quoted = quoted(first);
        let named = names.iter().all(|name| quoted.iter().any(|q| q == name));
        let whole = quoted.iter().any(|q| q == line);
        (row.section == section && first == line) || named || whole
    })
}

#[test]
fn every_line_of_the_specification_has_a_row() {
    let Ok(specification) = std::fs::read_to_string(crate_file(SPECIFICATION)) else {
        println!("skipped: the specification is not on this computer");
        return;
    };
    let rows = page();
    let lines = lines_of(&specification);
    assert!(lines.len() > 90, "{} lines", lines.len());
    // the table of calls describes them in words; their paths are checked below
    let calls = |line: &str| matches!(line, "Authenticate" | "Credit balance");
    let missing: Vec<_> = lines
        .iter()
        .filter(|(section, line)| !calls(line) && !told(&rows, section, line))
        .collect();
    assert!(missing.is_empty(), "lines without a row: {missing:#?}");
    let calls = calls_of(&specification);
    assert!(calls.len() >= 12, "{calls:?}");
    let all: BTreeSet<String> = rows.iter().flat_map(|row| quoted(&row.what)).collect();
    let missing: Vec<_> = calls.iter().filter(|call| !all.contains(*call)).collect();
    assert!(missing.is_empty(), "calls without a row: {missing:#?}");
}
