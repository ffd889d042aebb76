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
        .expect("cargo describes the workspace")
}

fn allowed() -> Table {
    toml::from_str(include_str!("imports.toml")).expect("the table is TOML")
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
fn the_table_names_every_crate_and_no_other() {
    let known: BTreeSet<_> = allowed().into_keys().collect();
    let actual: BTreeSet<_> = dependencies(&[DependencyKind::Normal]).into_keys().collect();
    assert_eq!(known, actual, "left: tests/house/imports.toml, right: the workspace");
}

#[test]
fn an_edge_outside_the_table_is_found() {
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
fn only_the_program_reaches_viewer_pipeline_and_local_and_the_shell_does_not() {
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
fn the_libraries_the_house_is_built_on_are_used_directly() {
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
        assert!(all.values().any(|targets| targets.contains(library)), "nobody uses {library}");
    }
}

#[test]
fn only_the_shell_knows_tauri_and_only_render_and_viewer_know_three_d() {
    for (name, targets) in dependencies(&[DependencyKind::Normal, DependencyKind::Build]) {
        if name != "limber" {
            assert!(!targets.iter().any(|target| target.starts_with("tauri")), "{name}: Tauri");
        }
        if name != "limber-render" && name != "limber-viewer" {
            assert!(!targets.contains("three-d"), "{name} draws by itself");
        }
    }
}
