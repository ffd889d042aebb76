//! `cargo xtask soak`: for minutes what `test` does for seconds. Each run tells its seed, by which
//! it can be had again.

use std::hash::{BuildHasher, RandomState};

use anyhow::bail;

use crate::{queries, setup, shell::step, test::inside_session};

/// A soak: its name here, its package, its test program and the tests in it.
const SOAKS: &[(&str, &str, &str, &str)] = &[
    ("fuzz", "limber-identity-service", "api", "fuzz::"),
    ("uploads", "limber-motion-service", "api", "uploader::kills::"),
];

/// What the tests read.
const SECONDS: &str = "LIMBER_SOAK_SECONDS";
const SEED: &str = "LIMBER_SOAK_SEED";

/// Runs one soak for about `seconds`; chance comes from `seed`.
pub(crate) fn soak(name: &str, seconds: u32, seed: Option<u32>) -> anyhow::Result<()> {
    let Some((_, package, program, tests)) = SOAKS.iter().find(|(own, ..)| *own == name) else {
        let names: Vec<_> = SOAKS.iter().map(|(own, ..)| *own).collect();
        bail!("no soak `{name}`; there are: {}", names.join(", "));
    };
    setup::for_tests()?;
    queries::build_test_postgres()?;
    let seed = seed.unwrap_or_else(|| RandomState::new().hash_one(name) as u32);
    let line = format!("cargo test --quiet --package {package} --test {program} -- --nocapture");
    step(
        &format!("soak {name} for {seconds} s; again with --seed {seed}"),
        inside_session(&line)
            .arg(tests)
            .env(SECONDS, seconds.to_string())
            .env(SEED, seed.to_string()),
    )
}
