//! Management of second factors by administrators, for users who have lost a device.

use limber_api::identity::{Factor, UpdateFactorRequest};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{MAX_NAME_CHARS, describe, describe_all, find, take_away};
use crate::domain::address::PhoneNumber;
use crate::domain::audit::{self, Action, Actor};
use crate::instance::Instance;
use crate::refusal::{
    ADMIN_UNKNOWN_ACCOUNT, FACTOR_HAS_NO_PHONE, FACTOR_NAME_TOO_LONG, FACTOR_PHONE_TAKEN, Outcome,
    Refusal, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;

async fn lock(conn: &mut PgConnection, account: Uuid) -> Outcome<AccountRow> {
    match store::accounts::lock(conn, account).await? {
        Some(row) => Ok(row),
        None => refuse(ADMIN_UNKNOWN_ACCOUNT),
    }
}

pub(crate) async fn list(instance: &Instance, account: Uuid) -> Outcome<Vec<Factor>> {
    let mut conn = instance.pool.acquire().await?;
    if store::accounts::find(&mut conn, account).await?.is_none() {
        return refuse(ADMIN_UNKNOWN_ACCOUNT);
    }
    Ok(describe_all(&store::factors::of_accounts(&mut conn, &[account]).await?))
}

/// Removes a factor and returns its last state.
pub(crate) async fn delete(
    instance: &Instance,
    account: Uuid,
    factor: Uuid,
    by: &Actor,
) -> Outcome<Factor> {
    let mut tx = instance.begin().await?;
    let row = lock(&mut tx, account).await?;
    let factor = find(&mut tx, account, factor).await?;
    take_away(instance, &mut tx, &row, &factor).await?;
    note(instance, &mut tx, by, Action::FactorDeleted, &row, factor.id).await?;
    instance.commit(tx).await?;
    Ok(describe(&factor))
}

/// Changes a factor's name or number immediately and without a code, on the administrator's
/// authority.
pub(crate) async fn update(
    instance: &Instance,
    account: Uuid,
    factor: Uuid,
    request: UpdateFactorRequest,
    by: &Actor,
) -> Outcome<Factor> {
    let set = |text: Option<String>| text.filter(|text| !text.is_empty());
    let phone = set(request.phone).map(|text| PhoneNumber::parse(&text)).transpose()?;
    let mut tx = instance.begin().await?;
    let row = lock(&mut tx, account).await?;
    let mut factor = find(&mut tx, account, factor).await?;
    let others = store::factors::of_accounts(&mut tx, &[account]).await?;
    let mut others = others.iter().filter(|other| other.id != factor.id);
    if let Some(name) = set(request.friendly_name) {
        if name.chars().count() > MAX_NAME_CHARS {
            return refuse(FACTOR_NAME_TOO_LONG);
        }
        if others.clone().any(|other| other.friendly_name == name) {
            return refuse(Refusal::factor_name_taken(&name));
        }
        factor.friendly_name = name;
    }
    if let Some(phone) = phone {
        if factor.phone.is_none() {
            return refuse(FACTOR_HAS_NO_PHONE);
        }
        if others.any(|other| other.phone.as_deref() == Some(phone.as_str())) {
            return refuse(FACTOR_PHONE_TAKEN);
        }
        factor.phone = Some(phone.as_str().to_owned());
    }
    factor.updated_at = instance.now();
    store::factors::save(&mut tx, &factor).await?;
    note(instance, &mut tx, by, Action::FactorUpdated, &row, factor.id).await?;
    tx.commit().await?;
    Ok(describe(&factor))
}

async fn note(
    instance: &Instance,
    conn: &mut PgConnection,
    by: &Actor,
    action: Action,
    row: &AccountRow,
    factor: Uuid,
) -> Outcome<()> {
    let mut traits = audit::traits_of(row);
    traits["factor_id"] = factor.to_string().into();
    audit::note(instance, conn, by, action, traits).await
}
