//! Determines the account of a user who signs in through a provider (identity behaviour, 6.17).
//!
//! A returning user is recognised by the provider's subject. Otherwise an address that the provider
//! has verified leads to the account that has it. Otherwise a new account is created. An unverified
//! address matches nothing: whoever typed it in at the provider would gain access to its owner's
//! account.

use limber_api::identity::{ErrorCode, ProviderName};
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::domain::address::EmailAddress;
use crate::domain::audit::{self, Action, Actor};
use crate::domain::credentials::{SignUp, claim_for_prover, remove_unproven_credentials};
use crate::domain::messages::{CodeKind, Recipient, count_email, send_code_of};
use crate::domain::notices::{Notice, notify};
use crate::domain::timers::{self, Purpose};
use crate::domain::verify::is_for;
use crate::domain::{accounts, exchange_code};
use crate::instance::{Instance, RequestContext};
use crate::providers::Profile;
use crate::refusal::{
    ACCOUNT_GONE, BANNED, INVITE_MISMATCH, INVITE_UNKNOWN, LINKED_TO_ANOTHER, Outcome,
    PROVIDER_WITHOUT_EMAIL, Refusal, SIGNUP_DISABLED, refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::identities::IdentityRow;
use crate::store::one_time_tokens::OneTimeTokenRow;
use crate::tokens::pkce::Challenge;

/// A user as the provider describes them.
pub(crate) struct ExternalUser<'a> {
    pub(crate) provider: ProviderName,
    pub(crate) profile: &'a Profile,
    /// PKCE challenge for the link of a confirmation email, if one is sent.
    pub(crate) challenge: Option<&'a Challenge>,
}

/// The outcome of an admission.
pub(crate) enum Admission {
    /// The user's account, already saved.
    Admitted(Box<AccountRow>),
    /// No session yet. Changes made so far must be committed.
    Pending(Box<Refusal>),
    /// A concurrent request interfered; retry from the start.
    Retry,
}

pub(crate) async fn admit(
    instance: &Instance,
    conn: &mut PgConnection,
    external_user: &ExternalUser<'_>,
    context: &RequestContext,
) -> Outcome<Admission> {
    let found = match find_by_identity(instance, conn, external_user).await? {
        Some(row) => Some(row),
        None => match owner_of_address(conn, external_user.profile, &context.aud).await? {
            Some(row) => link_to_owner(instance, conn, external_user, row).await?,
            None => {
                let made = create_account(instance, conn, external_user, context).await?;
                if let Some(row) = &made {
                    let traits = json!({"provider": external_user.provider.as_str()});
                    let actor = Actor::of(row, context);
                    audit::note(instance, conn, &actor, Action::UserSignedUp, traits).await?;
                }
                made
            }
        },
    };
    let Some(mut row) = found else { return Ok(Admission::Retry) };
    if row.is_banned(instance.now()) {
        return refuse(BANNED);
    }
    accounts::merge_fitting(&mut row.user_metadata, external_user.profile.claims());
    adopt_address(instance, conn, external_user.profile, &mut row).await?;
    let waiting = settle_address(instance, conn, external_user, &mut row, context).await?;
    row.updated_at = instance.now();
    store::accounts::save(conn, &row).await?;
    Ok(match waiting {
        Some(refusal) => Admission::Pending(Box::new(refusal)),
        None => Admission::Admitted(Box::new(row)),
    })
}

/// Finds the account of a user who has signed in with this provider before.
async fn find_by_identity(
    instance: &Instance,
    conn: &mut PgConnection,
    external_user: &ExternalUser<'_>,
) -> Outcome<Option<AccountRow>> {
    let profile = external_user.profile;
    let provider = external_user.provider.as_str();
    let found = store::identities::find(conn, provider, &profile.subject).await?;
    let Some(identity) = found else { return Ok(None) };
    let row = store::accounts::lock(conn, identity.account_id).await?;
    let Some(row) = row.filter(|row| row.deleted_at.is_none()) else {
        return refuse(ACCOUNT_GONE);
    };
    let data = Value::Object(profile.claims());
    // The owner may have unlinked this identity while we waited for the lock on the account.
    let still = store::identities::refresh(conn, identity.id, &data, instance.now()).await?;
    Ok(Some(row).filter(|_| still))
}

/// Finds the account that has an address the provider has verified.
async fn owner_of_address(
    conn: &mut PgConnection,
    profile: &Profile,
    aud: &str,
) -> Outcome<Option<AccountRow>> {
    let proven: Vec<String> = profile.proven_emails();
    for address in &proven {
        let Some(mut row) = store::accounts::lock_by_email(conn, address, aud).await? else {
            continue;
        };
        if row.email_confirmed_at.is_none() && row.phone_confirmed_at.is_some() {
            // The account's owner proved a phone number but typed in an address that is not theirs:
            // they keep the account and lose the address.
            row.email = None;
            store::accounts::save(conn, &row).await?;
            continue;
        }
        return Ok(Some(row));
    }
    let owners = store::identities::accounts_with_proven_email(conn, &proven, aud).await?;
    match owners.first() {
        Some(id) => Ok(store::accounts::lock(conn, *id).await?),
        None => Ok(None),
    }
}

/// Links the user to the account whose address they proved. If nobody had proven the account
/// before, its unproven credentials are removed.
async fn link_to_owner(
    instance: &Instance,
    conn: &mut PgConnection,
    external_user: &ExternalUser<'_>,
    mut row: AccountRow,
) -> Outcome<Option<AccountRow>> {
    let proven = external_user.profile.proven_emails();
    let has_address = row.email.as_ref().is_some_and(|email| proven.contains(email));
    if row.is_confirmed() {
        let provider = external_user.provider.as_str();
        let email = row.email.clone();
        notify(instance, conn, email.as_deref(), Notice::IdentityLinked { provider }).await;
    } else {
        if has_address {
            claim_for_prover(conn, &mut row, "email", None).await?;
        }
        if row.unproven || row.invited_at.is_none() {
            row.user_metadata = json!({});
        }
        store::identities::delete_unproven(conn, row.id).await?;
        remove_unproven_credentials(conn, &mut row).await?;
        accounts::list_providers(conn, &mut row).await?;
    }
    if has_address {
        row.confirm_email(instance.now());
    }
    let added = add_identity(instance, conn, external_user, &mut row).await?;
    Ok(added.then_some(row))
}

async fn create_account(
    instance: &Instance,
    conn: &mut PgConnection,
    external_user: &ExternalUser<'_>,
    context: &RequestContext,
) -> Outcome<Option<AccountRow>> {
    if instance.config.signup.disabled {
        return refuse(SIGNUP_DISABLED);
    }
    let optional = instance.providers.email_is_optional(external_user.provider);
    let email = external_user.profile.best_email();
    if email.is_none() && !optional {
        return refuse(PROVIDER_WITHOUT_EMAIL);
    }
    let mut row = accounts::blank(instance, &context.aud);
    if let Some(email) = email {
        let address = EmailAddress::parse(&email.address)?;
        let owner = store::accounts::find_by_email(conn, address.as_str(), &context.aud).await?;
        // Another account has the address, and nothing shows that it belongs to this user.
        row.email = owner.is_none().then(|| address.as_str().to_owned());
        row.unproven = row.email.is_some();
        if email.verified {
            row.confirm_email(instance.now());
        }
    }
    if !store::accounts::insert(conn, &row).await? {
        return Ok(None);
    }
    let added = add_identity(instance, conn, external_user, &mut row).await?;
    Ok(added.then_some(row))
}

/// Adds the identity to the account. Returns false if it already belongs to an account. The caller
/// saves the row.
pub(super) async fn add_identity(
    instance: &Instance,
    conn: &mut PgConnection,
    external_user: &ExternalUser<'_>,
    row: &mut AccountRow,
) -> Outcome<bool> {
    let now = instance.now();
    let identity = IdentityRow {
        id: instance.random.uuid(),
        account_id: row.id,
        provider: external_user.provider.as_str().to_owned(),
        provider_id: external_user.profile.subject.clone(),
        identity_data: Value::Object(external_user.profile.claims()),
        last_sign_in_at: Some(now),
        created_at: now,
        updated_at: now,
    };
    if !store::identities::insert(conn, &identity).await? {
        return Ok(false);
    }
    accounts::note_provider(&mut row.app_metadata, external_user.provider.as_str());
    row.is_anonymous = false;
    Ok(true)
}

/// Gives an account without an email address a verified one, if it is free, and confirms an
/// unconfirmed address that the provider has verified.
pub(super) async fn adopt_address(
    instance: &Instance,
    conn: &mut PgConnection,
    profile: &Profile,
    row: &mut AccountRow,
) -> Outcome<()> {
    let proven = profile.proven_emails();
    if row.email.is_none() {
        let Some(address) = proven.first() else { return Ok(()) };
        let Ok(address) = EmailAddress::parse(address) else { return Ok(()) };
        if store::accounts::find_by_email(conn, address.as_str(), &row.aud).await?.is_none() {
            row.email = Some(address.as_str().to_owned());
        }
    }
    if row.email.as_ref().is_some_and(|email| proven.contains(email)) {
        row.confirm_email(instance.now());
    }
    Ok(())
}

/// Returns the refusal that keeps the user from getting a session, if there is still something to
/// confirm.
async fn settle_address(
    instance: &Instance,
    conn: &mut PgConnection,
    external_user: &ExternalUser<'_>,
    row: &mut AccountRow,
    context: &RequestContext,
) -> Outcome<Option<Refusal>> {
    let provider = external_user.provider;
    if row.is_confirmed() || instance.config.external.allow_unverified_email {
        return Ok(None);
    }
    if instance.config.mailer.autoconfirm {
        if row.email.is_some() {
            row.confirm_email(instance.now());
        }
        return Ok(None);
    }
    if row.email.is_some() {
        ask_for_confirmation(instance, conn, external_user, row, context).await?;
        let text = format!(
            "Unverified email with {provider}. A confirmation email has been sent to your \
             {provider} email"
        );
        return Ok(Some(needs_verification(text)));
    }
    // An unverified address that another account has must be verified at the provider. Where no
    // address is required, its absence is no obstacle.
    let nothing_to_prove = external_user.profile.best_email().is_none_or(|email| email.verified);
    if nothing_to_prove || instance.providers.email_is_optional(provider) {
        return Ok(None);
    }
    Ok(Some(needs_verification(format!(
        "Unverified email with {provider}. Verify the email with {provider} in order to sign in"
    ))))
}

fn needs_verification(text: String) -> Refusal {
    Refusal::with_text(422, ErrorCode::ProviderEmailNeedsVerification, text)
}

/// Sends the confirmation email, unless one was sent too recently.
async fn ask_for_confirmation(
    instance: &Instance,
    conn: &mut PgConnection,
    external_user: &ExternalUser<'_>,
    row: &mut AccountRow,
    context: &RequestContext,
) -> Outcome<()> {
    let Some(address) = row.email.clone() else { return Ok(()) };
    let gap = instance.config.mailer.confirmation_gap();
    let left =
        timers::try_start(instance, conn, Purpose::Confirmation, (&address, gap), context).await?;
    if left.is_some() {
        return Ok(());
    }
    count_email(instance, context)?;
    row.confirmation_sent_at = Some(instance.now());
    let flow =
        exchange_code::begin(instance, conn, external_user.challenge, "email/signup").await?;
    // The provider's user created this account. Otherwise confirming it would discard their data.
    let own = SignUp::First;
    let code = (CodeKind::Confirmation, Some(&own));
    send_code_of(instance, conn, (row, Recipient::Real), code, flow, context).await
}

/// Finds the invitation of a link, if it can still be accepted.
pub(super) async fn find_invite(
    instance: &Instance,
    conn: &mut PgConnection,
    hash: &[u8],
) -> Outcome<Option<OneTimeTokenRow>> {
    let kinds = [CodeKind::Confirmation.as_str().to_owned()];
    let found = store::one_time_tokens::find_by_hash(conn, hash, &kinds).await?;
    let lifetime = instance.config.mailer.code_lifetime;
    Ok(found.filter(|token| {
        (instance.now() - token.created_at).to_std().map_or(true, |age| age <= lifetime)
    }))
}

/// Accepts an invitation on behalf of the invited person.
pub(crate) async fn accept_invite(
    instance: &Instance,
    conn: &mut PgConnection,
    hash: &[u8],
    external_user: &ExternalUser<'_>,
) -> Outcome<AccountRow> {
    let Some(token) = find_invite(instance, conn, hash).await? else {
        return refuse(INVITE_UNKNOWN);
    };
    let row = store::accounts::lock(conn, token.account_id).await?;
    let Some(mut row) = row.filter(|row| row.invited_at.is_some() && is_for(&token, row)) else {
        return refuse(INVITE_UNKNOWN);
    };
    if row.is_banned(instance.now()) {
        return refuse(BANNED);
    }
    let told = &external_user.profile.emails;
    if !told.iter().any(|email| row.email.as_ref() == Some(&email.address)) {
        return refuse(INVITE_MISMATCH);
    }
    if !store::one_time_tokens::consume(conn, token.id).await? {
        return refuse(INVITE_UNKNOWN);
    }
    if row.unproven {
        claim_for_prover(conn, &mut row, "email", SignUp::of(&token)).await?;
    } else if !row.is_confirmed() {
        remove_unproven_credentials(conn, &mut row).await?;
    }
    if !add_identity(instance, conn, external_user, &mut row).await? {
        return refuse(LINKED_TO_ANOTHER);
    }
    accounts::merge_fitting(&mut row.user_metadata, external_user.profile.claims());
    row.confirm_email(instance.now());
    row.updated_at = instance.now();
    store::accounts::save(conn, &row).await?;
    Ok(row)
}
