//! Sign-up by phone number and password (identity behaviour, 6.1).

use limber_api::identity::Account;
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{SignUpParams, SignedUp, confirm_and_start};
use crate::domain::accounts;
use crate::domain::address::PhoneNumber;
use crate::domain::credentials::SignUp;
use crate::domain::texts::{self, TextKind};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{ALREADY_REGISTERED, Outcome, refuse};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::texts::{Channel, SendPermit};

pub(super) async fn by_phone(
    instance: &Instance,
    params: &SignUpParams,
    (phone, channel): (&PhoneNumber, Channel),
    hash: String,
    context: &RequestContext,
) -> Outcome<SignedUp> {
    if instance.config.signup.phone_autoconfirm {
        return at_once(instance, params, phone, hash, context).await;
    }
    let permit = instance.texts.acquire_permit().await?;
    let mut tx = instance.begin().await?;
    texts::start_timer(instance, &mut tx, TextKind::Phone, phone.as_str(), context).await?;
    let mut fresh = fresh(instance, params, phone, hash, context);
    if store::accounts::insert(&mut tx, &fresh).await? {
        mirror_claims(&mut fresh, phone);
        accounts::put_own_identity(instance, &mut tx, &mut fresh, "phone").await?;
        let own = (channel, &SignUp::First);
        let account = send_confirmation(instance, &mut tx, &permit, fresh, own, context).await?;
        instance.commit(tx).await?;
        return Ok(SignedUp::Waiting(Box::new(account)));
    }
    let found = store::accounts::lock_by_phone(&mut tx, phone.as_str(), &context.aud).await?;
    let Some(row) = found else {
        // The account was deleted between the two statements. The user can simply try again.
        return refuse(ALREADY_REGISTERED);
    };
    if row.is_confirmed() && instance.config.mailer.autoconfirm {
        return refuse(ALREADY_REGISTERED);
    }
    if row.is_confirmed() {
        texts::count_text(instance, context)?;
        instance.texts.pretend(&permit).await;
        instance.commit(tx).await?;
        let account = fabricate(instance, params, phone, &context.aud);
        return Ok(SignedUp::Waiting(Box::new(account)));
    }
    fresh.id = row.id;
    mirror_claims(&mut fresh, phone);
    let own = (channel, &SignUp::later(fresh));
    let account = send_confirmation(instance, &mut tx, &permit, row, own, context).await?;
    instance.commit(tx).await?;
    Ok(SignedUp::Waiting(Box::new(account)))
}

/// Creates the account and signs it in immediately, where numbers need no confirmation.
async fn at_once(
    instance: &Instance,
    params: &SignUpParams,
    phone: &PhoneNumber,
    hash: String,
    context: &RequestContext,
) -> Outcome<SignedUp> {
    let mut tx = instance.begin().await?;
    let mut fresh = fresh(instance, params, phone, hash, context);
    if !store::accounts::insert(&mut tx, &fresh).await? {
        return refuse(ALREADY_REGISTERED);
    }
    mirror_claims(&mut fresh, phone);
    let session = confirm_and_start(instance, &mut tx, fresh, "phone", context).await?;
    tx.commit().await?;
    Ok(session)
}

fn fresh(
    instance: &Instance,
    params: &SignUpParams,
    phone: &PhoneNumber,
    hash: String,
    context: &RequestContext,
) -> AccountRow {
    let mut fresh = accounts::blank(instance, &context.aud);
    fresh.phone = Some(phone.as_str().to_owned());
    fresh.password_hash = Some(hash);
    fresh.user_metadata = Value::Object(params.data.clone().unwrap_or_default());
    fresh.unproven = true;
    fresh
}

/// Copies the identity's claims into the account's user metadata (identity behaviour, 4.1).
pub(in crate::domain) fn mirror_claims(row: &mut AccountRow, phone: &PhoneNumber) {
    let claims = json!({
        "sub": row.id.to_string(), "phone": phone.as_str(),
        "email_verified": false, "phone_verified": false,
    });
    accounts::merge(&mut row.user_metadata, accounts::object(&claims));
}

async fn send_confirmation(
    instance: &Instance,
    conn: &mut PgConnection,
    permit: &SendPermit,
    mut row: AccountRow,
    (channel, sign_up): (Channel, &SignUp),
    context: &RequestContext,
) -> Outcome<Account> {
    let now = instance.now();
    row.confirmation_sent_at = Some(now);
    row.updated_at = now;
    store::accounts::save(conn, &row).await?;
    let number = row.phone.clone().unwrap_or_default();
    let to = (TextKind::Phone, number.as_str(), channel);
    texts::send_code_of(instance, conn, permit, &row, to, Some(sign_up), context).await?;
    accounts::record(conn, &row).await
}

/// Returns a fabricated account for a sign-up with a taken number. Only the submitted values are
/// real, so the answer does not reveal that the account exists.
fn fabricate(
    instance: &Instance,
    params: &SignUpParams,
    phone: &PhoneNumber,
    aud: &str,
) -> Account {
    let mut row = accounts::blank(instance, aud);
    row.phone = Some(phone.as_str().to_owned());
    row.role = String::new();
    row.confirmation_sent_at = Some(row.created_at);
    row.app_metadata = json!({"provider": "phone", "providers": ["phone"]});
    row.user_metadata = Value::Object(params.data.clone().unwrap_or_default());
    accounts::describe(&row, Vec::new())
}
