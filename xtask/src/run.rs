//! `cargo xtask run`: opens Limber, with a window where there is a display.

use std::process::exit;

use crate::{
    setup,
    shell::{command, program, target},
};

/// Installs what is missing, builds and runs `limber`. Its exit code becomes ours.
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
    // Not `cargo run`: its own line would stand between the program and its caller.
    let limber = target().join("debug").join("limber");
    let status = program(limber).args(arguments).status()?;
    exit(status.code().unwrap_or(1));
}

fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(target_os = "macos", windows)) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
