//! Account management by administrators (identity behaviour, section 10).

use limber_api::identity::{Account, AdminAccountRequest};
use secrecy::SecretString;
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::accounts;
use super::address::{EmailAddress, PhoneNumber, check_audience};
use super::audit::{self, Action, Actor};
use super::credentials::{end_outstanding, set_password};
use crate::config::parse_compound;
use crate::instance::Instance;
use crate::passwords::is_known_hash;
use crate::refusal::{
    ADMIN_BAD_HASH, ADMIN_BAD_ID, ADMIN_ID_TAKEN, ADMIN_NO_ADDRESS, ADMIN_PHONE_TAKEN,
    ADMIN_TWO_PASSWORDS, ADMIN_UNKNOWN_ACCOUNT, EMAIL_TAKEN, Outcome, Refusal, refuse,
};
use crate::store;
use crate::store::accounts::{AccountRow, Page};

/// Creates an account. No email is sent, and a disabled sign-up does not apply.
pub(crate) async fn create(
    instance: &Instance,
    request: AdminAccountRequest,
    aud: &str,
    by: &Actor,
) -> Outcome<Account> {
    let aud = request.aud.as_deref().unwrap_or(aud);
    check_audience(aud)?;
    let mut row = accounts::blank(instance, aud);
    row.id = request.id.unwrap_or(row.id);
    if row.id.is_nil() {
        // The nil UUID means "nobody" elsewhere.
        return refuse(ADMIN_BAD_ID);
    }
    apply_addresses(&mut row, &request)?;
    if row.email.is_none() && row.phone.is_none() {
        return refuse(ADMIN_NO_ADDRESS);
    }
    row.password_hash = Some(match password_hash(instance, &request).await? {
        Some(hash) => hash,
        None => instance.hasher.dummy_hash(),
    });
    apply_plain_fields(instance, &mut row, &request)?;
    let mut tx = instance.begin().await?;
    refuse_taken(&mut tx, &row).await?;
    if !store::accounts::insert(&mut tx, &row).await? {
        return refuse(ADMIN_ID_TAKEN);
    }
    put_identities(instance, &mut tx, &mut row).await?;
    store::accounts::save(&mut tx, &row).await?;
    audit::note(instance, &mut tx, by, Action::UserSignedUp, audit::traits_of(&row)).await?;
    let record = accounts::record(&mut tx, &row).await?;
    tx.commit().await?;
    Ok(record)
}

pub(crate) async fn get(instance: &Instance, id: Uuid) -> Outcome<Account> {
    let mut conn = instance.pool.acquire().await?;
    match store::accounts::find(&mut conn, id).await? {
        Some(row) => accounts::record(&mut conn, &row).await,
        None => refuse(ADMIN_UNKNOWN_ACCOUNT),
    }
}

/// Returns one page of accounts and the total number of accounts.
pub(crate) async fn list(instance: &Instance, page: &Page<'_>) -> Outcome<(Vec<Account>, i64)> {
    let mut conn = instance.pool.acquire().await?;
    let total = store::accounts::count(&mut conn, page).await?;
    let rows = store::accounts::list(&mut conn, page).await?;
    Ok((accounts::records(&mut conn, &rows).await?, total))
}

/// Updates an account immediately, without confirmation. A new password ends every session; a new
/// password or address also invalidates all outstanding codes and links.
pub(crate) async fn update(
    instance: &Instance,
    id: Uuid,
    request: AdminAccountRequest,
    by: &Actor,
) -> Outcome<Account> {
    if let Some(password) = &request.password {
        instance.config.passwords.check(&password.clone().into())?;
    }
    let hash = password_hash(instance, &request).await?;
    let mut tx = instance.begin().await?;
    let Some(mut row) = store::accounts::lock(&mut tx, id).await? else {
        return refuse(ADMIN_UNKNOWN_ACCOUNT);
    };
    let before = (row.email.clone(), row.phone.clone());
    apply_addresses(&mut row, &request)?;
    if before != (row.email.clone(), row.phone.clone()) {
        end_outstanding(&mut tx, &mut row).await?;
    }
    refuse_taken(&mut tx, &row).await?;
    apply_plain_fields(instance, &mut row, &request)?;
    row.is_anonymous &= !row.is_confirmed();
    if let Some(hash) = hash {
        set_password(instance, &mut tx, &mut row, hash, None).await?;
    }
    if request.email.is_some() || request.phone.is_some() {
        put_identities(instance, &mut tx, &mut row).await?;
    }
    row.updated_at = instance.now();
    store::accounts::save(&mut tx, &row).await?;
    audit::note(instance, &mut tx, by, Action::UserModified, audit::traits_of(&row)).await?;
    let record = accounts::record(&mut tx, &row).await?;
    instance.commit(tx).await?;
    Ok(record)
}

pub(crate) async fn delete(instance: &Instance, id: Uuid, softly: bool, by: &Actor) -> Outcome<()> {
    let mut tx = instance.begin().await?;
    let Some(mut row) = store::accounts::lock(&mut tx, id).await? else {
        return refuse(ADMIN_UNKNOWN_ACCOUNT);
    };
    store::accounts::delete(&mut tx, id).await?;
    audit::note(instance, &mut tx, by, Action::UserDeleted, audit::traits_of(&row)).await?;
    if softly {
        // Insert an emptied row to keep the id reserved. All personal data went with the deleted
        // row.
        row = AccountRow {
            email: None,
            phone: None,
            new_email: None,
            new_phone: None,
            password_hash: None,
            user_metadata: json!({}),
            app_metadata: json!({}),
            ..row
        };
        store::accounts::insert(&mut tx, &row).await?;
        row.deleted_at = Some(instance.now());
        store::accounts::save(&mut tx, &row).await?;
    }
    Ok(tx.commit().await?)
}

async fn password_hash(
    instance: &Instance,
    request: &AdminAccountRequest,
) -> Outcome<Option<String>> {
    match (&request.password, &request.password_hash) {
        (Some(_), Some(_)) => refuse(ADMIN_TWO_PASSWORDS),
        (None, Some(hash)) if !is_known_hash(hash) => refuse(ADMIN_BAD_HASH),
        (None, Some(hash)) => Ok(Some(hash.clone())),
        (Some(password), None) => {
            let password = SecretString::from(password.clone());
            Ok(Some(instance.hasher.hash(&password, &*instance.random).await?))
        }
        (None, None) => Ok(None),
    }
}

/// Applies a new email address or phone number. A confirmation of the old one does not carry over.
fn apply_addresses(row: &mut AccountRow, request: &AdminAccountRequest) -> Outcome<()> {
    if let Some(email) = request.email.as_deref().filter(|email| !email.is_empty()) {
        let email = EmailAddress::parse(email)?;
        if row.email.as_deref() != Some(email.as_str()) {
            row.replace_email(email.as_str());
        }
    }
    if let Some(phone) = request.phone.as_deref().filter(|phone| !phone.is_empty()) {
        let phone = PhoneNumber::parse(phone)?;
        if row.phone.as_deref() != Some(phone.as_str()) {
            row.phone = Some(phone.as_str().to_owned());
            row.phone_confirmed_at = None;
        }
    }
    Ok(())
}

fn apply_plain_fields(
    instance: &Instance,
    row: &mut AccountRow,
    request: &AdminAccountRequest,
) -> Outcome<()> {
    let now = instance.now();
    if let Some(role) = &request.role {
        row.role.clone_from(role);
    }
    if let Some(data) = &request.user_metadata {
        accounts::merge_checked(&mut row.user_metadata, data.clone())?;
    }
    if let Some(data) = &request.app_metadata {
        accounts::merge_checked(&mut row.app_metadata, data.clone())?;
    }
    if request.email_confirm == Some(true) && row.email.is_some() {
        row.confirm_email(now);
    }
    if request.phone_confirm == Some(true) && row.phone.is_some() {
        row.phone_confirmed_at.get_or_insert(now);
        row.note_proof();
    }
    match request.ban_duration.as_deref() {
        None | Some("") => {}
        Some("none") => row.banned_until = None,
        Some(text) => {
            let until = parse_compound(text)
                .and_then(|ban| chrono::Duration::from_std(ban).ok())
                .and_then(|ban| now.checked_add_signed(ban));
            let Some(until) = until else {
                let text = format!("invalid format for ban duration: {text:.40}");
                let code = limber_api::identity::ErrorCode::ValidationFailed;
                return refuse(Refusal::with_text(400, code, text));
            };
            row.banned_until = Some(until);
        }
    }
    Ok(())
}

async fn refuse_taken(conn: &mut PgConnection, row: &AccountRow) -> Outcome<()> {
    if let Some(email) = &row.email {
        let holder = store::accounts::find_by_email(conn, email, &row.aud).await?;
        if holder.is_some_and(|holder| holder.id != row.id) {
            return refuse(EMAIL_TAKEN);
        }
    }
    if let Some(phone) = &row.phone {
        let holder = store::accounts::find_by_phone(conn, phone, &row.aud).await?;
        if holder.is_some_and(|holder| holder.id != row.id) {
            return refuse(ADMIN_PHONE_TAKEN);
        }
    }
    Ok(())
}

async fn put_identities(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &mut AccountRow,
) -> Outcome<()> {
    if row.email.is_some() {
        accounts::put_own_identity(instance, conn, row, "email").await?;
    }
    if row.phone.is_some() {
        accounts::put_own_identity(instance, conn, row, "phone").await?;
    }
    debug_assert!(matches!(row.app_metadata, Value::Object(_)), "providers are noted there");
    Ok(())
}
