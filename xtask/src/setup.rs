//! Prepares a machine for building and testing.

use std::{fs, path::Path, time::SystemTime};

use anyhow::{Context, bail};

use crate::{
    packages::{self, Purpose},
    shell::{command, output_of, step},
    tools,
};

const RUST: (u32, u32) = (1, 95);
const NODE: (u32, u32) = (20, 19);

/// Prepares for [`crate::run`] with a window.
pub(crate) fn for_window() -> anyhow::Result<()> {
    check_rust()?;
    check_node()?;
    packages::install(&[Purpose::Build, Purpose::Desktop, Purpose::Studio])?;
    build_ui()
}

/// Prepares for [`crate::run`] without a display.
pub(crate) fn for_headless() -> anyhow::Result<()> {
    check_rust()?;
    packages::install(&[Purpose::Build])
}

/// Prepares for [`crate::bench`], without the helper programs that only tests need.
pub(crate) fn for_benchmarks() -> anyhow::Result<()> {
    check_rust()?;
    check_node()?;
    packages::install(&[Purpose::Build, Purpose::Desktop, Purpose::Studio, Purpose::Test])?;
    build_ui()
}

/// Prepares for [`crate::test`], which includes everything for `run`.
pub(crate) fn for_tests() -> anyhow::Result<()> {
    for_benchmarks()?;
    install_npm_packages("tests/validators")?;
    install_npm_packages("tests/openid-provider")?;
    install_npm_packages("tests/auth-client")?;
    tools::install()
}

/// Prepares for [`crate::cross`], except for the cross-compilers.
pub(crate) fn for_cross() -> anyhow::Result<()> {
    check_rust()?;
    check_node()?;
    packages::install(&[Purpose::Build])?;
    build_ui()
}

/// Prepares for the front-end tests alone.
pub(crate) fn for_front_end() -> anyhow::Result<()> {
    check_node()?;
    install_npm_packages("ui")
}

fn check_rust() -> anyhow::Result<()> {
    check("Rust", "rustc --version", RUST, "https://rustup.rs")
}

fn check_node() -> anyhow::Result<()> {
    check("Node", "node --version", NODE, "https://nodejs.org")
}

fn check(name: &str, line: &str, wanted: (u32, u32), source: &str) -> anyhow::Result<()> {
    let (major, minor) = wanted;
    let Some(text) = output_of(line) else {
        bail!("Limber needs {name} {major}.{minor} or newer, and found none; get it from {source}");
    };
    if version_in(&text).is_none_or(|found| found < wanted) {
        bail!(
            "Limber needs {name} {major}.{minor} or newer, and found `{text}`; get it from {source}"
        );
    }
    Ok(())
}

/// Parses the first `number.number` in a line such as `v20.19.1` or `rustc 1.95.0 (…)`.
fn version_in(text: &str) -> Option<(u32, u32)> {
    text.split_whitespace().find_map(|word| {
        let mut parts = word.trim_start_matches('v').split('.').map(str::parse);
        Some((parts.next()?.ok()?, parts.next()?.ok()?))
    })
}

/// Builds the web front end unless the build output is newer than its sources.
fn build_ui() -> anyhow::Result<()> {
    install_npm_packages("ui")?;
    let built = modified(Path::new("ui/dist/index.html"));
    let sources = ["ui/src", "ui/index.html", "ui/package-lock.json", "ui/vite.config.ts"];
    if built.is_some() && sources.iter().map(Path::new).filter_map(newest).max() <= built {
        return Ok(());
    }
    step("building the front end", &mut command("npm --prefix ui run build --silent"))
}

/// Installs a folder's npm packages exactly as locked, unless already done for this lock file.
fn install_npm_packages(folder: &str) -> anyhow::Result<()> {
    let folder = Path::new(folder);
    let lock = folder.join("package-lock.json");
    if !lock.exists() {
        return Ok(());
    }
    let stamp = folder.join("node_modules/.installed-lock");
    let wanted = fs::read(&lock).with_context(|| format!("reading {}", lock.display()))?;
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    step(
        &format!("installing the packages in {}", folder.display()),
        command("npm ci --no-audit --no-fund --prefix").arg(folder),
    )?;
    fs::write(&stamp, wanted).with_context(|| format!("writing {}", stamp.display()))
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

/// Returns the latest modification time of a file, or of all files below a folder.
fn newest(path: &Path) -> Option<SystemTime> {
    match fs::read_dir(path) {
        Ok(entries) => entries.flatten().filter_map(|entry| newest(&entry.path())).max(),
        Err(_) => modified(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_parsed_as_programs_print_them() {
        assert_eq!(version_in("v20.19.1"), Some((20, 19)));
        assert_eq!(version_in("rustc 1.95.0 (59807616e 2026-04-14)"), Some((1, 95)));
        assert_eq!(version_in("nothing"), None);
    }
}
