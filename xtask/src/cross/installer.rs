//! Builds the installer for Windows with NSIS.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;

use super::{Profile, windows_folder};
use crate::shell::{command, output_of, root, step};

/// The NSIS script.
const SCRIPT: &str = "src-tauri/windows/installer.nsi";
/// WebView2's loader, which the program loads at start to find the web view.
const LOADER: &str = "WebView2Loader.dll";
/// The package that contains it.
const LOADER_OF: &str = "webview2-com-sys";

/// Returns the installer's file name.
pub(crate) fn setup_name() -> String {
    format!("Limber-{}-setup.exe", env!("CARGO_PKG_VERSION"))
}

/// Builds the installer next to the programs of this profile, and lists its contents.
pub(super) fn make(profile: Profile) -> anyhow::Result<()> {
    let built = windows_folder(profile);
    fs::copy(loader()?, built.join(LOADER)).context("copying the WebView2 loader")?;
    let version = env!("CARGO_PKG_VERSION");
    let setup = built.join(setup_name());
    let mut make = command("makensis -V2");
    make.arg(format!("-DVERSION={version}"))
        .arg(format!("-DBUILT={}", built.display()))
        .arg(format!("-DROOT={}", root().display()))
        .arg(format!("-DSETUP={}", setup.display()));
    if matches!(profile, Profile::Dev) {
        // LZMA takes a quarter of an hour for programs with all their symbols
        make.arg("-DQUICK");
    }
    make.arg(SCRIPT);
    step("the installer", &mut make)?;
    let bytes = fs::metadata(&setup).context("the installer was not created")?.len();
    println!("{} ({} MiB)", setup.display(), bytes.div_ceil(1 << 20));
    step("listing its contents", command("7z l -ba").arg(&setup))
}

/// Finds WebView2's loader in the sources of its package.
fn loader() -> anyhow::Result<PathBuf> {
    let tree = output_of(
        "cargo metadata --format-version 1 --locked --filter-platform x86_64-pc-windows-gnu",
    );
    let tree = tree.context("Cargo does not report where its packages are")?;
    let manifest = tree
        .split('"')
        .find(|word| word.ends_with("Cargo.toml") && word.contains(LOADER_OF))
        .with_context(|| format!("{LOADER_OF} is not among the packages"))?;
    let folder = Path::new(manifest).parent().context("a manifest is in a folder")?;
    Ok(folder.join("x64").join(LOADER))
}
