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
/// Runs the tests, each in a process of its own. Any later version does as well.
const NEXTEST: &str = "0.9.143";
/// Runs LLVM's fuzzer.
const CARGO_FUZZ: &str = "0.13.2";
/// Python environments by their folder, and everything they need, each with its version: the fuzzer
/// of the HTTP interfaces, the upload client of a storage vendor, clients of the motion service, and the
/// client of the identity service for Python.
const PYTHON: &[(&str, &str)] = &[
    ("fuzzer", "tests/fuzzer/requirements.txt"),
    ("storage-client", "tests/storage-client/requirements.txt"),
    ("motion-client", "tests/motion-client/requirements.txt"),
    ("auth-client-python", "tests/auth-client-python/requirements.txt"),
];

/// The folder of all of them.
fn folder() -> PathBuf {
    root().join(target()).join("tools")
}

/// The program `cargo-deny`.
pub(crate) fn cargo_deny() -> PathBuf {
    folder().join("bin/cargo-deny")
}

/// The program `cargo-nextest`: the one that everybody has on this computer, or ours.
pub(crate) fn nextest() -> PathBuf {
    let everybodys = PathBuf::from("cargo-nextest");
    if is_recent_nextest(&everybodys) { everybodys } else { folder().join("bin/cargo-nextest") }
}

fn is_recent_nextest(program: &Path) -> bool {
    let numbers = |version: &str| -> Vec<u32> {
        version.split('.').filter_map(|number| number.parse().ok()).collect()
    };
    let found = output_of(&format!("{} nextest --version", program.display()));
    let version = found.as_deref().and_then(|line| line.split_whitespace().nth(1));
    version.is_some_and(|version| numbers(version) >= numbers(NEXTEST))
}

/// Installs what is not there yet, or is there in another version.
pub(crate) fn install() -> anyhow::Result<()> {
    install_cargo_deny()?;
    if !is_recent_nextest(&nextest()) {
        install_crate("cargo-nextest", NEXTEST, &nextest())?;
    }
    PYTHON.iter().try_for_each(|(name, requirements)| install_python(name, requirements))
}

/// The program `cargo-fuzz`.
pub(crate) fn cargo_fuzz() -> PathBuf {
    folder().join("bin/cargo-fuzz")
}

/// Only for those who soak the readers.
pub(crate) fn install_cargo_fuzz() -> anyhow::Result<()> {
    install_crate("cargo-fuzz", CARGO_FUZZ, &cargo_fuzz())
}

fn install_cargo_deny() -> anyhow::Result<()> {
    install_crate("cargo-deny", CARGO_DENY, &cargo_deny())
}

/// Without optimisation: it runs for seconds, and a release profile may take many minutes.
fn install_crate(name: &str, version: &str, installed: &Path) -> anyhow::Result<()> {
    let found = output_of(&format!("{} --version", installed.display()));
    if found.is_some_and(|line| line.ends_with(version)) {
        return Ok(());
    }
    step(
        &format!("installing {name}"),
        command("cargo install --locked --debug --force --quiet --version")
            .arg(version)
            .arg(name)
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
