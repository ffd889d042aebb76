//! The table `provider_flows`: sign-ins pending at an external provider.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

pub(crate) struct ProviderFlowRow {
    pub(crate) state_hash: Vec<u8>,
    pub(crate) provider: String,
    pub(crate) aud: String,
    pub(crate) redirect_to: String,
    pub(crate) code_challenge: Option<String>,
    pub(crate) code_challenge_method: Option<String>,
    pub(crate) verifier: Option<String>,
    pub(crate) request_token: Option<String>,
    pub(crate) request_token_secret: Option<String>,
    pub(crate) hands_on_tokens: bool,
    pub(crate) link_to: Option<Uuid>,
    pub(crate) link_session: Option<Uuid>,
    pub(crate) invite_hash: Option<Vec<u8>>,
    pub(crate) created_at: DateTime<Utc>,
    /// Hash of the cookie of the browser that was sent to the provider.
    pub(crate) browser_hash: Option<Vec<u8>>,
    /// Provider URL to go to once the user has consented.
    pub(crate) departs_to: Option<String>,
}

pub(crate) async fn insert(
    conn: &mut PgConnection,
    row: &ProviderFlowRow,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO provider_flows (state_hash, provider, aud, redirect_to, code_challenge,
             code_challenge_method, verifier, request_token, request_token_secret,
             hands_on_tokens, link_to, link_session, invite_hash, created_at, browser_hash,
             departs_to)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        row.state_hash,
        row.provider,
        row.aud,
        row.redirect_to,
        row.code_challenge,
        row.code_challenge_method,
        row.verifier,
        row.request_token,
        row.request_token_secret,
        row.hands_on_tokens,
        row.link_to,
        row.link_session,
        row.invite_hash,
        row.created_at,
        row.browser_hash,
        row.departs_to,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Returns the row and deletes it, so that of two callbacks with the same state only one finds it.
pub(crate) async fn take(
    conn: &mut PgConnection,
    state_hash: &[u8],
) -> Result<Option<ProviderFlowRow>, sqlx::Error> {
    sqlx::query_as!(
        ProviderFlowRow,
        "DELETE FROM provider_flows WHERE state_hash = $1 RETURNING *",
        state_hash
    )
    .fetch_optional(conn)
    .await
}

/// Returns a row that is still waiting for the user's consent.
pub(crate) async fn find_awaiting_consent(
    conn: &mut PgConnection,
    state_hash: &[u8],
) -> Result<Option<ProviderFlowRow>, sqlx::Error> {
    sqlx::query_as!(
        ProviderFlowRow,
        "SELECT * FROM provider_flows
         WHERE state_hash = $1 AND departs_to IS NOT NULL AND browser_hash IS NULL",
        state_hash
    )
    .fetch_optional(conn)
    .await
}

/// Records the consent given in the browser with this cookie. Returns false if there is no row
/// waiting for consent, for example because another request was first.
pub(crate) async fn record_consent(
    conn: &mut PgConnection,
    state_hash: &[u8],
    browser_hash: &[u8],
) -> Result<bool, sqlx::Error> {
    sqlx::query!(
        "UPDATE provider_flows SET browser_hash = $2
         WHERE state_hash = $1 AND departs_to IS NOT NULL AND browser_hash IS NULL",
        state_hash,
        browser_hash
    )
    .execute(conn)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Deletes pending sign-ins that would link an identity to this account.
pub(crate) async fn delete_of_account(
    conn: &mut PgConnection,
    account: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM provider_flows WHERE link_to = $1", account)
        .execute(conn)
        .await
        .map(drop)
}

/// Deletes a few abandoned rows, created before `than`.
pub(crate) async fn forget_older(
    conn: &mut PgConnection,
    than: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "DELETE FROM provider_flows WHERE state_hash IN (SELECT state_hash FROM provider_flows
             WHERE created_at < $1 ORDER BY created_at LIMIT 20 FOR UPDATE SKIP LOCKED)",
        than
    )
    .execute(conn)
    .await
    .map(drop)
}
