//! The table `refresh_tokens`: the token chain of each session.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

pub(crate) async fn is_known(
    conn: &mut PgConnection,
    token_hash: &[u8],
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM refresh_tokens WHERE token_hash = $1) AS "known!""#,
        token_hash
    )
    .fetch_one(conn)
    .await
}

/// Returns the parent of the session's active token, if a token is active.
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

/// Revokes a token, stores its successor in sealed form in case the token is presented again in
/// time, adds the successor to the chain and updates the session, all in one statement. The
/// exchange counts as unanswered until [`set_answered`].
pub(crate) async fn exchange(
    conn: &mut PgConnection,
    id: i64,
    sealed_child: &[u8],
    child_hash: &[u8],
    at: DateTime<Utc>,
    user_agent: Option<&str>,
    ip: Option<&str>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "WITH retired AS (
             UPDATE refresh_tokens SET revoked_at = $2, sealed_child = $3, answered = false
                 WHERE id = $1
             RETURNING id, session_id
         ), child AS (
             INSERT INTO refresh_tokens (session_id, token_hash, parent_id, created_at)
             SELECT session_id, $4, id, $2 FROM retired
         )
         UPDATE sessions SET refreshed_at = $2, user_agent = $5, ip = $6
         WHERE id = (SELECT session_id FROM retired)",
        id,
        at,
        sealed_child,
        child_hash,
        user_agent,
        ip
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Marks the exchange as answered. Does not wait for the disk: if the mark is lost in a crash, the
/// old token is merely accepted for longer.
pub(crate) async fn set_answered(conn: &mut PgConnection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE refresh_tokens SET answered = true
         WHERE id = $1 AND set_config('synchronous_commit', 'off', true) = 'off'",
        id
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

/// Revokes the session's active token without a sealed successor. Returns the token's id, if one
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
