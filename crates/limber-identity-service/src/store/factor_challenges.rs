//! The table `factor_challenges`: pending challenges of second factors.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

pub(crate) struct ChallengeRow {
    pub(crate) id: Uuid,
    pub(crate) factor_id: Uuid,
    pub(crate) code_hash: Option<Vec<u8>>,
    pub(crate) ip: Option<String>,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) verified_at: Option<DateTime<Utc>>,
}

pub(crate) async fn insert(conn: &mut PgConnection, row: &ChallengeRow) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO factor_challenges (id, factor_id, code_hash, ip, created_at)
         VALUES ($1, $2, $3, $4, $5)",
        row.id,
        row.factor_id,
        row.code_hash,
        row.ip,
        row.created_at,
    )
    .execute(conn)
    .await
    .map(drop)
}

pub(crate) async fn lock(
    conn: &mut PgConnection,
    factor: Uuid,
    id: Uuid,
) -> Result<Option<ChallengeRow>, sqlx::Error> {
    sqlx::query_as!(
        ChallengeRow,
        "SELECT * FROM factor_challenges WHERE factor_id = $1 AND id = $2 FOR UPDATE",
        factor,
        id
    )
    .fetch_optional(conn)
    .await
}

pub(crate) async fn set_verified(
    conn: &mut PgConnection,
    id: Uuid,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!("UPDATE factor_challenges SET verified_at = $2 WHERE id = $1", id, at)
        .execute(conn)
        .await
        .map(drop)
}

/// Deletes a factor's challenges from before `before`.
pub(crate) async fn delete_before(
    conn: &mut PgConnection,
    factor: Uuid,
    before: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM factor_challenges WHERE factor_id = $1 AND created_at < $2",
        factor,
        before
    )
    .execute(conn)
    .await
    .map(drop)
}
