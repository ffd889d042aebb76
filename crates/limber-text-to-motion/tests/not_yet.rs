//! Checks the documentation page of actions that are understood but cannot be performed yet, which
//! is generated from the senses of the lexicon.

use std::{fmt::Write as _, fs, path::PathBuf};

const HEAD: &str = "# Not supported yet

Limber understands these actions but cannot perform them yet. It tells you before it generates anything, and suggests
the closest action that it can perform. A [motion script](motion-script.md) can still contain them. This page is
generated from the lexicon; the list gets shorter over time.

| action | what the body would do | closest |
|---|---|---|
";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("assets/lexicon/senses"))
        .expect("the folder exists")
        .map(|file| file.expect("it is readable").path())
        .collect();
    files.sort();
    let mut page = HEAD.to_owned();
    for file in files {
        let text = fs::read_to_string(&file).expect("it is text");
        let table: toml::Table = text.parse().expect("another test checks it");
        for row in table["senses"].as_array().expect("rows") {
            let field = |name: &str| row[name].as_str().expect("text");
            let (sense, means, nearest) = (field("sense"), field("means"), field("nearest"));
            writeln!(page, "| `{sense}` | {means} | `{nearest}` |").expect("memory is enough");
        }
    }
    page
}

/// With `LIMBER_RENEW_PAGES=1`, writes the page instead of failing.
#[test]
fn the_page_of_what_cannot_be_performed_yet_is_up_to_date() {
    let file = root().join("docs/src/not-yet.md");
    if std::env::var_os("LIMBER_RENEW_PAGES").is_some() {
        fs::write(&file, page()).expect("the page is writable");
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        written == page(),
        "docs/src/not-yet.md is not made of today's lexicon; run \
         LIMBER_RENEW_PAGES=1 cargo test -p limber-text-to-motion --test not_yet"
    );
}
