//! `cargo xtask bench`: measures the performance budgets with the release profile.

use anyhow::{Context, bail};

use crate::{queries, setup, shell::step, test::inside_session};

/// Benchmarks: name of the group, package, and name in the package. A group runs as one.
const BENCHES: &[(&str, &str, &str)] = &[
    ("reading", "limber-reader", "reading"),
    ("motion", "limber-pipeline", "motion"),
    ("pipeline", "limber-pipeline", "pipeline"),
    ("characters", "limber-pipeline", "characters"),
    ("characters", "limber-motion-service", "characters"),
    ("studio", "limber-viewer", "viewer"),
    ("studio", "limber", "studio"),
    ("service", "limber-motion-service", "service"),
    ("identity", "limber-identity-service", "identity"),
];

/// Shortens benchmarks and disables their verdicts.
const SHORT: (&str, &str) = ("LIMBER_BENCH_SHORT", "1");

/// Runs every benchmark briefly in a debug build, so that a broken one is noticed before its
/// figures are needed.
pub(crate) fn in_short() -> anyhow::Result<()> {
    let mut names: Vec<_> = BENCHES.iter().map(|(.., name)| format!("--bench {name}")).collect();
    names.sort();
    names.dedup();
    let line = format!("cargo test --workspace --quiet {}", names.join(" "));
    let (variable, value) = SHORT;
    step("benchmarks, in short", inside_session(&line).env(variable, value))
}

/// Runs one group of benchmarks or all. A missed target does not stop the others.
pub(crate) fn bench(name: Option<&str>, arguments: &[String]) -> anyhow::Result<()> {
    setup::for_benchmarks()?;
    queries::build_test_postgres()?;
    let wanted: Vec<_> =
        BENCHES.iter().filter(|(own, ..)| name.is_none_or(|name| name == *own)).collect();
    if wanted.is_empty() {
        let mut names: Vec<_> = BENCHES.iter().map(|(own, ..)| *own).collect();
        names.dedup();
        bail!("no benchmark `{}`; there are: {}", name.unwrap_or_default(), names.join(", "));
    }
    let mut missed = Vec::new();
    for (own, package, bench) in wanted {
        let line = format!("cargo bench --quiet --package {package} --bench {bench}");
        let mut run = inside_session(&line);
        if !arguments.is_empty() {
            run.arg("--").args(arguments);
        }
        if let Err(error) = step(&format!("bench {own}"), &mut run) {
            eprintln!("{error:#}");
            missed.push(*own);
        }
    }
    missed.is_empty().then_some(()).with_context(|| format!("missed: {}", missed.join(", ")))
}
