//! Linking an identity to one's account, and unlinking one (identity behaviour, 6.18).

use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::admission::{ExternalUser, add_identity, adopt_address};
use crate::domain::accounts;
use crate::domain::audit::{self, Action, Actor};
use crate::domain::credentials::end_outstanding;
use crate::domain::factors::{Member, require_for_identities};
use crate::domain::notices::{Notice, notify};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    ACCOUNT_GONE, BANNED, IDENTITY_EMAIL_CONFLICT, IDENTITY_UNKNOWN, LAST_IDENTITY,
    LINKED_TO_ANOTHER, LINKED_TO_YOU, Outcome, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::identities::IdentityRow;

/// Returns the locked account of `member` if the external user's identity can be linked to it.
pub(crate) async fn check(
    instance: &Instance,
    conn: &mut PgConnection,
    member: Member,
    external_user: &ExternalUser<'_>,
) -> Outcome<AccountRow> {
    let row = store::accounts::lock(conn, member.account).await?;
    let Some(row) = row.filter(|row| row.deleted_at.is_none()) else {
        return refuse(ACCOUNT_GONE);
    };
    if row.is_banned(instance.now()) {
        return refuse(BANNED);
    }
    // Checked again, because a second factor may have been enrolled while the browser was away.
    require_for_identities(conn, member).await?;
    let (provider, subject) = (external_user.provider.as_str(), &external_user.profile.subject);
    match store::identities::find(conn, provider, subject).await? {
        Some(identity) if identity.account_id == row.id => refuse(LINKED_TO_YOU),
        Some(_) => refuse(LINKED_TO_ANOTHER),
        None => Ok(row),
    }
}

/// Links the external user's identity to the account of `member`.
pub(crate) async fn link(
    instance: &Instance,
    conn: &mut PgConnection,
    member: Member,
    external_user: &ExternalUser<'_>,
    context: &RequestContext,
) -> Outcome<AccountRow> {
    let mut row = check(instance, conn, member, external_user).await?;
    let provider = external_user.provider.as_str();
    if !add_identity(instance, conn, external_user, &mut row).await? {
        return refuse(LINKED_TO_ANOTHER);
    }
    let email = row.email.clone();
    notify(instance, conn, email.as_deref(), Notice::IdentityLinked { provider }).await;
    accounts::merge_fitting(&mut row.user_metadata, external_user.profile.claims());
    adopt_address(instance, conn, external_user.profile, &mut row).await?;
    row.updated_at = instance.now();
    store::accounts::save(conn, &row).await?;
    let (actor, traits) = (Actor::of(&row, context), json!({"provider": provider}));
    audit::note(instance, conn, &actor, Action::IdentityLinked, traits).await?;
    Ok(row)
}

/// Unlinks an identity. The account keeps at least one identity, and keeps its email address only
/// if a remaining identity has it. Outstanding codes and links are revoked, because they may have
/// been sent to the address that is removed.
pub(crate) async fn unlink(
    instance: &Instance,
    member: Member,
    identity: Uuid,
    context: &RequestContext,
) -> Outcome<()> {
    let mut tx = instance.begin().await?;
    let Some(mut row) = store::accounts::lock(&mut tx, member.account).await? else {
        return refuse(ACCOUNT_GONE);
    };
    require_for_identities(&mut tx, member).await?;
    let mut identities = store::identities::of_accounts(&mut tx, &[row.id]).await?;
    let Some(at) = identities.iter().position(|i| i.id == identity) else {
        return refuse(IDENTITY_UNKNOWN);
    };
    if identities.len() < 2 {
        return refuse(LAST_IDENTITY);
    }
    let removed = identities.remove(at);
    store::identities::delete(&mut tx, removed.id).await?;
    let (email, provider) = (row.email.clone(), removed.provider.as_str());
    notify(instance, &mut tx, email.as_deref(), Notice::IdentityUnlinked { provider }).await;
    if removed.provider == "phone" {
        row.phone = None;
        row.phone_confirmed_at = None;
    } else if email_of(&removed).is_some() && email_of(&removed) == row.email {
        take_remaining_address(instance, &mut tx, &mut row, &identities).await?;
    }
    accounts::list_providers(&mut tx, &mut row).await?;
    end_outstanding(&mut tx, &mut row).await?;
    row.updated_at = instance.now();
    store::accounts::save(&mut tx, &row).await?;
    let (actor, traits) = (Actor::of(&row, context), json!({"provider": removed.provider}));
    audit::note(instance, &mut tx, &actor, Action::IdentityUnlinked, traits).await?;
    instance.commit(tx).await
}

fn email_of(identity: &IdentityRow) -> Option<String> {
    identity.identity_data["email"].as_str().filter(|e| !e.is_empty()).map(str::to_lowercase)
}

fn is_proven(identity: &IdentityRow) -> bool {
    identity.identity_data["email_verified"] == Value::Bool(true)
}

/// Sets the account's email address to one of a remaining identity: the current one if possible,
/// otherwise preferably a verified one.
async fn take_remaining_address(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &mut AccountRow,
    identities: &[IdentityRow],
) -> Outcome<()> {
    let with_address: Vec<&IdentityRow> =
        identities.iter().filter(|identity| email_of(identity).is_some()).collect();
    if with_address.iter().any(|identity| email_of(identity) == row.email) {
        return Ok(());
    }
    let next =
        with_address.iter().find(|identity| is_proven(identity)).or(with_address.first()).copied();
    let Some(next) = next else {
        row.email = None;
        row.email_confirmed_at = None;
        return Ok(());
    };
    let address = email_of(next);
    let taken = match &address {
        Some(address) => store::accounts::find_by_email(conn, address, &row.aud).await?.is_some(),
        None => false,
    };
    if taken {
        return refuse(IDENTITY_EMAIL_CONFLICT);
    }
    row.email = address;
    row.email_confirmed_at = is_proven(next).then(|| instance.now());
    // Whoever proves this address later must not inherit what an unproven owner left in the
    // account.
    row.unproven |= !is_proven(next);
    Ok(())
}
