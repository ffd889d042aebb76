//! Second factors (identity behaviour, section 9): enrolment, challenge, verification and removal.
//!
//! A factor takes effect once it has been verified. From then on, sessions that did not verify it
//! are `aal1`, and sensitive changes (password, address, factors, other sessions) require `aal2`.
//! All operations hold the lock on the account's row, so that concurrent requests see each other's
//! changes.

pub(crate) mod administer;
pub(crate) mod challenge;
pub(crate) mod enroll;
pub(crate) mod prove;
pub(crate) mod remove;

use limber_api::identity::{Factor, FactorId, FactorKind, FactorStatus};
use sqlx::PgConnection;
use uuid::Uuid;

use super::notices::{Notice, notify};
use crate::instance::Instance;
use crate::refusal::{
    ACCOUNT_GONE, ANONYMOUS_FACTORS, FACTOR_NEEDS_AAL2, FACTOR_NOT_FOUND, IDENTITIES_NEED_AAL2,
    NEEDS_SECOND_FACTOR, Outcome, SESSION_GONE, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::factors::FactorRow;
use crate::store::sessions::SessionRow;

/// Maximum length of a factor's name and issuer, in characters. Longer ones would not fit into the
/// QR code.
const MAX_NAME_CHARS: usize = 128;
const AAL2: &str = "aal2";

/// The caller: an account, and the session from the access token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    pub(crate) account: Uuid,
    pub(crate) session: Option<Uuid>,
}

pub(crate) fn describe_all<'a>(rows: impl IntoIterator<Item = &'a FactorRow>) -> Vec<Factor> {
    rows.into_iter().map(describe).collect()
}

fn describe(row: &FactorRow) -> Factor {
    Factor {
        id: FactorId::new(row.id),
        friendly_name: row.friendly_name.clone(),
        factor_type: kind(row),
        status: if row.verified { FactorStatus::Verified } else { FactorStatus::Unverified },
        phone: row.phone.clone(),
        created_at: row.created_at,
        updated_at: row.updated_at,
        last_challenged_at: row.last_challenged_at,
    }
}

fn kind(row: &FactorRow) -> FactorKind {
    FactorKind::parse(&row.kind).unwrap_or(FactorKind::Totp)
}

/// Locks the account and reads the session, which must still exist.
async fn enter(conn: &mut PgConnection, member: Member) -> Outcome<(AccountRow, SessionRow)> {
    let Some(row) = store::accounts::lock(conn, member.account).await? else {
        return refuse(ACCOUNT_GONE);
    };
    if row.is_anonymous {
        return refuse(ANONYMOUS_FACTORS);
    }
    let session = match member.session {
        Some(id) => store::sessions::find(conn, id).await?,
        None => None,
    };
    match session.filter(|session| session.account_id == row.id) {
        Some(session) => Ok((row, session)),
        None => refuse(SESSION_GONE),
    }
}

async fn find(conn: &mut PgConnection, account: Uuid, factor: Uuid) -> Outcome<FactorRow> {
    match store::factors::find(conn, account, factor).await? {
        Some(row) => Ok(row),
        None => refuse(FACTOR_NOT_FOUND),
    }
}

/// Requires `aal2` to change credentials if the account has a verified second factor. Also rejects
/// an ended session: its access token stays valid for other services until it expires, but whoever
/// stole it must not be able to regain access through it.
pub(crate) async fn require_for_change(
    conn: &mut PgConnection,
    account: Uuid,
    session: Option<Uuid>,
) -> Outcome<()> {
    let member = Member { account, session };
    if proved_enough(conn, member).await? { Ok(()) } else { refuse(NEEDS_SECOND_FACTOR) }
}

/// Requires the same for identities, because they too are a way to sign in.
pub(crate) async fn require_for_identities(conn: &mut PgConnection, member: Member) -> Outcome<()> {
    if proved_enough(conn, member).await? { Ok(()) } else { refuse(IDENTITIES_NEED_AAL2) }
}

/// Tells whether the session's assurance level suffices: there is no verified second factor, or the
/// session is `aal2`. Tokens issued by operators have no session and therefore none that could have
/// ended.
async fn proved_enough(conn: &mut PgConnection, member: Member) -> Outcome<bool> {
    let found = match member.session {
        Some(id) => store::sessions::find(conn, id).await?,
        None => None,
    };
    let session = found.filter(|session| session.account_id == member.account);
    if lacks_factor(conn, member.account, session.as_ref()).await? {
        return Ok(false);
    }
    if member.session.is_some() && session.is_none() {
        return refuse(SESSION_GONE);
    }
    Ok(true)
}

/// Tells whether the account has a verified second factor and the session has verified none.
pub(crate) async fn lacks_factor(
    conn: &mut PgConnection,
    account: Uuid,
    session: Option<&SessionRow>,
) -> Outcome<bool> {
    if session.is_some_and(|session| session.aal == AAL2) {
        return Ok(false);
    }
    Ok(store::factors::has_verified(conn, account).await?)
}

/// Requires `aal2` to add a factor if the account has a verified one; otherwise a password alone
/// would be enough to bypass it.
async fn require_for_another(conn: &mut PgConnection, session: &SessionRow) -> Outcome<()> {
    if lacks_factor(conn, session.account_id, Some(session)).await? {
        return refuse(FACTOR_NEEDS_AAL2);
    }
    Ok(())
}

/// Removes a factor and lowers the sessions that relied on it.
async fn take_away(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &AccountRow,
    factor: &FactorRow,
) -> Outcome<()> {
    store::sessions::lower_those_of_factor(conn, factor.id).await?;
    store::factors::delete(conn, factor.id).await?;
    if factor.verified {
        let notice = Notice::FactorUnenrolled { factor_type: &factor.kind };
        notify(instance, conn, row.email.as_deref(), notice).await;
    }
    Ok(())
}
