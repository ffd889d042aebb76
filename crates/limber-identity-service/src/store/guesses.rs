//! The table `guesses`: how often short codes and passwords were guessed at.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

pub(crate) struct GuessesRow {
    pub(crate) count: i32,
    pub(crate) until: DateTime<Utc>,
}

/// Counts one guess and tells the count so far. A count whose time is over begins anew, and a
/// few others of that kind are swept away, so that the table stays as small as its traffic.
pub(crate) async fn count(
    conn: &mut PgConnection,
    subject: &[u8],
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<GuessesRow, sqlx::Error> {
    sqlx::query_as!(
        GuessesRow,
        "WITH swept AS (
             DELETE FROM guesses WHERE subject IN (
                 SELECT subject FROM guesses WHERE until <= $2 AND subject <> $1
                 LIMIT 8 FOR UPDATE SKIP LOCKED))
         INSERT INTO guesses (subject, count, until) VALUES ($1, 1, $3)
         ON CONFLICT (subject) DO UPDATE
         SET count = CASE WHEN guesses.until <= $2 THEN 1 ELSE guesses.count + 1 END,
             until = CASE WHEN guesses.until <= $2 THEN $3 ELSE guesses.until END
         RETURNING count, until",
        subject,
        now,
        until
    )
    .fetch_one(conn)
    .await
}

pub(crate) async fn find(
    conn: &mut PgConnection,
    subject: &[u8],
) -> Result<Option<GuessesRow>, sqlx::Error> {
    sqlx::query_as!(GuessesRow, "SELECT count, until FROM guesses WHERE subject = $1", subject)
        .fetch_optional(conn)
        .await
}

/// Counts one guess; the count lasts until `until`, however old it is. One whose time is over
/// begins anew.
pub(crate) async fn prolong(
    conn: &mut PgConnection,
    subject: &[u8],
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO guesses (subject, count, until) VALUES ($1, 1, $3)
         ON CONFLICT (subject) DO UPDATE
         SET count = CASE WHEN guesses.until <= $2 THEN 1 ELSE guesses.count + 1 END, until = $3",
        subject,
        now,
        until
    )
    .execute(conn)
    .await
    .map(drop)
}

pub(crate) async fn forget(conn: &mut PgConnection, subject: &[u8]) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM guesses WHERE subject = $1", subject).execute(conn).await.map(drop)
}
