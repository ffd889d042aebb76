//! `cargo xtask soak`: longer runs of the randomised tests. Each run prints its seed, with which it
//! can be reproduced.

mod table;
mod windows;
mod wine;

use std::hash::{BuildHasher, RandomState};

use anyhow::bail;

use crate::{
    package, queries, setup,
    shell::{program, root, step},
    test::inside_session,
    tools,
};

/// Soaks: name, package, test binary and test filter. Several entries may share a name.
const SOAKS: &[(&str, &str, &str, &str)] = &[
    ("fuzz", "limber-identity-service", "api", "fuzz::"),
    ("fuzz", "limber-motion-service", "api", "fuzz::"),
    ("flood", "limber-identity-service", "api", "floods::"),
    ("flood", "limber-motion-service", "api", "floods::"),
    ("uploads", "limber-motion-service", "api", "uploader::kills::"),
    ("chaos", "limber-motion-service", "api", "chaos::"),
    ("durations", "limber-pipeline", "pipeline", "short::"),
    ("memory", "limber-motion-service", "api", "memory::"),
    ("memory", "limber", "journeys", "monkey::random_input_does_not"),
    ("monkey", "limber", "journeys", "monkey::random_input_and"),
    (BLENDER, "limber-pipeline", "pipeline", "blender::"),
    (BLENDER, "limber", "journeys", "blender::"),
];

/// Soaks that measure release builds. The app answers its dialogs only in development builds.
const RELEASED: &[(&str, &str)] = &[("memory", "limber-motion-service")];
/// Duration of a soak unless another is given; for memory, each tenth must be long enough for
/// everything to be used.
const LASTS_S: u32 = 600;
const MEMORY_LASTS_S: u32 = 7_200;

/// Environment variables that the tests read.
const SECONDS: &str = "LIMBER_SOAK_SECONDS";
const SEED: &str = "LIMBER_SOAK_SEED";
const JOBS: &str = "LIMBER_SOAK_JOBS";

/// The soak that opens exported files in Blender, and the variable that names the Python with it.
const BLENDER: &str = "blender";
const BLENDER_PYTHON: &str = "LIMBER_BLENDER";
/// The soak that fuzzes the parsers of characters and clips with libFuzzer.
const READERS: &str = "readers";
/// The soak that installs the Debian package on a clean system.
const PACKAGE: &str = "package";
/// The soak that runs the programs for Windows.
const WINDOWS: &str = "windows";
/// The package with the fuzz targets, and their names.
const FUZZERS: (&str, [&str; 5]) =
    ("crates/limber-formats", ["glb", "vrm", "fbx", "bvh", "motion"]);
/// Memory and time limits for parsing one file.
const READER_MEMORY_MB: u32 = 1_024;
const READER_SECONDS: u32 = 5;

/// Runs one soak for about `seconds`, or as long as it needs, or until `jobs` have ended if it counts jobs, with the random
/// `seed`.
pub(crate) fn soak(
    name: &str,
    seconds: Option<u32>,
    jobs: u32,
    seed: Option<u32>,
) -> anyhow::Result<()> {
    let seconds = seconds.unwrap_or(if name == "memory" { MEMORY_LASTS_S } else { LASTS_S });
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(name) as u32);
    if name == READERS {
        return readers(seconds, seed);
    }
    if name == PACKAGE {
        return package::package();
    }
    if name == WINDOWS {
        return windows::windows();
    }
    let soaks = || SOAKS.iter().filter(|(own, ..)| *own == name);
    if soaks().next().is_none() {
        let mut names: Vec<_> =
            SOAKS.iter().map(|(own, ..)| *own).chain([READERS, PACKAGE, WINDOWS]).collect();
        names.dedup();
        bail!("no soak `{name}`; there are: {}", names.join(", "));
    }
    setup::for_tests()?;
    queries::build_test_postgres()?;
    if name == BLENDER {
        tools::install_blender()?;
    }
    soaks().try_for_each(|(_, package, program, tests)| {
        let profile = if RELEASED.contains(&(name, *package)) { "--release" } else { "" };
        let line = format!(
            "cargo test {profile} --quiet --package {package} --test {program} -- --nocapture --include-ignored"
        );
        step(
            &format!("soak {name} of {package}; repeat with --seed {seed}"),
            inside_session(&line)
                .arg(tests)
                .env(SECONDS, seconds.to_string())
                .env(JOBS, jobs.to_string())
                .env(SEED, seed.to_string())
                // only the soak with this name has installed it
                .envs((name == BLENDER).then(|| (BLENDER_PYTHON, tools::blender()))),
        )
    })
}

/// Runs every fuzz target for this many seconds. New interesting inputs are added to its corpus.
fn readers(seconds: u32, seed: u32) -> anyhow::Result<()> {
    tools::install_cargo_fuzz()?;
    let (package, fuzzers) = FUZZERS;
    for fuzzer in fuzzers {
        step(
            &format!("fuzzing the {fuzzer} parser for {seconds} s; repeat with --seed {seed}"),
            program(tools::cargo_fuzz())
                .current_dir(root().join(package))
                .args(["fuzz", "run", fuzzer, "--", "-print_final_stats=1"])
                .arg(format!("-max_total_time={seconds}"))
                .arg(format!("-seed={seed}"))
                .arg(format!("-rss_limit_mb={READER_MEMORY_MB}"))
                .arg(format!("-timeout={READER_SECONDS}"))
                // leak detection needs ptrace, which containers forbid
                .arg("-detect_leaks=0")
                // sanitizers are unstable, and the pinned compiler is stable
                .env("RUSTC_BOOTSTRAP", "1"),
        )?;
    }
    Ok(())
}
