//! The table `one_time_tokens`: codes and links that have been sent but not used.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

pub(crate) struct OneTimeTokenRow {
    pub(crate) id: Uuid,
    pub(crate) account_id: Uuid,
    pub(crate) kind: String,
    pub(crate) token_hash: Vec<u8>,
    pub(crate) sent_to: String,
    pub(crate) flow_id: Option<Uuid>,
    pub(crate) wrong_attempts: i32,
    pub(crate) created_at: DateTime<Utc>,
    /// The sign-up that the code confirms besides the address.
    pub(crate) sign_up: Option<Value>,
    /// Keyed hash of the caller's network; empty for kinds of which there is only one code, whoever
    /// requested it.
    pub(crate) asked_by: Vec<u8>,
}

/// Stores a code, replacing the same caller's earlier one for the same purpose. Of other callers'
/// codes, the newest are kept, and all from the last hour: whoever waits for an email must not lose
/// it to strangers' requests, and the limits on messages bound what an hour can bring. Codes of
/// which there is only one, whoever requested it, always stay.
pub(crate) async fn put(conn: &mut PgConnection, row: &OneTimeTokenRow) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "WITH crowded_out AS (
             DELETE FROM one_time_tokens WHERE id IN (SELECT id FROM one_time_tokens
                 WHERE account_id = $2 AND purpose = $3 AND asked_by <> $10 AND asked_by <> ''
                 ORDER BY created_at DESC, id OFFSET 31)
             AND created_at < $8::timestamptz - interval '1 hour')
         INSERT INTO one_time_tokens (id, account_id, kind, token_hash, sent_to, flow_id,
             wrong_attempts, created_at, sign_up, asked_by)
         VALUES ($1, $2,
             $3::text || CASE $10::bytea WHEN '' THEN '' ELSE '/' || encode($10, 'hex') END,
             $4, $5, $6, $7, $8, $9, $10)
         ON CONFLICT (account_id, kind) DO UPDATE
         SET id = excluded.id, token_hash = excluded.token_hash, sent_to = excluded.sent_to,
             flow_id = excluded.flow_id, wrong_attempts = 0, created_at = excluded.created_at,
             sign_up = excluded.sign_up",
        row.id,
        row.account_id,
        row.kind,
        row.token_hash,
        row.sent_to,
        row.flow_id,
        row.wrong_attempts,
        row.created_at,
        row.sign_up,
        row.asked_by,
    )
    .execute(conn)
    .await
    .map(drop)
}

pub(crate) async fn find_by_hash(
    conn: &mut PgConnection,
    token_hash: &[u8],
    kinds: &[String],
) -> Result<Option<OneTimeTokenRow>, sqlx::Error> {
    sqlx::query_as!(
        OneTimeTokenRow,
        "SELECT id, account_id, purpose AS kind, token_hash, sent_to, flow_id, wrong_attempts,
             created_at, sign_up, asked_by FROM one_time_tokens
         WHERE token_hash = $1 AND purpose = ANY($2)",
        token_hash,
        kinds
    )
    .fetch_optional(conn)
    .await
}

/// Returns the codes at which a guess for an address is tried: first those that this caller
/// requested or of which there is only one, then the newest of others. Each further one would make
/// guessing easier (see `MAX_WRONG_BY_ONE`).
pub(crate) async fn sent_to(
    conn: &mut PgConnection,
    address: &str,
    aud: &str,
    kinds: &[String],
    asked_by: &[u8],
) -> Result<Vec<OneTimeTokenRow>, sqlx::Error> {
    sqlx::query_as!(
        OneTimeTokenRow,
        "SELECT t.id, t.account_id, t.purpose AS kind, t.token_hash, t.sent_to, t.flow_id,
             t.wrong_attempts, t.created_at, t.sign_up, t.asked_by
         FROM one_time_tokens t JOIN accounts a ON a.id = t.account_id
         WHERE t.sent_to = $1 AND a.aud = $2 AND t.purpose = ANY($3)
         ORDER BY (t.asked_by = $4 OR t.asked_by = '') DESC, t.created_at DESC LIMIT 4",
        address,
        aud,
        kinds,
        asked_by
    )
    .fetch_all(conn)
    .await
}

pub(crate) async fn find_of_account(
    conn: &mut PgConnection,
    account: Uuid,
    kind: &str,
) -> Result<Option<OneTimeTokenRow>, sqlx::Error> {
    sqlx::query_as!(
        OneTimeTokenRow,
        "SELECT id, account_id, purpose AS kind, token_hash, sent_to, flow_id, wrong_attempts,
             created_at, sign_up, asked_by FROM one_time_tokens
         WHERE account_id = $1 AND purpose = $2",
        account,
        kind
    )
    .fetch_optional(conn)
    .await
}

/// Returns all pending codes for one purpose, whoever requested them, oldest first.
pub(crate) async fn of_account(
    conn: &mut PgConnection,
    account: Uuid,
    kind: &str,
) -> Result<Vec<OneTimeTokenRow>, sqlx::Error> {
    sqlx::query_as!(
        OneTimeTokenRow,
        "SELECT id, account_id, purpose AS kind, token_hash, sent_to, flow_id, wrong_attempts,
             created_at, sign_up, asked_by FROM one_time_tokens
         WHERE account_id = $1 AND purpose = $2 ORDER BY created_at, id",
        account,
        kind
    )
    .fetch_all(conn)
    .await
}

/// Deletes the token. Returns false if another request was first.
pub(crate) async fn consume(conn: &mut PgConnection, id: Uuid) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM one_time_tokens WHERE id = $1", id).execute(conn).await?;
    Ok(done.rows_affected() == 1)
}

pub(crate) async fn delete_of_account(
    conn: &mut PgConnection,
    account: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM one_time_tokens WHERE account_id = $1", account)
        .execute(conn)
        .await
        .map(drop)
}

pub(crate) async fn delete_kinds(
    conn: &mut PgConnection,
    account: Uuid,
    kinds: &[String],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM one_time_tokens WHERE account_id = $1 AND purpose = ANY($2)",
        account,
        kinds
    )
    .execute(conn)
    .await
    .map(drop)
}

pub(crate) async fn has_kind(
    conn: &mut PgConnection,
    account: Uuid,
    kind: &str,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM one_time_tokens WHERE account_id = $1 AND purpose = $2)
             AS "there!""#,
        account,
        kind
    )
    .fetch_one(conn)
    .await
}

/// Counts a wrong guess against each of these tokens.
pub(crate) async fn count_wrong_attempt(
    conn: &mut PgConnection,
    ids: &[Uuid],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE one_time_tokens SET wrong_attempts = wrong_attempts + 1 WHERE id = ANY($1)",
        ids
    )
    .execute(conn)
    .await
    .map(drop)
}
