//! Links that an administrator generates without sending an email (identity behaviour, 4.7 and
//! section 10).

use limber_api::identity::{ActionLink, ActionLinkKind, ActionLinkRequest, ErrorCode};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use sqlx::PgConnection;

use super::address::EmailAddress;
use super::audit::{self, Action, Actor};
use super::credentials::SignUp;
use super::messages::{CodeKind, issue_code, link};
use super::{accounts, invite};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{
    EMAIL_TAKEN, LINK_FOR_NOBODY, Outcome, Refusal, SECURE_CHANGE_OFF, SIGNUP_WITHOUT_PASSWORD,
    refuse,
};
use crate::store;
use crate::store::accounts::AccountRow;

/// A parsed request.
struct ActionLinkParams {
    kind: ActionLinkKind,
    email: EmailAddress,
    new_email: Option<EmailAddress>,
    password: Option<SecretString>,
    data: Value,
}

pub(crate) async fn generate(
    instance: &Instance,
    request: ActionLinkRequest,
    context: &RequestContext,
    by: &Actor,
) -> Outcome<ActionLink> {
    let candidates = [request.redirect_to.as_deref(), Some(context.redirect_to.as_str())];
    let redirect_to = instance.redirects.choose(candidates.into_iter().flatten());
    let mut params = read(request)?;
    let new_hash = hash_new_password(instance, &params, context).await?;
    let mut tx = instance.begin().await?;
    let found =
        store::accounts::lock_by_email(&mut tx, params.email.as_str(), &context.aud).await?;
    if found.is_none() && params.kind == ActionLinkKind::MagicLink {
        params.kind = ActionLinkKind::Signup;
    }
    let (mut row, code, sign_up) =
        prepare(instance, &mut tx, &params, found, new_hash, context).await?;
    row.updated_at = instance.now();
    store::accounts::save(&mut tx, &row).await?;
    let action = match code {
        CodeKind::Invite => Action::UserInvited,
        CodeKind::Confirmation => Action::UserConfirmationRequested,
        CodeKind::Recovery | CodeKind::MagicLink => Action::UserRecoveryRequested,
        _ => Action::UserModified,
    };
    audit::note(instance, &mut tx, by, action, audit::traits_of(&row)).await?;
    let kind = (code, sign_up.as_ref());
    let Some(issued) = issue_code(instance, &mut tx, &row, kind, None).await? else {
        return refuse(LINK_FOR_NOBODY);
    };
    let token = issued.link_token.expose_secret();
    let answer = ActionLink {
        user: accounts::record(&mut tx, &row).await?,
        action_link: link(instance, code, token, &redirect_to),
        email_otp: issued.code.expose_secret().to_owned(),
        hashed_token: token.to_owned(),
        verification_type: params.kind.as_str().to_owned(),
        redirect_to,
    };
    tx.commit().await?;
    Ok(answer)
}

fn read(request: ActionLinkRequest) -> Outcome<ActionLinkParams> {
    let email = EmailAddress::parse(request.email.as_deref().unwrap_or_default())?;
    let word = request.kind.unwrap_or_default();
    let Some(kind) = ActionLinkKind::parse(&word) else {
        let text = format!("Invalid email action link type requested: {word:.40}");
        return refuse(Refusal::with_text(400, ErrorCode::ValidationFailed, text));
    };
    let new_email = match kind {
        ActionLinkKind::EmailChangeCurrent | ActionLinkKind::EmailChangeNew => {
            Some(EmailAddress::parse(request.new_email.as_deref().unwrap_or_default())?)
        }
        _ => None,
    };
    let password = request.password.filter(|text| !text.is_empty()).map(Into::into);
    accounts::check_size(request.data.as_ref())?;
    let data = Value::Object(request.data.unwrap_or_default());
    Ok(ActionLinkParams { kind, email, new_email, password, data })
}

/// Returns the password hash for an account that a sign-up link creates or confirms. Computed
/// before any row is locked, because hashing is slow.
async fn hash_new_password(
    instance: &Instance,
    params: &ActionLinkParams,
    context: &RequestContext,
) -> Outcome<Option<String>> {
    if !matches!(params.kind, ActionLinkKind::Signup) {
        return Ok(Some(instance.hasher.dummy_hash()));
    }
    let known = {
        let mut conn = instance.pool.acquire().await?;
        store::accounts::find_by_email(&mut conn, params.email.as_str(), &context.aud).await?
    };
    match &params.password {
        _ if known.as_ref().is_some_and(|row| row.email_confirmed_at.is_some()) => Ok(None),
        None if known.is_some() => Ok(None),
        None => refuse(SIGNUP_WITHOUT_PASSWORD),
        Some(password) => {
            instance.config.passwords.check(password)?;
            Ok(Some(instance.hasher.hash(password, &*instance.random).await?))
        }
    }
}

/// Prepares the account row to save, the kind of code to issue, and the sign-up that the code
/// confirms.
async fn prepare(
    instance: &Instance,
    conn: &mut PgConnection,
    params: &ActionLinkParams,
    found: Option<AccountRow>,
    new_hash: Option<String>,
    context: &RequestContext,
) -> Outcome<(AccountRow, CodeKind, Option<SignUp>)> {
    let now = instance.now();
    match (params.kind, found) {
        (ActionLinkKind::Invite, _) => {
            let (email, data) = (&params.email, params.data.clone());
            let (row, sign_up) = invite::prepare(instance, conn, email, data, context).await?;
            Ok((row, CodeKind::Invite, sign_up))
        }
        (ActionLinkKind::Signup, Some(row)) if row.email_confirmed_at.is_some() => {
            refuse(EMAIL_TAKEN)
        }
        (ActionLinkKind::Signup, Some(mut row)) => {
            accounts::merge_checked(&mut row.user_metadata, accounts::object(&params.data))?;
            row.confirmation_sent_at = Some(now);
            let user_metadata = params.data.clone();
            let sign_up = SignUp::Later { password_hash: new_hash, user_metadata };
            Ok((row, CodeKind::Confirmation, Some(sign_up)))
        }
        (ActionLinkKind::Signup, None) => {
            let row = make(instance, conn, params, new_hash, context).await?;
            Ok((row, CodeKind::Confirmation, None))
        }
        (_, None) => refuse(LINK_FOR_NOBODY),
        (ActionLinkKind::MagicLink, Some(mut row)) => {
            row.recovery_sent_at = Some(now);
            Ok((row, CodeKind::MagicLink, None))
        }
        (ActionLinkKind::Recovery, Some(mut row)) => {
            row.recovery_sent_at = Some(now);
            Ok((row, CodeKind::Recovery, None))
        }
        (ActionLinkKind::EmailChangeCurrent, Some(row)) => {
            let code = CodeKind::EmailChangeCurrent;
            Ok((change(instance, conn, params, row, code).await?, code, None))
        }
        (ActionLinkKind::EmailChangeNew, Some(row)) => {
            let code = CodeKind::EmailChangeNew;
            Ok((change(instance, conn, params, row, code).await?, code, None))
        }
    }
}

async fn make(
    instance: &Instance,
    conn: &mut PgConnection,
    params: &ActionLinkParams,
    new_hash: Option<String>,
    context: &RequestContext,
) -> Outcome<AccountRow> {
    let mut row = accounts::blank(instance, &context.aud);
    row.email = Some(params.email.as_str().to_owned());
    row.password_hash = new_hash;
    row.user_metadata = params.data.clone();
    row.confirmation_sent_at = Some(instance.now());
    if !store::accounts::insert(conn, &row).await? {
        return refuse(EMAIL_TAKEN);
    }
    accounts::put_own_identity(instance, conn, &mut row, "email").await?;
    Ok(row)
}

/// Prepares a change of email address. If both addresses must confirm it, undisclosed codes are
/// issued for both: each keeps its confirmation pending until the link for that address is
/// generated.
async fn change(
    instance: &Instance,
    conn: &mut PgConnection,
    params: &ActionLinkParams,
    mut row: AccountRow,
    code: CodeKind,
) -> Outcome<AccountRow> {
    let both = instance.config.mailer.secure_email_change;
    if code == CodeKind::EmailChangeCurrent && !both {
        return refuse(SECURE_CHANGE_OFF);
    }
    let new_email = params.new_email.as_ref().map(EmailAddress::as_str).unwrap_or_default();
    let holder = store::accounts::find_by_email(conn, new_email, &row.aud).await?;
    if holder.is_some() {
        return refuse(EMAIL_TAKEN);
    }
    if row.new_email.as_deref() != Some(new_email) {
        row.new_email = Some(new_email.to_owned());
        // Discard the codes of an earlier request.
        let kinds = [CodeKind::EmailChangeNew, CodeKind::EmailChangeCurrent];
        let kinds = kinds.map(|kind| kind.as_str().to_owned());
        store::one_time_tokens::delete_kinds(conn, row.id, &kinds).await?;
        for kind in [CodeKind::EmailChangeCurrent, CodeKind::EmailChangeNew] {
            if both {
                issue_code(instance, conn, &row, (kind, None), None).await?;
            }
        }
    }
    row.email_change_sent_at = Some(instance.now());
    Ok(row)
}
