//! An account with everything that belongs to it, read in a single query for the hot paths.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use super::accounts::AccountRow;
use super::factors::FactorRow;
use super::identities::IdentityRow;
use super::sessions::SessionRow;

/// The identities and factors of an account, oldest first.
pub(crate) struct AccountDetails {
    pub(crate) identities: Vec<IdentityRow>,
    pub(crate) factors: Vec<FactorRow>,
}

/// A presented refresh token, locked with its session, and its account.
pub(crate) struct PresentedLink {
    pub(crate) id: i64,
    pub(crate) revoked_at: Option<DateTime<Utc>>,
    pub(crate) sealed_child: Option<Vec<u8>>,
    /// False if the token was exchanged but its successor may never have reached the client.
    pub(crate) answered: bool,
    pub(crate) session: SessionRow,
    pub(crate) account: AccountRow,
    pub(crate) details: AccountDetails,
}

/// Converts a query row to the account row that the other files use.
macro_rules! account_of {
    ($row:expr) => {
        AccountRow {
            id: $row.id,
            aud: $row.aud,
            role: $row.role,
            email: $row.email,
            phone: $row.phone,
            password_hash: $row.password_hash,
            email_confirmed_at: $row.email_confirmed_at,
            phone_confirmed_at: $row.phone_confirmed_at,
            invited_at: $row.invited_at,
            confirmation_sent_at: $row.confirmation_sent_at,
            recovery_sent_at: $row.recovery_sent_at,
            email_change_sent_at: $row.email_change_sent_at,
            phone_change_sent_at: $row.phone_change_sent_at,
            reauthentication_sent_at: $row.reauthentication_sent_at,
            new_email: $row.new_email,
            new_phone: $row.new_phone,
            last_sign_in_at: $row.last_sign_in_at,
            banned_until: $row.banned_until,
            deleted_at: $row.deleted_at,
            app_metadata: $row.app_metadata,
            user_metadata: $row.user_metadata,
            is_anonymous: $row.is_anonymous,
            unproven: $row.unproven,
            created_at: $row.created_at,
            updated_at: $row.updated_at,
        }
    };
}

pub(crate) async fn find(
    conn: &mut PgConnection,
    id: Uuid,
) -> Result<Option<(AccountRow, AccountDetails)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT a.*,
             (SELECT coalesce(json_agg(i ORDER BY i.created_at, i.id), '[]')
                 FROM identities i WHERE i.account_id = a.id)
                 AS "identities!: Json<Vec<IdentityRow>>",
             (SELECT coalesce(json_agg(f ORDER BY f.created_at, f.id), '[]')
                 FROM factors f WHERE f.account_id = a.id)
                 AS "factors!: Json<Vec<FactorRow>>"
         FROM accounts a WHERE a.id = $1"#,
        id
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| {
        let details = AccountDetails { identities: row.identities.0, factors: row.factors.0 };
        (account_of!(row), details)
    }))
}

pub(crate) async fn details(
    conn: &mut PgConnection,
    account: Uuid,
) -> Result<AccountDetails, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT
             (SELECT coalesce(json_agg(i ORDER BY i.created_at, i.id), '[]')
                 FROM identities i WHERE i.account_id = $1)
                 AS "identities!: Json<Vec<IdentityRow>>",
             (SELECT coalesce(json_agg(f ORDER BY f.created_at, f.id), '[]')
                 FROM factors f WHERE f.account_id = $1)
                 AS "factors!: Json<Vec<FactorRow>>""#,
        account
    )
    .fetch_one(conn)
    .await?;
    Ok(AccountDetails { identities: row.identities.0, factors: row.factors.0 })
}

/// Locks the token and its session and reads both as the last exchange left them. Returns `None` if
/// the token is unknown *or* another exchange holds it: waiting inside the database would tie up a
/// connection.
pub(crate) async fn try_lock_link(
    conn: &mut PgConnection,
    token_hash: &[u8],
) -> Result<Option<PresentedLink>, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT a.*, t.id AS link_id, t.revoked_at, t.sealed_child, t.answered,
             s.id AS session_id, s.aal, s.amr, s.user_agent, s.ip,
             s.created_at AS session_created_at, s.refreshed_at, s.factor_id,
             (SELECT coalesce(json_agg(i ORDER BY i.created_at, i.id), '[]')
                 FROM identities i WHERE i.account_id = a.id)
                 AS "identities!: Json<Vec<IdentityRow>>",
             (SELECT coalesce(json_agg(f ORDER BY f.created_at, f.id), '[]')
                 FROM factors f WHERE f.account_id = a.id)
                 AS "factors!: Json<Vec<FactorRow>>"
         FROM refresh_tokens t
             JOIN sessions s ON s.id = t.session_id
             JOIN accounts a ON a.id = s.account_id
         WHERE t.token_hash = $1 FOR UPDATE OF t, s SKIP LOCKED"#,
        token_hash
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| PresentedLink {
        session: SessionRow {
            id: row.session_id,
            account_id: row.id,
            aal: row.aal,
            amr: row.amr,
            user_agent: row.user_agent,
            ip: row.ip,
            created_at: row.session_created_at,
            refreshed_at: row.refreshed_at,
            factor_id: row.factor_id,
        },
        id: row.link_id,
        revoked_at: row.revoked_at,
        sealed_child: row.sealed_child,
        answered: row.answered,
        details: AccountDetails { identities: row.identities.0, factors: row.factors.0 },
        account: account_of!(row),
    }))
}
