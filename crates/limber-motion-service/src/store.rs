//! Everything that is remembered in PostgreSQL. SQL lives below this module and nowhere else.

pub(crate) mod accounts;
pub(crate) mod artifacts;
pub(crate) mod contents;
pub(crate) mod credits;
pub(crate) mod films;
pub(crate) mod jobs;
pub(crate) mod models;
pub(crate) mod places;
pub(crate) mod queue;
pub(crate) mod readings;
pub(crate) mod rows;
pub(crate) mod sources;
pub(crate) mod uploads;
pub(crate) mod workers;

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use sqlx::{Connection as _, PgPool, postgres::PgPoolOptions};

/// A connection that worked so recently is taken without asking whether it is still there: the
/// question would double the way of every short request.
const FRESH: Duration = Duration::from_secs(1);

/// The database said no.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No connection, a broken statement, a broken constraint.
    #[error("the database of the motion service does not answer as it should")]
    Database(#[from] sqlx::Error),
    /// The tables could not be brought up to date.
    #[error("the tables of the motion service could not be brought up to date")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// A row holds what no version of this program writes.
    #[error("a stored job cannot be read: {0}")]
    Unreadable(&'static str),
}

impl StoreError {
    /// Whether the database is away, so that the same may work in a moment.
    pub(crate) fn is_away(&self) -> bool {
        let Self::Database(error) = self else { return false };
        match error {
            sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::Io(_)
            | sqlx::Error::Protocol(_) => true,
            // no connection, too many of them, stopping or starting
            sqlx::Error::Database(error) => error
                .code()
                .is_some_and(|code| ["08", "53300", "57P"].iter().any(|c| code.starts_with(c))),
            _ => false,
        }
    }
}

/// The motion service's database.
#[derive(Debug, Clone)]
pub(crate) struct Store {
    pub(crate) pool: PgPool,
}

impl Store {
    pub(crate) async fn connect(url: &SecretString, connections: u32) -> Result<Self, StoreError> {
        let pool = PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(Duration::from_secs(10))
            .test_before_acquire(false)
            .before_acquire(|connection, known| {
                Box::pin(async move {
                    if known.idle_for >= FRESH {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
            .connect(url.expose_secret())
            .await?;
        Ok(Self { pool })
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
