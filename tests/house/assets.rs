//! Everything in `assets/` was made by us and has a provenance record.

use std::{collections::BTreeSet, path::Path};

use serde::Deserialize;

use crate::{project_files, text_of};

#[derive(Deserialize)]
struct Provenance {
    file: Vec<Record>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    path: String,
    made_by: String,
    licence: String,
    source: String,
}

#[test]
fn every_asset_has_a_provenance_record() {
    let files: Vec<_> =
        project_files().into_iter().filter(|path| path.starts_with("assets")).collect();
    let mut recorded = BTreeSet::new();
    for list in files.iter().filter(|path| path.ends_with("PROVENANCE.toml")) {
        let provenance: Provenance = toml::from_str(&text_of(list))
            .unwrap_or_else(|error| panic!("{}: {error}", list.display()));
        let folder = list.parent().unwrap_or(Path::new(""));
        for record in provenance.file {
            assert!(!record.made_by.is_empty() && !record.source.is_empty(), "{}", record.path);
            // the reader is fine-tuned from a published encoder
            let is_encoder =
                folder == Path::new("assets/reader") && record.path.starts_with("weights/");
            let licence = if is_encoder { "Apache-2.0" } else { "MIT OR Apache-2.0" };
            assert_eq!(record.licence, licence, "{}", record.path);
            let covered: Vec<_> =
                files.iter().filter(|path| covers(&folder.join(&record.path), path)).collect();
            assert!(
                !covered.is_empty(),
                "{} records {}, which does not exist",
                list.display(),
                record.path
            );
            recorded.extend(covered);
        }
    }
    let unrecorded: Vec<_> = files
        .iter()
        .filter(|path| !path.ends_with("PROVENANCE.toml") && !recorded.contains(path))
        .collect();
    assert!(unrecorded.is_empty(), "files without a record in PROVENANCE.toml: {unrecorded:?}");
}

/// Returns whether a record covers a file: by its name, or as one of its kind in a folder, recorded
/// as `*.toml`.
fn covers(record: &Path, path: &Path) -> bool {
    record == path
        || record.file_stem().is_some_and(|stem| stem == "*")
            && record.parent() == path.parent()
            && record.extension() == path.extension()
            && !path.ends_with("PROVENANCE.toml")
}
