//! `cargo xtask test`: every check and test, in the order in which they are quickest to fail.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    process::Command,
};

use anyhow::{Context, ensure};

use crate::{
    dependencies, queries, setup,
    shell::{command, root, step, target},
};

const ALL_TESTS: &str = "cargo test --workspace --no-fail-fast";
/// The test program that drives the whole app.
const JOURNEYS: &str = "journeys";

/// A display, a session bus and a key ring, all private to what runs inside.
const SESSION: &str = "dbus-run-session -- xvfb-run -a -s";
const SCREEN: &str = "-screen 0 1600x1000x24";

/// Where properties start to draw their cases. The same every time, so that a change is judged by what
/// it changed; another number in the environment draws others.
const PROPERTIES: (&str, &str) = ("PROPTEST_RNG_SEED", "20261121");

/// How many tests of one program run side by side. Most wait for a service, a disk or a clock, so the
/// usual one for each processor leaves both idle half of the time.
const THREADS: (&str, &str) = ("RUST_TEST_THREADS", "4");

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
            command("cargo doc --workspace --no-deps --quiet").env("RUSTDOCFLAGS", "-D warnings"),
        )?;
    }
    step("building the tests", &mut command("cargo test --workspace --no-run --quiet"))?;
    if filter.is_none() {
        queries::queries(true)?;
    }
    match filter {
        Some(filter) => step("tests", with_numbers(inside_session(ALL_TESTS)).arg(filter)),
        None => journeys_beside_the_rest(),
    }
}

/// Journeys mostly wait for a window, one after the other: the rest runs meanwhile, in a session of its
/// own. What the journeys say is shown when both are over.
fn journeys_beside_the_rest() -> anyhow::Result<()> {
    let said = target().join("journeys.log");
    let log = File::create(&said).with_context(|| format!("writing {}", said.display()))?;
    let mut journeys = inside_session(ALL_TESTS);
    journeys.args(["--test", JOURNEYS]).stdout(log.try_clone()?).stderr(log);
    let mut journeys = journeys.spawn().context("starting the journeys")?;
    let mut rest = with_numbers(inside_session(ALL_TESTS));
    rest.args(["--lib", "--bins"]);
    for program in test_programs()?.iter().filter(|program| *program != JOURNEYS) {
        rest.args(["--test", program]);
    }
    let rested = step("tests but the journeys", &mut rest);
    let ended = journeys.wait().context("waiting for the journeys")?;
    println!("\n── journeys\n{}", fs::read_to_string(&said)?);
    rested?;
    ensure!(ended.success(), "journeys: failed ({ended})");
    Ok(())
}

/// The programs of integration tests, by the names of their files or folders.
fn test_programs() -> anyhow::Result<BTreeSet<String>> {
    let packages = fs::read_dir(root().join("crates"))?.flatten().map(|package| package.path());
    let mut programs = BTreeSet::new();
    for package in packages.chain([root()]) {
        // not every package has integration tests
        for entry in fs::read_dir(package.join("tests")).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_program = path.extension().is_some_and(|extension| extension == "rs")
                || path.join("main.rs").is_file();
            if let Some(name) = path.file_stem().filter(|_| is_program) {
                programs.insert(name.to_string_lossy().into_owned());
            }
        }
    }
    Ok(programs)
}

/// With the numbers that hold where nobody says another.
fn with_numbers(mut tests: Command) -> Command {
    for (name, value) in [PROPERTIES, THREADS] {
        if std::env::var_os(name).is_none() {
            tests.env(name, value);
        }
    }
    tests
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
