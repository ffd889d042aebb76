//! The fuzzer of HTTP interfaces, which knows nothing but the served description. The services' tests
//! include this file.
//!
//! `cargo xtask soak fuzz` gives it minutes and another seed.

use std::path::{Path, PathBuf};
use std::process::Command;

/// As part of all tests.
const SECONDS: u32 = 15;
const SEED: u32 = 1;

/// What must hold of every answer. That good requests succeed and bad ones are refused is not
/// among them: a description cannot say which codes, ids and passwords are right.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
    response_headers_conformance,response_schema_conformance,ignored_auth,unsupported_method,\
    allow_header_conformance,use_after_free";

/// No answer may take longer.
const MOST_SECONDS: &str = "60";

/// The fuzzer of the target folder that this program lies in; `None`, and a line that says so, where
/// it is not installed.
pub(crate) fn installed(program: &str) -> Option<PathBuf> {
    let target = Path::new(program).ancestors().nth(2);
    let fuzzer = target.expect("a folder").join("tools/fuzzer/bin/schemathesis");
    if !fuzzer.exists() {
        println!("skipped: run `cargo xtask setup` to install the fuzzer");
        return None;
    }
    Some(fuzzer)
}

/// How long it may take.
pub(crate) fn seconds() -> u32 {
    from_environment("LIMBER_SOAK_SECONDS", SECONDS)
}

fn from_environment(name: &str, default: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Tries the operations that `which` picks; `settings` is the fuzzer's own file.
pub(crate) fn run(fuzzer: &Path, description: &str, settings: &Path, seconds: u32, which: &[&str]) {
    let seed = from_environment("LIMBER_SOAK_SEED", SEED).to_string();
    let mut command = Command::new(fuzzer);
    command.current_dir(settings.parent().expect("a folder"));
    command.arg("--config-file").arg(settings).args(["run", "--no-color", "--warnings", "off"]);
    command.args(["--checks", CHECKS, "--seed", &seed, "--max-time", &seconds.to_string()]);
    command.args(["--request-timeout", MOST_SECONDS, "--max-response-time", MOST_SECONDS]);
    // of its threads more than one stumble over each other in Python 3.11
    command.args(["--workers", "1", "--suppress-health-check", "all"]);
    command.args(["--generation-database", "none", "--continue-on-failure"]);
    command.args(which).arg(description);
    let output = command.output().expect("the fuzzer starts");
    let told = String::from_utf8_lossy(&output.stdout);
    let tail = told.lines().rev().take(12).collect::<Vec<_>>();
    println!("{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "seed {seed}:\n{told}{complaints}");
}
