//! The table `refresh_tokens`: the chain of each session.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

pub(crate) struct RefreshTokenRow {
    pub(crate) id: i64,
    pub(crate) session_id: Uuid,
    pub(crate) sealed_child: Option<Vec<u8>>,
    pub(crate) revoked_at: Option<DateTime<Utc>>,
}

pub(crate) async fn find(
    conn: &mut PgConnection,
    token_hash: &[u8],
) -> Result<Option<RefreshTokenRow>, sqlx::Error> {
    sqlx::query_as!(
        RefreshTokenRow,
        "SELECT id, session_id, sealed_child, revoked_at FROM refresh_tokens
         WHERE token_hash = $1",
        token_hash
    )
    .fetch_optional(conn)
    .await
}

/// The parent of the session's active link, if a link is active.
pub(crate) async fn active_parent(
    conn: &mut PgConnection,
    session: Uuid,
) -> Result<Option<i64>, sqlx::Error> {
    let row = sqlx::query!(
        "SELECT parent_id FROM refresh_tokens WHERE session_id = $1 AND revoked_at IS NULL",
        session
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.and_then(|row| row.parent_id))
}

pub(crate) async fn insert(
    conn: &mut PgConnection,
    session: Uuid,
    token_hash: &[u8],
    parent: Option<i64>,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO refresh_tokens (session_id, token_hash, parent_id, created_at)
         VALUES ($1, $2, $3, $4)",
        session,
        token_hash,
        parent,
        at
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Retires a link and leaves its child for whoever presents it again in time.
pub(crate) async fn revoke(
    conn: &mut PgConnection,
    id: i64,
    sealed_child: &[u8],
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE refresh_tokens SET revoked_at = $2, sealed_child = $3 WHERE id = $1",
        id,
        at,
        sealed_child
    )
    .execute(conn)
    .await
    .map(drop)
}

pub(crate) async fn revoke_family(
    conn: &mut PgConnection,
    session: Uuid,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE refresh_tokens SET revoked_at = coalesce(revoked_at, $2), sealed_child = NULL
         WHERE session_id = $1",
        session,
        at
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Retires the session's active link without leaving its child to anybody; the link's id, if one
/// was active.
pub(crate) async fn retire_active(
    conn: &mut PgConnection,
    session: Uuid,
    at: DateTime<Utc>,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar!(
        "UPDATE refresh_tokens SET revoked_at = $2
         WHERE session_id = $1 AND revoked_at IS NULL RETURNING id",
        session,
        at
    )
    .fetch_optional(conn)
    .await
}
