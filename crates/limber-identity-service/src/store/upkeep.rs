//! Old rows of every table, deleted a few at a time so that nobody waits for it.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// Rows that one statement deletes.
pub(crate) const BATCH: i64 = 500;

/// Deletes up to [`BATCH`] rows and says how many.
macro_rules! sweep {
    ($conn:expr, $sql:literal $(, $argument:expr)*) => {
        sqlx::query!($sql $(, $argument)*).execute($conn).await.map(|done| done.rows_affected())
    };
}

pub(crate) async fn refresh_tokens(
    conn: &mut PgConnection,
    revoked_before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM refresh_tokens WHERE id IN (SELECT id FROM refresh_tokens
             WHERE revoked_at < $1 ORDER BY revoked_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        revoked_before,
        BATCH
    )
}

/// Sessions over their age, silent for too long, or without a token that could continue them.
pub(crate) async fn sessions(
    conn: &mut PgConnection,
    begun_before: Option<DateTime<Utc>>,
    silent_since: Option<DateTime<Utc>>,
    spent_since: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions
             WHERE created_at < $1 OR refreshed_at < $2 OR (refreshed_at < $3 AND NOT EXISTS
                 (SELECT 1 FROM refresh_tokens t WHERE t.session_id = sessions.id))
             LIMIT $4 FOR UPDATE SKIP LOCKED)",
        begun_before,
        silent_since,
        spent_since,
        BATCH
    )
}

pub(crate) async fn flows(
    conn: &mut PgConnection,
    begun_before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM flows WHERE id IN (SELECT id FROM flows
             WHERE coalesce(issued_at, created_at) < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        begun_before,
        BATCH
    )
}

pub(crate) async fn one_time_tokens(
    conn: &mut PgConnection,
    sent_before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM one_time_tokens WHERE id IN (SELECT id FROM one_time_tokens
             WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        sent_before,
        BATCH
    )
}

/// Mail that could not be sent and that nobody looks at any more.
pub(crate) async fn given_up_mail(
    conn: &mut PgConnection,
    before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM mail_outbox WHERE id IN (SELECT id FROM mail_outbox
             WHERE given_up_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        before,
        BATCH
    )
}

/// Accounts without a name whose last session is gone or was silent since.
pub(crate) async fn anonymous_accounts(
    conn: &mut PgConnection,
    silent_since: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM accounts WHERE id IN (SELECT id FROM accounts
             WHERE is_anonymous AND created_at < $1 AND NOT EXISTS (SELECT 1 FROM sessions s
                 WHERE s.account_id = accounts.id AND s.refreshed_at >= $1)
             ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        silent_since,
        BATCH
    )
}

pub(crate) async fn audit_entries(
    conn: &mut PgConnection,
    before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries
             WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        before,
        BATCH
    )
}
