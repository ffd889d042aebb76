//! Programs of the tests that no package manager of the system brings: pinned, from their own
//! registries, kept below the target folder from one run to the next.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;

use crate::shell::{command, output_of, program, root, step, target};

/// Licences, bans, sources and advisories of what comes in from outside.
const CARGO_DENY: &str = "0.20.2";
/// Python environments by their folder, and everything they need, each with its version: the fuzzer
/// of the HTTP interfaces, and the upload client of a storage vendor.
const PYTHON: &[(&str, &str)] = &[
    ("fuzzer", "tests/fuzzer/requirements.txt"),
    ("storage-client", "tests/storage-client/requirements.txt"),
];

/// The folder of all of them.
fn folder() -> PathBuf {
    root().join(target()).join("tools")
}

/// The program `cargo-deny`.
pub(crate) fn cargo_deny() -> PathBuf {
    folder().join("bin/cargo-deny")
}

/// Installs what is not there yet, or is there in another version.
pub(crate) fn install() -> anyhow::Result<()> {
    install_cargo_deny()?;
    PYTHON.iter().try_for_each(|(name, requirements)| install_python(name, requirements))
}

/// Without optimisation: it runs for seconds, and its own release profile takes many minutes.
fn install_cargo_deny() -> anyhow::Result<()> {
    let found = output_of(&format!("{} --version", cargo_deny().display()));
    if found.is_some_and(|line| line.ends_with(CARGO_DENY)) {
        return Ok(());
    }
    step(
        "installing cargo-deny",
        command("cargo install cargo-deny --locked --debug --force --quiet --version")
            .arg(CARGO_DENY)
            .arg("--root")
            .arg(folder())
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .env("CARGO_INCREMENTAL", "0"),
    )
}

/// Programs in Python, in an environment of their own.
fn install_python(name: &str, requirements: &str) -> anyhow::Result<()> {
    let environment = folder().join(name);
    let stamp = environment.join("installed.txt");
    let wanted = fs::read(requirements).with_context(|| format!("reading {requirements}"))?;
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    step(
        &format!("making a Python environment for the {name}"),
        command("python3 -m venv --clear").arg(&environment),
    )?;
    step(
        &format!("installing the {name}"),
        program(environment.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--no-deps", "--requirement"])
            .arg(Path::new(requirements)),
    )?;
    fs::write(&stamp, wanted).with_context(|| format!("writing {}", stamp.display()))
}
