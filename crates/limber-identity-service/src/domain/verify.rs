//! Verification of a code or link (identity behaviour, 6.7 and 6.8).

use limber_api::identity::{SessionResponse, VerifyKind};
use secrecy::SecretString;
use serde_json::json;
use sqlx::{PgConnection, PgTransaction};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::audit::{self, Action, Actor};
use super::credentials::{SignUp, claim_for_prover, set_password};
use super::guesses::{self, Target};
use super::messages::{CodeKind, asked_by};
use super::notices::{Notice, notify};
use super::texts::{self, TextKind};
use super::timers::{self, Purpose};
use super::{accounts, change_phone, exchange_code, sessions};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    BANNED, CODE_EXPIRED, EMAIL_TAKEN, LINK_EXPIRED, NEEDS_SECOND_FACTOR, Outcome, Refusal,
    VERIFY_NEEDS_PASSWORD, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::one_time_tokens::OneTimeTokenRow;
use crate::tokens::one_time::is_pkce_link;

/// Wrong guesses by one caller after which a code stops working for that caller.
///
/// A code that the caller has just requested ([`is_fresh_own`]) obeys only the limits per caller,
/// so that strangers' guesses never stop the owner's right one. An attacker with many networks is
/// then bounded by the number of messages: each allows ten guesses at its code. Codes of others are
/// tried within the shared limit of 120 guesses an hour ([`guesses::CALLERS`]), each at four codes
/// at most. With six digits, the chance to hit a code of one address is therefore at most
///
/// - 30 × 10 + 120 × 4 = 780 in a million an hour (0.08%) with the default 30 emails or texts an
///   hour for the whole instance, all of which the attack uses up,
/// - 240 × 10 + 120 × 4 = 2880 in a million an hour (0.29%) where that limit is raised: with the
///   default minute between two messages, an address gets 4 × 60 an hour for one purpose.
pub(super) const MAX_WRONG_BY_ONE: i32 = 10;
/// Wrong guesses by all callers after which a code stops working, except where it has just been
/// requested.
const MAX_WRONG_BY_ALL: i32 = MAX_WRONG_BY_ONE * guesses::CALLERS;

/// What the caller presents.
pub(crate) enum Proof {
    /// A numeric code, and the address it was sent to.
    Code { address: String, code: String },
    /// The token from a link.
    Link(String),
    /// The token from a link, with a password that completes a sign-up made without one.
    LinkWithPassword(String, Option<SecretString>),
}

/// The outcome of a verification.
pub(crate) enum Verified {
    SignedIn(Box<SessionResponse>),
    /// The first of the two confirmations of a change of address.
    HalfDone,
    /// An auth code: the link was requested with a PKCE challenge and opened in a browser.
    AuthCode(String),
}

pub(crate) async fn redeem(
    instance: &Instance,
    kind: VerifyKind,
    proof: Proof,
    in_browser: bool,
    context: &RequestContext,
) -> Outcome<Verified> {
    let shared_wait_s = if let Proof::Code { address, .. } = &proof {
        count_guess(instance, address, context).await?
    } else {
        None
    };
    let mut tx = instance.begin().await?;
    let (token, failure) = match &proof {
        Proof::Code { address, code } => {
            let (guess, own_only) = ((address.as_str(), code.as_str()), shared_wait_s.is_some());
            match find_by_code(instance, &mut tx, kind, guess, own_only, context).await? {
                Ok(token) => (Some(token), CODE_EXPIRED),
                Err(guessed_at) => {
                    count_wrong(instance, &mut tx, &guessed_at, (address, context)).await?;
                    // Commit although the answer is an error, so that the wrong guess is counted.
                    tx.commit().await?;
                    return refuse(shared_wait_s.map_or(CODE_EXPIRED, Refusal::too_many_requests));
                }
            }
        }
        Proof::Link(link) | Proof::LinkWithPassword(link, _) => {
            (find_by_link(instance, &mut tx, kind, link).await?, LINK_EXPIRED)
        }
    };
    let Some(token) = token else { return refuse(failure) };
    let found = store::accounts::lock(&mut tx, token.account_id).await?;
    let Some(mut row) = found.filter(|row| row.deleted_at.is_none() && is_for(&token, row)) else {
        return refuse(failure);
    };
    if row.is_banned(instance.now()) {
        return refuse(BANNED);
    }
    if !store::one_time_tokens::consume(&mut tx, token.id).await? {
        return refuse(failure);
    }
    let fresh = !row.is_confirmed();
    let Some(provider) = confirm(instance, &mut tx, &mut row, &token).await? else {
        tx.commit().await?;
        return Ok(Verified::HalfDone);
    };
    if let Proof::LinkWithPassword(_, password) = &proof {
        complete_password(instance, &mut tx, kind, &mut row, password.as_ref()).await?;
    }
    let with_code = match &proof {
        Proof::Link(link) if in_browser && is_pkce_link(link) => token.flow_id,
        _ => None,
    };
    finish(instance, tx, row, &token, (fresh, provider, with_code), context).await
}

/// Counts a guess and refuses if this caller has made too many for the address. If all callers
/// together have, returns the seconds until others' codes are tried again: known and unknown
/// addresses are then answered alike, unless the code is right.
async fn count_guess(
    instance: &Instance,
    address: &str,
    context: &RequestContext,
) -> Outcome<Option<u64>> {
    // Counted before the main transaction, which may be rolled back, and on a connection of its own
    // that is released before the transaction takes one.
    let targets = Target::address(instance, address, context);
    let mut conn = instance.pool.acquire().await?;
    let [by_one, by_all] = guesses::count_each(instance, &mut conn, &targets).await?;
    match by_one {
        Some(left_s) => refuse(Refusal::too_many_requests(left_s)),
        None => Ok(by_all),
    }
}

/// Records the proof on the account and returns the name of the proven provider, or `None` if the
/// other address must confirm first.
async fn confirm(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &mut AccountRow,
    token: &OneTimeTokenRow,
) -> Outcome<Option<&'static str>> {
    if token.kind == TextKind::PhoneChange.as_str() {
        change_phone::confirm(instance, conn, row).await?;
        return Ok(Some("phone"));
    }
    if is_change(&token.kind) {
        // This address has confirmed, so the other codes sent to it are no longer needed.
        let kind = [token.kind.clone()];
        store::one_time_tokens::delete_kinds(conn, token.account_id, &kind).await?;
        if other_half_is_pending(conn, token).await? {
            return Ok(None);
        }
        change_email(instance, conn, row).await?;
        return Ok(Some("email"));
    }
    let provider = if texts::is_text(token) { "phone" } else { "email" };
    claim_for_prover(conn, row, provider, SignUp::of(token)).await?;
    match provider {
        "phone" => row.confirm_phone(instance.now()),
        _ => row.confirm_email(instance.now()),
    }
    Ok(Some(provider))
}

async fn finish(
    instance: &Instance,
    mut tx: PgTransaction<'static>,
    mut row: AccountRow,
    token: &OneTimeTokenRow,
    (fresh, provider, with_code): (bool, &str, Option<Uuid>),
    context: &RequestContext,
) -> Outcome<Verified> {
    row.updated_at = instance.now();
    accounts::put_own_identity(instance, &mut tx, &mut row, provider).await?;
    store::accounts::save(&mut tx, &row).await?;
    store::one_time_tokens::delete_of_account(&mut tx, row.id).await?;
    if token.kind == CodeKind::Confirmation.as_str() || (fresh && texts::is_text(token)) {
        let action =
            if row.invited_at.is_some() { Action::InviteAccepted } else { Action::UserSignedUp };
        audit::note(instance, &mut tx, &Actor::of(&row, context), action, json!({})).await?;
    }
    let outcome = match with_code {
        Some(flow) => {
            Verified::AuthCode(exchange_code::issue(instance, &mut tx, flow, row.id).await?)
        }
        None => Verified::SignedIn(Box::new(
            sessions::start(instance, &mut tx, &mut row, method(token), context).await?,
        )),
    };
    if let Some(email) = &row.email {
        // Once the address is confirmed, the timer must not delay other requests.
        timers::stop(instance, &mut tx, Purpose::Confirmation, email, context).await?;
    }
    instance.commit(tx).await?;
    Ok(outcome)
}

/// Returns the `amr` method.
fn method(token: &OneTimeTokenRow) -> &'static str {
    if token.kind == TextKind::PhoneChange.as_str() {
        "phone_change"
    } else if is_change(&token.kind) {
        "email_change"
    } else {
        "otp"
    }
}

fn kinds(kind: VerifyKind) -> Vec<String> {
    let kinds: &[CodeKind] = match kind {
        VerifyKind::Sms => return vec![TextKind::Phone.as_str().to_owned()],
        VerifyKind::PhoneChange => return vec![TextKind::PhoneChange.as_str().to_owned()],
        VerifyKind::Signup | VerifyKind::Invite => &[CodeKind::Confirmation],
        VerifyKind::Recovery | VerifyKind::MagicLink => &[CodeKind::Recovery],
        VerifyKind::Email => &[CodeKind::Confirmation, CodeKind::Recovery],
        VerifyKind::EmailChange => &[CodeKind::EmailChangeNew, CodeKind::EmailChangeCurrent],
    };
    kinds.iter().map(|kind| kind.as_str().to_owned()).collect()
}

fn is_change(kind: &str) -> bool {
    kind == CodeKind::EmailChangeNew.as_str() || kind == CodeKind::EmailChangeCurrent.as_str()
}

/// Tells whether the code was sent to an address that the account still has, or is about to have.
pub(crate) fn is_for(token: &OneTimeTokenRow, row: &AccountRow) -> bool {
    let address = if token.kind == TextKind::PhoneChange.as_str() {
        &row.new_phone
    } else if token.kind == CodeKind::EmailChangeNew.as_str() {
        &row.new_email
    } else if texts::is_text(token) {
        &row.phone
    } else {
        &row.email
    };
    address.as_ref() == Some(&token.sent_to)
}

/// Tells whether the code is still valid: not expired, and with fewer than `most_wrong` wrong
/// guesses.
pub(super) fn is_alive(instance: &Instance, token: &OneTimeTokenRow, most_wrong: i32) -> bool {
    is_young(instance, token) && token.wrong_attempts < most_wrong
}

/// Tells whether the code or link has not expired. Links cannot be guessed, so wrong guesses at the
/// code do not invalidate them.
pub(super) fn is_young(instance: &Instance, token: &OneTimeTokenRow) -> bool {
    let lifetime = if texts::is_text(token) {
        instance.config.texts.code_lifetime
    } else {
        instance.config.mailer.code_lifetime
    };
    (instance.now() - token.created_at).to_std().map_or(true, |age| age <= lifetime)
}

async fn find_by_link(
    instance: &Instance,
    conn: &mut PgConnection,
    kind: VerifyKind,
    link: &str,
) -> Outcome<Option<OneTimeTokenRow>> {
    let hash = instance.code_key.of_link(link);
    let found = store::one_time_tokens::find_by_hash(conn, &hash, &kinds(kind)).await?;
    Ok(found.filter(|token| is_young(instance, token)))
}

/// Returns the pending token that matches the code, or the ids of the pending ones that do not. If
/// `own_only` is set or the shared limit is exceeded, the code is compared only with those that the
/// caller has just requested.
async fn find_by_code(
    instance: &Instance,
    conn: &mut PgConnection,
    kind: VerifyKind,
    (address, code): (&str, &str),
    own_only: bool,
    context: &RequestContext,
) -> Outcome<Result<OneTimeTokenRow, Vec<Uuid>>> {
    let kinds = kinds(kind);
    let waits = !waiting_at(instance, conn, address, &kinds, context).await?.is_empty();
    // Concurrent guesses wait here for the lock and then see the updated counts.
    let targets = Target::waiting_at(instance, address, context, waits);
    let [by_one, by_all] = guesses::count_each(instance, conn, &targets).await?;
    let own_only = own_only || by_all.is_some();
    let waiting = waiting_at(instance, conn, address, &kinds, context).await?;
    let codes: Vec<Target> =
        waiting.iter().map(|token| Target::code(instance, token.id, context)).collect();
    let spent = guesses::are_spent(instance, conn, &codes).await?;
    // Guesses that are not checked do not invalidate codes.
    if !waits || by_one.is_some() {
        return Ok(Err(Vec::new()));
    }
    let own = asked_by(instance, context);
    let open = waiting
        .into_iter()
        .zip(spent)
        .filter(|(token, spent)| !spent && (!own_only || is_fresh_own(instance, token, &own)));
    let mut open: Vec<OneTimeTokenRow> = open.map(|(token, _)| token).collect();
    if let Some(at) = open.iter().position(|token| fits(instance, token, code)) {
        guesses::forget(conn, &Target::address(instance, address, context)).await?;
        guesses::forget(conn, &targets).await?;
        return Ok(Ok(open.swap_remove(at)));
    }
    Ok(Err(open.iter().map(|token| token.id).collect()))
}

/// Returns the valid codes that were sent to an address, at which a guess is tried.
async fn waiting_at(
    instance: &Instance,
    conn: &mut PgConnection,
    address: &str,
    kinds: &[String],
    context: &RequestContext,
) -> Outcome<Vec<OneTimeTokenRow>> {
    let own = asked_by(instance, context);
    let sent = store::one_time_tokens::sent_to(conn, address, &context.aud, kinds, &own).await?;
    let is_open = |token: &OneTimeTokenRow| {
        is_alive(instance, token, MAX_WRONG_BY_ALL)
            || (is_young(instance, token) && is_fresh_own(instance, token, &own))
    };
    Ok(sent.into_iter().filter(is_open).collect())
}

/// Tells whether the caller requested this code within the last hour, so that only the limits per
/// caller apply to it. No longer than that, because the caller's count for a code lasts an hour:
/// each further hour would allow ten more guesses. Codes of which there is only one, whoever
/// requested it, belong to no caller.
fn is_fresh_own(instance: &Instance, token: &OneTimeTokenRow, own: &[u8]) -> bool {
    token.asked_by == own && instance.now() - token.created_at < guesses::WINDOW
}

/// Counts a wrong guess against every code at which it was tried. If there was none, an equal
/// amount is written, so that an unknown address takes as long.
async fn count_wrong(
    instance: &Instance,
    conn: &mut PgConnection,
    guessed_at: &[Uuid],
    (address, context): (&str, &RequestContext),
) -> Outcome<()> {
    let mut targets: Vec<Target> =
        guessed_at.iter().map(|id| Target::code(instance, *id, context)).collect();
    if targets.is_empty() {
        targets.push(Target::no_code(instance, address, context));
    }
    guesses::count_quietly(instance, conn, &targets).await?;
    if !guessed_at.is_empty() {
        return Ok(store::one_time_tokens::count_wrong_attempt(conn, guessed_at).await?);
    }
    let decoy = OneTimeTokenRow {
        id: instance.random.uuid(),
        account_id: Uuid::nil(),
        kind: String::new(),
        token_hash: vec![0; 32],
        sent_to: String::new(),
        flow_id: None,
        wrong_attempts: 0,
        created_at: instance.now(),
        sign_up: None,
        asked_by: Vec::new(),
    };
    Ok(store::send_timers::put_decoy(conn, &decoy).await?)
}

/// Tells whether this is the code that was sent. Compares in constant time.
pub(super) fn fits(instance: &Instance, token: &OneTimeTokenRow, code: &str) -> bool {
    let hash = if texts::is_text(token) {
        texts::hash(instance, token, code)
    } else {
        instance.code_key.of_code(&token.sent_to, code)
    };
    bool::from(token.token_hash.ct_eq(hash.as_slice()))
}

/// Sets the password that completes a sign-up or an invitation. Other codes ignore it: they sign
/// in, and the user then changes the password in the usual way.
async fn complete_password(
    instance: &Instance,
    conn: &mut PgConnection,
    kind: VerifyKind,
    row: &mut AccountRow,
    password: Option<&SecretString>,
) -> Outcome<()> {
    let takes_one = matches!(kind, VerifyKind::Signup | VerifyKind::Invite);
    let Some(password) = password.filter(|_| takes_one) else {
        return match kind {
            VerifyKind::Signup if row.password_hash.is_none() => refuse(VERIFY_NEEDS_PASSWORD),
            _ => Ok(()),
        };
    };
    if store::factors::has_verified(conn, row.id).await? {
        return refuse(NEEDS_SECOND_FACTOR);
    }
    instance.config.passwords.check(password)?;
    let hash = instance.hasher.hash(password, &*instance.random).await?;
    set_password(instance, conn, row, hash, None).await
}

async fn other_half_is_pending(conn: &mut PgConnection, token: &OneTimeTokenRow) -> Outcome<bool> {
    let other = if token.kind == CodeKind::EmailChangeNew.as_str() {
        CodeKind::EmailChangeCurrent
    } else {
        CodeKind::EmailChangeNew
    };
    Ok(store::one_time_tokens::has_kind(conn, token.account_id, other.as_str()).await?)
}

async fn change_email(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &mut AccountRow,
) -> Outcome<()> {
    let Some(new) = row.new_email.take() else {
        return refuse(Refusal { ..LINK_EXPIRED });
    };
    if store::accounts::find_by_email(conn, &new, &row.aud).await?.is_some() {
        return refuse(EMAIL_TAKEN);
    }
    let old = row.email.clone();
    row.replace_email(&new);
    row.confirm_email(instance.now());
    if let Some(old_email) = &old {
        notify(instance, conn, Some(&new), Notice::EmailChanged { old_email }).await;
    }
    Ok(())
}
