//! The table `factors`: second factors, verified or not.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

#[derive(Clone, serde::Deserialize)]
pub(crate) struct FactorRow {
    pub(crate) id: Uuid,
    pub(crate) account_id: Uuid,
    pub(crate) friendly_name: String,
    pub(crate) kind: String,
    pub(crate) verified: bool,
    /// Skipped when the row is read from JSON, which is only for display.
    #[serde(skip)]
    pub(crate) sealed_secret: Option<Vec<u8>>,
    pub(crate) phone: Option<String>,
    pub(crate) last_step: Option<i64>,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) updated_at: DateTime<Utc>,
    pub(crate) last_challenged_at: Option<DateTime<Utc>>,
}

/// Shows only the id; the rest is personal data.
impl std::fmt::Debug for FactorRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FactorRow").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Returns the factors of several accounts, oldest first.
pub(crate) async fn of_accounts(
    conn: &mut PgConnection,
    accounts: &[Uuid],
) -> Result<Vec<FactorRow>, sqlx::Error> {
    sqlx::query_as!(
        FactorRow,
        "SELECT * FROM factors WHERE account_id = ANY($1) ORDER BY created_at, id",
        accounts
    )
    .fetch_all(conn)
    .await
}

pub(crate) async fn find(
    conn: &mut PgConnection,
    account: Uuid,
    id: Uuid,
) -> Result<Option<FactorRow>, sqlx::Error> {
    sqlx::query_as!(
        FactorRow,
        "SELECT * FROM factors WHERE account_id = $1 AND id = $2",
        account,
        id
    )
    .fetch_optional(conn)
    .await
}

pub(crate) async fn has_verified(
    conn: &mut PgConnection,
    account: Uuid,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM factors WHERE account_id = $1 AND verified) AS "there!""#,
        account
    )
    .fetch_one(conn)
    .await
}

pub(crate) async fn insert(conn: &mut PgConnection, row: &FactorRow) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO factors (id, account_id, friendly_name, kind, verified, sealed_secret, phone,
             created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        row.id,
        row.account_id,
        row.friendly_name,
        row.kind,
        row.verified,
        row.sealed_secret,
        row.phone,
        row.created_at,
        row.updated_at,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Writes every column that can change.
pub(crate) async fn save(conn: &mut PgConnection, row: &FactorRow) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE factors SET friendly_name = $2, verified = $3, phone = $4, last_step = $5,
             updated_at = $6, last_challenged_at = $7
         WHERE id = $1",
        row.id,
        row.friendly_name,
        row.verified,
        row.phone,
        row.last_step,
        row.updated_at,
        row.last_challenged_at,
    )
    .execute(conn)
    .await
    .map(drop)
}

pub(crate) async fn delete(conn: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM factors WHERE id = $1", id).execute(conn).await.map(drop)
}

pub(crate) async fn delete_of_account(
    conn: &mut PgConnection,
    account: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM factors WHERE account_id = $1", account).execute(conn).await.map(drop)
}

/// Deletes unverified factors of one kind.
pub(crate) async fn delete_unverified(
    conn: &mut PgConnection,
    account: Uuid,
    kind: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM factors WHERE account_id = $1 AND kind = $2 AND NOT verified",
        account,
        kind
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Deletes unverified factors enrolled before `before`, of any kind.
pub(crate) async fn delete_abandoned(
    conn: &mut PgConnection,
    account: Uuid,
    before: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM factors WHERE account_id = $1 AND created_at < $2 AND NOT verified",
        account,
        before
    )
    .execute(conn)
    .await
    .map(drop)
}
