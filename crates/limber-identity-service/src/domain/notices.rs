//! Email notifications about changes to an account (identity behaviour, section 11).
//!
//! Each kind is sent only if the operator has enabled it. A notification that cannot be written
//! never makes the change itself fail.

use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

use super::messages::write;
use crate::config::MailKind;
use crate::instance::Instance;
use crate::refusal::Outcome;

/// A change that the account holder is notified of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Notice<'a> {
    PasswordChanged,
    /// Sent to the previous address.
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
    /// Sent to the address that the account had before unlinking.
    IdentityUnlinked {
        provider: &'a str,
    },
    /// Sent once the factor is verified.
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

/// Writes the notification in the transaction of the change. `email` is the account's current
/// address, or its previous one after unlinking an identity; an account without an address is not
/// notified.
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
        tracing::warn!(?error, kind = kind.as_str(), "a notification email could not be queued");
    }
}

/// Writes under a savepoint, so that a failure leaves the outer transaction usable.
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
