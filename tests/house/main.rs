//! House rules as tests: allowed imports, file names, contents of `assets/`, and more.

mod assets;
mod book;
mod deployment;
mod imports;
mod layout;
mod proofs;
mod sentences;
mod systems;
mod threats;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns every file of the project, relative to its root: what Git tracks or would track, or, in
/// a copy without Git, everything outside build folders.
fn project_files() -> Vec<PathBuf> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .ok()
        .filter(|output| output.status.success() && !output.stdout.is_empty());
    match listed {
        Some(output) => String::from_utf8_lossy(&output.stdout)
            .split('\0')
            .filter(|name| !name.is_empty())
            .map(PathBuf::from)
            .filter(|path| root().join(path).is_file())
            .collect(),
        None => walk(root()),
    }
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    const SKIPPED: [&str; 5] = ["target", "node_modules", "dist", "gen", ".git"];
    let entries = fs::read_dir(folder).expect("the folder can be listed").flatten();
    entries
        .filter(|entry| !SKIPPED.contains(&entry.file_name().to_string_lossy().as_ref()))
        .flat_map(|entry| {
            let path = entry.path();
            if path.is_dir() {
                walk(&path)
            } else {
                vec![path.strip_prefix(root()).expect("the path is below the root").to_owned()]
            }
        })
        .collect()
}

fn text_of(path: &Path) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_default()
}
