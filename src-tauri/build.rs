//! Build script: generates Tauri's context for the desktop window.

fn main() {
    #[cfg(feature = "desktop")]
    {
        front_end_or_a_word_about_it();
        prepare_window();
    }
}

/// Generates Tauri's context, with our own manifest for Windows.
#[cfg(feature = "desktop")]
fn prepare_window() {
    use tauri_build::{Attributes, WindowsAttributes};
    let windows = WindowsAttributes::new().app_manifest(include_str!("windows/limber.manifest"));
    if let Err(error) = tauri_build::try_build(Attributes::new().windows_attributes(windows)) {
        println!("cargo::error={error:#}");
    }
}

/// Creates a placeholder page if the front end has not been built: the window embeds `ui/dist`, and
/// Tauri's macro fails without it, but tests of everything else must run on a clean checkout.
#[cfg(feature = "desktop")]
fn front_end_or_a_word_about_it() {
    let page = std::path::Path::new("ui/dist/index.html");
    println!("cargo::rerun-if-changed=ui/dist");
    if page.exists() {
        return;
    }
    let words = "<!doctype html><title>Limber</title><p>The interface is not built yet: run \
                 <code>npm --prefix ui ci && npm --prefix ui run build</code>, then build again.";
    let written = std::fs::create_dir_all("ui/dist").and_then(|()| std::fs::write(page, words));
    if let Err(error) = written {
        println!("cargo::warning=ui/dist is missing and cannot be created: {error}");
    }
}
