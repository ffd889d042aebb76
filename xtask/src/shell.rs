//! Running other programs.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, bail};

use crate::stages;

/// The folder of the workspace.
pub(crate) fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A command, with words split at blanks; further arguments are added by the caller.
pub(crate) fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    // Node's programs are scripts on Windows, and only programs are found by their bare names there
    let is_script = cfg!(windows) && ["npm", "npx"].contains(&name);
    let mut command = if is_script { program(format!("{name}.cmd")) } else { program(name) };
    command.args(words);
    command
}

/// A program to be started, without what cargo told this one about itself.
pub(crate) fn program(path: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(path);
    for (name, _) in std::env::vars_os().filter(|(name, _)| about_xtask(name)) {
        command.env_remove(name);
    }
    command
}

/// What `cargo run` tells a program about its own package. Build scripts that look at these would
/// run again, and half the tree with them, whenever somebody changes between `cargo xtask` and
/// plain `cargo`.
fn about_xtask(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| {
        ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_CRATE_", "CARGO_BIN_"]
            .iter()
            .any(|prefix| name.starts_with(prefix))
    })
}

/// Shows a command, runs it and fails when it fails.
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

/// [`step`] beside another one: what it prints comes in one piece, once it is over.
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

/// What a command prints, trimmed; `None` when it is missing or fails.
pub(crate) fn output_of(line: &str) -> Option<String> {
    let output = command(line).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// A folder that lies in memory, with room for what the tests keep in it at once.
pub(crate) fn memory() -> Option<&'static str> {
    const FOLDER: &str = "/dev/shm";
    /// The databases of all tests take up five gigabytes, should none be dropped.
    const ROOM_MB: u64 = 6_000;
    let table = output_of(&format!("df --output=avail --block-size=1M {FOLDER}"))?;
    let free_mb: u64 = table.lines().nth(1)?.trim().parse().ok()?;
    (free_mb >= ROOM_MB).then_some(FOLDER)
}

/// Whether a program is on the path.
pub(crate) fn has(program: impl AsRef<OsStr>) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join(program.as_ref()).is_file())
    })
}
