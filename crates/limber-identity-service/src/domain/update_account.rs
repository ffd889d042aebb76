//! Changes to one's own account (identity behaviour, 6.14).

use limber_api::identity::{Account, UpdateAccountRequest};
use secrecy::SecretString;
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::address::{EmailAddress, PhoneNumber};
use super::audit::{self, Action, Actor};
use super::credentials::set_password;
use super::guesses::{self, Target};
use super::messages::{CodeKind, Recipient, count_email, send_code_to};
use super::timers::{self, Purpose};
use super::verify::is_young;
use super::{accounts, change_phone, exchange_code, factors, reauthenticate, texts};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    ACCOUNT_GONE, ANONYMOUS_PASSWORD, CURRENT_PASSWORD_REQUIRED, CURRENT_PASSWORD_WRONG,
    EMAIL_TAKEN, Outcome, SAME_PASSWORD, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::one_time_tokens::OneTimeTokenRow;
use crate::texts::Channel;
use crate::tokens::pkce::Challenge;

/// A parsed and validated request.
struct Changes {
    email: Option<EmailAddress>,
    phone: Option<PhoneNumber>,
    channel: Channel,
    /// Hash of the new password.
    password_hash: Option<String>,
    challenge: Option<Challenge>,
    /// Whether the request changes credentials.
    are_sensitive: bool,
}

pub(crate) async fn update(
    instance: &Instance,
    account: Uuid,
    session: Option<Uuid>,
    request: UpdateAccountRequest,
    context: &RequestContext,
) -> Outcome<Account> {
    let changes = prepare(instance, account, session, &request).await?;
    let permit = match &changes.phone {
        Some(_) if !instance.config.signup.phone_autoconfirm => {
            Some(instance.texts.acquire_permit().await?)
        }
        _ => None,
    };
    let mut tx = instance.begin().await?;
    let Some(mut row) = store::accounts::lock(&mut tx, account).await? else {
        return refuse(ACCOUNT_GONE);
    };
    if changes.are_sensitive {
        // Checked again, because the session may have ended while the password was being hashed.
        factors::require_for_change(&mut tx, account, session).await?;
    }
    if let Some(data) = request.data {
        accounts::merge_checked(&mut row.user_metadata, data)?;
    }
    if let Some(data) = request.app_metadata {
        accounts::merge_checked(&mut row.app_metadata, data)?;
    }
    let mut entries = vec![(Action::UserModified, json!({}))];
    if let Some(hash) = changes.password_hash {
        entries.push((Action::UserUpdatedPassword, json!({})));
        set_password(instance, &mut tx, &mut row, hash, session).await?;
        guesses::forget(&mut tx, &[Target::current_password_of(instance, account)]).await?;
    }
    if let Some(phone) = &changes.phone {
        let to = (phone, changes.channel);
        change_phone::request(instance, &mut tx, permit.as_ref(), &mut row, to, context).await?;
    }
    if let Some(email) = &changes.email {
        let challenge = changes.challenge.as_ref();
        change_email(instance, &mut tx, &mut row, email, challenge, context).await?;
    }
    row.updated_at = instance.now();
    store::accounts::save(&mut tx, &row).await?;
    audit::note_all(instance, &mut tx, &Actor::of(&row, context), &entries).await?;
    let record = accounts::record(&mut tx, &row).await?;
    instance.commit(tx).await?;
    Ok(record)
}

/// Parses and validates the request. Hashing happens here, before any row is locked.
async fn prepare(
    instance: &Instance,
    account: Uuid,
    session: Option<Uuid>,
    request: &UpdateAccountRequest,
) -> Outcome<Changes> {
    let set = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let email = set(&request.email).map(|text| EmailAddress::parse(&text)).transpose()?;
    let phone = set(&request.phone).map(|text| PhoneNumber::parse(&text)).transpose()?;
    let channel = texts::read_channel(instance, request.channel.as_deref())?;
    let challenge = Challenge::read(
        request.code_challenge.as_deref(),
        request.code_challenge_method.as_deref(),
    )?;
    let (row, are_sensitive, adds_way_in) = {
        let mut conn = instance.pool.acquire().await?;
        let found = store::accounts::find(&mut conn, account).await?;
        let Some(row) = found else { return refuse(ACCOUNT_GONE) };
        let other_email = email.as_ref().is_some_and(|e| row.email.as_deref() != Some(e.as_str()));
        let other_phone = phone.as_ref().is_some_and(|p| row.phone.as_deref() != Some(p.as_str()));
        let are_sensitive = other_email || other_phone || request.password.is_some();
        if are_sensitive {
            factors::require_for_change(&mut conn, account, session).await?;
        }
        // If the current address must confirm the change, a stolen session cannot complete it.
        let is_asked = instance.config.mailer.secure_email_change && row.email.is_some();
        let adds_way_in = row.is_confirmed() && (other_phone || (other_email && !is_asked));
        (row, are_sensitive, adds_way_in)
    };
    let password = request.password.clone().map(SecretString::from);
    if let Some(password) = &password {
        if row.is_anonymous && email.is_none() && phone.is_none() {
            return refuse(ANONYMOUS_PASSWORD);
        }
        instance.config.passwords.check(password)?;
    }
    if password.is_some() || adds_way_in {
        // Checked before the password is compared, so that a stolen session cannot guess passwords.
        reauthenticate::check(instance, &row, session, request.nonce.as_deref()).await?;
    }
    let current = request.current_password.clone().map(SecretString::from);
    if adds_way_in {
        require_current_password(instance, &row, current.as_ref(), session).await?;
    }
    let password_hash = match &password {
        Some(password) => {
            Some(hash_new_password(instance, &row, password, current.as_ref(), session).await?)
        }
        None => None,
    };
    Ok(Changes { email, phone, channel, password_hash, challenge, are_sensitive })
}

/// Requires the current password to add a way to sign in, if setting a password would require it.
async fn require_current_password(
    instance: &Instance,
    row: &AccountRow,
    current: Option<&SecretString>,
    session: Option<Uuid>,
) -> Outcome<()> {
    let needed = instance.config.sessions.password_change_needs_current
        && row.password_hash.is_some()
        && !reauthenticate::is_fresh_sign_in(instance, row, session).await?;
    if !needed {
        return Ok(());
    }
    let Some(current) = current else { return refuse(CURRENT_PASSWORD_REQUIRED) };
    {
        let mut conn = instance.pool.acquire().await?;
        let targets = [Target::current_password_of(instance, row.id)];
        guesses::count(instance, &mut conn, &targets).await?;
    }
    match instance.hasher.verify(current, row.password_hash.as_deref()).await? {
        true => Ok(()),
        false => refuse(CURRENT_PASSWORD_WRONG),
    }
}

/// Verifies the current password if required and hashes the new one. Comparisons reveal whether a
/// guess was correct even if the request changes nothing in the end, so each attempt is counted
/// before it is checked.
async fn hash_new_password(
    instance: &Instance,
    row: &AccountRow,
    password: &SecretString,
    current: Option<&SecretString>,
    session: Option<Uuid>,
) -> Outcome<String> {
    let old = row.password_hash.as_deref();
    if old.is_some() {
        let needs_current = instance.config.sessions.password_change_needs_current
            && !reauthenticate::is_fresh_proof(instance, row, session).await?;
        if needs_current && current.is_none() {
            return refuse(CURRENT_PASSWORD_REQUIRED);
        }
        {
            let mut conn = instance.pool.acquire().await?;
            let targets = [Target::current_password_of(instance, row.id)];
            guesses::count(instance, &mut conn, &targets).await?;
        }
        if let Some(current) = current.filter(|_| needs_current)
            && !instance.hasher.verify(current, old).await?
        {
            return refuse(CURRENT_PASSWORD_WRONG);
        }
        if instance.hasher.verify(password, old).await? {
            return refuse(SAME_PASSWORD);
        }
    }
    instance.hasher.hash(password, &*instance.random).await
}

async fn change_email(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &mut AccountRow,
    email: &EmailAddress,
    challenge: Option<&Challenge>,
    context: &RequestContext,
) -> Outcome<()> {
    if row.email.as_deref() == Some(email.as_str()) {
        return Ok(());
    }
    if store::accounts::find_by_email(conn, email.as_str(), &row.aud).await?.is_some() {
        return refuse(EMAIL_TAKEN);
    }
    if row.is_anonymous && instance.config.mailer.autoconfirm {
        row.email = Some(email.as_str().to_owned());
        row.confirm_email(instance.now());
        return accounts::put_own_identity(instance, conn, row, "email").await;
    }
    row.new_email = Some(email.as_str().to_owned());
    // Discard the codes of an earlier request.
    let kinds = [CodeKind::EmailChangeNew, CodeKind::EmailChangeCurrent];
    let kinds = kinds.map(|kind| kind.as_str().to_owned());
    store::one_time_tokens::delete_kinds(conn, row.id, &kinds).await?;
    send_change_codes(instance, conn, (row, Recipient::Real), challenge, context).await
}

/// Sends a code to the new address and, if both must confirm, one to the current address, except to
/// one that has already confirmed: anybody can request these codes again, and must not undo that.
/// Confirmation is required even if sign-ups need none. The caller saves the row.
pub(crate) async fn send_change_codes(
    instance: &Instance,
    conn: &mut PgConnection,
    (row, recipient): (&mut AccountRow, Recipient),
    challenge: Option<&Challenge>,
    context: &RequestContext,
) -> Outcome<()> {
    let mailer = &instance.config.mailer;
    // An account without an address yet is counted by its new one.
    let counted = row.email.as_deref().or(row.new_email.as_deref()).unwrap_or_default();
    let counted = (counted, mailer.other_gap());
    timers::start(instance, conn, Purpose::EmailChange, counted, context).await?;
    let flow = exchange_code::begin(instance, conn, challenge, "email_change").await?;
    let confirmed = confirmed_half(instance, conn, row.id).await?;
    let both = mailer.secure_email_change && row.email.is_some();
    let to_current = both.then_some(CodeKind::EmailChangeCurrent);
    for kind in [Some(CodeKind::EmailChangeNew), to_current].into_iter().flatten() {
        count_email(instance, context)?;
        // Counted and pretended, so that nobody learns what has been confirmed.
        let recipient = if confirmed == Some(kind) { Recipient::Decoy } else { recipient };
        send_code_to(instance, conn, (&*row, recipient), kind, flow, context).await?;
    }
    row.email_change_sent_at = Some(instance.now());
    Ok(())
}

/// Returns the half of a change of address that has been confirmed: it has no codes any more, while
/// the other half still has one that can be used. Codes that have merely expired are not mistaken
/// for confirmed ones, because they are kept for longer than those of the other half can be used.
async fn confirmed_half(
    instance: &Instance,
    conn: &mut PgConnection,
    account: Uuid,
) -> Outcome<Option<CodeKind>> {
    let (new, current) = (CodeKind::EmailChangeNew, CodeKind::EmailChangeCurrent);
    let to_new = store::one_time_tokens::of_account(conn, account, new.as_str()).await?;
    let to_current = store::one_time_tokens::of_account(conn, account, current.as_str()).await?;
    let can_be_used = |codes: &[OneTimeTokenRow]| codes.iter().any(|code| is_young(instance, code));
    Ok(match (to_new.is_empty(), to_current.is_empty()) {
        (true, false) if can_be_used(&to_current) => Some(new),
        (false, true) if can_be_used(&to_new) => Some(current),
        _ => None,
    })
}
