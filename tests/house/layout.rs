//! Rules for file locations and names.

use crate::{project_files, root, text_of};

/// Names that do not say what a file contains.
const EMPTY_NAMES: [&str; 8] =
    ["util", "utils", "helper", "helpers", "common", "misc", "core", "shared_util"];

#[test]
fn file_names_are_meaningful() {
    for path in project_files() {
        let is_source = path.extension().is_some_and(|ending| ending == "rs" || ending == "ts");
        if !is_source {
            continue;
        }
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let stem = stem.unwrap_or_default();
        assert!(
            !EMPTY_NAMES.contains(&stem.as_str()),
            "{}: give the file a name that says what is in it",
            path.display()
        );
        assert!(stem != "mod", "{}: use NAME.rs next to NAME/", path.display());
    }
}

#[test]
fn the_top_level_folders_exist() {
    for name in ["Cargo.toml", "src-tauri", "ui", "assets", "tests", "tauri.conf.json", "README.md"]
    {
        assert!(root().join(name).exists(), "{name} is missing");
    }
}

#[test]
fn only_the_host_folder_imports_tauri() {
    for path in project_files() {
        let is_ui = path.starts_with("ui/src") && !path.starts_with("ui/src/host");
        if is_ui {
            assert!(!text_of(&path).contains("@tauri-apps"), "{} imports Tauri", path.display());
        }
    }
}

#[test]
fn features_of_the_front_end_do_not_import_each_other() {
    for path in project_files() {
        let Ok(inside) = path.strip_prefix("ui/src/features") else { continue };
        let own = inside.iter().next().map(|name| name.to_string_lossy().into_owned());
        let own = own.unwrap_or_default();
        for line in text_of(&path).lines().filter(|line| line.contains("from ")) {
            let foreign = line.split("features/").nth(1).map(|rest| !rest.starts_with(&own));
            assert_ne!(foreign, Some(true), "{}: {line}", path.display());
        }
    }
}

/// Rust examples in documentation would not be compiled: they belong in tests.
#[test]
fn documentation_contains_no_rust_code_blocks() {
    for path in project_files().iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
        let mut is_open = false;
        for line in text_of(path).lines().map(str::trim_start) {
            let documents = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
            let Some(kind) = documents.and_then(|text| text.trim().strip_prefix("```")) else {
                continue;
            };
            is_open = !is_open;
            let holds_rust = kind.is_empty() || kind.contains("rust") || kind.contains("no_run");
            assert!(
                !(is_open && holds_rust),
                "{}: mark the block as ```text, or turn it into a test",
                path.display()
            );
        }
    }
}

#[test]
fn every_crate_describes_its_purpose() {
    let files = project_files();
    for path in files.iter().filter(|path| path.ends_with("src/lib.rs")) {
        let prose = text_of(path).lines().take_while(|line| line.starts_with("//!")).count();
        assert!(prose >= 3, "{} must begin with a description for newcomers", path.display());
    }
}

#[test]
fn files_over_a_thousand_lines_justify_their_length() {
    for path in project_files() {
        let is_generated = path.ends_with("bindings.ts");
        let is_source = path
            .extension()
            .is_some_and(|ending| ending == "rs" || ending == "svelte" || ending == "ts");
        if is_generated || !is_source {
            continue;
        }
        let text = text_of(&path);
        let lines = text.lines().count();
        let is_explained = text.lines().take(3).any(|line| line.contains("One file because"));
        assert!(
            lines <= 1_000 || is_explained,
            "{} has {lines} lines and does not say why",
            path.display()
        );
    }
}
