//! The table `sessions`: one row per sign-in.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::upkeep::BATCH;

/// Maximum number of sessions per account and assurance level: far more than anybody has devices,
/// enough for programs that sign in for every run and never sign out, and with their tokens less
/// than 1 MB.
const MAX_SESSIONS: i64 = 500;

#[derive(Clone)]
pub(crate) struct SessionRow {
    pub(crate) id: Uuid,
    pub(crate) account_id: Uuid,
    pub(crate) aal: String,
    pub(crate) amr: Value,
    pub(crate) user_agent: Option<String>,
    pub(crate) ip: Option<String>,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) refreshed_at: DateTime<Utc>,
    /// The second factor that raised the session to `aal2`.
    pub(crate) factor_id: Option<Uuid>,
}

pub(crate) async fn insert(conn: &mut PgConnection, row: &SessionRow) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO sessions (id, account_id, aal, amr, user_agent, ip, created_at, refreshed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        row.id,
        row.account_id,
        row.aal,
        row.amr,
        row.user_agent,
        row.ip,
        row.created_at,
        row.refreshed_at,
    )
    .execute(conn)
    .await
    .map(drop)
}

pub(crate) async fn find(
    conn: &mut PgConnection,
    id: Uuid,
) -> Result<Option<SessionRow>, sqlx::Error> {
    sqlx::query_as!(SessionRow, "SELECT * FROM sessions WHERE id = $1", id)
        .fetch_optional(conn)
        .await
}

pub(crate) async fn set_refreshed(
    conn: &mut PgConnection,
    id: Uuid,
    at: DateTime<Utc>,
    user_agent: Option<&str>,
    ip: Option<&str>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE sessions SET refreshed_at = $2, user_agent = $3, ip = $4 WHERE id = $1",
        id,
        at,
        user_agent,
        ip
    )
    .execute(conn)
    .await
    .map(drop)
}

pub(crate) async fn newer_exists(
    conn: &mut PgConnection,
    row: &SessionRow,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM sessions WHERE account_id = $1 AND created_at > $2
             AND id <> $3) AS "newer!""#,
        row.account_id,
        row.created_at,
        row.id
    )
    .fetch_one(conn)
    .await
}

pub(crate) async fn delete_one(
    conn: &mut PgConnection,
    account: Uuid,
    id: Uuid,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM sessions WHERE account_id = $1 AND id = $2", account, id)
        .execute(conn)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns the account's sessions, newest first; at most 500.
pub(crate) async fn of_account(
    conn: &mut PgConnection,
    account: Uuid,
) -> Result<Vec<SessionRow>, sqlx::Error> {
    sqlx::query_as!(
        SessionRow,
        "SELECT * FROM sessions WHERE account_id = $1 ORDER BY created_at DESC, id LIMIT 500",
        account
    )
    .fetch_all(conn)
    .await
}

/// Tells whether the account has a session from this IP address.
pub(crate) async fn is_signed_in_at(
    conn: &mut PgConnection,
    account: Uuid,
    ip: &str,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM sessions WHERE account_id = $1 AND ip = $2) AS "there!""#,
        account,
        ip
    )
    .fetch_one(conn)
    .await
}

/// Ends all sessions of the account except `keep`.
pub(crate) async fn delete_all_but(
    conn: &mut PgConnection,
    account: Uuid,
    keep: Option<Uuid>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM sessions WHERE account_id = $1 AND ($2::uuid IS NULL OR id <> $2)",
        account,
        keep
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Ends the account's least recently used sessions beyond the maximum, but never this one. Only
/// those of the same assurance level count: a password alone must not crowd out the sessions that
/// verified a second factor. Ends a limited number at a time, so that no sign-in takes long.
pub(crate) async fn end_surplus(
    conn: &mut PgConnection,
    session: &SessionRow,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM sessions WHERE id IN (SELECT id FROM (SELECT id, refreshed_at FROM sessions
                 WHERE account_id = $1 AND aal = $2 AND id <> $3
                 ORDER BY refreshed_at DESC OFFSET $4) AS surplus
             ORDER BY refreshed_at LIMIT $5)",
        session.account_id,
        session.aal,
        session.id,
        MAX_SESSIONS - 1,
        BATCH
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Locks a session. Waits for a token exchange that holds the row, which is short.
pub(crate) async fn lock(
    conn: &mut PgConnection,
    account: Uuid,
    id: Uuid,
) -> Result<Option<SessionRow>, sqlx::Error> {
    sqlx::query_as!(
        SessionRow,
        "SELECT * FROM sessions WHERE account_id = $1 AND id = $2 FOR UPDATE",
        account,
        id
    )
    .fetch_optional(conn)
    .await
}

/// Writes the columns that a second factor changes.
pub(crate) async fn save_level(
    conn: &mut PgConnection,
    row: &SessionRow,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE sessions SET aal = $2, amr = $3, factor_id = $4, refreshed_at = $5 WHERE id = $1",
        row.id,
        row.aal,
        row.amr,
        row.factor_id,
        row.refreshed_at
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Ends the account's `aal1` sessions, except `keep`.
pub(crate) async fn delete_lesser(
    conn: &mut PgConnection,
    account: Uuid,
    keep: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM sessions WHERE account_id = $1 AND id <> $2 AND aal = 'aal1'",
        account,
        keep
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Lowers the sessions that relied on this factor to `aal1`.
pub(crate) async fn lower_those_of_factor(
    conn: &mut PgConnection,
    factor: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE sessions SET aal = 'aal1', factor_id = NULL,
             amr = (SELECT coalesce(jsonb_agg(entry ORDER BY place), '[]')
                 FROM jsonb_array_elements(amr) WITH ORDINALITY AS entries (entry, place)
                 WHERE entry->>'method' NOT IN ('totp', 'mfa/phone', 'mfa/webauthn'))
         WHERE factor_id = $1",
        factor
    )
    .execute(conn)
    .await
    .map(drop)
}
