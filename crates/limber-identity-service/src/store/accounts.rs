//! The table `accounts`.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

/// One row. Rows are updated as a whole, under the lock that `lock_*` takes.
#[derive(Clone)]
pub(crate) struct AccountRow {
    pub(crate) id: Uuid,
    pub(crate) aud: String,
    pub(crate) role: String,
    pub(crate) email: Option<String>,
    pub(crate) phone: Option<String>,
    pub(crate) password_hash: Option<String>,
    pub(crate) email_confirmed_at: Option<DateTime<Utc>>,
    pub(crate) phone_confirmed_at: Option<DateTime<Utc>>,
    pub(crate) invited_at: Option<DateTime<Utc>>,
    pub(crate) confirmation_sent_at: Option<DateTime<Utc>>,
    pub(crate) recovery_sent_at: Option<DateTime<Utc>>,
    pub(crate) email_change_sent_at: Option<DateTime<Utc>>,
    pub(crate) phone_change_sent_at: Option<DateTime<Utc>>,
    pub(crate) reauthentication_sent_at: Option<DateTime<Utc>>,
    pub(crate) new_email: Option<String>,
    pub(crate) new_phone: Option<String>,
    pub(crate) last_sign_in_at: Option<DateTime<Utc>>,
    pub(crate) banned_until: Option<DateTime<Utc>>,
    pub(crate) deleted_at: Option<DateTime<Utc>>,
    pub(crate) app_metadata: Value,
    pub(crate) user_metadata: Value,
    pub(crate) is_anonymous: bool,
    /// The account's contents come from somebody who had not proven its address.
    pub(crate) unproven: bool,
    pub(crate) created_at: DateTime<Utc>,
    pub(crate) updated_at: DateTime<Utc>,
}

pub(crate) async fn find(
    conn: &mut PgConnection,
    id: Uuid,
) -> Result<Option<AccountRow>, sqlx::Error> {
    sqlx::query_as!(AccountRow, "SELECT * FROM accounts WHERE id = $1", id)
        .fetch_optional(conn)
        .await
}

pub(crate) async fn lock(
    conn: &mut PgConnection,
    id: Uuid,
) -> Result<Option<AccountRow>, sqlx::Error> {
    sqlx::query_as!(AccountRow, "SELECT * FROM accounts WHERE id = $1 FOR UPDATE", id)
        .fetch_optional(conn)
        .await
}

pub(crate) async fn find_by_email(
    conn: &mut PgConnection,
    email: &str,
    aud: &str,
) -> Result<Option<AccountRow>, sqlx::Error> {
    sqlx::query_as!(AccountRow, "SELECT * FROM accounts WHERE email = $1 AND aud = $2", email, aud)
        .fetch_optional(conn)
        .await
}

pub(crate) async fn lock_by_email(
    conn: &mut PgConnection,
    email: &str,
    aud: &str,
) -> Result<Option<AccountRow>, sqlx::Error> {
    sqlx::query_as!(
        AccountRow,
        "SELECT * FROM accounts WHERE email = $1 AND aud = $2 FOR UPDATE",
        email,
        aud
    )
    .fetch_optional(conn)
    .await
}

pub(crate) async fn find_by_phone(
    conn: &mut PgConnection,
    phone: &str,
    aud: &str,
) -> Result<Option<AccountRow>, sqlx::Error> {
    sqlx::query_as!(AccountRow, "SELECT * FROM accounts WHERE phone = $1 AND aud = $2", phone, aud)
        .fetch_optional(conn)
        .await
}

pub(crate) async fn lock_by_phone(
    conn: &mut PgConnection,
    phone: &str,
    aud: &str,
) -> Result<Option<AccountRow>, sqlx::Error> {
    sqlx::query_as!(
        AccountRow,
        "SELECT * FROM accounts WHERE phone = $1 AND aud = $2 FOR UPDATE",
        phone,
        aud
    )
    .fetch_optional(conn)
    .await
}

/// Inserts an account. Returns false if its id, email address or phone number is taken.
pub(crate) async fn insert(conn: &mut PgConnection, row: &AccountRow) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "INSERT INTO accounts (id, aud, role, email, phone, password_hash, email_confirmed_at,
             phone_confirmed_at, invited_at, confirmation_sent_at, banned_until, app_metadata,
             user_metadata, is_anonymous, created_at, updated_at, unproven)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
         ON CONFLICT DO NOTHING",
        row.id,
        row.aud,
        row.role,
        row.email,
        row.phone,
        row.password_hash,
        row.email_confirmed_at,
        row.phone_confirmed_at,
        row.invited_at,
        row.confirmation_sent_at,
        row.banned_until,
        row.app_metadata,
        row.user_metadata,
        row.is_anonymous,
        row.created_at,
        row.updated_at,
        row.unproven,
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Writes every column that can change. The row must be locked.
pub(crate) async fn save(conn: &mut PgConnection, row: &AccountRow) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE accounts SET role = $2, email = $3, phone = $4, password_hash = $5,
             email_confirmed_at = $6, phone_confirmed_at = $7, invited_at = $8,
             confirmation_sent_at = $9, recovery_sent_at = $10, email_change_sent_at = $11,
             phone_change_sent_at = $12, reauthentication_sent_at = $13, new_email = $14,
             new_phone = $15, last_sign_in_at = $16, banned_until = $17, deleted_at = $18,
             app_metadata = $19, user_metadata = $20, is_anonymous = $21, updated_at = $22,
             aud = $23, unproven = $24
         WHERE id = $1",
        row.id,
        row.role,
        row.email,
        row.phone,
        row.password_hash,
        row.email_confirmed_at,
        row.phone_confirmed_at,
        row.invited_at,
        row.confirmation_sent_at,
        row.recovery_sent_at,
        row.email_change_sent_at,
        row.phone_change_sent_at,
        row.reauthentication_sent_at,
        row.new_email,
        row.new_phone,
        row.last_sign_in_at,
        row.banned_until,
        row.deleted_at,
        row.app_metadata,
        row.user_metadata,
        row.is_anonymous,
        row.updated_at,
        row.aud,
        row.unproven,
    )
    .execute(conn)
    .await
    .map(drop)
}

pub(crate) async fn set_last_sign_in(
    conn: &mut PgConnection,
    id: Uuid,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!("UPDATE accounts SET last_sign_in_at = $2, updated_at = $2 WHERE id = $1", id, at)
        .execute(conn)
        .await
        .map(drop)
}

/// Replaces the password hash, unless it was changed in the meantime.
pub(crate) async fn replace_password_hash(
    conn: &mut PgConnection,
    id: Uuid,
    old: &str,
    new: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE accounts SET password_hash = $3 WHERE id = $1 AND password_hash = $2",
        id,
        old,
        new
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Returns the kinds of password hashes in use, except that of `hash`. Skips from one kind to the
/// next in the index, so the cost does not depend on the number of accounts.
pub(crate) async fn other_hash_kinds(
    conn: &mut PgConnection,
    hash: Option<&str>,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"WITH RECURSIVE kinds (kind) AS (
             SELECT min(hash_kind(password_hash)) FROM accounts
             UNION ALL
             SELECT (SELECT min(hash_kind(password_hash)) FROM accounts
                 WHERE hash_kind(password_hash) > kinds.kind)
             FROM kinds WHERE kinds.kind IS NOT NULL)
         SELECT kind AS "kind!" FROM kinds
         WHERE kind IS NOT NULL AND kind IS DISTINCT FROM hash_kind($1)"#,
        hash
    )
    .fetch_all(conn)
    .await
}

/// Deletes an account. Returns false if it did not exist.
pub(crate) async fn delete(conn: &mut PgConnection, id: Uuid) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!("DELETE FROM accounts WHERE id = $1", id).execute(conn).await?;
    Ok(done.rows_affected() == 1)
}

/// Selects one page of accounts.
pub(crate) struct Page<'a> {
    pub(crate) aud: &'a str,
    /// Part of the address or of `user_metadata.full_name`; empty matches all.
    pub(crate) filter: &'a str,
    /// Exact email address.
    pub(crate) email: Option<&'a str>,
    /// Exact phone number.
    pub(crate) phone: Option<&'a str>,
    pub(crate) oldest_first: bool,
    pub(crate) limit: i64,
    pub(crate) offset: i64,
}

pub(crate) async fn list(
    conn: &mut PgConnection,
    page: &Page<'_>,
) -> Result<Vec<AccountRow>, sqlx::Error> {
    sqlx::query_as!(
        AccountRow,
        "SELECT * FROM accounts
         WHERE aud = $1 AND ($2 = '' OR strpos(lower(coalesce(email, '')), lower($2)) > 0
             OR strpos(lower(coalesce(user_metadata->>'full_name', '')), lower($2)) > 0)
             AND ($4::text IS NULL OR email = $4) AND ($5::text IS NULL OR phone = $5)
         ORDER BY CASE WHEN $3 THEN created_at END ASC,
             CASE WHEN NOT $3 THEN created_at END DESC, id
         LIMIT $6 OFFSET $7",
        page.aud,
        page.filter,
        page.oldest_first,
        page.email,
        page.phone,
        page.limit,
        page.offset,
    )
    .fetch_all(conn)
    .await
}

pub(crate) async fn count(conn: &mut PgConnection, page: &Page<'_>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM accounts
         WHERE aud = $1 AND ($2 = '' OR strpos(lower(coalesce(email, '')), lower($2)) > 0
             OR strpos(lower(coalesce(user_metadata->>'full_name', '')), lower($2)) > 0)
             AND ($3::text IS NULL OR email = $3) AND ($4::text IS NULL OR phone = $4)"#,
        page.aud,
        page.filter,
        page.email,
        page.phone,
    )
    .fetch_one(conn)
    .await
}
