//! `cargo xtask test`: every check and test, in the order in which they are quickest to fail.

use std::process::Command;

use crate::{
    dependencies, queries, setup,
    shell::{command, step, target},
};

/// A display, a session bus and a key ring, all private to what runs inside.
const SESSION: &str = "dbus-run-session -- xvfb-run -a -s";
const SCREEN: &str = "-screen 0 1600x1000x24";

/// Where properties start to draw their cases. The same every time, so that a change is judged by what
/// it changed; another number in the environment draws others.
const PROPERTIES: (&str, &str) = ("PROPTEST_RNG_SEED", "20261121");

/// How many tests of one program run side by side. Most wait for a service, a disk or a clock, so the
/// usual one for each processor leaves both idle half of the time.
const THREADS: (&str, &str) = ("RUST_TEST_THREADS", "4");

/// What has tests. No documentation: its fences hold drawings, the house sees to it.
const TESTED: &str = "--workspace --tests";

/// All our code without the tests, for what only reads it. Whatever names an example gets the features
/// that tests need; without this one, Cargo would read all dependencies once more with fewer.
pub(crate) const READ: &str = "--workspace --lib --bin xtask --example with_test_postgres --quiet";

/// Runs everything, or only the Rust tests whose name contains `filter`.
pub(crate) fn test(filter: Option<&str>) -> anyhow::Result<()> {
    setup::for_tests()?;
    if filter.is_none() {
        step("formatting", &mut command("cargo fmt --all --check"))?;
        dependencies::check()?;
        step("front end: types", &mut command("npm --prefix ui run check --silent"))?;
        step("front end: tests", &mut command("npm --prefix ui run test --silent"))?;
        step(
            "lints",
            &mut command("cargo clippy --workspace --all-targets --quiet -- -D warnings"),
        )?;
        step(
            "documentation",
            command(&format!("cargo doc {READ} --no-deps")).env("RUSTDOCFLAGS", "-D warnings"),
        )?;
    }
    let build = format!("cargo test {TESTED} --no-run --quiet");
    step("building the tests", &mut command(&build))?;
    queries::build_test_postgres()?;
    if filter.is_none() {
        queries::queries(true)?;
    }
    let mut tests = inside_session(&format!("cargo test {TESTED} --no-fail-fast"));
    // every journey has a home of its own; the shaders of all of them are the same
    tests.env("MESA_SHADER_CACHE_DIR", target().join("shaders"));
    for (name, value) in [PROPERTIES, THREADS] {
        if std::env::var_os(name).is_none() {
            tests.env(name, value);
        }
    }
    step("tests", tests.args(filter))
}

/// A command inside a session of its own, with a database server for the tests.
pub(crate) fn inside_session(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut session = command(SESSION);
    session.arg(SCREEN).arg(with_test_postgres()).args(&mut words);
    session
}

/// The program that runs a command beside an empty PostgreSQL; built with the tests.
pub(crate) fn with_test_postgres() -> std::path::PathBuf {
    target().join("debug/examples/with_test_postgres")
}
