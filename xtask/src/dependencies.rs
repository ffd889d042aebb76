//! Checks third-party dependencies: licences, sources and security advisories. The rules, and
//! exceptions with their reasons, are in `deny.toml`.

use std::{
    process::{Command, Stdio},
    thread::sleep,
    time::Duration,
};

use anyhow::Context;

use crate::{
    shell::{program, step},
    tools::cargo_deny,
};

/// Timeout for downloading the advisories.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(200);

/// Fails on anything that `deny.toml` forbids. Advisories are checked only if they can be
/// downloaded.
pub(crate) fn check() -> anyhow::Result<()> {
    let rules = ["check", "--hide-inclusion-graph", "bans", "licenses", "sources"];
    step("dependencies", program(cargo_deny()).args(["--log-level", "error"]).args(rules))?;
    let mut fetch = program(cargo_deny());
    fetch.args(["fetch", "db"]).env("GIT_TERMINAL_PROMPT", "0");
    if !succeeds_in_time(&mut fetch)? {
        println!("skipped: advisories, because their database cannot be fetched from here");
        return Ok(());
    }
    let rules = ["check", "--hide-inclusion-graph", "advisories"];
    step("advisories", program(cargo_deny()).args(["--log-level", "error"]).args(rules))
}

/// Returns whether the command succeeds within [`PATIENCE`]; it is killed otherwise.
fn succeeds_in_time(command: &mut Command) -> anyhow::Result<bool> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("cargo-deny could not be started")?;
    for _ in 0..PATIENCE.as_millis() / LOOK.as_millis() {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        sleep(LOOK);
    }
    child.kill()?;
    child.wait()?;
    Ok(false)
}
