//! Running other programs.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, bail};

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
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}

/// Shows a command, runs it and fails when it fails.
pub(crate) fn step(what: &str, command: &mut Command) -> anyhow::Result<()> {
    println!("\n── {what}");
    let status = command.status().with_context(|| {
        let program = command.get_program().to_string_lossy();
        format!("{what}: `{program}` could not be started")
    })?;
    if !status.success() {
        bail!("{what}: failed ({status})");
    }
    Ok(())
}

/// What a command prints, trimmed; `None` when it is missing or fails.
pub(crate) fn output_of(line: &str) -> Option<String> {
    let output = command(line).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Whether a program is on the path.
pub(crate) fn has(program: impl AsRef<OsStr>) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join(program.as_ref()).is_file())
    })
}
