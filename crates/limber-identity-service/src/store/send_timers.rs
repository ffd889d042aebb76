//! The tables `send_timers`, which holds when a message to an address was last requested, and
//! `decoy_tokens`, which is written for unknown addresses.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::one_time_tokens::OneTimeTokenRow;

/// Restarts the timer if it was started at `latest` or before. Returns false if it is still
/// running. A concurrent request for the same address waits here until the first transaction ends.
pub(crate) async fn restart(
    conn: &mut PgConnection,
    address_hash: &[u8],
    purpose: &str,
    now: DateTime<Utc>,
    latest: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO send_timers (address_hash, purpose, started_at) VALUES ($1, $2, $3)
         ON CONFLICT (address_hash, purpose) DO UPDATE SET started_at = excluded.started_at
         WHERE send_timers.started_at <= $4",
        address_hash,
        purpose,
        now,
        latest
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub(crate) async fn started_at(
    conn: &mut PgConnection,
    address_hash: &[u8],
    purpose: &str,
) -> Result<Option<DateTime<Utc>>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT started_at FROM send_timers WHERE address_hash = $1 AND purpose = $2",
        address_hash,
        purpose
    )
    .fetch_optional(conn)
    .await
}

pub(crate) async fn stop(
    conn: &mut PgConnection,
    address_hash: &[u8],
    purpose: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM send_timers WHERE address_hash = $1 AND purpose = $2",
        address_hash,
        purpose
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes timers that no longer have an effect.
pub(crate) async fn delete_started_before(
    conn: &mut PgConnection,
    time: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sqlx::query!("DELETE FROM send_timers WHERE started_at < $1", time)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
}

/// Stands in for storing a code, at the same cost, for an unknown address.
pub(crate) async fn put_decoy(
    conn: &mut PgConnection,
    row: &OneTimeTokenRow,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO decoy_tokens (id, kind, token_hash, created_at) VALUES ($1, $2, $3, $4)",
        row.id,
        row.kind,
        row.token_hash,
        row.created_at
    )
    .execute(conn)
    .await
    .map(drop)
}

pub(crate) async fn delete_decoys(conn: &mut PgConnection) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM decoy_tokens").execute(conn).await.map(drop)
}
