//! The table `mail_outbox`: emails waiting to be sent.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

/// A kind that is never sent: it stands in for an email to an unknown address.
pub(crate) const DECOY: &str = "DECOY";

pub(crate) struct MailRow {
    pub(crate) id: Uuid,
    pub(crate) kind: String,
    pub(crate) recipient: String,
    pub(crate) variables: Value,
    /// Number of failed attempts.
    pub(crate) attempts: i32,
    pub(crate) created_at: DateTime<Utc>,
}

pub(crate) async fn insert(conn: &mut PgConnection, row: &MailRow) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO mail_outbox (id, kind, recipient, variables, next_attempt_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $5)",
        row.id,
        row.kind,
        row.recipient,
        row.variables,
        row.created_at
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Prepares a transaction that stays open during an SMTP exchange: it must not be ended for
/// idleness, and its commit need not wait for the disk. If the computer loses power just then, the
/// row reappears, and the email is sent twice rather than never.
pub(crate) async fn prepare_to_send(conn: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "SELECT set_config('idle_in_transaction_session_timeout', '0', true) AS idle,
             set_config('synchronous_commit', 'off', true) AS at_the_end"
    )
    .fetch_one(conn)
    .await
    .map(drop)
}

/// Locks the email that has been due longest and that no other sender holds. The lock lasts until
/// the transaction ends.
pub(crate) async fn lock_next(
    conn: &mut PgConnection,
    now: DateTime<Utc>,
) -> Result<Option<MailRow>, sqlx::Error> {
    sqlx::query_as!(
        MailRow,
        "SELECT id, kind, recipient, variables, attempts, created_at FROM mail_outbox
         WHERE given_up_at IS NULL AND next_attempt_at <= $1
         ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED",
        now
    )
    .fetch_optional(conn)
    .await
}

/// Sets a savepoint, so that the attempt can be undone without releasing the lock on the row.
pub(crate) async fn begin_attempt(conn: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::raw_sql("SAVEPOINT attempt").execute(conn).await.map(drop)
}

pub(crate) async fn undo_attempt(conn: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::raw_sql("ROLLBACK TO SAVEPOINT attempt").execute(conn).await.map(drop)
}

pub(crate) async fn delete(conn: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM mail_outbox WHERE id = $1", id).execute(conn).await.map(drop)
}

pub(crate) async fn retry_at(
    conn: &mut PgConnection,
    id: Uuid,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE mail_outbox SET next_attempt_at = $2, attempts = attempts + 1 WHERE id = $1",
        id,
        at
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Marks the email as undeliverable. The row is kept for the operator, without the secrets it
/// contained.
pub(crate) async fn give_up(
    conn: &mut PgConnection,
    id: Uuid,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE mail_outbox SET given_up_at = $2, attempts = attempts + 1, variables = '{}'
         WHERE id = $1",
        id,
        at
    )
    .execute(conn)
    .await
    .map(drop)
}
