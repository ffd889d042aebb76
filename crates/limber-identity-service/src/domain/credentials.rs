//! What one signs in with: set, ended, and taken from whoever had no right to it.
//!
//! Whoever signs up leaves a password, data and perhaps more in an account before anybody proved
//! that its address is theirs. Whoever proves it later gets the account, and must not find a
//! stranger in it: all of that goes, unless what is proven is that very sign-up.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::accounts;
use super::messages::asked_by;
use super::notices::{Notice, notify};
use crate::instance::{Asker, Instance};
use crate::refusal::Outcome;
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::one_time_tokens::OneTimeTokenRow;

/// Whose sign-up a code confirms.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SignUp {
    /// That which made the account: what is there is what it left.
    First,
    /// One with the address of an account that nobody had proven yet. What it brought stays here
    /// until then: whoever reads the mail must not confirm what others wrote.
    Later { password_hash: Option<String>, user_metadata: Value },
}

impl SignUp {
    /// `row`: the account as this sign-up would have made it.
    pub(crate) fn later(row: AccountRow) -> Self {
        Self::Later { password_hash: row.password_hash, user_metadata: row.user_metadata }
    }

    /// None where the code confirms an address and nothing else.
    pub(crate) fn of(token: &OneTimeTokenRow) -> Option<Self> {
        Self::deserialize(token.sign_up.as_ref()?).ok()
    }

    /// What a code confirms that is sent once more: what the caller's own did, else what all that
    /// wait do alike. Where several signed up nobody knows whose is asked for, and it confirms the
    /// address alone.
    pub(crate) async fn that_waits(
        instance: &Instance,
        conn: &mut PgConnection,
        account: Uuid,
        kind: &str,
        asker: &Asker,
    ) -> Outcome<Option<Self>> {
        let waiting = store::one_time_tokens::of_account(conn, account, kind).await?;
        let own = asked_by(instance, asker);
        if let Some(token) = waiting.iter().find(|token| token.asked_by == own) {
            return Ok(Self::of(token));
        }
        let first = waiting.first();
        let alike = waiting.iter().all(|t| first.is_some_and(|first| t.sign_up == first.sign_up));
        Ok(first.filter(|_| alike).and_then(Self::of))
    }
}

/// Sets a password, which ends the sessions but for `keep`, and whatever else could still let in
/// somebody who had access before. The caller saves the row.
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

/// Ends what was sent, handed out or begun in the account's name and not used yet. A change of
/// address that waits ends as well, because its codes could be asked for again by anybody. The
/// caller saves the row.
pub(crate) async fn end_outstanding(conn: &mut PgConnection, row: &mut AccountRow) -> Outcome<()> {
    row.new_email = None;
    row.new_phone = None;
    store::one_time_tokens::delete_of_account(conn, row.id).await?;
    store::flows::delete_of_account(conn, row.id).await?;
    Ok(store::provider_flows::delete_of_account(conn, row.id).await?)
}

/// Takes away what somebody who proved nothing could come back with. The caller saves the row.
pub(crate) async fn forget_who_came_first(
    conn: &mut PgConnection,
    row: &mut AccountRow,
) -> Outcome<()> {
    row.password_hash = None;
    end_outstanding(conn, row).await?;
    store::sessions::delete_all_but(conn, row.id, None).await?;
    Ok(store::factors::delete_of_account(conn, row.id).await?)
}

/// Hands the account over to whoever is about to prove its address or number, as `provider`
/// (`email` or `phone`) says, if nobody has done so before. The caller notes the proof and saves
/// the row.
pub(crate) async fn take_over(
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
    forget_who_came_first(conn, row).await?;
    store::identities::delete_all_but(conn, row.id, provider).await?;
    accounts::list_providers(conn, row).await?;
    // the other one is a way in, too
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
    fn a_sign_up_is_read_as_it_was_kept() {
        let kept = |sign_up: &SignUp| serde_json::to_value(sign_up).expect("it has no odd keys");
        assert_eq!(kept(&SignUp::First), json!("first"));
        let later = SignUp::Later {
            password_hash: Some("hash".to_owned()),
            user_metadata: json!({"name": "Ann"}),
        };
        let value = kept(&later);
        let read = SignUp::deserialize(&value).expect("it was just kept");
        assert!(matches!(
            read,
            SignUp::Later { password_hash: Some(hash), user_metadata }
                if hash == "hash" && user_metadata["name"] == "Ann"
        ));
    }
}
