//! Runs a command with an empty PostgreSQL cluster, whose URL it gets in `LIMBER_TEST_POSTGRES`.
//!
//! `with_test_postgres [--in FOLDER] [--database NAME=MIGRATIONS]… COMMAND…`: the cluster is
//! created in a new folder inside FOLDER, or else in the system's temporary folder. Each
//! `--database` is created and migrated from the folder MIGRATIONS, and its URL is passed in
//! `NAME_DATABASE_URL`.

use std::{collections::HashMap, ffi::OsString, path::Path, process::ExitCode};

use limber_postgres::Cluster;
use secrecy::ExposeSecret;
use sqlx::{Connection, PgConnection, migrate::Migrator};

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<ExitCode, Failure> {
    let mut words = std::env::args_os().skip(1).peekable();
    let folder = match words.next_if(|word| word == "--in") {
        Some(_) => {
            tempfile::tempdir_in(words.next().ok_or("the first argument must be a folder")?)?
        }
        None => tempfile::tempdir()?,
    };
    let quick = [("fsync", "off"), ("max_connections", "400")]
        .map(|(key, value)| (key.to_owned(), value.to_owned()));
    let cluster = Cluster::start_with(folder.path(), HashMap::from(quick)).await?;
    let outcome = run(&cluster, &mut words).await;
    cluster.stop().await?;
    outcome
}

async fn run(
    cluster: &Cluster,
    words: &mut std::iter::Peekable<impl Iterator<Item = OsString>>,
) -> Result<ExitCode, Failure> {
    let mut addresses = Vec::new();
    while words.next_if(|word| word == "--database").is_some() {
        let value = words.next().and_then(|value| value.into_string().ok());
        let (name, migrations) =
            value.as_deref().and_then(|value| value.split_once('=')).ok_or("NAME=MIGRATIONS?")?;
        cluster.ensure_database(name).await?;
        let url = cluster.url(name).expose_secret().to_owned();
        let mut connection = PgConnection::connect(&url).await?;
        Migrator::new(Path::new(migrations)).await?.run(&mut connection).await?;
        connection.close().await?;
        addresses.push((format!("{}_DATABASE_URL", name.to_uppercase()), url));
    }
    let program =
        words.next().ok_or("a command must follow, for example: with_test_postgres cargo test")?;
    let status = tokio::process::Command::new(program)
        .args(words)
        .env("LIMBER_TEST_POSTGRES", cluster.url("postgres").expose_secret())
        .envs(addresses)
        .status()
        .await?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
