//! Sends codes by email: creates the code and its link and queues the email. The email is written
//! to the outbox in the caller's transaction; a separate task delivers it.

use limber_api::identity::ErrorCode;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::audit::{self, Action, Actor};
use super::credentials::SignUp;
use crate::config::MailKind;
use crate::instance::{Instance, RequestContext};
use crate::refusal::{Outcome, Refusal, RequestError};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::one_time_tokens::OneTimeTokenRow;
use crate::store::outbox::{DECOY, MailRow};
use crate::tokens::one_time::Issued;

/// Whether an email really has a recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recipient {
    Real,
    /// No account has the address, or it must not be written to. The work is done nevertheless,
    /// because the response time would otherwise reveal it.
    Decoy,
}

/// What a code proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodeKind {
    Confirmation,
    Invite,
    Recovery,
    MagicLink,
    /// Sent to the new address.
    EmailChangeNew,
    /// Sent to the current address.
    EmailChangeCurrent,
    /// Proves that the signed-in user can read the account's email.
    Reauthentication,
}

impl CodeKind {
    /// Returns the name under which codes of this kind are stored. Kinds that share a name replace
    /// each other's codes.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Confirmation | Self::Invite => "confirmation",
            Self::Recovery | Self::MagicLink => "recovery",
            Self::EmailChangeNew => "email_change_new",
            Self::EmailChangeCurrent => "email_change_current",
            Self::Reauthentication => "reauthentication",
        }
    }

    fn mail(self) -> MailKind {
        match self {
            Self::Confirmation => MailKind::Confirmation,
            Self::Invite => MailKind::Invite,
            Self::Recovery => MailKind::Recovery,
            Self::MagicLink => MailKind::MagicLink,
            Self::EmailChangeNew | Self::EmailChangeCurrent => MailKind::EmailChange,
            Self::Reauthentication => MailKind::Reauthentication,
        }
    }

    /// Returns the `type` parameter of the link.
    fn link_type(self) -> &'static str {
        match self {
            Self::Confirmation => "signup",
            Self::Invite => "invite",
            Self::Recovery => "recovery",
            Self::MagicLink => "magiclink",
            Self::EmailChangeNew | Self::EmailChangeCurrent => "email_change",
            Self::Reauthentication => "reauthentication",
        }
    }

    /// Returns the error message for an email that could not be written to the outbox.
    fn failure(self) -> &'static str {
        match self {
            Self::Confirmation => "Error sending confirmation email",
            Self::Invite => "Error sending invite email",
            Self::Recovery => "Error sending recovery email",
            Self::MagicLink => "Error sending magic link email",
            Self::EmailChangeNew | Self::EmailChangeCurrent => "Error sending email change email",
            Self::Reauthentication => "Error sending reauthentication email",
        }
    }

    /// Returns the kind whose `MAILER_URLPATHS_` setting applies. Magic links use that of
    /// recoveries.
    fn path_of(self) -> MailKind {
        match self {
            Self::MagicLink => MailKind::Recovery,
            other => other.mail(),
        }
    }

    /// Returns the audit action for requesting this code, or `None` if the caller records its own.
    fn action(self) -> Option<Action> {
        match self {
            Self::Confirmation => Some(Action::UserConfirmationRequested),
            Self::Recovery | Self::MagicLink => Some(Action::UserRecoveryRequested),
            Self::Reauthentication => Some(Action::UserReauthenticateRequested),
            Self::Invite | Self::EmailChangeNew | Self::EmailChangeCurrent => None,
        }
    }

    /// Returns the address to send the code to, if the account has it.
    fn address(self, row: &AccountRow) -> Option<&str> {
        match self {
            Self::EmailChangeNew => row.new_email.as_deref(),
            _ => row.email.as_deref(),
        }
    }
}

/// Counts one email, sent or only pretended, against the limits of the instance and of the caller.
pub(crate) fn count_email(instance: &Instance, context: &RequestContext) -> Outcome<()> {
    let caller = context.rate_limit_key.as_deref();
    Ok(instance.rate_limiter.count_email(caller, instance.now())?)
}

/// Returns the key that separates the codes requested by different callers. A new code replaces
/// only the same caller's earlier one, so that requesting a link for somebody else's address does
/// not invalidate the one they are waiting for.
pub(crate) fn asked_by(instance: &Instance, context: &RequestContext) -> Vec<u8> {
    instance.code_key.of_caller(&context.network).to_vec()
}

/// Creates and stores a code for an administrator, replacing the previous one.
pub(crate) async fn issue_code(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &AccountRow,
    (kind, sign_up): (CodeKind, Option<&SignUp>),
    flow: Option<Uuid>,
) -> Outcome<Option<Issued>> {
    let Some(address) = kind.address(row) else { return Ok(None) };
    let (issued, token) = make_code(instance, row, (kind, sign_up), address, (flow, Vec::new()))?;
    store::one_time_tokens::put(conn, &token).await?;
    Ok(Some(issued))
}

fn make_code(
    instance: &Instance,
    row: &AccountRow,
    (kind, sign_up): (CodeKind, Option<&SignUp>),
    address: &str,
    (flow, asked_by): (Option<Uuid>, Vec<u8>),
) -> Outcome<(Issued, OneTimeTokenRow)> {
    let code = instance.random.digits(instance.config.mailer.code_length);
    let issued = instance.code_key.issue(address, code, flow.is_some());
    let token = OneTimeTokenRow {
        id: instance.random.uuid(),
        account_id: row.id,
        kind: kind.as_str().to_owned(),
        token_hash: issued.hash.to_vec(),
        sent_to: address.to_owned(),
        flow_id: flow,
        wrong_attempts: 0,
        created_at: instance.now(),
        sign_up: sign_up.map(serde_json::to_value).transpose()?,
        asked_by,
    };
    Ok((issued, token))
}

/// Creates and stores a code and queues the email that carries it.
pub(crate) async fn send_code(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &AccountRow,
    kind: CodeKind,
    flow: Option<Uuid>,
    context: &RequestContext,
) -> Outcome<()> {
    send_code_to(instance, conn, (row, Recipient::Real), kind, flow, context).await
}

/// Like [`send_code`], for an account that may not exist; `row` is then a stand-in.
pub(crate) async fn send_code_to(
    instance: &Instance,
    conn: &mut PgConnection,
    to: (&AccountRow, Recipient),
    kind: CodeKind,
    flow: Option<Uuid>,
    context: &RequestContext,
) -> Outcome<()> {
    send_code_of(instance, conn, to, (kind, None), flow, context).await
}

/// Like [`send_code_to`], for a code that confirms a sign-up.
pub(crate) async fn send_code_of(
    instance: &Instance,
    conn: &mut PgConnection,
    (row, recipient): (&AccountRow, Recipient),
    (kind, sign_up): (CodeKind, Option<&SignUp>),
    flow: Option<Uuid>,
    context: &RequestContext,
) -> Outcome<()> {
    let Some(address) = kind.address(row) else { return Ok(()) };
    let asked_by = match kind {
        // Only one such code exists, whoever requests it.
        CodeKind::Invite | CodeKind::Reauthentication => Vec::new(),
        _ => asked_by(instance, context),
    };
    let (issued, token) = make_code(instance, row, (kind, sign_up), address, (flow, asked_by))?;
    let variables = code_variables(instance, row, kind, address, &issued, &context.redirect_to);
    let mail = match recipient {
        Recipient::Real => {
            store::one_time_tokens::put(conn, &token).await?;
            kind.mail().as_str()
        }
        Recipient::Decoy => {
            store::send_timers::put_decoy(conn, &token).await?;
            DECOY
        }
    };
    write(instance, conn, mail, address, variables).await.map_err(|error| match error {
        // A temporary outage, which the answer reports as such.
        away @ RequestError::Away(_) => away,
        error => {
            tracing::error!(?error, kind = kind.mail().as_str(), "an email could not be queued");
            Refusal::new(500, ErrorCode::UnexpectedFailure, kind.failure()).into()
        }
    })?;
    let Some(action) = kind.action() else { return Ok(()) };
    let (actor, traits) = match recipient {
        Recipient::Real => (Actor::of(row, context), json!({})),
        Recipient::Decoy => (Actor::nobody(context), json!({"known": false})),
    };
    audit::note(instance, conn, &actor, action, traits).await
}

fn code_variables(
    instance: &Instance,
    row: &AccountRow,
    kind: CodeKind,
    address: &str,
    issued: &Issued,
    redirect_to: &str,
) -> Value {
    let token = issued.link_token.expose_secret();
    json!({
        "SiteURL": instance.config.site_url.as_str().trim_end_matches('/'),
        "Email": row.email.as_deref().unwrap_or_default(),
        "NewEmail": row.new_email.as_deref().unwrap_or_default(),
        "SendingTo": address,
        "Token": issued.code.expose_secret(),
        "TokenHash": token,
        "RedirectTo": redirect_to,
        "ConfirmationURL": link(instance, kind, token, redirect_to),
        "Data": row.user_metadata,
    })
}

/// Returns the link `<API_EXTERNAL_URL><path>?token=…&type=…&redirect_to=…`, with its parameters in
/// that order.
pub(crate) fn link(instance: &Instance, kind: CodeKind, token: &str, redirect_to: &str) -> String {
    let config = &instance.config;
    let path = config.mailer.url_paths.get(&kind.path_of()).map_or("/verify", String::as_str);
    let base = match path {
        // An absolute URL of a page that the operator hosts elsewhere.
        whole if whole.starts_with("http://") || whole.starts_with("https://") => "",
        _ => config.external_url.as_str().trim_end_matches('/'),
    };
    let slash = if base.is_empty() || path.starts_with('/') { "" } else { "/" };
    // Percent signs must be encoded too, or existing escapes would be decoded once too often.
    let target = if redirect_to.contains(['&', '=', '#', '%', '+']) {
        url::form_urlencoded::byte_serialize(redirect_to.as_bytes()).collect()
    } else {
        redirect_to.to_owned()
    };
    format!("{base}{slash}{path}?token={token}&type={}&redirect_to={target}", kind.link_type())
}

/// Writes an email to the outbox.
pub(super) async fn write(
    instance: &Instance,
    conn: &mut PgConnection,
    kind: &str,
    recipient: &str,
    variables: Value,
) -> Outcome<()> {
    let mail = MailRow {
        id: instance.random.uuid(),
        kind: kind.to_owned(),
        recipient: recipient.to_owned(),
        variables,
        attempts: 0,
        created_at: instance.now(),
    };
    Ok(store::outbox::insert(conn, &mail).await?)
}
