//! Deletion of old rows from every table, in small batches so that no other query has to wait.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

/// Rows deleted per statement.
pub(crate) const BATCH: i64 = 500;
/// Maximum number of audit entries kept per account: some 4 MB, or the refreshes of three devices
/// in a quarter.
pub(crate) const MAX_ENTRIES_PER_ACCOUNT: i64 = 10_000;
/// Maximum number of rows per table that unauthenticated calls may leave: some 25 MB.
pub(crate) const MAX_UNAUTHENTICATED_ROWS: i64 = 100_000;

/// Deletes up to [`BATCH`] rows and returns their number.
macro_rules! sweep {
    ($conn:expr, $sql:literal $(, $argument:expr)*) => {
        sqlx::query!($sql $(, $argument)*).execute($conn).await.map(|done| done.rows_affected())
    };
}

/// Deletes revoked refresh tokens, except those whose successor may never have reached the client
/// and is still unused.
pub(crate) async fn refresh_tokens(
    conn: &mut PgConnection,
    revoked_before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM refresh_tokens WHERE id IN (SELECT id FROM refresh_tokens t
             WHERE revoked_at < $1 AND (answered OR NOT EXISTS (SELECT 1 FROM refresh_tokens child
                 WHERE child.session_id = t.session_id AND child.revoked_at IS NULL
                     AND child.parent_id = t.id))
             ORDER BY revoked_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        revoked_before,
        BATCH
    )
}

/// Deletes sessions that are too old, inactive for too long, or without a token that could continue
/// them.
pub(crate) async fn sessions(
    conn: &mut PgConnection,
    begun_before: Option<DateTime<Utc>>,
    silent_since: Option<DateTime<Utc>>,
    spent_since: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions
             WHERE created_at < $1 OR refreshed_at < $2 OR (refreshed_at < $3 AND NOT EXISTS
                 (SELECT 1 FROM refresh_tokens t WHERE t.session_id = sessions.id))
             LIMIT $4 FOR UPDATE SKIP LOCKED)",
        begun_before,
        silent_since,
        spent_since,
        BATCH
    )
}

pub(crate) async fn flows(
    conn: &mut PgConnection,
    begun_before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM flows WHERE id IN (SELECT id FROM flows
             WHERE coalesce(issued_at, created_at) < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)",
        begun_before,
        BATCH
    )
}

pub(crate) async fn one_time_tokens(
    conn: &mut PgConnection,
    sent_before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM one_time_tokens WHERE id IN (SELECT id FROM one_time_tokens
             WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        sent_before,
        BATCH
    )
}

/// Deletes undeliverable emails: old ones, and the oldest beyond the maximum.
pub(crate) async fn given_up_mail(
    conn: &mut PgConnection,
    before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM mail_outbox WHERE id IN (SELECT id FROM mail_outbox
             WHERE given_up_at < $1 OR given_up_at <= (SELECT given_up_at FROM mail_outbox
                 WHERE given_up_at IS NOT NULL ORDER BY given_up_at DESC OFFSET $2 LIMIT 1)
             ORDER BY given_up_at LIMIT $3 FOR UPDATE SKIP LOCKED)",
        before,
        MAX_UNAUTHENTICATED_ROWS,
        BATCH
    )
}

/// Deletes anonymous accounts without a session used since `silent_since`.
pub(crate) async fn anonymous_accounts(
    conn: &mut PgConnection,
    silent_since: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM accounts WHERE id IN (SELECT id FROM accounts
             WHERE is_anonymous AND created_at < $1 AND NOT EXISTS (SELECT 1 FROM sessions s
                 WHERE s.account_id = accounts.id AND s.refreshed_at >= $1)
             ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        silent_since,
        BATCH
    )
}

/// Deletes the oldest anonymous accounts beyond the maximum, if they were created before
/// `made_before` (by when their first access token has expired) and none of their sessions was
/// refreshed since `silent_since`, or ever, if that is `None`. However many accounts an attacker
/// creates, nobody who came back lately loses theirs.
pub(crate) async fn surplus_anonymous_accounts(
    conn: &mut PgConnection,
    made_before: DateTime<Utc>,
    silent_since: Option<DateTime<Utc>>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM accounts WHERE id IN (SELECT id FROM accounts
             WHERE is_anonymous AND created_at < $1 AND created_at <=
                 (SELECT created_at FROM accounts WHERE is_anonymous
                     ORDER BY created_at DESC OFFSET $2 LIMIT 1)
                 AND NOT EXISTS (SELECT 1 FROM sessions s
                     WHERE s.account_id = accounts.id AND s.refreshed_at > s.created_at
                         AND ($3::timestamptz IS NULL OR s.refreshed_at >= $3))
             ORDER BY created_at LIMIT $4 FOR UPDATE SKIP LOCKED)",
        made_before,
        MAX_UNAUTHENTICATED_ROWS,
        silent_since,
        BATCH
    )
}

/// Deletes accounts created by naming an address or number that was never confirmed or used: old
/// ones, and the oldest beyond the maximum. Accounts from administrators and invitations are kept.
pub(crate) async fn unconfirmed_accounts(
    conn: &mut PgConnection,
    asked_before: Option<DateTime<Utc>>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM accounts WHERE id IN (SELECT id FROM accounts
             WHERE unproven AND NOT is_anonymous AND email_confirmed_at IS NULL
                 AND phone_confirmed_at IS NULL AND invited_at IS NULL AND last_sign_in_at IS NULL
                 AND deleted_at IS NULL AND (updated_at < $1 OR updated_at <=
                     (SELECT updated_at FROM accounts
                         WHERE unproven AND NOT is_anonymous AND email_confirmed_at IS NULL
                             AND phone_confirmed_at IS NULL AND invited_at IS NULL
                             AND last_sign_in_at IS NULL AND deleted_at IS NULL
                         ORDER BY updated_at DESC OFFSET $2 LIMIT 1))
             ORDER BY updated_at LIMIT $3 FOR UPDATE SKIP LOCKED)",
        asked_before,
        MAX_UNAUTHENTICATED_ROWS,
        BATCH
    )
}

pub(crate) async fn audit_entries(
    conn: &mut PgConnection,
    before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries
             WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        before,
        BATCH
    )
}

/// Deletes audit entries about unknown addresses: old ones, and the oldest beyond the maximum.
pub(crate) async fn audit_entries_of_strangers(
    conn: &mut PgConnection,
    before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries
             WHERE payload->'traits'->>'known' = 'false' AND (created_at < $1 OR created_at <=
                 (SELECT created_at FROM audit_entries
                     WHERE payload->'traits'->>'known' = 'false'
                     ORDER BY created_at DESC OFFSET $2 LIMIT 1))
             ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)",
        before,
        MAX_UNAUTHENTICATED_ROWS,
        BATCH
    )
}

/// Deletes the oldest audit entries of accounts with too many. Entries without an account, which
/// come from administrators or concern unknown addresses, are not counted here.
pub(crate) async fn audit_entries_of_busy_accounts(
    conn: &mut PgConnection,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "WITH busy AS (SELECT payload->>'actor_id' AS actor FROM audit_entries
             WHERE payload->>'actor_id' <> '00000000-0000-0000-0000-000000000000'
             GROUP BY 1 HAVING count(*) > $1)
         DELETE FROM audit_entries WHERE id IN (SELECT old.id FROM busy CROSS JOIN LATERAL
             (SELECT id FROM audit_entries e WHERE e.payload->>'actor_id' = busy.actor
                 ORDER BY e.created_at DESC, e.id OFFSET $1) old LIMIT $2)",
        MAX_ENTRIES_PER_ACCOUNT,
        BATCH
    )
}

/// Deletes the oldest audit entries beyond the maximum.
pub(crate) async fn surplus_audit_entries(
    conn: &mut PgConnection,
    most: i64,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries
             WHERE created_at <= (SELECT created_at FROM audit_entries
                 ORDER BY created_at DESC OFFSET $1 LIMIT 1)
             ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)",
        most,
        BATCH
    )
}

/// Deletes PKCE flows that no code or link refers to: those for unknown addresses, and those of
/// replaced links.
pub(crate) async fn flows_without_a_link(conn: &mut PgConnection) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM flows WHERE id IN (SELECT id FROM flows
             WHERE issued_at IS NULL AND NOT EXISTS
                 (SELECT 1 FROM one_time_tokens t WHERE t.flow_id = flows.id)
             LIMIT $1 FOR UPDATE SKIP LOCKED)",
        BATCH
    )
}

/// Deletes pending provider sign-ins that have expired, and the oldest beyond the maximum.
pub(crate) async fn provider_flows(
    conn: &mut PgConnection,
    begun_before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM provider_flows WHERE state_hash IN (SELECT state_hash FROM provider_flows
             WHERE created_at < $1 OR created_at <= (SELECT created_at FROM provider_flows
                 ORDER BY created_at DESC OFFSET $2 LIMIT 1)
             ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED)",
        begun_before,
        MAX_UNAUTHENTICATED_ROWS,
        BATCH
    )
}

/// Deletes timers that no longer have an effect, and the oldest beyond the maximum.
pub(crate) async fn send_timers(
    conn: &mut PgConnection,
    started_before: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM send_timers WHERE (address_hash, purpose) IN
             (SELECT address_hash, purpose FROM send_timers
             WHERE started_at < $1 OR started_at <= (SELECT started_at FROM send_timers
                 ORDER BY started_at DESC OFFSET $2 LIMIT 1)
             ORDER BY started_at LIMIT $3 FOR UPDATE SKIP LOCKED)",
        started_before,
        MAX_UNAUTHENTICATED_ROWS,
        BATCH
    )
}

/// Deletes expired counts, and the oldest beyond the maximum among those that belong to no account.
pub(crate) async fn guesses(
    conn: &mut PgConnection,
    over_by: DateTime<Utc>,
) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM guesses WHERE subject IN (SELECT subject FROM guesses
             WHERE until <= $1 OR (NOT of_account AND until <= (SELECT until FROM guesses
                 WHERE NOT of_account ORDER BY until DESC OFFSET $2 LIMIT 1))
             ORDER BY until LIMIT $3 FOR UPDATE SKIP LOCKED)",
        over_by,
        MAX_UNAUTHENTICATED_ROWS,
        BATCH
    )
}

/// Deletes rows written only to equalise the timing for unknown addresses.
pub(crate) async fn decoy_tokens(conn: &mut PgConnection) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM decoy_tokens WHERE id IN
             (SELECT id FROM decoy_tokens LIMIT $1 FOR UPDATE SKIP LOCKED)",
        BATCH
    )
}

/// Deletes decoy emails from the outbox, where they could be stuck behind undeliverable mail.
pub(crate) async fn decoy_mail(conn: &mut PgConnection) -> Result<u64, sqlx::Error> {
    sweep!(
        conn,
        "DELETE FROM mail_outbox WHERE id IN (SELECT id FROM mail_outbox
             WHERE kind = 'DECOY' LIMIT $1 FOR UPDATE SKIP LOCKED)",
        BATCH
    )
}
