//! Credentials: setting them, revoking them, and removing them from unproven sign-ups.
//!
//! Anyone can sign up with an address they do not own and leave a password and data in the account.
//! Whoever later proves ownership of the address gets the account, and must not inherit a
//! stranger's credentials (account pre-hijacking): everything unproven is removed, unless the proof
//! confirms that very sign-up.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::accounts;
use super::messages::asked_by;
use super::notices::{Notice, notify};
use crate::instance::{Instance, RequestContext};
use crate::refusal::Outcome;
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::one_time_tokens::OneTimeTokenRow;

/// The sign-up that a confirmation code belongs to.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SignUp {
    /// The sign-up that created the account, whose data is already in it.
    First,
    /// A later sign-up for the address of a still unconfirmed account. Its data is kept here until
    /// confirmed, so that the reader of the email does not confirm data that others submitted.
    Later { password_hash: Option<String>, user_metadata: Value },
}

impl SignUp {
    /// Builds a later sign-up from `row`, the account as this sign-up would have created it.
    pub(crate) fn later(row: AccountRow) -> Self {
        Self::Later { password_hash: row.password_hash, user_metadata: row.user_metadata }
    }

    /// Reads the sign-up stored with a code. Returns `None` if the code confirms only an address.
    pub(crate) fn of(token: &OneTimeTokenRow) -> Option<Self> {
        Self::deserialize(token.sign_up.as_ref()?).ok()
    }

    /// Returns the sign-up that a resent code confirms: the caller's own, or else the one shared by
    /// all pending codes. If several different sign-ups are pending, it is unknown which one is
    /// meant, and the code confirms the address alone.
    pub(crate) async fn pending(
        instance: &Instance,
        conn: &mut PgConnection,
        account: Uuid,
        kind: &str,
        context: &RequestContext,
    ) -> Outcome<Option<Self>> {
        let waiting = store::one_time_tokens::of_account(conn, account, kind).await?;
        let own = asked_by(instance, context);
        if let Some(token) = waiting.iter().find(|token| token.asked_by == own) {
            return Ok(Self::of(token));
        }
        let first = waiting.first();
        let alike = waiting.iter().all(|t| first.is_some_and(|first| t.sign_up == first.sign_up));
        Ok(first.filter(|_| alike).and_then(Self::of))
    }
}

/// Sets the password, ends all sessions except `keep`, and revokes everything else that could still
/// admit somebody who had access before. The caller saves the row.
pub(crate) async fn set_password(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &mut AccountRow,
    hash: String,
    keep: Option<Uuid>,
) -> Outcome<()> {
    row.password_hash = Some(hash);
    store::sessions::delete_all_but(conn, row.id, keep).await?;
    end_outstanding(conn, row).await?;
    notify(instance, conn, row.email.as_deref(), Notice::PasswordChanged).await;
    Ok(())
}

/// Revokes all outstanding codes, links and pending sign-ins of the account. A pending change of
/// address is dropped too, because anyone could request its codes again. The caller saves the row.
pub(crate) async fn end_outstanding(conn: &mut PgConnection, row: &mut AccountRow) -> Outcome<()> {
    row.new_email = None;
    row.new_phone = None;
    store::one_time_tokens::delete_of_account(conn, row.id).await?;
    store::flows::delete_of_account(conn, row.id).await?;
    Ok(store::provider_flows::delete_of_account(conn, row.id).await?)
}

/// Removes every credential that an unproven sign-up could use to return. The caller saves the row.
pub(crate) async fn remove_unproven_credentials(
    conn: &mut PgConnection,
    row: &mut AccountRow,
) -> Outcome<()> {
    row.password_hash = None;
    end_outstanding(conn, row).await?;
    store::sessions::delete_all_but(conn, row.id, None).await?;
    Ok(store::factors::delete_of_account(conn, row.id).await?)
}

/// Hands the account to whoever is about to prove its email address or phone number (`provider` is
/// `email` or `phone`), unless it has been proven before. The caller records the proof and saves
/// the row.
pub(crate) async fn claim_for_prover(
    conn: &mut PgConnection,
    row: &mut AccountRow,
    provider: &str,
    sign_up: Option<SignUp>,
) -> Outcome<()> {
    let by_email = provider == "email";
    let proven_at = if by_email { row.email_confirmed_at } else { row.phone_confirmed_at };
    if proven_at.is_some() || !row.unproven {
        return Ok(());
    }
    let (password_hash, user_metadata) = match sign_up {
        Some(SignUp::First) => return Ok(()),
        Some(SignUp::Later { password_hash, user_metadata }) => (password_hash, user_metadata),
        None => (None, json!({})),
    };
    remove_unproven_credentials(conn, row).await?;
    store::identities::delete_all_but(conn, row.id, provider).await?;
    accounts::list_providers(conn, row).await?;
    // The other contact is unproven and could be used to sign in, so it is removed as well.
    if by_email {
        row.phone = None;
        row.phone_confirmed_at = None;
    } else {
        row.email = None;
        row.email_confirmed_at = None;
    }
    row.password_hash = password_hash;
    row.user_metadata = user_metadata;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_sign_ups_can_be_read_back() {
        let kept =
            |sign_up: &SignUp| serde_json::to_value(sign_up).expect("the data has no unknown keys");
        assert_eq!(kept(&SignUp::First), json!("first"));
        let later = SignUp::Later {
            password_hash: Some("hash".to_owned()),
            user_metadata: json!({"name": "Ann"}),
        };
        let value = kept(&later);
        let read = SignUp::deserialize(&value).expect("the data was just stored");
        assert!(matches!(
            read,
            SignUp::Later { password_hash: Some(hash), user_metadata }
                if hash == "hash" && user_metadata["name"] == "Ann"
        ));
    }
}
