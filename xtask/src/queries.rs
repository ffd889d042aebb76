//! The descriptions of SQL queries in `.sqlx/`, which allow building without a database.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context, bail};

use crate::{
    shell::{command, step, target},
    test::{READ, beside_test_postgres},
};

/// The services: database name in `sqlx.toml`, and crate.
const SERVICES: &[(&str, &str)] =
    &[("identity", "limber-identity-service"), ("motion", "limber-motion-service")];

/// Regenerates all descriptions against a migrated database, then compares or replaces them.
pub(crate) fn queries(check: bool) -> anyhow::Result<()> {
    build_test_postgres()?;
    let all = || SERVICES.iter().try_for_each(|service| queries_of(*service, check));
    // crates are built together, and one may fail for lack of another's new descriptions
    all().or_else(|error| {
        if check {
            return Err(error);
        }
        SERVICES.iter().rev().try_for_each(|service| queries_of(*service, check))
    })
}

fn queries_of((database, package): (&str, &str), check: bool) -> anyhow::Result<()> {
    let fresh = target().join("sqlx").join(package);
    describe(database, package, &fresh)?;
    let kept = Path::new("crates").join(package).join(".sqlx");
    if !check {
        return replace_folder(&kept, &fresh);
    }
    if read_folder(&fresh)? != read_folder(&kept)? {
        bail!("{} is out of date; run `cargo xtask queries`", kept.display());
    }
    Ok(())
}

/// Builds the program that [`beside_test_postgres`] runs.
pub(crate) fn build_test_postgres() -> anyhow::Result<()> {
    step(
        "building the test database",
        &mut command("cargo build --workspace --example with_test_postgres --quiet"),
    )
}

fn describe(database: &str, package: &str, fresh: &Path) -> anyhow::Result<()> {
    empty_folder(fresh)?;
    let crate_folder = Path::new("crates").join(package);
    // The macros write descriptions whenever they run with a database. The crate is marked as
    // changed only while this takes, so that nothing else has to be rebuilt.
    let library = crate_folder.join("src/lib.rs");
    let changed = fs::metadata(&library).and_then(|metadata| metadata.modified())?;
    set_changed(&library, now())?;
    let described = step(
        &format!("queries of {package}"),
        beside_test_postgres()
            .arg("--database")
            .arg(format!("{database}={}", crate_folder.join("migrations").display()))
            .args(["cargo", "check"])
            .args(READ.split_whitespace())
            .env("SQLX_OFFLINE_DIR", fresh.canonicalize()?),
    );
    set_changed(&library, changed)?;
    described
}

fn set_changed(path: &Path, time: SystemTime) -> anyhow::Result<()> {
    let file = fs::File::options().append(true).open(path);
    file.and_then(|file| file.set_modified(time)).with_context(|| format!("touching {path:?}"))
}

#[expect(clippy::disallowed_methods, reason = "a file's modification time is in system time")]
fn now() -> SystemTime {
    SystemTime::now()
}

fn empty_folder(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))
}

fn read_folder(folder: &Path) -> anyhow::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(BTreeMap::new()) };
    entries
        .flatten()
        .map(|entry| Ok((PathBuf::from(entry.file_name()), fs::read(entry.path())?)))
        .collect()
}

fn replace_folder(kept: &Path, fresh: &Path) -> anyhow::Result<()> {
    empty_folder(kept)?;
    for (name, bytes) in read_folder(fresh)? {
        fs::write(kept.join(name), bytes)?;
    }
    Ok(())
}
