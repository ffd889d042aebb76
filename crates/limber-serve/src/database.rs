//! A database that is away, frozen or slow.

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

/// A connection that worked so recently is taken without asking whether it is still there: the
/// question would double the way of every short request.
const FRESH: Duration = Duration::from_secs(1);

/// How long the database is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits {
    /// For a free connection, and for a sign of life of one.
    pub connection: Duration,
    /// For one statement, locks included. `None`: as long as it takes.
    pub statement: Option<Duration>,
}

/// A pool in which nothing is waited for longer than that.
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
        // a connection whose server has gone without a word would keep its place for as long as the
        // system believes in it, which is a quarter of an hour
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
                    // not an option of the connection: poolers refuse those
                    sqlx::query("select set_config('statement_timeout', $1, false)")
                        .bind(format!("{}ms", statement.as_millis().max(1)))
                        .execute(connection)
                        .await?;
                }
                Ok(())
            })
        })
}

/// Whether the database cannot be had just now, so that the same may work in a moment; anything else
/// is its answer, and a mistake of ours.
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

/// By PostgreSQL's codes (its manual, appendix A).
fn passes(code: &str) -> bool {
    // no connection, no room for one more of anything, stopping or starting, the system's errors
    let classes = ["08", "53", "57P", "58"];
    // took too long, lock not had, deadlock, another was faster; a standby, which is about to take over
    let single = ["57014", "55P03", "40P01", "40001", "25006"];
    classes.iter().any(|class| code.starts_with(class)) || single.contains(&code)
}

/// Notices that the database does not answer at all, which no statement does by itself: one that was
/// sent to a server that stands still waits for as long as the server stands. It looks only while
/// somebody waits for longer than is usual, and once for all who do.
pub struct Pulse {
    options: Arc<PgConnectOptions>,
    patience: Duration,
    /// Looks that came to an end.
    looks: AtomicU64,
    /// What the last of them saw.
    answers: Mutex<bool>,
}

impl fmt::Debug for Pulse {
    /// Without the address, which may hold a password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pulse").field("patience", &self.patience).finish_non_exhaustive()
    }
}

impl Pulse {
    /// Of the database of this pool. A request is given up after three quarters of `patience`, if the
    /// database stands still.
    #[must_use]
    pub fn of(pool: &PgPool, patience: Duration) -> Self {
        let options = pool.connect_options();
        Self { options, patience, looks: AtomicU64::new(0), answers: Mutex::new(true) }
    }

    /// Ready when the database was found silent; for as long as it answers, never.
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
        // somebody else's look ended in between
        if self.looks.load(Ordering::Acquire) == before {
            *answers = self.look().await;
            self.looks.fetch_add(1, Ordering::Release);
        }
        *answers
    }

    /// On a connection of its own: those of the pool may all be waiting.
    async fn look(&self) -> bool {
        let looking = async {
            let mut connection = PgConnection::connect_with(&self.options).await?;
            connection.ping().await?;
            connection.close().await
        };
        match timeout(self.patience / 2, looking).await {
            Ok(Ok(())) => true,
            // it stops or starts; whatever else it says, it is there to say it
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
    fn what_passes_is_told_from_what_is_wrong() {
        for code in ["08006", "53300", "53100", "57P01", "57P03", "57014", "40P01", "25006"] {
            assert!(passes(code), "{code}");
        }
        // no such table, a broken constraint, a mistake in a statement
        for code in ["42P01", "23505", "22P02", "42601"] {
            assert!(!passes(code), "{code}");
        }
        assert!(is_away(&sqlx::Error::PoolTimedOut));
        assert!(!is_away(&sqlx::Error::RowNotFound), "no row is an answer");
    }
}
