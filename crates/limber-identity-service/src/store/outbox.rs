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
    pub(crate) attempts: i32,
}

pub(crate) async fn insert(
    conn: &mut PgConnection,
    row: &MailRow,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO mail_outbox (id, kind, recipient, variables, next_attempt_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $5)",
        row.id,
        row.kind,
        row.recipient,
        row.variables,
        at
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Takes mail that is due and hides it from other senders until `hidden_until`: when this sender
/// dies, another one takes over after that.
pub(crate) async fn claim_due(
    conn: &mut PgConnection,
    now: DateTime<Utc>,
    hidden_until: DateTime<Utc>,
) -> Result<Vec<MailRow>, sqlx::Error> {
    sqlx::query_as!(
        MailRow,
        "UPDATE mail_outbox SET attempts = attempts + 1, next_attempt_at = $2
         WHERE id IN (SELECT id FROM mail_outbox
             WHERE given_up_at IS NULL AND next_attempt_at <= $1
             ORDER BY next_attempt_at LIMIT 16 FOR UPDATE SKIP LOCKED)
         RETURNING id, kind, recipient, variables, attempts",
        now,
        hidden_until
    )
    .fetch_all(conn)
    .await
}

pub(crate) async fn delete(conn: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM mail_outbox WHERE id = $1", id).execute(conn).await.map(drop)
}

pub(crate) async fn retry_at(
    conn: &mut PgConnection,
    id: Uuid,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!("UPDATE mail_outbox SET next_attempt_at = $2 WHERE id = $1", id, at)
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
    sqlx::query!("UPDATE mail_outbox SET given_up_at = $2, variables = '{}' WHERE id = $1", id, at)
        .execute(conn)
        .await
        .map(drop)
}
