//! `cargo xtask bench`: the budgets, measured with the release profile.

use anyhow::{Context, bail};

use crate::{queries, setup, shell::step, test::inside_session};

/// A benchmark: its name here, its package, and its name in that package. Those of one name are one.
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

/// Makes benchmarks do little and judge nothing.
const SHORT: (&str, &str) = ("LIMBER_BENCH_SHORT", "1");

/// Lets every benchmark run to its end as the tests are built, so that none is found broken when its
/// figures are wanted.
pub(crate) fn in_short() -> anyhow::Result<()> {
    let mut names: Vec<_> = BENCHES.iter().map(|(.., name)| format!("--bench {name}")).collect();
    names.sort();
    names.dedup();
    let line = format!("cargo test --workspace --quiet {}", names.join(" "));
    let (variable, value) = SHORT;
    step("benchmarks, in short", inside_session(&line).env(variable, value))
}

/// Runs one benchmark or all; every one runs even when an earlier one missed its target.
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
