//! Pages of the book that name the tests of their promises: reading their tables, and finding the tests.
//!
//! The services' tests include this file; each checks its own page with it. The threat model is checked here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A row of a table: what it is about, and the tests it names.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) section: String,
    pub(crate) what: String,
    pub(crate) proofs: Vec<String>,
    /// What stands in the last column when it names no test.
    pub(crate) instead: String,
}

/// What stands between backticks.
pub(crate) fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('|').trim_end_matches('|').replace("\\|", "\u{1}");
    line.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect()
}

/// Rows of the tables whose last column is headed `proof`.
pub(crate) fn rows(page: &str) -> Vec<Row> {
    let (mut rows, mut section, mut proving) = (Vec::new(), String::new(), false);
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            title.clone_into(&mut section);
        }
        if !line.starts_with('|') {
            proving = false;
            continue;
        }
        let cells = cells(line);
        let last = cells.last().map(String::as_str).unwrap_or_default();
        if last == "proof" {
            proving = true;
        } else if proving && !last.starts_with("---") {
            let what = cells[..cells.len() - 1].join(" | ");
            let (section, instead) = (section.clone(), last.to_owned());
            rows.push(Row { section, what, proofs: quoted(last), instead });
        }
    }
    rows
}

/// Names of the tests in a source: functions with an attribute that ends in `test`, and those
/// that a macro makes, one on each line of its call.
fn tests_in(source: &str) -> BTreeSet<String> {
    let (mut names, mut is_test, mut in_macro) = (BTreeSet::new(), false, false);
    for line in source.lines().map(str::trim) {
        if line.starts_with("#[") {
            let name = line.trim_start_matches("#[").split(['(', ']']).next().unwrap_or_default();
            is_test |= matches!(name, "test" | "tokio::test");
            continue;
        }
        if line.starts_with("proptest::proptest!") || line == "each_signs_in! {" {
            in_macro = true;
        } else if line == "}" {
            in_macro = false;
        }
        let function = line.trim_start_matches("async ").strip_prefix("fn ");
        if let Some(name) = function.and_then(|rest| rest.split('(').next()) {
            if is_test || in_macro {
                names.insert(name.to_owned());
            }
            is_test = false;
        } else if in_macro && let Some((name, _)) = line.split_once(": ") {
            names.insert(name.to_owned());
        }
    }
    names
}

/// The tests of one crate.
#[derive(Debug)]
pub(crate) struct Tests {
    folder: PathBuf,
    /// A benchmark that fails on a miss, and proves what needs a quiet machine.
    benchmark: &'static str,
    known: BTreeMap<PathBuf, BTreeSet<String>>,
}

impl Tests {
    pub(crate) fn of(folder: &Path, benchmark: &'static str) -> Self {
        Self { folder: folder.to_owned(), benchmark, known: BTreeMap::new() }
    }

    /// `signup::name` stands in `tests/api/signup.rs`, `config::tests::name` in `src/config.rs`,
    /// `limber-formats::reading::name` in another crate of the workspace.
    pub(crate) fn have(&mut self, proof: &str) -> bool {
        if proof == self.benchmark {
            return true;
        }
        let Some((module, name)) = proof.rsplit_once("::") else { return false };
        let (folder, module) = match module.split_once("::") {
            Some((of, rest)) if of.starts_with("limber-") => {
                (self.folder.join("..").join(of), rest)
            }
            _ => (self.folder.clone(), module),
        };
        let path = |module: &str| module.replace("::", "/");
        let places = match module.strip_suffix("::tests") {
            Some(unit) => vec![
                folder.join("src").join(path(unit)).with_extension("rs"),
                folder.join("src").join(path(module)).with_extension("rs"),
            ],
            None => ["tests/api", "tests"]
                .map(|tests| folder.join(tests).join(path(module)).with_extension("rs"))
                .to_vec(),
        };
        places.into_iter().any(|file| {
            let read =
                |file: &PathBuf| tests_in(&std::fs::read_to_string(file).unwrap_or_default());
            let tests = self.known.entry(file).or_insert_with_key(read);
            tests.contains(name)
        })
    }

    /// What is wrong with the proofs of these rows, one sentence each.
    pub(crate) fn problems(&mut self, rows: &[Row]) -> Vec<String> {
        let mut wrong = Vec::new();
        for row in rows {
            for proof in row.proofs.iter().filter(|proof| !self.have(proof)) {
                wrong.push(format!("{}: {}: there is no test {proof}", row.section, row.what));
            }
        }
        wrong
    }
}

#[test]
fn nothing_but_tests_passes_for_a_proof() {
    let source = "#[test]\nfn a() {}\nfn b() {}\n#[tokio::test(flavor = \"x\")]\n#[expect(y)]\n\
                  async fn c() {}\neach_signs_in! {\n    d: D,\n}\nfn e() {}\n";
    assert_eq!(tests_in(source), BTreeSet::from(["a", "c", "d"].map(str::to_owned)));
    let page = "## S\n| what | proof |\n|---|---|\n| `x \\| y` | `m::a`, `m::b` |\n| z | not yet |\n\n\
                | name | kind |\n|---|---|\n| n | k |\n";
    let rows = rows(page);
    assert_eq!(rows.len(), 2);
    assert_eq!((rows[0].what.as_str(), rows[0].proofs.len()), ("`x | y`", 2));
    assert!(rows[1].proofs.is_empty() && rows[1].instead == "not yet");
}
