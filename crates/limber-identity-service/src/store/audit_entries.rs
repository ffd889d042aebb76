//! The table `audit_entries`: who did what, and when.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

pub(crate) struct AuditRow {
    pub(crate) id: Uuid,
    pub(crate) payload: Value,
    pub(crate) ip_address: String,
    pub(crate) created_at: DateTime<Utc>,
}

/// Inserts several entries with the same time.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    ids: &[Uuid],
    payloads: &[Value],
    ip_address: &str,
    at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO audit_entries (id, payload, ip_address, created_at)
         SELECT id, payload, $3, $4 FROM unnest($1::uuid[], $2::jsonb[]) AS entry (id, payload)",
        ids,
        payloads,
        ip_address,
        at
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Selects entries that contain a text.
pub(crate) struct Filter<'a> {
    /// Payload fields to search; a match in any of them suffices.
    pub(crate) fields: &'a [String],
    /// Text to find; empty matches all entries.
    pub(crate) text: &'a str,
}

/// Returns one page of entries, newest first.
pub(crate) async fn list(
    conn: &mut PgConnection,
    filter: &Filter<'_>,
    limit: i64,
    offset: i64,
) -> Result<Vec<AuditRow>, sqlx::Error> {
    sqlx::query_as!(
        AuditRow,
        "SELECT id, payload, ip_address, created_at FROM audit_entries
         WHERE $2 = '' OR EXISTS (SELECT 1 FROM unnest($1::text[]) AS field (name)
             WHERE strpos(lower(payload->>field.name), lower($2)) > 0)
         ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4",
        filter.fields,
        filter.text,
        limit,
        offset
    )
    .fetch_all(conn)
    .await
}

pub(crate) async fn count(
    conn: &mut PgConnection,
    filter: &Filter<'_>,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM audit_entries
         WHERE $2 = '' OR EXISTS (SELECT 1 FROM unnest($1::text[]) AS field (name)
             WHERE strpos(lower(payload->>field.name), lower($2)) > 0)"#,
        filter.fields,
        filter.text
    )
    .fetch_one(conn)
    .await
}
