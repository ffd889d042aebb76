//! The account record: creating it, its metadata, its identities, and its JSON representation.

use chrono::{DateTime, Utc};
use limber_api::identity::{Account, AccountId, AccountIdentity, Metadata};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::address::EmailAddress;
use super::factors;
use super::messages::Recipient;
use crate::instance::Instance;
use crate::refusal::{METADATA_TOO_LARGE, Outcome, SIGN_UP_DATA_TOO_LARGE, refuse};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::identities::IdentityRow;
use crate::store::whole_accounts::AccountDetails;

/// Returns a new account row without any way to sign in.
pub(crate) fn blank(instance: &Instance, aud: &str) -> AccountRow {
    let now = instance.now();
    AccountRow {
        id: instance.random.uuid(),
        aud: aud.to_owned(),
        role: instance.config.jwt.default_role.clone(),
        email: None,
        phone: None,
        password_hash: None,
        email_confirmed_at: None,
        phone_confirmed_at: None,
        invited_at: None,
        confirmation_sent_at: None,
        recovery_sent_at: None,
        email_change_sent_at: None,
        phone_change_sent_at: None,
        reauthentication_sent_at: None,
        new_email: None,
        new_phone: None,
        last_sign_in_at: None,
        banned_until: None,
        deleted_at: None,
        app_metadata: json!({}),
        user_metadata: json!({}),
        is_anonymous: false,
        unproven: false,
        created_at: now,
        updated_at: now,
    }
}

/// Returns the account, or a stand-in row that is not in the database. Processing the stand-in
/// costs the same time and changes nothing, so callers cannot tell whether the account exists.
pub(crate) fn or_stand_in(
    instance: &Instance,
    found: Option<AccountRow>,
    aud: &str,
    email: &EmailAddress,
) -> (AccountRow, Recipient) {
    match found {
        Some(row) => (row, Recipient::Real),
        None => {
            let email = Some(email.as_str().to_owned());
            (AccountRow { email, ..blank(instance, aud) }, Recipient::Decoy)
        }
    }
}

impl AccountRow {
    pub(crate) fn is_confirmed(&self) -> bool {
        self.email_confirmed_at.is_some() || self.phone_confirmed_at.is_some()
    }

    pub(crate) fn is_banned(&self, now: DateTime<Utc>) -> bool {
        self.banned_until.is_some_and(|until| until > now)
    }

    /// Marks the email address as confirmed in every place that records it.
    pub(crate) fn confirm_email(&mut self, now: DateTime<Utc>) {
        self.email_confirmed_at.get_or_insert(now);
        merge(&mut self.user_metadata, one("email_verified", json!(true)));
        self.note_proof();
    }

    /// Marks the phone number as confirmed in every place that records it.
    pub(crate) fn confirm_phone(&mut self, now: DateTime<Utc>) {
        self.phone_confirmed_at = Some(now);
        merge(&mut self.user_metadata, one("phone_verified", json!(true)));
        self.note_proof();
    }

    /// Clears `unproven` once the account's address is confirmed, because its contents then belong
    /// to the address's owner. A phone number counts only if the account has no email address;
    /// otherwise it would vouch for an address that somebody merely typed in.
    pub(crate) fn note_proof(&mut self) {
        let proven_at = match self.email {
            Some(_) => self.email_confirmed_at,
            None => self.phone_confirmed_at,
        };
        self.unproven &= proven_at.is_none();
    }

    /// Replaces the email address by an unconfirmed one.
    pub(crate) fn replace_email(&mut self, email: &str) {
        self.email = Some(email.to_owned());
        self.email_confirmed_at = None;
        let known = object(&self.user_metadata);
        for (key, value) in [("email", json!(email)), ("email_verified", json!(false))] {
            if known.contains_key(key) {
                merge(&mut self.user_metadata, one(key, value));
            }
        }
    }
}

/// Returns an object with a single key.
pub(crate) fn one(key: &str, value: Value) -> Metadata {
    Metadata::from_iter([(key.to_owned(), value)])
}

/// Merges `changes` key by key; a `null` deletes its key.
pub(crate) fn merge(into: &mut Value, changes: Metadata) {
    if !into.is_object() {
        *into = json!({});
    }
    let object = into.as_object_mut().expect("the value was just made an object");
    for (key, value) in changes {
        if value.is_null() {
            object.remove(&key);
        } else {
            object.insert(key, value);
        }
    }
}

/// Maximum size of each metadata object, in bytes. Both are part of every access token and are read
/// with the account.
const MAX_METADATA_BYTES: usize = 64 * 1024;

/// Returns the size of the value as the database stores it. PostgreSQL writes numbers without an
/// exponent, so `1e308` takes 309 digits.
fn size_of(value: &Value) -> usize {
    fn left_out(value: &Value) -> usize {
        match value {
            Value::Number(number) => {
                let text = number.to_string();
                let exponent = text.split_once('e').and_then(|(_, e)| e.parse::<i32>().ok());
                exponent.map_or(0, |exponent| exponent.unsigned_abs() as usize)
            }
            Value::Array(items) => items.iter().map(left_out).sum(),
            Value::Object(fields) => fields.values().map(left_out).sum(),
            _ => 0,
        }
    }
    value.to_string().len() + left_out(value)
}

/// Merges the changes of a request if the result stays within the size limit, and otherwise
/// nothing. Objects that exceed the limit because they predate it can still shrink.
pub(crate) fn merge_checked(into: &mut Value, changes: Metadata) -> Outcome<()> {
    let mut merged = into.clone();
    merge(&mut merged, changes);
    let after = size_of(&merged);
    if after > MAX_METADATA_BYTES && after >= size_of(into) {
        return refuse(METADATA_TOO_LARGE);
    }
    *into = merged;
    Ok(())
}

/// Merges the claims of a provider, one by one, and leaves out those that do not fit: the size of
/// their metadata must not keep anybody from signing in.
pub(crate) fn merge_fitting(into: &mut Value, claims: Metadata) {
    for (key, value) in claims {
        // A refused claim has changed nothing.
        drop(merge_checked(into, one(&key, value)));
    }
}

/// Checks the metadata with which an administrator creates an account against the same limit.
pub(crate) fn check_size(data: Option<&Metadata>) -> Outcome<()> {
    let bytes = data.map_or(0, |data| size_of(&Value::Object(data.clone())));
    if bytes > MAX_METADATA_BYTES { refuse(METADATA_TOO_LARGE) } else { Ok(()) }
}

/// Limit on the metadata of an unconfirmed sign-up, in bytes. Such accounts are numerous, and each
/// stores the data twice: in the account and beside the pending confirmation code.
const MAX_SIGN_UP_BYTES: usize = 8 * 1024;

/// Checks the metadata of a public sign-up against the limit.
pub(crate) fn check_size_of_sign_up(data: Option<&Metadata>) -> Outcome<()> {
    let bytes = data.map_or(0, |data| size_of(&Value::Object(data.clone())));
    if bytes > MAX_SIGN_UP_BYTES { refuse(SIGN_UP_DATA_TOO_LARGE) } else { Ok(()) }
}

/// Returns the object in a JSON column, or an empty one.
pub(crate) fn object(value: &Value) -> Metadata {
    value.as_object().cloned().unwrap_or_default()
}

/// Adds the account's own email address or phone number as an identity and records it in
/// `app_metadata`. The caller saves the row.
pub(crate) async fn put_own_identity(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &mut AccountRow,
    provider: &str,
) -> Outcome<()> {
    let now = instance.now();
    let mut data = json!({
        "sub": row.id.to_string(),
        "email_verified": row.email_confirmed_at.is_some() && provider == "email",
        "phone_verified": row.phone_confirmed_at.is_some() && provider == "phone",
    });
    match provider {
        "email" => data["email"] = json!(row.email),
        _ => data["phone"] = json!(row.phone),
    }
    let identity = IdentityRow {
        id: instance.random.uuid(),
        account_id: row.id,
        provider: provider.to_owned(),
        provider_id: row.id.to_string(),
        identity_data: data,
        last_sign_in_at: Some(now),
        created_at: now,
        updated_at: now,
    };
    store::identities::put(conn, &identity).await?;
    note_provider(&mut row.app_metadata, provider);
    // An unconfirmed address does not turn an anonymous account into a known one.
    row.is_anonymous &= !row.is_confirmed();
    Ok(())
}

pub(crate) fn note_provider(app_metadata: &mut Value, provider: &str) {
    let mut providers: Vec<Value> =
        app_metadata["providers"].as_array().cloned().unwrap_or_default();
    if !providers.iter().any(|known| known == provider) {
        providers.push(json!(provider));
    }
    let first = providers[0].clone();
    merge(app_metadata, one("providers", Value::Array(providers)));
    if app_metadata.get("provider").is_none() {
        merge(app_metadata, one("provider", first));
    }
}

/// Rebuilds the provider list in `app_metadata` from the current identities. The caller saves the
/// row.
pub(crate) async fn list_providers(conn: &mut PgConnection, row: &mut AccountRow) -> Outcome<()> {
    let identities = store::identities::of_accounts(conn, &[row.id]).await?;
    let nothing = json!({"provider": null, "providers": null});
    merge(&mut row.app_metadata, object(&nothing));
    for identity in identities {
        note_provider(&mut row.app_metadata, &identity.provider);
    }
    Ok(())
}

/// Returns the account with its identities, as the endpoints present it.
pub(crate) async fn record(conn: &mut PgConnection, row: &AccountRow) -> Outcome<Account> {
    Ok(describe_whole(row, store::whole_accounts::details(conn, row.id).await?))
}

/// Like [`record`], for identities and factors that have already been read.
pub(crate) fn describe_whole(row: &AccountRow, details: AccountDetails) -> Account {
    let factors = factors::describe_all(&details.factors);
    Account { factors, ..describe(row, details.identities) }
}

/// Returns the records of several accounts, with one query per table.
pub(crate) async fn records(conn: &mut PgConnection, rows: &[AccountRow]) -> Outcome<Vec<Account>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let identities = store::identities::of_accounts(conn, &ids).await?;
    let factors = store::factors::of_accounts(conn, &ids).await?;
    let of = |id| identities.iter().filter(move |i| i.account_id == id).cloned().collect();
    let factors_of = |id| factors.iter().filter(move |f| f.account_id == id);
    let whole = |row: &AccountRow| Account {
        factors: factors::describe_all(factors_of(row.id)),
        ..describe(row, of(row.id))
    };
    Ok(rows.iter().map(whole).collect())
}

pub(crate) fn describe(row: &AccountRow, identities: Vec<IdentityRow>) -> Account {
    Account {
        id: AccountId::new(row.id),
        aud: row.aud.clone(),
        role: row.role.clone(),
        email: row.email.clone().unwrap_or_default(),
        phone: row.phone.clone().unwrap_or_default(),
        email_confirmed_at: row.email_confirmed_at,
        phone_confirmed_at: row.phone_confirmed_at,
        confirmed_at: [row.email_confirmed_at, row.phone_confirmed_at].into_iter().flatten().min(),
        invited_at: row.invited_at,
        confirmation_sent_at: row.confirmation_sent_at,
        recovery_sent_at: row.recovery_sent_at,
        email_change_sent_at: row.email_change_sent_at,
        phone_change_sent_at: row.phone_change_sent_at,
        reauthentication_sent_at: row.reauthentication_sent_at,
        new_email: row.new_email.clone(),
        new_phone: row.new_phone.clone(),
        last_sign_in_at: row.last_sign_in_at,
        banned_until: row.banned_until,
        deleted_at: row.deleted_at,
        app_metadata: object(&row.app_metadata),
        user_metadata: object(&row.user_metadata),
        identities: identities.into_iter().map(describe_identity).collect(),
        factors: Vec::new(),
        created_at: row.created_at,
        updated_at: row.updated_at,
        is_anonymous: row.is_anonymous,
    }
}

fn describe_identity(row: IdentityRow) -> AccountIdentity {
    let email = row.identity_data["email"].as_str().map(str::to_lowercase);
    AccountIdentity {
        identity_id: row.id,
        id: row.provider_id,
        user_id: AccountId::new(row.account_id),
        identity_data: object(&row.identity_data),
        provider: row.provider,
        last_sign_in_at: row.last_sign_in_at,
        created_at: row.created_at,
        updated_at: row.updated_at,
        email,
    }
}

/// Returns a fabricated account for a sign-up with a taken address. Only the submitted values are
/// real, so the answer does not reveal that the account exists.
pub(crate) fn fabricate(
    instance: &Instance,
    aud: &str,
    email: &EmailAddress,
    data: Option<Metadata>,
) -> Account {
    let mut row = blank(instance, aud);
    row.email = Some(email.as_str().to_owned());
    row.role = String::new();
    row.confirmation_sent_at = Some(row.created_at);
    row.app_metadata = json!({"provider": "email", "providers": ["email"]});
    row.user_metadata = Value::Object(data.unwrap_or_default());
    describe(&row, Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_merging_replaces_adds_and_deletes() {
        let mut value = json!({"keep": 1, "change": 1, "drop": 1});
        merge(&mut value, object(&json!({"change": {"deep": 2}, "drop": null, "new": []})));
        assert_eq!(value, json!({"keep": 1, "change": {"deep": 2}, "new": []}));
    }

    #[test]
    fn metadata_over_the_limit_can_shrink_but_not_grow() {
        let text = |bytes: usize| json!("x".repeat(bytes));
        let mut value = json!({"old": text(70_000), "more": text(10)});
        for grown in [text(11), text(10)] {
            assert!(merge_checked(&mut value, one("more", grown)).is_err());
        }
        assert!(merge_checked(&mut value, one("more", text(5))).is_ok());
        assert!(merge_checked(&mut value, one("old", text(10))).is_ok());
        // `{"a":"…"}` adds eight bytes around the text.
        assert!(check_size(Some(&one("a", text(65_536 - 8)))).is_ok());
        assert!(check_size(Some(&one("a", text(65_536 - 7)))).is_err());
        // A merge would drop null keys, but account creation stores them.
        assert!(check_size(Some(&one(&"x".repeat(65_536), Value::Null))).is_err());
    }

    #[test]
    fn claims_that_do_not_fit_are_left_out() {
        let most = "x".repeat(MAX_METADATA_BYTES - r#"{"a":"","b":1}"#.len());
        let mut value = json!({"a": most});
        merge_fitting(&mut value, object(&json!({"a name": "Ann", "b": 1, "c": 2})));
        assert_eq!(value, json!({"a": most, "b": 1}));
    }

    #[test]
    fn metadata_numbers_count_with_all_digits_that_the_database_stores() {
        for (number, more) in [(json!(1e308), 308), (json!(1.5e-300), 300), (json!(7), 0)] {
            assert_eq!(size_of(&number), number.to_string().len() + more, "{number}");
        }
        let numbers = |count: usize| one("a", json!({"b": vec![json!(1e300); count]}));
        assert!(check_size(Some(&numbers(200))).is_ok());
        assert!(check_size(Some(&numbers(250))).is_err());
        assert!(merge_checked(&mut json!({}), numbers(250)).is_err());
    }

    #[test]
    fn providers_keep_the_order_of_linking() {
        let mut value = json!({});
        note_provider(&mut value, "phone");
        note_provider(&mut value, "email");
        note_provider(&mut value, "email");
        assert_eq!(value, json!({"provider": "phone", "providers": ["phone", "email"]}));
    }
}
