//! Checks dependencies between our crates against the table of allowed imports, and requires
//! certain libraries.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand};

use crate::{project_files, root, text_of};

type Table = BTreeMap<String, BTreeSet<String>>;

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .other_options(vec!["--offline".to_owned()])
        .exec()
        .expect("cargo metadata succeeds")
}

fn allowed() -> Table {
    toml::from_str(include_str!("imports.toml")).expect("the table is valid TOML")
}

/// Returns the edges of `actual` between our own crates that `allowed` lacks.
fn forbidden(allowed: &Table, actual: &Table) -> Vec<String> {
    actual
        .iter()
        .flat_map(|(from, targets)| targets.iter().map(move |to| (from, to)))
        .filter(|(_, to)| actual.contains_key(*to))
        .filter(|(from, to)| !allowed.get(*from).is_some_and(|targets| targets.contains(*to)))
        .map(|(from, to)| format!("{from} -> {to}"))
        .collect()
}

fn dependencies(kinds: &[DependencyKind]) -> Table {
    metadata()
        .packages
        .into_iter()
        .map(|package| {
            let targets = package.dependencies.into_iter();
            let targets = targets.filter(|dependency| kinds.contains(&dependency.kind));
            (package.name.to_string(), targets.map(|dependency| dependency.name).collect())
        })
        .collect()
}

#[test]
fn crates_import_only_what_the_table_allows() {
    let edges = forbidden(&allowed(), &dependencies(&[DependencyKind::Normal]));
    assert!(edges.is_empty(), "not in tests/house/imports.toml: {}", edges.join(", "));
}

#[test]
fn the_table_lists_exactly_the_crates_of_the_workspace() {
    let known: BTreeSet<_> = allowed().into_keys().collect();
    let actual: BTreeSet<_> = dependencies(&[DependencyKind::Normal]).into_keys().collect();
    assert_eq!(known, actual, "left: tests/house/imports.toml, right: the workspace");
}

#[test]
fn forbidden_imports_are_detected() {
    let table = |edges: &[(&str, &[&str])]| -> Table {
        edges
            .iter()
            .map(|(from, to)| ((*from).to_owned(), to.iter().map(|to| (*to).to_owned()).collect()))
            .collect()
    };
    let allowed = table(&[("animation", &[]), ("render", &["animation"])]);
    let actual = table(&[("animation", &["render", "serde"]), ("render", &["animation"])]);
    assert_eq!(forbidden(&allowed, &actual), ["animation -> render"]);
}

#[test]
fn the_shell_does_not_import_viewer_pipeline_or_local() {
    for path in project_files() {
        let is_shell = path.starts_with("src-tauri/src") && !path.starts_with("src-tauri/src/bin");
        if !is_shell {
            continue;
        }
        for name in ["limber_viewer", "limber_pipeline", "limber_local"] {
            assert!(!text_of(&path).contains(name), "{} imports {name}", path.display());
        }
    }
}

#[test]
fn required_libraries_are_direct_dependencies() {
    let all = dependencies(&[DependencyKind::Normal]);
    for library in [
        "tauri",
        "tokio",
        "reqwest",
        "serde",
        "serde_json",
        "keyring",
        "rfd",
        "tauri-plugin-deep-link",
        "three-d",
        "gltf",
        "image",
    ] {
        assert!(all.values().any(|targets| targets.contains(library)), "no crate uses {library}");
    }
}

#[test]
fn only_the_shell_uses_tauri_and_only_render_and_viewer_use_three_d() {
    for (name, targets) in dependencies(&[DependencyKind::Normal, DependencyKind::Build]) {
        if name != "limber" {
            assert!(
                !targets.iter().any(|target| target.starts_with("tauri")),
                "{name} depends on Tauri"
            );
        }
        if name != "limber-render" && name != "limber-viewer" {
            assert!(!targets.contains("three-d"), "{name} depends on three-d");
        }
    }
}
