//! Signing in by a code that is sent to a phone (identity behaviour, 6.9), and sending such a
//! code again (6.12).

use limber_api::identity::{OtpRequest, ResendKind};
use serde_json::Value;
use sqlx::{PgConnection, PgTransaction};

use super::accounts;
use super::address::PhoneNumber;
use super::sign_up::mirror_phone_claims;
use super::texts::{self, TextKind};
use crate::instance::{Asker, Instance};
use crate::refusal::{
    OTP_PHONE_DISABLED, OTP_SIGNUP_DISABLED, Outcome, RequestError, SIGNUP_DISABLED, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::texts::{Channel, Place};

/// Sends a code; the carrier's id of the message, if it gave one. A missing account is made
/// unless the request forbids it.
pub(crate) async fn send(
    instance: &Instance,
    request: OtpRequest,
    asker: &Asker,
) -> Outcome<Option<String>> {
    let channel = texts::read_channel(instance, request.channel.as_deref())?;
    if !instance.config.signup.phone {
        return refuse(OTP_PHONE_DISABLED);
    }
    let phone = PhoneNumber::parse(request.phone.as_deref().unwrap_or_default())?;
    let place = instance.texts.place().await?;
    let mut tx = instance.begin().await?;
    texts::start_timer(instance, &mut tx, TextKind::Phone, phone.as_str()).await?;
    let mut row = find_or_make(instance, &mut tx, &phone, request, asker).await?;
    let now = instance.now();
    if instance.config.signup.phone_autoconfirm {
        row.phone_confirmed_at.get_or_insert(now);
    }
    row.confirmation_sent_at = Some(now);
    row.updated_at = now;
    accounts::put_own_identity(instance, &mut tx, &mut row, "phone").await?;
    store::accounts::save(&mut tx, &row).await?;
    let to = (TextKind::Phone, phone.as_str());
    let id = texts::send_code(instance, &mut tx, &place, &row, to, channel).await?;
    instance.commit(tx).await?;
    Ok(id)
}

/// Tries to make the account before looking for it, so that a known number takes no less time.
async fn find_or_make(
    instance: &Instance,
    conn: &mut PgConnection,
    phone: &PhoneNumber,
    request: OtpRequest,
    asker: &Asker,
) -> Outcome<AccountRow> {
    let may_make = request.create_user != Some(false);
    if may_make && !instance.config.signup.disabled {
        let mut row = accounts::blank(instance, &asker.aud);
        row.phone = Some(phone.as_str().to_owned());
        row.user_metadata = Value::Object(request.data.unwrap_or_default());
        if store::accounts::insert(conn, &row).await? {
            mirror_phone_claims(&mut row, phone);
            return Ok(row);
        }
    }
    match store::accounts::lock_by_phone(conn, phone.as_str(), &asker.aud).await? {
        Some(row) => Ok(row),
        None if !may_make => refuse(OTP_SIGNUP_DISABLED),
        None if instance.config.signup.disabled => refuse(SIGNUP_DISABLED),
        None => Err(RequestError::Failed("an account vanished while it was made".into())),
    }
}

/// Sends a confirmation again, if one is pending. Neither the answer nor its time tells whether.
pub(crate) async fn resend(
    instance: &Instance,
    kind: ResendKind,
    phone: &PhoneNumber,
    asker: &Asker,
) -> Outcome<()> {
    let kind = match kind {
        ResendKind::PhoneChange => TextKind::PhoneChange,
        _ => TextKind::Phone,
    };
    let place = instance.texts.place().await?;
    let mut tx = instance.begin().await?;
    texts::start_timer(instance, &mut tx, kind, phone.as_str()).await?;
    let found = store::accounts::lock_by_phone(&mut tx, phone.as_str(), &asker.aud).await?;
    let waiting = found.and_then(|row| {
        let number = match kind {
            TextKind::PhoneChange => row.new_phone.clone(),
            _ => row.phone.clone().filter(|_| row.phone_confirmed_at.is_none()),
        };
        number.map(|number| (row, number))
    });
    let Some((row, number)) = waiting else {
        texts::refuse_as_if_sent(instance)?;
        instance.texts.pretend(&place).await;
        return instance.commit(tx).await;
    };
    match resend_to(instance, tx, &place, row, (kind, &number)).await {
        // for a number nobody has nothing fails: the log says it
        Err(RequestError::Refused(refusal)) if refusal.status == 422 => Ok(()),
        outcome => outcome,
    }
}

async fn resend_to(
    instance: &Instance,
    mut tx: PgTransaction<'static>,
    place: &Place,
    mut row: AccountRow,
    to: (TextKind, &str),
) -> Outcome<()> {
    let now = instance.now();
    match to.0 {
        TextKind::PhoneChange => row.phone_change_sent_at = Some(now),
        _ => row.confirmation_sent_at = Some(now),
    }
    row.updated_at = now;
    store::accounts::save(&mut tx, &row).await?;
    texts::send_code(instance, &mut tx, place, &row, to, Channel::Sms).await?;
    instance.commit(tx).await
}
