//! `cargo xtask test`: all checks and tests, those that fail fastest first, or the tests of one
//! part.

use std::{fs, process::Command};

use anyhow::{Context, anyhow, bail};

use crate::{
    bench, dependencies, queries, session, setup,
    shell::{command, memory, program, root, step, step_aside, target},
    stages, tools,
};

/// Fixed seed of property tests, so that a change is judged by its own effect; the environment
/// variable overrides it.
const PROPERTIES: (&str, &str) = ("PROPTEST_RNG_SEED", "20261121");

/// Cargo arguments that select all our code except tests, for tools that only read it. Naming an
/// example enables the features that tests need; without it Cargo would compile all dependencies
/// again with fewer features.
pub(crate) const READ: &str = "--workspace --lib --bin xtask --example with_test_postgres --quiet";

/// Number of slow tests listed at the end.
const SLOWEST: usize = 10;

/// What `cargo nextest` builds, and which of those tests it runs.
///
/// The whole workspace is always selected: a single package would get dependencies with fewer
/// features, which would be compiled again.
struct Selection {
    targets: Vec<String>,
    filter: Vec<String>,
}

impl Selection {
    fn everything() -> Self {
        Self { targets: vec!["--lib".into(), "--bins".into(), "--tests".into()], filter: vec![] }
    }

    /// Selects a part: a test binary of the desktop package, a crate by its name with or without
    /// `limber-` and `-service`, or else all tests whose names contain the word.
    fn of(part: &str) -> anyhow::Result<Self> {
        if root().join("tests").join(part).join("main.rs").exists() {
            let targets = vec!["--test".to_owned(), part.to_owned()];
            return Ok(Self { targets, filter: vec![] });
        }
        let names = [part.to_owned(), format!("limber-{part}"), format!("limber-{part}-service")];
        let Some(package) = names.iter().find(|name| root().join("crates").join(name).is_dir())
        else {
            let filter = vec![part.to_owned()];
            return Ok(Self { filter, ..Self::everything() });
        };
        let mut targets = vec!["--lib".to_owned()];
        for test in programs_of_tests(package)? {
            targets.extend(["--test".to_owned(), test]);
        }
        let filter = vec!["--filterset".to_owned(), format!("package(={package})")];
        Ok(Self { targets, filter })
    }
}

/// Returns the names of the test binaries in a crate's `tests/`.
fn programs_of_tests(package: &str) -> anyhow::Result<Vec<String>> {
    let folder = root().join("crates").join(package).join("tests");
    let Ok(entries) = fs::read_dir(&folder) else { return Ok(vec![]) };
    let mut names = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let is_program =
            path.extension().is_some_and(|ending| ending == "rs") || path.join("main.rs").exists();
        if let (true, Some(name)) = (is_program, path.file_stem()) {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    Ok(names)
}

/// Runs everything, one part, or those tests of a part whose names contain `name`.
pub(crate) fn test(part: Option<&str>, name: Option<&str>) -> anyhow::Result<()> {
    let outcome = match part {
        None => everything(),
        Some("ui") => setup::for_front_end().and_then(|()| front_end()),
        Some(part) => Selection::of(part).and_then(|mut selection| {
            setup::for_tests()?;
            selection.filter.extend(name.map(str::to_owned));
            rust_tests(&selection)
        }),
    };
    stages::print();
    outcome
}

fn everything() -> anyhow::Result<()> {
    setup::for_tests()?;
    step("formatting", &mut command("cargo fmt --all --check"))?;
    dependencies::check()?;
    // front-end tests use one processor, and Rust tests spend much time waiting
    let (rust, front_end) = std::thread::scope(|scope| {
        let aside = scope.spawn(front_end);
        (rust(), aside.join())
    });
    let front_end = front_end.map_err(|_| anyhow!("the front-end tests were interrupted"))?;
    // report both if both failed
    if let (Err(error), Err(_)) = (&front_end, &rust) {
        eprintln!("{error:#}");
    }
    rust.and(front_end)
}

fn rust() -> anyhow::Result<()> {
    let lints = "cargo clippy --workspace --all-targets --quiet -- -D warnings";
    step("lints", &mut command(lints))?;
    let documentation = format!("cargo doc {READ} --no-deps");
    step("documentation", command(&documentation).env("RUSTDOCFLAGS", "-D warnings"))?;
    queries::queries(true)?;
    rust_tests(&Selection::everything())?;
    bench::in_short()
}

fn front_end() -> anyhow::Result<()> {
    step_aside("front end: types", &mut command("npm --prefix ui run check --silent"))?;
    step_aside("front end: tests", &mut command("npm --prefix ui run test --silent"))
}

fn rust_tests(selection: &Selection) -> anyhow::Result<()> {
    let nextest = |verb: &str| {
        let mut command = program(tools::nextest());
        command.args(["nextest", verb, "--workspace"]).args(&selection.targets);
        command
    };
    step("building the tests", nextest("run").args(["--no-run", "--cargo-quiet"]))?;
    queries::build_test_postgres()?;
    // nextest writes reports to the workspace's target folder, wherever Cargo builds
    let report = root().join("target/nextest/default/junit.xml");
    let _ = fs::remove_file(&report);
    let mut tests = beside_test_postgres();
    let run = nextest("run");
    tests.arg(run.get_program()).args(run.get_args()).arg("--cargo-quiet");
    tests.args(&selection.filter);
    // every journey has its own home; let them share compiled shaders
    tests.env("MESA_SHADER_CACHE_DIR", target().join("shaders"));
    let (variable, seed) = PROPERTIES;
    if std::env::var_os(variable).is_none() {
        tests.env(variable, seed);
    }
    let outcome = step("tests", &mut tests);
    if report.exists() {
        print_slowest(&fs::read_to_string(&report)?)?;
    }
    outcome
}

/// Prints the slowest tests from the JUnit report.
fn print_slowest(report: &str) -> anyhow::Result<()> {
    let document = roxmltree::Document::parse(report).context("reading the test report")?;
    let mut tests: Vec<(f64, String)> = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
        .filter_map(|test| {
            let seconds = test.attribute("time")?.parse().ok()?;
            Some((seconds, [test.attribute("classname")?, test.attribute("name")?].join(" ")))
        })
        .collect();
    if tests.is_empty() {
        bail!("the test report lists no tests");
    }
    tests.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    println!("\n{:>8}  slowest tests", "seconds");
    for (seconds, name) in tests.iter().take(SLOWEST) {
        println!("{seconds:>8.1}  {name}");
    }
    Ok(())
}

/// Returns a command in a private desktop with a database server for the tests.
pub(crate) fn inside_session(line: &str) -> Command {
    let mut session = session::command();
    let postgres = beside_test_postgres();
    session.arg(postgres.get_program()).args(postgres.get_args()).args(line.split_whitespace());
    session
}

/// Returns a command to which the caller appends words to be run beside an empty PostgreSQL server;
/// its program is built with the tests.
///
/// The data is in memory if there is room: every test creates a database, and on disk that took ten
/// times as long, half a second of CPU time each.
pub(crate) fn beside_test_postgres() -> Command {
    let mut postgres = program(target().join("debug/examples/with_test_postgres"));
    postgres.args(memory().into_iter().flat_map(|folder| ["--in", folder]));
    postgres
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_a_test_program_a_crate_or_a_word() {
        let parts = |part| {
            let Selection { targets, filter } = Selection::of(part).expect("folders are read");
            (targets.join(" "), filter.join(" "))
        };
        assert_eq!(parts("house"), ("--test house".to_owned(), String::new()));
        let identity = (
            "--lib --test api".to_owned(),
            "--filterset package(=limber-identity-service)".to_owned(),
        );
        assert_eq!(parts("identity"), identity);
        assert_eq!(parts("limber-identity-service"), identity);
        assert_eq!(parts("refresh").1, "refresh");
    }
}
