//! Sign-in by a mailed link or code, without a password (identity behaviour, 6.9 and 6.10). If
//! sign-up is allowed, an unknown address gets an account, which the same email confirms.

use limber_api::identity::MagicLinkRequest;
use serde_json::Value;
use sqlx::PgConnection;

use super::address::EmailAddress;
use super::credentials::SignUp;
use super::messages::{CodeKind, Recipient, count_email, send_code_of};
use super::sign_up::mirror_claims;
use super::timers::{self, Purpose};
use super::{accounts, exchange_code};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    EMAIL_LOGINS_DISABLED, MAGIC_LINK_WITHOUT_EMAIL, MAGIC_LINKS_DISABLED, OTP_SIGNUP_DISABLED,
    Outcome, SIGNUP_DISABLED, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::tokens::pkce::Challenge;

/// What to do with an unknown address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    SignUp,
    Refuse,
}

pub(crate) async fn send(
    instance: &Instance,
    request: MagicLinkRequest,
    unknown: Unknown,
    context: &RequestContext,
) -> Outcome<()> {
    let Some(email) = request.email.as_deref().filter(|email| !email.is_empty()) else {
        return refuse(MAGIC_LINK_WITHOUT_EMAIL);
    };
    let challenge = Challenge::read(
        request.code_challenge.as_deref(),
        request.code_challenge_method.as_deref(),
    )?;
    let mailer = &instance.config.mailer;
    if !instance.config.signup.email {
        return refuse(EMAIL_LOGINS_DISABLED);
    }
    if !mailer.magic_links {
        return refuse(MAGIC_LINKS_DISABLED);
    }
    let email = EmailAddress::parse(email)?;
    accounts::check_size_of_sign_up(request.data.as_ref())?;
    let mut tx = instance.begin().await?;
    for purpose in [Purpose::Recovery, Purpose::Confirmation] {
        // Both timers are started, so that they do not reveal which of the two emails will be sent.
        let (to, gap) = (email.as_str(), mailer.other_gap());
        timers::start(instance, &mut tx, purpose, (to, gap), context).await?;
    }
    let mut fresh = accounts::blank(instance, &context.aud);
    fresh.email = Some(email.as_str().to_owned());
    fresh.user_metadata = Value::Object(request.data.unwrap_or_default());
    let (mut row, sign_up) = match unknown {
        Unknown::SignUp if !instance.config.signup.disabled => {
            find_or_make(instance, &mut tx, &email, fresh).await?
        }
        _ => find(instance, &mut tx, &email, unknown, fresh).await?,
    };
    count_email(instance, context)?;
    let kind = begin(instance, &mut row, &sign_up);
    let sign_up = Some(&sign_up).filter(|_| row.email_confirmed_at.is_none());
    if mailer.autoconfirm {
        accounts::put_own_identity(instance, &mut tx, &mut row, "email").await?;
    }
    store::accounts::save(&mut tx, &row).await?;
    let method = if kind == CodeKind::MagicLink { "magiclink" } else { "email/signup" };
    let flow = exchange_code::begin(instance, &mut tx, challenge.as_ref(), method).await?;
    let to = (&row, Recipient::Real);
    send_code_of(instance, &mut tx, to, (kind, sign_up), flow, context).await?;
    instance.commit(tx).await
}

/// Records on the account what is sent, and returns the kind of code. The caller saves the row.
fn begin(instance: &Instance, row: &mut AccountRow, sign_up: &SignUp) -> CodeKind {
    let now = instance.now();
    row.updated_at = now;
    let autoconfirm = instance.config.mailer.autoconfirm;
    // Requesting a link proves nothing and must not confirm data that others left in the account.
    if autoconfirm && (matches!(sign_up, SignUp::First) || !row.unproven) {
        row.confirm_email(now);
    }
    if autoconfirm || row.email_confirmed_at.is_some() {
        row.recovery_sent_at = Some(now);
        CodeKind::MagicLink
    } else {
        row.confirmation_sent_at = Some(now);
        CodeKind::Confirmation
    }
}

async fn find(
    instance: &Instance,
    conn: &mut PgConnection,
    email: &EmailAddress,
    unknown: Unknown,
    fresh: AccountRow,
) -> Outcome<(AccountRow, SignUp)> {
    match store::accounts::lock_by_email(conn, email.as_str(), &fresh.aud).await? {
        Some(row) => {
            let sign_up = as_if_made(&row, fresh, email);
            Ok((row, sign_up))
        }
        None if unknown == Unknown::Refuse => refuse(OTP_SIGNUP_DISABLED),
        None => {
            debug_assert!(instance.config.signup.disabled, "else the account would be made");
            refuse(SIGNUP_DISABLED)
        }
    }
}

/// Finds or creates the account. Both cases run the same number of statements, so that timing does
/// not reveal whether the account existed.
async fn find_or_make(
    instance: &Instance,
    conn: &mut PgConnection,
    email: &EmailAddress,
    fresh: AccountRow,
) -> Outcome<(AccountRow, SignUp)> {
    let password_hash = Some(instance.hasher.dummy_hash());
    let new = AccountRow { password_hash, unproven: true, ..fresh.clone() };
    let made = store::accounts::insert(conn, &new).await?;
    let Some(mut row) = store::accounts::lock_by_email(conn, email.as_str(), &fresh.aud).await?
    else {
        // The account was deleted between the two statements. The user can simply try again.
        return refuse(SIGNUP_DISABLED);
    };
    if made {
        mirror_claims(&mut row, email);
        accounts::put_own_identity(instance, conn, &mut row, "email").await?;
        return Ok((row, SignUp::First));
    }
    store::identities::of_accounts(conn, &[row.id]).await?;
    let sign_up = as_if_made(&row, fresh, email);
    Ok((row, sign_up))
}

/// Returns the sign-up that the request would have created if the account did not exist yet.
fn as_if_made(row: &AccountRow, fresh: AccountRow, email: &EmailAddress) -> SignUp {
    let mut own = AccountRow { id: row.id, ..fresh };
    mirror_claims(&mut own, email);
    SignUp::later(own)
}
