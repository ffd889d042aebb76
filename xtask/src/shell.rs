//! Running other programs.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, bail};

use crate::stages;

/// Returns the workspace folder.
pub(crate) fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// Returns Cargo's target folder.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Returns a command from words separated by spaces; callers may append arguments.
pub(crate) fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    // on Windows npm is a .cmd script, which is not found by its bare name
    let is_script = cfg!(windows) && ["npm", "npx"].contains(&name);
    let mut command = if is_script { program(format!("{name}.cmd")) } else { program(name) };
    command.args(words);
    command
}

/// Returns a command for a program, without the variables that Cargo set for this process.
pub(crate) fn program(path: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(path);
    for (name, _) in std::env::vars_os().filter(|(name, _)| about_xtask(name)) {
        command.env_remove(name);
    }
    command
}

/// Returns whether `cargo run` set the variable for our own package. Build scripts that read such
/// variables would rerun, and half the workspace rebuild, whenever one switches between `cargo
/// xtask` and plain `cargo`.
fn about_xtask(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_CRATE_", "CARGO_BIN_"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
    })
}

/// Prints a heading, runs the command, and fails if it fails.
pub(crate) fn step(what: &str, command: &mut Command) -> anyhow::Result<()> {
    println!("\n── {what}");
    let status = stages::timed(what, || command.status()).with_context(|| {
        let program = command.get_program().to_string_lossy();
        format!("{what}: `{program}` could not be started")
    })?;
    if !status.success() {
        bail!("{what}: failed ({status})");
    }
    Ok(())
}

/// Does the same as [`step`] for a command running in parallel; its output is printed as a whole at
/// the end.
pub(crate) fn step_aside(what: &str, command: &mut Command) -> anyhow::Result<()> {
    let output = stages::timed(what, || command.output()).with_context(|| {
        let program = command.get_program().to_string_lossy();
        format!("{what}: `{program}` could not be started")
    })?;
    let printed =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    println!("\n── {what}\n{}", printed.concat().trim_end());
    if !output.status.success() {
        bail!("{what}: failed ({})", output.status);
    }
    Ok(())
}

/// Returns a command's trimmed output; `None` if it is missing or fails.
pub(crate) fn output_of(line: &str) -> Option<String> {
    let output = command(line).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Returns a folder in memory, if there is room for everything that the tests keep in it at once.
pub(crate) fn memory() -> Option<&'static str> {
    const FOLDER: &str = "/dev/shm";
    /// size of all test databases, if none is dropped: five gigabytes
    const ROOM_MB: u64 = 6_000;
    let table = output_of(&format!("df --output=avail --block-size=1M {FOLDER}"))?;
    let free_mb: u64 = table.lines().nth(1)?.trim().parse().ok()?;
    (free_mb >= ROOM_MB).then_some(FOLDER)
}

/// Returns whether a program is on the path.
pub(crate) fn has(program: impl AsRef<OsStr>) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join(program.as_ref()).is_file())
    })
}
