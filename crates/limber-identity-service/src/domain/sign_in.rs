//! Sign-in by password.

use limber_api::identity::{PasswordGrant, SessionResponse, WeakPassword};
use secrecy::SecretString;
use sqlx::PgTransaction;

use super::address::{EmailAddress, PhoneNumber};
use super::{password_guesses, sessions};
use crate::instance::{Instance, RequestContext};
use crate::passwords::is_outdated;
use crate::refusal::{
    EMAIL_LOGINS_DISABLED, EMAIL_NOT_CONFIRMED, LOGIN_BANNED, LOGIN_BOTH_ADDRESSES,
    LOGIN_WITHOUT_ADDRESS, Outcome, PHONE_LOGINS_DISABLED, PHONE_NOT_CONFIRMED, WRONG_CREDENTIALS,
    refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;

/// Number of attempts to lock an account whose password hash changes concurrently.
const LOCK_ATTEMPTS: usize = 3;

pub(crate) async fn by_password(
    instance: &Instance,
    grant: PasswordGrant,
    context: &RequestContext,
) -> Outcome<SessionResponse> {
    let by_email = grant.email.as_deref().is_some_and(|email| !email.is_empty());
    let password = SecretString::from(grant.password.clone().unwrap_or_default());
    let (address, found) = find(instance, &grant, context).await?;
    let account = found.as_ref().map(|row| row.id);
    let guess = password_guesses::begin(instance, account, &address, context).await?;
    // Whether the account is banned or unconfirmed is disclosed only to callers who know the
    // password.
    let hash = found.as_ref().and_then(|row| row.password_hash.as_deref());
    let others = {
        let mut conn = instance.pool.acquire().await?;
        store::accounts::other_hash_kinds(&mut conn, hash).await?
    };
    let fits = instance.hasher.verify_among(&password, hash, &others).await?;
    let Some(known) = found.filter(|_| fits && guess.must_verify()) else {
        guess.was_wrong(instance).await?;
        return refuse(WRONG_CREDENTIALS);
    };
    guess.was_right(instance).await?;
    let fresh_hash = match &known.password_hash {
        Some(hash) if is_outdated(hash) => {
            Some(instance.hasher.hash(&password, &*instance.random).await?)
        }
        _ => None,
    };
    let (mut tx, mut row) = lock(instance, known, &password).await?;
    if row.is_banned(instance.now()) {
        return refuse(LOGIN_BANNED);
    }
    match (by_email, row.email_confirmed_at, row.phone_confirmed_at) {
        (true, None, _) => return refuse(EMAIL_NOT_CONFIRMED),
        (false, _, None) => return refuse(PHONE_NOT_CONFIRMED),
        _ => {}
    }
    if let (Some(old), Some(new)) = (&row.password_hash, &fresh_hash)
        && is_outdated(old)
    {
        store::accounts::replace_password_hash(&mut tx, row.id, old, new).await?;
    }
    let mut answer = sessions::start(instance, &mut tx, &mut row, "password", context).await?;
    tx.commit().await?;
    answer.weak_password = instance
        .config
        .passwords
        .weakness(&password)
        .map(|(message, reasons)| WeakPassword { message, reasons });
    Ok(answer)
}

/// Locks the account, provided the password is still valid. Verification takes a while, and a
/// password change in the meantime invalidates sign-ins with the old password that are in progress.
async fn lock(
    instance: &Instance,
    mut known: AccountRow,
    password: &SecretString,
) -> Outcome<(PgTransaction<'static>, AccountRow)> {
    for _ in 0..LOCK_ATTEMPTS {
        let mut tx = instance.begin().await?;
        let found = store::accounts::lock(&mut tx, known.id).await?;
        let Some(row) = found.filter(|row| row.deleted_at.is_none()) else { break };
        if row.password_hash == known.password_hash {
            return Ok((tx, row));
        }
        drop(tx);
        // Another sign-in may have rehashed the same password.
        if !instance.hasher.verify(password, row.password_hash.as_deref()).await? {
            break;
        }
        known = row;
    }
    refuse(WRONG_CREDENTIALS)
}

/// Returns the given address or number, normalised if valid, and the account that has it.
async fn find(
    instance: &Instance,
    grant: &PasswordGrant,
    context: &RequestContext,
) -> Outcome<(String, Option<AccountRow>)> {
    let set = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let signup = &instance.config.signup;
    match (set(&grant.email), set(&grant.phone)) {
        (Some(_), Some(_)) => refuse(LOGIN_BOTH_ADDRESSES),
        (None, None) => refuse(LOGIN_WITHOUT_ADDRESS),
        (Some(_), None) if !signup.email => refuse(EMAIL_LOGINS_DISABLED),
        (None, Some(_)) if !signup.phone => refuse(PHONE_LOGINS_DISABLED),
        (Some(email), None) => {
            // A malformed address is treated like an unknown one.
            let Ok(known) = EmailAddress::parse(&email) else { return Ok((email, None)) };
            let email = known.as_str();
            let mut conn = instance.pool.acquire().await?;
            let row = store::accounts::find_by_email(&mut conn, email, &context.aud).await?;
            Ok((email.to_owned(), row))
        }
        (None, Some(phone)) => {
            let phone = PhoneNumber::parse(&phone)?;
            let phone = phone.as_str();
            let mut conn = instance.pool.acquire().await?;
            let row = store::accounts::find_by_phone(&mut conn, phone, &context.aud).await?;
            Ok((phone.to_owned(), row))
        }
    }
}
