//! Deciding that a code is sent: the timers, the code, the mail. The mail is written into the
//! caller's transaction; another task speaks to the mail server afterwards.

use chrono::{DateTime, Utc};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::config::MailKind;
use crate::instance::{Asker, Instance};
use crate::rate_limits::seconds_left;
use crate::refusal::{Outcome, Refusal, refuse};
use crate::store;
use crate::store::accounts::AccountRow;
use crate::store::one_time_tokens::OneTimeTokenRow;
use crate::store::outbox::MailRow;
use crate::tokens::one_time::Issued;

/// What a code proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CodeKind {
    Confirmation,
    Recovery,
    /// Sent to the address that is to be.
    EmailChangeNew,
    /// Sent to the address so far.
    EmailChangeCurrent,
}

impl CodeKind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Confirmation => "confirmation",
            Self::Recovery => "recovery",
            Self::EmailChangeNew => "email_change_new",
            Self::EmailChangeCurrent => "email_change_current",
        }
    }

    fn mail(self) -> MailKind {
        match self {
            Self::Confirmation => MailKind::Confirmation,
            Self::Recovery => MailKind::Recovery,
            Self::EmailChangeNew | Self::EmailChangeCurrent => MailKind::EmailChange,
        }
    }

    /// The `type` of the link.
    fn link_type(self) -> &'static str {
        match self {
            Self::Confirmation => "signup",
            Self::Recovery => "recovery",
            Self::EmailChangeNew | Self::EmailChangeCurrent => "email_change",
        }
    }
}

/// Refuses when the last message of its kind went out less than `gap` ago.
pub(crate) fn check_timer(
    instance: &Instance,
    last: Option<DateTime<Utc>>,
    gap: std::time::Duration,
) -> Outcome<()> {
    match last.and_then(|last| seconds_left(last, gap, instance.now())) {
        Some(seconds) => refuse(Refusal::too_soon(seconds)),
        None => Ok(()),
    }
}

/// Counts one mail against what the instance may send.
pub(crate) fn count_email(instance: &Instance) -> Outcome<()> {
    if !instance.config.mailer.autoconfirm {
        instance.counters.count_email(instance.now())?;
    }
    Ok(())
}

/// Makes a code, remembers it and writes the mail that carries it.
pub(crate) async fn send_code(
    instance: &Instance,
    conn: &mut PgConnection,
    row: &AccountRow,
    kind: CodeKind,
    flow: Option<Uuid>,
    asker: &Asker,
) -> Outcome<()> {
    let address = match kind {
        CodeKind::EmailChangeNew => row.new_email.as_deref(),
        _ => row.email.as_deref(),
    };
    let Some(address) = address else { return Ok(()) };
    let code = instance.chance.digits(instance.config.mailer.code_length);
    let issued = instance.code_key.issue(address, code, flow.is_some());
    let token = OneTimeTokenRow {
        id: instance.chance.uuid(),
        account_id: row.id,
        kind: kind.as_str().to_owned(),
        token_hash: issued.hash.to_vec(),
        sent_to: address.to_owned(),
        flow_id: flow,
        wrong_attempts: 0,
        created_at: instance.now(),
    };
    store::one_time_tokens::put(conn, &token).await?;
    let variables = code_variables(instance, row, kind, address, &issued, &asker.redirect_to);
    write(instance, conn, kind.mail(), address, variables).await
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

/// `<API_EXTERNAL_URL><path>?token=…&type=…&redirect_to=…`, in that order.
fn link(instance: &Instance, kind: CodeKind, token: &str, redirect_to: &str) -> String {
    let config = &instance.config;
    let base = config.external_url.as_str().trim_end_matches('/');
    let path = config.mailer.url_paths.get(&kind.mail()).map_or("/verify", String::as_str);
    let target = if redirect_to.contains(['&', '=', '#']) {
        url::form_urlencoded::byte_serialize(redirect_to.as_bytes()).collect()
    } else {
        redirect_to.to_owned()
    };
    format!("{base}{path}?token={token}&type={}&redirect_to={target}", kind.link_type())
}

/// Writes a notification, if the operator wants it.
pub(crate) async fn notify(
    instance: &Instance,
    conn: &mut PgConnection,
    kind: MailKind,
    recipient: &str,
    variables: Value,
) -> Outcome<()> {
    let mailer = &instance.config.mailer;
    let wanted = match kind {
        MailKind::PasswordChanged => mailer.notify_password_changed,
        MailKind::EmailChanged => mailer.notify_email_changed,
        MailKind::Confirmation | MailKind::Recovery | MailKind::EmailChange => true,
    };
    if !wanted {
        return Ok(());
    }
    write(instance, conn, kind, recipient, variables).await
}

async fn write(
    instance: &Instance,
    conn: &mut PgConnection,
    kind: MailKind,
    recipient: &str,
    variables: Value,
) -> Outcome<()> {
    let mail = MailRow {
        id: instance.chance.uuid(),
        kind: kind.as_str().to_owned(),
        recipient: recipient.to_owned(),
        variables,
        attempts: 0,
    };
    Ok(store::outbox::insert(conn, &mail, instance.now()).await?)
}
