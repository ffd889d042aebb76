//! Detection of a database that is unavailable, unresponsive or slow.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use sqlx::{
    Connection as _, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::{sync::Mutex, time::timeout};

/// A connection used this recently is taken from the pool without a ping, which would double the
/// round trips of every short request.
const FRESH: Duration = Duration::from_secs(1);

/// Time limits on the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits {
    /// Limit on waiting for a free connection, and for a connection's answer to a ping.
    pub connection: Duration,
    /// Limit on each statement, including waiting for locks. `None` means no limit.
    pub statement: Option<Duration>,
}

/// Returns the options of a pool that enforces these time limits.
#[must_use]
pub fn pool_options(connections: u32, waits: Waits) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(waits.connection)
        .test_before_acquire(false)
        .before_acquire(|connection, known| {
            Box::pin(async move {
                if known.idle_for >= FRESH {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        // A connection whose server has vanished would otherwise occupy its slot until TCP gives up
        // on it, which takes a quarter of an hour.
        .after_release(move |connection, _| {
            Box::pin(async move {
                match timeout(waits.connection, connection.ping()).await {
                    Ok(answered) => answered.map(|()| true),
                    Err(_) => Err(sqlx::Error::PoolTimedOut),
                }
            })
        })
        .after_connect(move |connection, _| {
            Box::pin(async move {
                if let Some(statement) = waits.statement {
                    // Not as a connection option, because connection poolers reject those.
                    sqlx::query("select set_config('statement_timeout', $1, false)")
                        .bind(format!("{}ms", statement.as_millis().max(1)))
                        .execute(connection)
                        .await?;
                }
                Ok(())
            })
        })
}

/// Tells whether the database cannot be used at the moment, so that a retry may succeed. Any other
/// error is an answer from the database, and our own mistake.
#[must_use]
pub fn is_away(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_) => true,
        sqlx::Error::Database(error) => error.code().is_some_and(|code| passes(&code)),
        _ => false,
    }
}

/// Tells whether an error is temporary, by PostgreSQL's error codes (its manual, appendix A).
///
/// A missing table or column, or a missing right to one (42P01, 42703, 42501), is not: a faulty
/// statement gets the same code.
fn passes(code: &str) -> bool {
    // Connection failures, exhausted resources, shutdown or start-up, system errors; and what no
    // statement of a service causes: a rejected login and a missing database or schema, as while
    // the operator changes the password or restores a backup.
    let classes = ["08", "53", "57P", "58", "28", "3D", "3F"];
    // Statement timeout, lock not available, deadlock, serialisation failure; a read-only standby
    // that is about to take over.
    let single = ["57014", "55P03", "40P01", "40001", "25006"];
    classes.iter().any(|class| code.starts_with(class)) || single.contains(&code)
}

/// Detects a database that does not answer at all. A statement alone cannot detect that: one sent
/// to a hung server waits as long as the server hangs. The database is probed only while a request
/// waits unusually long, and once for all such requests.
pub struct Pulse {
    options: Arc<PgConnectOptions>,
    patience: Duration,
    /// Number of probes completed.
    looks: AtomicU64,
    /// Result of the last probe.
    answers: Mutex<bool>,
}

impl fmt::Debug for Pulse {
    /// Omits the URL, which may contain a password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pulse").field("patience", &self.patience).finish_non_exhaustive()
    }
}

impl Pulse {
    /// Monitors the database of this pool. If the database is unresponsive, a request is given up
    /// after three quarters of `patience`.
    #[must_use]
    pub fn of(pool: &PgPool, patience: Duration) -> Self {
        let options = pool.connect_options();
        Self { options, patience, looks: AtomicU64::new(0), answers: Mutex::new(true) }
    }

    /// Completes once the database has been found unresponsive; never completes while it answers.
    pub async fn lost(&self) {
        loop {
            tokio::time::sleep(self.patience / 4).await;
            if !self.is_there().await {
                tracing::warn!("the database does not answer; a request is given up");
                return;
            }
        }
    }

    async fn is_there(&self) -> bool {
        let before = self.looks.load(Ordering::Acquire);
        let mut answers = self.answers.lock().await;
        // Unless another waiter's probe has completed in the meantime.
        if self.looks.load(Ordering::Acquire) == before {
            *answers = self.look().await;
            self.looks.fetch_add(1, Ordering::Release);
        }
        *answers
    }

    /// Probes the database on a separate connection, because those of the pool may all be blocked.
    async fn look(&self) -> bool {
        let looking = async {
            let mut connection = PgConnection::connect_with(&self.options).await?;
            connection.ping().await?;
            connection.close().await
        };
        match timeout(self.patience / 2, looking).await {
            Ok(Ok(())) => true,
            // The server is shutting down or starting; any other error at least proves that it is
            // there.
            Ok(Err(sqlx::Error::Database(error))) => {
                error.code().is_none_or(|code| !code.starts_with("57P"))
            }
            Ok(Err(_)) | Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_database_errors_are_distinguished_from_permanent_ones() {
        for code in ["08006", "53300", "53100", "57P01", "57P03", "57014", "40P01", "25006"] {
            assert!(passes(code), "{code}");
        }
        // Rejected login, wrong password, missing database, missing schema.
        for code in ["28000", "28P01", "3D000", "3F000"] {
            assert!(passes(code), "{code}");
        }
        // Missing table, column or right, violated constraint, invalid value, syntax error.
        for code in ["42P01", "42703", "42501", "23505", "22P02", "42601"] {
            assert!(!passes(code), "{code}");
        }
        assert!(is_away(&sqlx::Error::PoolTimedOut));
        assert!(!is_away(&sqlx::Error::RowNotFound), "a missing row is a response");
    }
}
