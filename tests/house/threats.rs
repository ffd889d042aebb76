//! The threat model in the book names existing tests.

use std::collections::BTreeSet;
use std::path::Path;

use crate::proofs::{Tests, rows};
use crate::{root, text_of};

const PAGE: &str = "docs/src/operate/threats.md";
/// Every test on the page is named with its crate; they are resolved relative to any crate's
/// folder.
const ANY_CRATE: &str = "crates/limber-api";
/// A manual test that the page may name instead, for promises that no test can show alone.
const LONG: &str = "cargo xtask soak readers";

/// Attackers that the page has to cover.
const ATTACKERS: [&str; 6] = [
    "A stranger on the internet",
    "A web page",
    "Another user of the computer",
    "An uploaded file",
    "A hostile server",
    "A thief with a password",
];

#[test]
fn every_test_named_in_the_threat_model_exists() {
    let rows = rows(&text_of(Path::new(PAGE)));
    let unproven = rows.iter().filter(|row| row.proofs.is_empty());
    let mut wrong: Vec<String> = unproven
        .map(|row| format!("{}: {}: no test, only {:?}", row.section, row.what, row.instead))
        .collect();
    wrong.extend(Tests::of(&root().join(ANY_CRATE), LONG).problems(&rows));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_threat_model_covers_every_attacker() {
    let rows = rows(&text_of(Path::new(PAGE)));
    let covered: BTreeSet<&str> = rows.iter().map(|row| row.section.as_str()).collect();
    assert_eq!(covered, BTreeSet::from(ATTACKERS));
}
