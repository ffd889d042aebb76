//! Everything that is remembered in PostgreSQL. SQL lives below this module and nowhere else.

pub(crate) mod accounts;
pub(crate) mod artifacts;
pub(crate) mod contents;
pub(crate) mod credits;
pub(crate) mod file_store;
pub(crate) mod films;
pub(crate) mod jobs;
pub(crate) mod models;
pub(crate) mod pictures;
pub(crate) mod places;
pub(crate) mod queue;
pub(crate) mod readings;
pub(crate) mod rows;
pub(crate) mod sources;
mod turns;
pub(crate) mod uploads;
pub(crate) mod workers;

use std::time::Duration;

use limber_serve::{Waits, pool_options};
use secrecy::{ExposeSecret, SecretString};
use sqlx::{PgPool, migrate::MigrateError};

/// How long a connection is waited for where nobody waits for an answer.
const CONNECTED: Duration = Duration::from_secs(10);
/// A statement may wait for somebody who is storing a file, and so takes longer than a connection.
const STATEMENT: u32 = 3;

/// The database said no.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No connection, a broken statement, a broken constraint.
    #[error("the database of the motion service does not answer as it should")]
    Database(#[from] sqlx::Error),
    /// The tables could not be brought up to date.
    #[error("the tables of the motion service could not be brought up to date")]
    Migration(#[from] MigrateError),
    /// A row holds what no version of this program writes.
    #[error("a stored job cannot be read: {0}")]
    Unreadable(&'static str),
}

impl StoreError {
    /// Whether the database is away, so that the same may work in a moment.
    pub(crate) fn is_away(&self) -> bool {
        match self {
            Self::Database(error) | Self::Migration(MigrateError::Execute(error)) => {
                limber_serve::is_away(error)
            }
            Self::Migration(_) | Self::Unreadable(_) => false,
        }
    }
}

/// The motion service's database.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    pub(crate) pool: PgPool,
}

impl Store {
    /// For a worker or a command, whose statements take as long as they take.
    pub(crate) async fn connect(url: &SecretString, connections: u32) -> Result<Self, StoreError> {
        Self::within(url, connections, Waits { connection: CONNECTED, statement: None }).await
    }

    /// For requests, which must not wait for long.
    pub(crate) async fn connect_to_serve(
        url: &SecretString,
        connections: u32,
        patience: Duration,
    ) -> Result<Self, StoreError> {
        let statement = Some(patience * STATEMENT);
        Self::within(url, connections, Waits { connection: patience, statement }).await
    }

    async fn within(
        url: &SecretString,
        connections: u32,
        waits: Waits,
    ) -> Result<Self, StoreError> {
        Ok(Self { pool: pool_options(connections, waits).connect(url.expose_secret()).await? })
    }

    /// Brings the tables up to date; safe to call from several processes at once.
    pub(crate) async fn migrate(&self) -> Result<(), StoreError> {
        Ok(sqlx::migrate!().run(&self.pool).await?)
    }

    /// Whether the database answers, and how many migrations it has of how many.
    pub(crate) async fn migrations(&self) -> Result<(usize, usize), StoreError> {
        let known = sqlx::migrate!().iter().count();
        // not a checked query: the table is made by the migrator, not by a migration
        let done: Result<i64, _> =
            sqlx::query_scalar("select count(*) from _sqlx_migrations where success")
                .fetch_one(&self.pool)
                .await;
        match done {
            Ok(done) => Ok((usize::try_from(done).unwrap_or(0), known)),
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("42P01") => {
                Ok((0, known))
            }
            Err(error) => Err(error.into()),
        }
    }
}
