//! The table `guesses`: how often short codes and passwords were guessed at.
//!
//! Where several counts change in one statement, they do so in the order of their subjects, so that
//! two instances never wait for each other.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

pub(crate) struct GuessesRow {
    pub(crate) subject: Vec<u8>,
    pub(crate) count: i32,
    pub(crate) until: DateTime<Utc>,
}

/// Counts one guess for each subject and tells the counts so far. A count whose time is over begins
/// anew, and a few others of that kind are swept away, so that the table stays as small as its
/// traffic. `of_account`: for each subject, whether an account has it.
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

/// The counts of these subjects whose time is not over.
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

/// Counts one guess for each subject; the count lasts until `until`, however old it is. One whose
/// time is over begins anew. `of_account`: for each subject, whether an account has it.
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

/// The same for counts that are as they were seen, and only for these; how many those were. Of
/// several that have seen the same count, one counts.
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
