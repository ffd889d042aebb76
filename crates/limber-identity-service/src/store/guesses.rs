//! The table `guesses`: counts of attempts at short codes and passwords.
//!
//! A statement that changes several counts does so in the order of their subjects, so that two
//! instances cannot deadlock.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

pub(crate) struct GuessesRow {
    pub(crate) subject: Vec<u8>,
    pub(crate) count: i32,
    pub(crate) until: DateTime<Utc>,
}

/// Counts one attempt for each subject and returns the new counts. An expired count starts afresh,
/// and a few other expired ones are deleted, so that the table's size follows its traffic.
/// `of_account` tells for each subject whether it belongs to an account.
pub(crate) async fn count(
    conn: &mut PgConnection,
    subjects: &[Vec<u8>],
    of_account: &[bool],
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<Vec<GuessesRow>, sqlx::Error> {
    sqlx::query_as!(
        GuessesRow,
        "WITH swept AS (
             DELETE FROM guesses WHERE subject IN (
                 SELECT subject FROM guesses WHERE until <= $2 AND subject <> ALL($1)
                 LIMIT 8 FOR UPDATE SKIP LOCKED))
         INSERT INTO guesses (subject, count, until, of_account)
         SELECT given.subject, 1, $3::timestamptz, given.of_account
         FROM unnest($1::bytea[], $4::boolean[]) AS given (subject, of_account)
         ORDER BY given.subject
         ON CONFLICT (subject) DO UPDATE
         SET count = CASE WHEN guesses.until <= $2 THEN 1 ELSE guesses.count + 1 END,
             until = CASE WHEN guesses.until <= $2 THEN $3 ELSE guesses.until END
         RETURNING subject, count, until",
        subjects,
        now,
        until,
        of_account
    )
    .fetch_all(conn)
    .await
}

/// Returns the unexpired counts of these subjects.
pub(crate) async fn find_all(
    conn: &mut PgConnection,
    subjects: &[Vec<u8>],
    now: DateTime<Utc>,
) -> Result<Vec<GuessesRow>, sqlx::Error> {
    sqlx::query_as!(
        GuessesRow,
        "SELECT subject, count, until FROM guesses WHERE subject = ANY($1) AND until > $2",
        subjects,
        now
    )
    .fetch_all(conn)
    .await
}

/// Counts one attempt for each subject and extends the count until `until`. An expired count starts
/// afresh. `of_account` tells for each subject whether it belongs to an account.
pub(crate) async fn prolong(
    conn: &mut PgConnection,
    subjects: &[Vec<u8>],
    of_account: &[bool],
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO guesses (subject, count, until, of_account)
         SELECT given.subject, 1, $4::timestamptz, given.of_account
         FROM unnest($1::bytea[], $2::boolean[]) AS given (subject, of_account)
         ORDER BY given.subject
         ON CONFLICT (subject) DO UPDATE
         SET count = CASE WHEN guesses.until <= $3 THEN 1 ELSE guesses.count + 1 END,
             until = excluded.until",
        subjects,
        of_account,
        now,
        until
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Like [`prolong`], but only for counts that still have the given values (compare-and-swap), and
/// returns how many did. Of several concurrent callers that saw the same count, one succeeds.
pub(crate) async fn prolong_seen(
    conn: &mut PgConnection,
    subjects: &[Vec<u8>],
    counts: &[i32],
    until: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sqlx::query!(
        "WITH seen AS (
             SELECT g.subject FROM guesses g
             JOIN unnest($1::bytea[], $2::integer[]) AS given (subject, count)
                 ON g.subject = given.subject AND g.count = given.count
             ORDER BY g.subject FOR UPDATE OF g)
         UPDATE guesses SET count = guesses.count + 1, until = $3
         FROM seen WHERE guesses.subject = seen.subject",
        subjects,
        counts,
        until
    )
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
}

pub(crate) async fn forget(
    conn: &mut PgConnection,
    subjects: &[Vec<u8>],
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM guesses WHERE subject IN (SELECT subject FROM guesses
             WHERE subject = ANY($1) ORDER BY subject FOR UPDATE)",
        subjects
    )
    .execute(conn)
    .await
    .map(drop)
}
