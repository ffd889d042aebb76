//! `cargo xtask run`: builds and opens Limber, with a window if there is a display.

use std::process::exit;

use crate::{
    setup,
    shell::{command, program, target},
};

/// Installs missing packages, then builds and runs `limber`. Exits with its exit code.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let features = if has_display() {
        setup::for_window()?;
        ""
    } else {
        setup::for_headless()?;
        " --no-default-features"
    };
    crate::shell::step(
        "building",
        &mut command(&format!("cargo build --package limber{features}")),
    )?;
    // Not `cargo run`, which would print its own status lines.
    let limber = target().join("debug").join("limber");
    let status = program(limber).args(arguments).status()?;
    exit(status.code().unwrap_or(1));
}

fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(target_os = "macos", windows)) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
