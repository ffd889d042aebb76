//! The table `identities`: the ways in which an account can sign in.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

#[derive(Clone, serde::Deserialize)]
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

/// Shows only the id; the rest is personal data.
impl std::fmt::Debug for IdentityRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IdentityRow").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Returns the identities of several accounts, oldest first.
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

/// Inserts the identity or updates its data.
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

pub(crate) async fn find(
    conn: &mut PgConnection,
    provider: &str,
    provider_id: &str,
) -> Result<Option<IdentityRow>, sqlx::Error> {
    sqlx::query_as!(
        IdentityRow,
        "SELECT * FROM identities WHERE provider = $1 AND provider_id = $2",
        provider,
        provider_id
    )
    .fetch_optional(conn)
    .await
}

/// Inserts an identity. Returns false if it already belongs to an account.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    row: &IdentityRow,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO identities (id, account_id, provider, provider_id, identity_data,
             last_sign_in_at, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
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
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Updates the identity's data at a sign-in with it. Returns false if the identity no longer
/// exists.
pub(crate) async fn refresh(
    conn: &mut PgConnection,
    id: Uuid,
    identity_data: &Value,
    at: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "UPDATE identities SET identity_data = $2, last_sign_in_at = $3, updated_at = $3
         WHERE id = $1",
        id,
        identity_data,
        at
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns the accounts that have an identity with one of these addresses verified, oldest first.
pub(crate) async fn accounts_with_proven_email(
    conn: &mut PgConnection,
    emails: &[String],
    aud: &str,
) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT a.id FROM accounts a JOIN identities i ON i.account_id = a.id
         WHERE lower(i.identity_data->>'email') = ANY($1) AND a.aud = $2
             AND i.identity_data->>'email_verified' = 'true' AND a.deleted_at IS NULL
         GROUP BY a.id ORDER BY a.created_at, a.id",
        emails,
        aud
    )
    .fetch_all(conn)
    .await
}

pub(crate) async fn delete(conn: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM identities WHERE id = $1", id).execute(conn).await.map(drop)
}

/// Deletes all identities except that of one provider.
pub(crate) async fn delete_all_but(
    conn: &mut PgConnection,
    account: Uuid,
    provider: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM identities WHERE account_id = $1 AND provider <> $2",
        account,
        provider
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes identities that were never verified.
pub(crate) async fn delete_unproven(
    conn: &mut PgConnection,
    account: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM identities WHERE account_id = $1
             AND coalesce(identity_data->>'email_verified', 'false') <> 'true'
             AND coalesce(identity_data->>'phone_verified', 'false') <> 'true'",
        account
    )
    .execute(conn)
    .await
    .map(drop)
}
