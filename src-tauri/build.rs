//! Prepares the desktop window: Tauri's generated context.

fn main() {
    #[cfg(feature = "desktop")]
    {
        front_end_or_a_word_about_it();
        prepare_window();
    }
}

/// What Tauri generates for the window, with our own manifest for Windows.
#[cfg(feature = "desktop")]
fn prepare_window() {
    use tauri_build::{Attributes, WindowsAttributes};
    let windows = WindowsAttributes::new().app_manifest(include_str!("windows/limber.manifest"));
    if let Err(error) = tauri_build::try_build(Attributes::new().windows_attributes(windows)) {
        println!("cargo::error={error:#}");
    }
}

/// The window embeds `ui/dist`, and the macro that does it fails when the folder is missing. On a
/// clean checkout nobody has built the front end yet, and the tests of everything else shall run.
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
        println!("cargo::warning=ui/dist is missing and cannot be made: {error}");
    }
}
