//! Resends a confirmation. The answer does not reveal whether anything was sent.

use limber_api::identity::{ResendKind, ResendRequest};
use sqlx::PgConnection;

use super::accounts::or_stand_in;
use super::address::{EmailAddress, PhoneNumber};
use super::credentials::SignUp;
use super::messages::{CodeKind, count_email, send_code_of};
use super::timers::{self, Purpose};
use super::{exchange_code, phone_code, update_account};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    MAIL_DISABLED, Outcome, RESEND_BOTH, RESEND_NEEDS_EMAIL, RESEND_NEEDS_PHONE, RESEND_NEITHER,
    RESEND_TYPE, TEXTS_DISABLED, refuse,
};
use crate::store;
use crate::tokens::pkce::Challenge;

pub(crate) async fn resend(
    instance: &Instance,
    request: ResendRequest,
    context: &RequestContext,
) -> Outcome<()> {
    let (kind, email) = match check(instance, &request)? {
        (kind, Address::Email(email)) => (kind, email),
        (kind, Address::Phone(phone)) => {
            return phone_code::resend(instance, kind, &phone, context).await;
        }
    };
    let challenge = Challenge::read(
        request.code_challenge.as_deref(),
        request.code_challenge_method.as_deref(),
    )?;
    let mut tx = instance.begin().await?;
    match kind {
        ResendKind::Signup => {
            resend_confirmation(instance, &mut tx, &email, challenge.as_ref(), context).await?;
        }
        _ => resend_change(instance, &mut tx, &email, challenge.as_ref(), context).await?,
    }
    instance.commit(tx).await
}

async fn resend_confirmation(
    instance: &Instance,
    conn: &mut PgConnection,
    email: &EmailAddress,
    challenge: Option<&Challenge>,
    context: &RequestContext,
) -> Outcome<()> {
    let gap = instance.config.mailer.confirmation_gap();
    let to = (email.as_str(), gap);
    timers::start(instance, conn, Purpose::Confirmation, to, context).await?;
    let found = store::accounts::lock_by_email(conn, email.as_str(), &context.aud).await?;
    let waiting = found.filter(|row| row.email_confirmed_at.is_none());
    let (mut row, recipient) = or_stand_in(instance, waiting, &context.aud, email);
    count_email(instance, context)?;
    row.confirmation_sent_at = Some(instance.now());
    row.updated_at = instance.now();
    store::accounts::save(conn, &row).await?;
    let kind = CodeKind::Confirmation;
    let sign_up = SignUp::pending(instance, conn, row.id, kind.as_str(), context).await?;
    let flow = exchange_code::begin(instance, conn, challenge, "email/signup").await?;
    let code = (kind, sign_up.as_ref());
    send_code_of(instance, conn, (&row, recipient), code, flow, context).await
}

async fn resend_change(
    instance: &Instance,
    conn: &mut PgConnection,
    email: &EmailAddress,
    challenge: Option<&Challenge>,
    context: &RequestContext,
) -> Outcome<()> {
    let found = store::accounts::lock_by_email(conn, email.as_str(), &context.aud).await?;
    let waiting = found.filter(|row| row.new_email.is_some());
    let (mut row, recipient) = or_stand_in(instance, waiting, &context.aud, email);
    // A stand-in account has no new address, so its decoy code uses the given one.
    row.new_email.get_or_insert_with(|| email.as_str().to_owned());
    update_account::send_change_codes(instance, conn, (&mut row, recipient), challenge, context)
        .await?;
    Ok(store::accounts::save(conn, &row).await?)
}

enum Address {
    Email(EmailAddress),
    Phone(PhoneNumber),
}

fn check(instance: &Instance, request: &ResendRequest) -> Outcome<(ResendKind, Address)> {
    let set = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let Some(kind) = request.kind.as_deref().and_then(ResendKind::parse) else {
        return refuse(RESEND_TYPE);
    };
    let by_mail = matches!(kind, ResendKind::Signup | ResendKind::EmailChange);
    match (set(&request.email), set(&request.phone)) {
        (Some(_), Some(_)) => refuse(RESEND_BOTH),
        (None, None) => refuse(RESEND_NEITHER),
        (None, Some(_)) if by_mail => refuse(RESEND_NEEDS_EMAIL),
        (Some(_), None) if !by_mail => refuse(RESEND_NEEDS_PHONE),
        (Some(_), None) if !instance.config.signup.email => refuse(MAIL_DISABLED),
        (None, Some(_)) if !instance.config.signup.phone => refuse(TEXTS_DISABLED),
        (Some(email), None) => Ok((kind, Address::Email(EmailAddress::parse(&email)?))),
        (None, Some(phone)) => Ok((kind, Address::Phone(PhoneNumber::parse(&phone)?))),
    }
}
