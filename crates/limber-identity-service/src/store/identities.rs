//! The table `identities`: ways to sign in.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

#[derive(Clone)]
pub(crate) struct IdentityRow {
    pub(crate) id: Uuid,
    pub(crate) account_id: Uuid,
    pub(crate) provider: String,
    pub(crate) provider_id: String,
    pub(crate) identity_data: Value,
    pub(crate) last_sign_in_at: Option<DateTime<Utc>>,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) updated_at: DateTime<Utc>,
}

/// Oldest first, for any number of accounts at once.
pub(crate) async fn of_accounts(
    conn: &mut PgConnection,
    accounts: &[Uuid],
) -> Result<Vec<IdentityRow>, sqlx::Error> {
    sqlx::query_as!(
        IdentityRow,
        "SELECT * FROM identities WHERE account_id = ANY($1) ORDER BY created_at, id",
        accounts
    )
    .fetch_all(conn)
    .await
}

/// Adds the identity, or refreshes what is known about it.
pub(crate) async fn put(conn: &mut PgConnection, row: &IdentityRow) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO identities (id, account_id, provider, provider_id, identity_data,
             last_sign_in_at, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (provider, provider_id) DO UPDATE
         SET identity_data = excluded.identity_data, updated_at = excluded.updated_at
         WHERE identities.account_id = excluded.account_id",
        row.id,
        row.account_id,
        row.provider,
        row.provider_id,
        row.identity_data,
        row.last_sign_in_at,
        row.created_at,
        row.updated_at,
    )
    .execute(conn)
    .await
    .map(drop)
}

pub(crate) async fn set_last_sign_in(
    conn: &mut PgConnection,
    account: Uuid,
    provider: &str,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE identities SET last_sign_in_at = $3, updated_at = $3
         WHERE account_id = $1 AND provider = $2",
        account,
        provider,
        at
    )
    .execute(conn)
    .await
    .map(drop)
}
