//! Second factors (identity behaviour, section 9): enrolling one, asking for its code, proving
//! it, removing it.
//!
//! A factor counts once it was proven. From then on sessions that did not prove it are `aal1`,
//! and what matters (a password, an address, another factor) needs `aal2`. Everything here
//! happens under the lock of the account's row, so that requests at the same time see each
//! other.

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

/// Names and issuers are for people; longer ones would not fit into the picture either.
const MAX_NAME_CHARS: usize = 128;
const AAL2: &str = "aal2";

/// Who asks: an account, and the session of the token.
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

/// Takes the account's lock and reads the session, which must be alive.
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

/// Where a second factor was proven, changing what one signs in with needs it. And a session that
/// was ended changes nothing: its access token lives on for others to check, and whoever stole it
/// must not take back by it what ending the session was for.
pub(crate) async fn require_for_change(
    conn: &mut PgConnection,
    account: Uuid,
    session: Option<Uuid>,
) -> Outcome<()> {
    let member = Member { account, session };
    if proved_enough(conn, member).await? { Ok(()) } else { refuse(NEEDS_SECOND_FACTOR) }
}

/// An identity is a way in as well, past every factor that is asked for later; the same holds.
pub(crate) async fn require_for_identities(conn: &mut PgConnection, member: Member) -> Outcome<()> {
    if proved_enough(conn, member).await? { Ok(()) } else { refuse(IDENTITIES_NEED_AAL2) }
}

/// True without a second factor, and for a session that shows one. A token that operators made
/// names no session, and has none that could have ended.
async fn proved_enough(conn: &mut PgConnection, member: Member) -> Outcome<bool> {
    let found = match member.session {
        Some(id) => store::sessions::find(conn, id).await?,
        None => None,
    };
    let session = found.filter(|session| session.account_id == member.account);
    if session.as_ref().is_some_and(|session| session.aal == AAL2) {
        return Ok(true);
    }
    if store::factors::has_verified(conn, member.account).await? {
        return Ok(false);
    }
    if member.session.is_some() && session.is_none() {
        return refuse(SESSION_GONE);
    }
    Ok(true)
}

/// Where a second factor was proven, another of any kind is added only by who proves that one:
/// else a password alone would be enough to get past it.
async fn require_for_another(conn: &mut PgConnection, session: &SessionRow) -> Outcome<()> {
    if session.aal != AAL2 && store::factors::has_verified(conn, session.account_id).await? {
        return refuse(FACTOR_NEEDS_AAL2);
    }
    Ok(())
}

/// Takes a factor away, and what it gave to sessions.
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
