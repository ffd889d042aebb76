//! Signing in by a mailed link or its code, without a password (identity behaviour, 6.9 and
//! 6.10). Who has no account gets one, where that is allowed, and confirms it by the same mail.

use limber_api::identity::MagicLinkRequest;
use serde_json::Value;
use sqlx::PgConnection;

use super::address::EmailAddress;
use super::messages::{CodeKind, Reader, count_email, send_code};
use super::sign_up::mirror_claims;
use super::timers::{self, Purpose};
use super::{accounts, exchange_code};
use crate::instance::{Asker, Instance};
use crate::refusal::{
    EMAIL_LOGINS_DISABLED, MAGIC_LINK_WITHOUT_EMAIL, MAGIC_LINKS_DISABLED, OTP_SIGNUP_DISABLED,
    Outcome, SIGNUP_DISABLED, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::tokens::pkce::Challenge;

/// Whether an unknown address may become an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    SignUp,
    Refuse,
}

pub(crate) async fn send(
    instance: &Instance,
    request: MagicLinkRequest,
    unknown: Unknown,
    asker: &Asker,
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
    let mut tx = instance.begin().await?;
    for purpose in [Purpose::Recovery, Purpose::Confirmation] {
        // both, because which of the two mails it will be must not show
        timers::start(instance, &mut tx, purpose, email.as_str(), mailer.other_gap()).await?;
    }
    let data = request.data.unwrap_or_default();
    let mut row = match unknown {
        Unknown::SignUp if !instance.config.signup.disabled => {
            find_or_make(instance, &mut tx, &email, Value::Object(data), asker).await?
        }
        _ => find(instance, &mut tx, &email, unknown, asker).await?,
    };
    count_email(instance, Reader::Known)?;
    let kind = begin(instance, &mut row);
    if mailer.autoconfirm {
        accounts::put_own_identity(instance, &mut tx, &mut row, "email").await?;
    }
    store::accounts::save(&mut tx, &row).await?;
    let method = if kind == CodeKind::MagicLink { "magiclink" } else { "email/signup" };
    let flow = exchange_code::begin(instance, &mut tx, challenge.as_ref(), method).await?;
    send_code(instance, &mut tx, &row, kind, flow, asker).await?;
    instance.commit(tx).await
}

/// Notes on the account what is sent, and says what that is. The caller saves the row.
fn begin(instance: &Instance, row: &mut AccountRow) -> CodeKind {
    let now = instance.now();
    row.updated_at = now;
    if instance.config.mailer.autoconfirm {
        row.confirm_email(now);
    }
    if row.email_confirmed_at.is_some() {
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
    asker: &Asker,
) -> Outcome<AccountRow> {
    match store::accounts::lock_by_email(conn, email.as_str(), &asker.aud).await? {
        Some(row) => Ok(row),
        None if unknown == Unknown::Refuse => refuse(OTP_SIGNUP_DISABLED),
        None => {
            debug_assert!(instance.config.signup.disabled, "else the account would be made");
            refuse(SIGNUP_DISABLED)
        }
    }
}

/// As many statements for an account that is there as for one that is made.
async fn find_or_make(
    instance: &Instance,
    conn: &mut PgConnection,
    email: &EmailAddress,
    data: Value,
    asker: &Asker,
) -> Outcome<AccountRow> {
    let mut fresh = accounts::blank(instance, &asker.aud);
    fresh.email = Some(email.as_str().to_owned());
    fresh.password_hash = Some(instance.hasher.nobodys());
    fresh.user_metadata = data;
    let made = store::accounts::insert(conn, &fresh).await?;
    let Some(mut row) = store::accounts::lock_by_email(conn, email.as_str(), &asker.aud).await?
    else {
        // deleted between the two questions; the person simply asks again
        return refuse(SIGNUP_DISABLED);
    };
    if made {
        mirror_claims(&mut row, email);
        accounts::put_own_identity(instance, conn, &mut row, "email").await?;
    } else {
        store::identities::of_accounts(conn, &[row.id]).await?;
    }
    Ok(row)
}
