//! Sign-in by a code sent to a phone (identity behaviour, 6.9), and resending such a code (6.12).

use limber_api::identity::{OtpRequest, ResendKind};
use serde_json::Value;
use sqlx::{PgConnection, PgTransaction};

use super::accounts;
use super::address::PhoneNumber;
use super::credentials::SignUp;
use super::sign_up::mirror_phone_claims;
use super::texts::{self, TextKind};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    OTP_PHONE_DISABLED, OTP_SIGNUP_DISABLED, Outcome, RequestError, SIGNUP_DISABLED, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::texts::{Channel, SendPermit};

/// Sends a code and returns the SMS provider's message id, if it gave one. Creates a missing
/// account unless the request forbids it.
pub(crate) async fn send(
    instance: &Instance,
    request: OtpRequest,
    context: &RequestContext,
) -> Outcome<Option<String>> {
    let channel = texts::read_channel(instance, request.channel.as_deref())?;
    if !instance.config.signup.phone {
        return refuse(OTP_PHONE_DISABLED);
    }
    let phone = PhoneNumber::parse(request.phone.as_deref().unwrap_or_default())?;
    accounts::check_size_of_sign_up(request.data.as_ref())?;
    let permit = instance.texts.acquire_permit().await?;
    let mut tx = instance.begin().await?;
    texts::start_timer(instance, &mut tx, TextKind::Phone, phone.as_str(), context).await?;
    let (mut row, sign_up) = find_or_make(instance, &mut tx, &phone, request, context).await?;
    let now = instance.now();
    // Requesting a code proves nothing and must not confirm data that others left in the account.
    let is_own = matches!(sign_up, SignUp::First) || !row.unproven;
    if instance.config.signup.phone_autoconfirm && is_own {
        row.phone_confirmed_at.get_or_insert(now);
        row.note_proof();
    }
    row.confirmation_sent_at = Some(now);
    row.updated_at = now;
    accounts::put_own_identity(instance, &mut tx, &mut row, "phone").await?;
    store::accounts::save(&mut tx, &row).await?;
    let to = (TextKind::Phone, phone.as_str(), channel);
    let sign_up = Some(&sign_up).filter(|_| row.phone_confirmed_at.is_none());
    let id = texts::send_code_of(instance, &mut tx, &permit, &row, to, sign_up, context).await?;
    instance.commit(tx).await?;
    Ok(id)
}

/// Finds or creates the account. Creation is attempted first, so that a known number takes as long
/// as an unknown one.
async fn find_or_make(
    instance: &Instance,
    conn: &mut PgConnection,
    phone: &PhoneNumber,
    request: OtpRequest,
    context: &RequestContext,
) -> Outcome<(AccountRow, SignUp)> {
    let may_make = request.create_user != Some(false);
    let mut fresh = accounts::blank(instance, &context.aud);
    fresh.phone = Some(phone.as_str().to_owned());
    fresh.user_metadata = Value::Object(request.data.unwrap_or_default());
    fresh.unproven = true;
    if may_make && !instance.config.signup.disabled && store::accounts::insert(conn, &fresh).await?
    {
        mirror_phone_claims(&mut fresh, phone);
        return Ok((fresh, SignUp::First));
    }
    match store::accounts::lock_by_phone(conn, phone.as_str(), &context.aud).await? {
        Some(row) => {
            fresh.id = row.id;
            mirror_phone_claims(&mut fresh, phone);
            Ok((row, SignUp::later(fresh)))
        }
        None if !may_make => refuse(OTP_SIGNUP_DISABLED),
        None if instance.config.signup.disabled => refuse(SIGNUP_DISABLED),
        None => Err(RequestError::Failed("an account vanished while it was made".into())),
    }
}

/// Resends a pending confirmation. Neither the answer nor its timing reveals whether there is one.
pub(crate) async fn resend(
    instance: &Instance,
    kind: ResendKind,
    phone: &PhoneNumber,
    context: &RequestContext,
) -> Outcome<()> {
    let kind = match kind {
        ResendKind::PhoneChange => TextKind::PhoneChange,
        _ => TextKind::Phone,
    };
    let permit = instance.texts.acquire_permit().await?;
    let mut tx = instance.begin().await?;
    texts::start_timer(instance, &mut tx, kind, phone.as_str(), context).await?;
    let found = store::accounts::lock_by_phone(&mut tx, phone.as_str(), &context.aud).await?;
    let waiting = found.and_then(|row| {
        let number = match kind {
            TextKind::PhoneChange => row.new_phone.clone(),
            _ => row.phone.clone().filter(|_| row.phone_confirmed_at.is_none()),
        };
        number.map(|number| (row, number))
    });
    let Some((row, number)) = waiting else {
        texts::count_text(instance, context)?;
        instance.texts.pretend(&permit).await;
        return instance.commit(tx).await;
    };
    match resend_to(instance, tx, &permit, row, (kind, &number), context).await {
        // A failure is only logged, because for an unknown number nothing could have failed.
        Err(RequestError::Refused(refusal)) if matches!(refusal.status, 422 | 503) => {
            // the waiting time began for an unknown number, so it begins for this one, too
            let mut tx = instance.begin().await?;
            texts::start_timer(instance, &mut tx, kind, phone.as_str(), context).await?;
            instance.commit(tx).await
        }
        outcome => outcome,
    }
}

async fn resend_to(
    instance: &Instance,
    mut tx: PgTransaction<'static>,
    permit: &SendPermit,
    mut row: AccountRow,
    (kind, number): (TextKind, &str),
    context: &RequestContext,
) -> Outcome<()> {
    let now = instance.now();
    match kind {
        TextKind::PhoneChange => row.phone_change_sent_at = Some(now),
        _ => row.confirmation_sent_at = Some(now),
    }
    row.updated_at = now;
    store::accounts::save(&mut tx, &row).await?;
    let sign_up = SignUp::pending(instance, &mut tx, row.id, kind.as_str(), context).await?;
    let (to, sign_up) = ((kind, number, Channel::Sms), sign_up.as_ref());
    texts::send_code_of(instance, &mut tx, permit, &row, to, sign_up, context).await?;
    instance.commit(tx).await
}
