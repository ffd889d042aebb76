//! The PostgreSQL database. All SQL is in this module and its submodules.

pub(crate) mod accounts;
pub(crate) mod artifacts;
pub(crate) mod contents;
pub(crate) mod credits;
pub(crate) mod file_store;
pub(crate) mod jobs;
pub(crate) mod models;
pub(crate) mod pictures;
pub(crate) mod queue;
pub(crate) mod queue_positions;
pub(crate) mod readings;
pub(crate) mod rows;
pub(crate) mod sources;
mod turns;
pub(crate) mod uploads;
pub(crate) mod videos;
pub(crate) mod workers;

use std::time::Duration;

use limber_serve::{Waits, pool_options};
use secrecy::{ExposeSecret, SecretString};
use sqlx::{PgPool, migrate::MigrateError};

/// How long workers and commands wait for a connection.
const CONNECTED: Duration = Duration::from_secs(10);
/// Statement timeout of requests, as a multiple of the connection timeout. It is longer because a
/// statement may have to wait for another request that is storing a file.
const STATEMENT: u32 = 3;

/// Why a database operation failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The connection, a statement or a constraint failed.
    #[error("the motion service's database failed")]
    Database(#[from] sqlx::Error),
    /// The migrations failed.
    #[error("the motion service's database could not be migrated")]
    Migration(#[from] MigrateError),
    /// A row contains something that no version of this program writes.
    #[error("a stored job cannot be read: {0}")]
    Unreadable(&'static str),
}

impl StoreError {
    /// Returns whether the database is unavailable, so that a retry may succeed.
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
    /// Connects for a worker or a command, without a statement timeout.
    pub(crate) async fn connect(url: &SecretString, connections: u32) -> Result<Self, StoreError> {
        Self::within(url, connections, Waits { connection: CONNECTED, statement: None }).await
    }

    /// Connects for requests, with short timeouts.
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

    /// Applies missing migrations; safe to call from several processes at once.
    pub(crate) async fn migrate(&self) -> Result<(), StoreError> {
        Ok(sqlx::migrate!().run(&self.pool).await?)
    }

    /// Returns the number of applied migrations, and of all migrations.
    pub(crate) async fn migrations(&self) -> Result<(usize, usize), StoreError> {
        let known = sqlx::migrate!().iter().count();
        // not a compile-time checked query, because no migration creates this table, the migrator
        // does
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
