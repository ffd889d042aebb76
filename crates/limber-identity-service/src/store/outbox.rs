//! The table `mail_outbox`: mail that was decided and has yet to leave.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

/// A kind that is never sent: it stands for a mail to an address nobody here has.
pub(crate) const DECOY: &str = "DECOY";

pub(crate) struct MailRow {
    pub(crate) id: Uuid,
    pub(crate) kind: String,
    pub(crate) recipient: String,
    pub(crate) variables: Value,
    /// How often it was tried in vain.
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

/// For a transaction that stays open while a mail server is spoken to: the database must not end
/// it for idleness, and need not wait for its disk at the end. Should the computer lose power just
/// then, the row is there again: the mail is sent twice rather than never.
pub(crate) async fn prepare_to_send(conn: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "SELECT set_config('idle_in_transaction_session_timeout', '0', true) AS idle,
             set_config('synchronous_commit', 'off', true) AS at_the_end"
    )
    .fetch_one(conn)
    .await
    .map(drop)
}

/// Takes the mail that has been due for longest and that no other sender holds. It is held until
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

/// What follows can be taken back without letting go of the row.
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

/// Keeps the row for the operator to see, without the secrets it carried.
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
