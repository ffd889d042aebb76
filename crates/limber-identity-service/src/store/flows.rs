//! The table `flows`: sign-ins that began with a PKCE challenge.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

pub(crate) struct FlowRow {
    pub(crate) id: Uuid,
    pub(crate) account_id: Option<Uuid>,
    pub(crate) method: String,
    pub(crate) code_challenge: String,
    pub(crate) code_challenge_method: String,
    pub(crate) issued_at: Option<DateTime<Utc>>,
    /// The provider's tokens, encrypted so that only the auth code can open them.
    pub(crate) sealed_tokens: Option<Vec<u8>>,
}

pub(crate) async fn insert(
    conn: &mut PgConnection,
    row: &FlowRow,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO flows (id, method, code_challenge, code_challenge_method, created_at)
         VALUES ($1, $2, $3, $4, $5)",
        row.id,
        row.method,
        row.code_challenge,
        row.code_challenge_method,
        at
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Issues the auth code, which binds the flow to `account`.
pub(crate) async fn issue(
    conn: &mut PgConnection,
    id: Uuid,
    account: Uuid,
    auth_code_hash: &[u8],
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE flows SET account_id = $2, auth_code_hash = $3, issued_at = $4 WHERE id = $1",
        id,
        account,
        auth_code_hash,
        at
    )
    .execute(conn)
    .await
    .map(drop)
}

pub(crate) async fn keep_tokens(
    conn: &mut PgConnection,
    id: Uuid,
    sealed: &[u8],
) -> Result<(), sqlx::Error> {
    sqlx::query!("UPDATE flows SET sealed_tokens = $2 WHERE id = $1", id, sealed)
        .execute(conn)
        .await
        .map(drop)
}

pub(crate) async fn lock_by_code(
    conn: &mut PgConnection,
    auth_code_hash: &[u8],
) -> Result<Option<FlowRow>, sqlx::Error> {
    sqlx::query_as!(
        FlowRow,
        "SELECT id, account_id, method, code_challenge, code_challenge_method, issued_at,
             sealed_tokens
         FROM flows WHERE auth_code_hash = $1 FOR UPDATE",
        auth_code_hash
    )
    .fetch_optional(conn)
    .await
}

/// Deletes the auth codes issued for this account.
pub(crate) async fn delete_of_account(
    conn: &mut PgConnection,
    account: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM flows WHERE account_id = $1", account).execute(conn).await.map(drop)
}

pub(crate) async fn delete(conn: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM flows WHERE id = $1", id).execute(conn).await.map(drop)
}
