//! Fuzzes an HTTP API from its served OpenAPI description alone. Included by the services' tests.
//!
//! `cargo xtask soak fuzz` runs it for minutes with another seed.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Duration and seed in regular test runs.
const SECONDS: u32 = 15;
const SEED: u32 = 1;

/// Checks on every response. That good requests succeed and bad ones are refused is not among them:
/// a description cannot say which codes, IDs and passwords are valid.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
    response_headers_conformance,response_schema_conformance,ignored_auth,unsupported_method,\
    allow_header_conformance,use_after_free";

/// Timeout of a response.
const MOST_SECONDS: &str = "60";

/// Returns the fuzzer in the target folder of this program; prints a message and returns `None` if
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

/// Returns the duration of the run in seconds.
pub(crate) fn seconds() -> u32 {
    from_environment("LIMBER_SOAK_SECONDS", SECONDS)
}

fn from_environment(name: &str, default: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Fuzzes the operations selected by `which`; `settings` is the fuzzer's configuration file.
pub(crate) fn run(fuzzer: &Path, description: &str, settings: &Path, seconds: u32, which: &[&str]) {
    let seed = from_environment("LIMBER_SOAK_SEED", SEED).to_string();
    let mut command = Command::new(fuzzer);
    command.current_dir(settings.parent().expect("a folder"));
    command.arg("--config-file").arg(settings).args(["run", "--no-color", "--warnings", "off"]);
    command.args(["--checks", CHECKS, "--seed", &seed, "--max-time", &seconds.to_string()]);
    command.args(["--request-timeout", MOST_SECONDS, "--max-response-time", MOST_SECONDS]);
    // several worker threads interfere with each other in Python 3.11
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
