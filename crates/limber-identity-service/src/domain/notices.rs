//! Telling people by mail what was changed on their account (identity behaviour, section 11).
//!
//! Each kind is sent only where the operator switched it on. A notice that cannot be written
//! never fails the change it tells about.

use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

use super::messages::write;
use crate::config::MailKind;
use crate::instance::Instance;
use crate::refusal::Outcome;

/// What was changed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Notice<'a> {
    PasswordChanged,
    /// Goes to the address that was replaced.
    EmailChanged {
        old_email: &'a str,
    },
    PhoneChanged {
        phone: &'a str,
        old_phone: &'a str,
    },
    IdentityLinked {
        provider: &'a str,
    },
    /// To be told with the address from before the unlinking.
    IdentityUnlinked {
        provider: &'a str,
    },
    /// Once the factor was verified.
    FactorEnrolled {
        factor_type: &'a str,
    },
    FactorUnenrolled {
        factor_type: &'a str,
    },
}

impl Notice<'_> {
    fn kind(self) -> MailKind {
        match self {
            Self::PasswordChanged => MailKind::PasswordChanged,
            Self::EmailChanged { .. } => MailKind::EmailChanged,
            Self::PhoneChanged { .. } => MailKind::PhoneChanged,
            Self::IdentityLinked { .. } => MailKind::IdentityLinked,
            Self::IdentityUnlinked { .. } => MailKind::IdentityUnlinked,
            Self::FactorEnrolled { .. } => MailKind::FactorEnrolled,
            Self::FactorUnenrolled { .. } => MailKind::FactorUnenrolled,
        }
    }

    fn variables(self, instance: &Instance, email: &str) -> Value {
        let mut variables = json!({
            "SiteURL": instance.config.site_url.as_str().trim_end_matches('/'),
            "Email": email,
        });
        let further: &[(&str, &str)] = match self {
            Self::PasswordChanged => &[],
            Self::EmailChanged { old_email } => &[("OldEmail", old_email)],
            Self::PhoneChanged { phone, old_phone } => &[("Phone", phone), ("OldPhone", old_phone)],
            Self::IdentityLinked { provider } | Self::IdentityUnlinked { provider } => {
                &[("Provider", provider)]
            }
            Self::FactorEnrolled { factor_type } | Self::FactorUnenrolled { factor_type } => {
                &[("FactorType", factor_type)]
            }
        };
        for (name, value) in further {
            variables[*name] = json!(value);
        }
        variables
    }
}

/// Writes the notice into the transaction of the change. `email` is the account's address, as it
/// is now (before, where an identity was unlinked); accounts without one are told nothing.
pub(crate) async fn notify(
    instance: &Instance,
    conn: &mut PgConnection,
    email: Option<&str>,
    notice: Notice<'_>,
) {
    let kind = notice.kind();
    let Some(email) = email.filter(|_| instance.config.mailer.notifications.contains(&kind)) else {
        return;
    };
    let recipient = match notice {
        Notice::EmailChanged { old_email } => old_email,
        _ => email,
    };
    let variables = notice.variables(instance, email);
    if let Err(error) = try_write(instance, conn, kind, recipient, variables).await {
        tracing::warn!(?error, kind = kind.as_str(), "a notification could not be written");
    }
}

/// Under a savepoint: a failure leaves the transaction as it was.
async fn try_write(
    instance: &Instance,
    conn: &mut PgConnection,
    kind: MailKind,
    recipient: &str,
    variables: Value,
) -> Outcome<()> {
    let mut savepoint = conn.begin().await?;
    write(instance, &mut savepoint, kind.as_str(), recipient, variables).await?;
    Ok(savepoint.commit().await?)
}
