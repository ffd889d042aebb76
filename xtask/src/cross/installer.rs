//! The installer for Windows: what goes into it, and NSIS, which makes it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;

use crate::shell::{command, output_of, root, step};

/// What NSIS is told to do.
const SCRIPT: &str = "src-tauri/windows/installer.nsi";
/// What the window is drawn with, beside the program that asks for it: the first half of Microsoft's WebView2.
const LOADER: &str = "WebView2Loader.dll";
/// The package that brings it.
const LOADER_OF: &str = "webview2-com-sys";

/// The installer's file.
pub(crate) fn setup_name() -> String {
    format!("Limber-{}-setup.exe", env!("CARGO_PKG_VERSION"))
}

/// Makes the installer beside the programs of this folder, and lists what is in it.
pub(super) fn make(built: &Path) -> anyhow::Result<()> {
    fs::copy(loader()?, built.join(LOADER)).context("copying WebView2's loader")?;
    let version = env!("CARGO_PKG_VERSION");
    let setup = built.join(setup_name());
    let mut make = command("makensis -V2");
    make.arg(format!("-DVERSION={version}"))
        .arg(format!("-DBUILT={}", built.display()))
        .arg(format!("-DROOT={}", root().display()))
        .arg(format!("-DSETUP={}", setup.display()))
        .arg(SCRIPT);
    step("the installer", &mut make)?;
    let bytes = fs::metadata(&setup).context("the installer was not made")?.len();
    println!("{} ({} MiB)", setup.display(), bytes.div_ceil(1 << 20));
    step("what is in it", command("7z l -ba").arg(&setup))
}

/// WebView2's loader in the sources of the package that brings it.
fn loader() -> anyhow::Result<PathBuf> {
    let tree = output_of(
        "cargo metadata --format-version 1 --locked --filter-platform x86_64-pc-windows-gnu",
    );
    let tree = tree.context("Cargo does not say where its packages are")?;
    let manifest = tree
        .split('"')
        .find(|word| word.ends_with("Cargo.toml") && word.contains(LOADER_OF))
        .with_context(|| format!("{LOADER_OF} is none of the packages"))?;
    let folder = Path::new(manifest).parent().context("a manifest lies in a folder")?;
    Ok(folder.join("x64").join(LOADER))
}
