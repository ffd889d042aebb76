//! Database access. Each file covers one table, contains only SQL, makes no decisions and knows
//! nothing of HTTP.
//!
//! Most queries are checked against the schema at compile time. Functions take a connection, so
//! that the domain determines what belongs to one transaction.

pub(crate) mod accounts;
pub(crate) mod audit_entries;
pub(crate) mod factor_challenges;
pub(crate) mod factors;
pub(crate) mod flows;
pub(crate) mod guesses;
pub(crate) mod identities;
pub(crate) mod one_time_tokens;
pub(crate) mod outbox;
pub(crate) mod provider_flows;
pub(crate) mod refresh_tokens;
pub(crate) mod send_timers;
pub(crate) mod sessions;
pub(crate) mod upkeep;
pub(crate) mod whole_accounts;

use std::str::FromStr;
use std::time::Duration;

use limber_serve::{Waits, pool_options};
use secrecy::{ExposeSecret, SecretString};
use sqlx::migrate::Migrator;
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, Executor, PgPool};

use crate::config::DatabaseConfig;
use crate::error::ServiceError;

/// How long a command waits for a connection.
const CONNECTED: Duration = Duration::from_secs(8);

static MIGRATIONS: Migrator = sqlx::migrate!();

/// Tells whether a text is a valid database URL, without connecting.
pub(crate) fn is_address(url: &SecretString) -> bool {
    PgConnectOptions::from_str(url.expose_secret()).is_ok()
}

/// Connects for commands: limited as configured, with no time limit on statements.
pub(crate) async fn connect(config: &DatabaseConfig) -> Result<PgPool, ServiceError> {
    connect_within(config, Waits { connection: CONNECTED, statement: None }).await
}

/// Connects for requests, with the configured time limit on connections and statements.
pub(crate) async fn connect_to_serve(config: &DatabaseConfig) -> Result<PgPool, ServiceError> {
    let patience = config.patience;
    connect_within(config, Waits { connection: patience, statement: Some(patience) }).await
}

async fn connect_within(config: &DatabaseConfig, waits: Waits) -> Result<PgPool, ServiceError> {
    let mut options = PgConnectOptions::from_str(config.url.expose_secret())
        .map_err(|_| ServiceError::DatabaseAddress)?
        .application_name(crate::NAME);
    if let Some(schema) = &config.namespace {
        // Quoted, as in the creation of the schema; otherwise capital letters would be folded.
        options = options.options([("search_path", format!("\"{schema}\""))]);
    }
    let max = match config.max_connections {
        0 => server_limit(&options).await?,
        set => set,
    };
    pool_options(max, waits).connect_with(options).await.map_err(ServiceError::Database)
}

/// Returns the maximum pool size for the setting 0: ten less than the server allows, so that people
/// can still connect.
async fn server_limit(options: &PgConnectOptions) -> Result<u32, ServiceError> {
    use sqlx::ConnectOptions;
    let mut one = options.connect().await.map_err(ServiceError::Database)?;
    let limit =
        sqlx::query_scalar!(r#"SELECT current_setting('max_connections')::int AS "limit!""#)
            .fetch_one(&mut one)
            .await
            .map_err(ServiceError::Database)?;
    one.close().await.map_err(ServiceError::Database)?;
    Ok(u32::try_from(limit - 10).unwrap_or(1).max(2))
}

/// Brings the schema up to date. Safe to run from several instances concurrently.
pub(crate) async fn migrate(pool: &PgPool, config: &DatabaseConfig) -> Result<(), ServiceError> {
    if let Some(schema) = &config.namespace {
        // The configuration has validated the name as a plain identifier.
        let sql = format!("CREATE SCHEMA IF NOT EXISTS \"{schema}\"");
        pool.execute(sqlx::AssertSqlSafe(sql)).await.map_err(ServiceError::Database)?;
    }
    MIGRATIONS.run(pool).await.map_err(ServiceError::Migration)
}

/// Tells whether every migration known to this program has been applied.
pub(crate) async fn is_current(pool: &PgPool) -> Result<bool, ServiceError> {
    let applied: Vec<i64> =
        sqlx::query_scalar("SELECT version FROM _sqlx_migrations WHERE success")
            .fetch_all(pool)
            .await
            .map_err(ServiceError::Database)?;
    Ok(MIGRATIONS.iter().all(|known| applied.contains(&known.version)))
}

#[cfg(test)]
mod tests {
    use limber_postgres::TestDatabase;

    use super::*;

    #[tokio::test]
    async fn zero_max_connections_leaves_ten_for_others() {
        let database = TestDatabase::create("limits").await.expect("PostgreSQL is available");
        let with = |max_connections| DatabaseConfig {
            url: database.secret_url(),
            max_connections,
            namespace: None,
            patience: CONNECTED,
        };
        let pool = connect(&with(0)).await.expect("the database is reachable");
        let allowed: String = sqlx::query_scalar("SHOW max_connections")
            .fetch_one(&pool)
            .await
            .expect("the service responds");
        let allowed: u32 = allowed.parse().expect("a number");
        assert_eq!(pool.options().get_max_connections(), allowed - 10);
        let pool = connect(&with(2)).await.expect("the database is reachable");
        assert_eq!(pool.options().get_max_connections(), 2);
    }
}
