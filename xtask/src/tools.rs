//! Test tools that no system package manager provides: pinned, installed from their own registries,
//! and kept below the target folder between runs.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;

use crate::shell::{command, output_of, program, root, step, target};

/// Checks licences, bans, sources and advisories of dependencies.
const CARGO_DENY: &str = "0.20.2";
/// Runs the tests, each in its own process. Any later version works as well.
const NEXTEST: &str = "0.9.143";
/// Runs libFuzzer.
const CARGO_FUZZ: &str = "0.13.2";
/// Python environments by folder, with their pinned requirements: the HTTP API fuzzer, a storage
/// vendor's upload client, clients of the motion service, and the Python client of the identity
/// service.
const PYTHON: &[(&str, &str)] = &[
    ("fuzzer", "tests/fuzzer/requirements.txt"),
    ("storage-client", "tests/storage-client/requirements.txt"),
    ("motion-client", "tests/motion-client/requirements.txt"),
    ("auth-client-python", "tests/auth-client-python/requirements.txt"),
];

/// Returns the folder of all tools.
fn folder() -> PathBuf {
    root().join(target()).join("tools")
}

/// Returns the path of `cargo-deny`.
pub(crate) fn cargo_deny() -> PathBuf {
    folder().join("bin/cargo-deny")
}

/// Returns the path of `cargo-nextest`: an installed one if recent enough, or ours.
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

/// Installs the tools that are missing or have another version.
pub(crate) fn install() -> anyhow::Result<()> {
    install_cargo_deny()?;
    if !is_recent_nextest(&nextest()) {
        install_crate("cargo-nextest", NEXTEST, &nextest())?;
    }
    PYTHON.iter().try_for_each(|(name, requirements)| install_python(name, requirements))
}

/// Returns the path of a Python that has Blender as a module.
pub(crate) fn blender() -> PathBuf {
    folder().join("blender/bin/python")
}

/// Installs Blender, a gigabyte that only the `blender` soak needs.
pub(crate) fn install_blender() -> anyhow::Result<()> {
    install_python("blender", "tests/blender/requirements.txt")
}

/// Returns the path of `cargo-fuzz`.
pub(crate) fn cargo_fuzz() -> PathBuf {
    folder().join("bin/cargo-fuzz")
}

/// Installs `cargo-fuzz`, which only the `readers` soak needs.
pub(crate) fn install_cargo_fuzz() -> anyhow::Result<()> {
    install_crate("cargo-fuzz", CARGO_FUZZ, &cargo_fuzz())
}

fn install_cargo_deny() -> anyhow::Result<()> {
    install_crate("cargo-deny", CARGO_DENY, &cargo_deny())
}

/// Installs a crate's program without optimisation: it runs for seconds, and a release build can
/// take many minutes.
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

/// Installs Python packages into a virtual environment.
fn install_python(name: &str, requirements: &str) -> anyhow::Result<()> {
    let environment = folder().join(name);
    let stamp = environment.join("installed.txt");
    let wanted = fs::read(requirements).with_context(|| format!("reading {requirements}"))?;
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    step(
        &format!("creating a Python environment for the {name}"),
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
