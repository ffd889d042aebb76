//! Sending a confirmation again. Whether anything was sent is not told.

use limber_api::identity::{ResendKind, ResendRequest};

use super::address::EmailAddress;
use super::messages::{CodeKind, check_timer, count_email, send_code};
use super::{exchange_code, update_account};
use crate::instance::{Asker, Instance};
use crate::rate_limits::Purpose;
use crate::refusal::{
    MAIL_DISABLED, Outcome, RESEND_BOTH, RESEND_NEEDS_EMAIL, RESEND_NEEDS_PHONE, RESEND_NEITHER,
    RESEND_TYPE, TEXTS_DISABLED, refuse,
};
use crate::store;
use crate::tokens::pkce::Challenge;

pub(crate) async fn resend(
    instance: &Instance,
    request: ResendRequest,
    asker: &Asker,
) -> Outcome<()> {
    let Some((kind, email)) = check(instance, &request)? else { return Ok(()) };
    let challenge = Challenge::read(
        request.code_challenge.as_deref(),
        request.code_challenge_method.as_deref(),
    )?;
    let mailer = &instance.config.mailer;
    let (purpose, gap) = match kind {
        ResendKind::Signup => (Purpose::Confirmation, mailer.confirmation_gap()),
        _ => (Purpose::EmailChange, mailer.other_gap()),
    };
    let now = instance.now();
    instance.counters.note_address(purpose, email.as_str(), gap, now)?;
    let mut tx = instance.begin().await?;
    let found = store::accounts::lock_by_email(&mut tx, email.as_str(), &asker.aud).await?;
    let Some(mut row) = found else { return Ok(()) };
    match kind {
        ResendKind::Signup if row.email_confirmed_at.is_none() => {
            check_timer(instance, row.confirmation_sent_at, gap)?;
            count_email(instance)?;
            row.confirmation_sent_at = Some(now);
            row.updated_at = now;
            store::accounts::save(&mut tx, &row).await?;
            let method = "email/signup";
            let flow = exchange_code::begin(instance, &mut tx, challenge.as_ref(), method).await?;
            send_code(instance, &mut tx, &row, CodeKind::Confirmation, flow, asker).await?;
        }
        ResendKind::EmailChange if row.new_email.is_some() => {
            let challenge = challenge.as_ref();
            update_account::send_change_codes(instance, &mut tx, &mut row, challenge, asker)
                .await?;
            store::accounts::save(&mut tx, &row).await?;
        }
        _ => return Ok(()),
    }
    instance.commit(tx).await
}

/// `None` where there is nothing this version could send.
fn check(
    instance: &Instance,
    request: &ResendRequest,
) -> Outcome<Option<(ResendKind, EmailAddress)>> {
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
        (Some(email), None) => Ok(Some((kind, EmailAddress::parse(&email)?))),
        (None, Some(phone)) => {
            super::address::PhoneNumber::parse(&phone)?;
            Ok(None)
        }
    }
}
