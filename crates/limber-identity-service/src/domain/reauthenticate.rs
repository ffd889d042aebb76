//! Reauthentication before a sensitive change: proving again that one can read the account's
//! messages (identity behaviour, 6.14 and 6.15; resolution C20).

use sqlx::PgConnection;
use uuid::Uuid;

use super::factors::Member;
use super::guesses::{self, Target};
use super::messages::{CodeKind, count_email, send_code};
use super::sessions::CHANGE_METHODS;
use super::texts::{self, TextKind};
use super::timers::{self, Purpose};
use super::verify::{MAX_WRONG_BY_ONE, fits, is_alive, is_for};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    ACCOUNT_GONE, LINKING_NEEDS_SIGN_IN, Outcome, REAUTHENTICATION_EMAIL_UNCONFIRMED,
    REAUTHENTICATION_INVALID, REAUTHENTICATION_MISSING, REAUTHENTICATION_PHONE_UNCONFIRMED,
    REAUTHENTICATION_WITHOUT_ADDRESS, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::sessions::SessionRow;
use crate::texts::{Channel, SendPermit, TextError};

/// How long a proof counts as fresh: long enough to follow a link and choose a password.
const PROOF_LIFETIME: chrono::Duration = chrono::Duration::minutes(10);
/// `amr` methods that prove identity anew without the password. A PKCE exchange records what its
/// code was for, hence `email/signup` and `invite`. Methods that begin with a change to the account
/// ([`CHANGE_METHODS`]) do not count, because a stolen session could produce them itself.
const PROOF_METHODS: [&str; 6] =
    ["otp", "recovery", "magiclink", "email/signup", "invite", "oauth"];
/// `amr` methods that prove identity anew, including the password.
const SIGN_IN_METHODS: [&str; 7] =
    ["otp", "recovery", "magiclink", "email/signup", "invite", "oauth", "password"];

/// Sends the code: by email if the account has an address, otherwise by text message.
pub(crate) async fn send(
    instance: &Instance,
    account: Uuid,
    context: &RequestContext,
) -> Outcome<()> {
    let permit = permit_for(instance, account).await?;
    let mut tx = instance.begin().await?;
    let Some(mut row) = store::accounts::lock(&mut tx, account).await? else {
        return refuse(ACCOUNT_GONE);
    };
    match (row.email.clone(), row.phone.clone()) {
        (Some(_), _) if row.email_confirmed_at.is_none() => {
            return refuse(REAUTHENTICATION_EMAIL_UNCONFIRMED);
        }
        (Some(email), _) => by_email(instance, &mut tx, &mut row, &email, context).await?,
        (None, Some(_)) if row.phone_confirmed_at.is_none() => {
            return refuse(REAUTHENTICATION_PHONE_UNCONFIRMED);
        }
        (None, Some(phone)) => {
            by_phone(instance, &mut tx, permit, &mut row, (&phone, context)).await?;
        }
        (None, None) => return refuse(REAUTHENTICATION_WITHOUT_ADDRESS),
    }
    store::accounts::save(&mut tx, &row).await?;
    instance.commit(tx).await
}

async fn by_email(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &mut AccountRow,
    email: &str,
    context: &RequestContext,
) -> Outcome<()> {
    let gap = instance.config.mailer.other_gap();
    timers::start(instance, conn, Purpose::Reauthentication, (email, gap), context).await?;
    count_email(instance, context)?;
    row.reauthentication_sent_at = Some(instance.now());
    row.updated_at = instance.now();
    send_code(instance, conn, row, CodeKind::Reauthentication, None, context).await
}

/// Reserves a slot for sending a text if the account has only a phone number.
async fn permit_for(instance: &Instance, account: Uuid) -> Outcome<Option<SendPermit>> {
    let found = {
        let mut conn = instance.pool.acquire().await?;
        store::accounts::find(&mut conn, account).await?
    };
    match found {
        Some(row) if row.email.is_none() && row.phone.is_some() => {
            Ok(Some(instance.texts.acquire_permit().await?))
        }
        _ => Ok(None),
    }
}

async fn by_phone(
    instance: &Instance,
    conn: &mut PgConnection,
    permit: Option<SendPermit>,
    row: &mut AccountRow,
    (phone, context): (&str, &RequestContext),
) -> Outcome<()> {
    let permit = permit.ok_or(TextError::Busy)?;
    texts::start_timer(instance, conn, TextKind::Reauthentication, phone, context).await?;
    row.reauthentication_sent_at = Some(instance.now());
    row.updated_at = instance.now();
    let to = (TextKind::Reauthentication, phone, Channel::Sms);
    texts::send_code(instance, conn, &permit, row, to, context).await?;
    Ok(())
}

/// Permits a change of credentials if the sign-in is recent or the code is correct. Consumes the
/// code.
pub(super) async fn check(
    instance: &Instance,
    row: &AccountRow,
    session: Option<Uuid>,
    nonce: Option<&str>,
) -> Outcome<()> {
    if !instance.config.sessions.password_change_needs_nonce {
        return Ok(());
    }
    let mut conn = instance.pool.acquire().await?;
    let session = session_of(&mut conn, row.id, session).await?;
    if session.is_some_and(|session| is_recent(instance, &session)) {
        return Ok(());
    }
    let Some(nonce) = nonce.filter(|nonce| !nonce.is_empty()) else {
        return refuse(REAUTHENTICATION_MISSING);
    };
    // Counted before the code is checked and whatever the outcome, so that concurrent attempts see
    // each other.
    let targets = [Target::reauthentication_of(instance, row.id)];
    guesses::count(instance, &mut conn, &targets).await?;
    let kind = CodeKind::Reauthentication.as_str();
    let found = store::one_time_tokens::find_of_account(&mut conn, row.id, kind).await?;
    let Some(token) =
        found.filter(|token| is_alive(instance, token, MAX_WRONG_BY_ONE) && is_for(token, row))
    else {
        return refuse(REAUTHENTICATION_INVALID);
    };
    if !fits(instance, &token, nonce) {
        store::one_time_tokens::count_wrong_attempt(&mut conn, &[token.id]).await?;
        return refuse(REAUTHENTICATION_INVALID);
    }
    if !store::one_time_tokens::consume(&mut conn, token.id).await? {
        return refuse(REAUTHENTICATION_INVALID);
    }
    guesses::forget(&mut conn, &targets).await
}

/// Permits linking an identity. If changing the password requires more than a session, so does
/// adding another way to sign in; otherwise a stolen session could link an identity and
/// authenticate with it.
pub(super) async fn require_for_linking(
    instance: &Instance,
    conn: &mut PgConnection,
    member: Member,
) -> Outcome<()> {
    let rules = &instance.config.sessions;
    if !rules.password_change_needs_current && !rules.password_change_needs_nonce {
        return Ok(());
    }
    let Some(row) = store::accounts::find(conn, member.account).await? else {
        return refuse(ACCOUNT_GONE);
    };
    // Nothing has been proven yet, so there is nothing to protect.
    if !row.is_confirmed() {
        return Ok(());
    }
    let session = session_of(conn, row.id, member.session).await?;
    let is_good = session.is_some_and(|session| {
        (!rules.password_change_needs_nonce || is_recent(instance, &session))
            && (!rules.password_change_needs_current
                || row.password_hash.is_none()
                || has_fresh_method(instance, &session, &SIGN_IN_METHODS))
    });
    if is_good { Ok(()) } else { refuse(LINKING_NEEDS_SIGN_IN) }
}

/// Tells whether the session has just begun with a proof equivalent to the current password: a
/// mailed link, a code or an external identity. Users who forgot their password have no other
/// proof.
pub(super) async fn is_fresh_proof(
    instance: &Instance,
    row: &AccountRow,
    session: Option<Uuid>,
) -> Outcome<bool> {
    let mut conn = instance.pool.acquire().await?;
    let session = session_of(&mut conn, row.id, session).await?;
    Ok(session.is_some_and(|session| has_fresh_method(instance, &session, &PROOF_METHODS)))
}

/// Like [`is_fresh_proof`], but also accepts the password.
pub(super) async fn is_fresh_sign_in(
    instance: &Instance,
    row: &AccountRow,
    session: Option<Uuid>,
) -> Outcome<bool> {
    let mut conn = instance.pool.acquire().await?;
    let session = session_of(&mut conn, row.id, session).await?;
    Ok(session.is_some_and(|session| has_fresh_method(instance, &session, &SIGN_IN_METHODS)))
}

async fn session_of(
    conn: &mut PgConnection,
    account: Uuid,
    session: Option<Uuid>,
) -> Outcome<Option<SessionRow>> {
    let Some(id) = session else { return Ok(None) };
    let found = store::sessions::find(conn, id).await?;
    Ok(found.filter(|session| session.account_id == account))
}

/// Tells whether one of these methods was used within the last ten minutes.
fn has_fresh_method(instance: &Instance, session: &SessionRow, wanted: &[&str]) -> bool {
    let oldest_s = (instance.now() - PROOF_LIFETIME).timestamp();
    let mut methods = session.amr.as_array().into_iter().flatten();
    methods.any(|entry| {
        let method = entry["method"].as_str().unwrap_or_default();
        wanted.contains(&method) && entry["timestamp"].as_i64().is_some_and(|at| at >= oldest_s)
    })
}

fn is_recent(instance: &Instance, session: &SessionRow) -> bool {
    let max_age = instance.config.sessions.reauthentication_max_age;
    let is_young = (instance.now() - session.created_at).to_std().map_or(true, |age| age < max_age);
    let mut methods = session.amr.as_array().into_iter().flatten();
    is_young && !methods.any(|entry| CHANGE_METHODS.iter().any(|change| entry["method"] == *change))
}
