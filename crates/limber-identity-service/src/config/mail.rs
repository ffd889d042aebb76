//! What mail says, and how it leaves.

mod kind;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use secrecy::SecretString;

pub use kind::MailKind;

/// What mail says.
#[derive(Debug, Clone)]
pub struct MailerConfig {
    /// `MAILER_AUTOCONFIRM`: addresses need no confirmation. Default false.
    pub autoconfirm: bool,
    /// `MAILER_OTP_EXP`: life of a code or link. Default 24 h.
    pub code_lifetime: Duration,
    /// `MAILER_OTP_LENGTH`: digits of a code, 6-10. Default 6.
    pub code_length: usize,
    /// `MAILER_SECURE_EMAIL_CHANGE_ENABLED`: both addresses confirm a change. Default true.
    pub secure_email_change: bool,
    /// `SMTP_MAX_FREQUENCY`: least time between two mails to one person. Unset: 900 s for
    /// sign-up confirmations, 60 s for the rest.
    pub max_frequency: Option<Duration>,
    /// `MAILER_URLPATHS_<KIND>`; default `/verify`.
    pub url_paths: BTreeMap<MailKind, String>,
    /// `MAILER_SUBJECTS_<KIND>`.
    pub subjects: BTreeMap<MailKind, String>,
    /// `MAILER_TEMPLATES_<KIND>`: the address of an HTML template (`http…`, a path on the site, or
    /// `file:`), or the template itself.
    pub templates: BTreeMap<MailKind, String>,
    /// `MAILER_NOTIFICATIONS_<KIND>_ENABLED`: the notifications that are sent. Default none.
    pub notifications: BTreeSet<MailKind>,
    /// `MAILER_LINK_PAGE_ENABLED`: a link shows a button first, so that mail scanners do not use
    /// it up. Default false.
    pub link_page: bool,
    /// `EXTERNAL_EMAIL_MAGIC_LINK_ENABLED`: sign-in by a mailed link. Default true.
    pub magic_links: bool,
}

impl Default for MailerConfig {
    fn default() -> Self {
        Self {
            autoconfirm: false,
            code_lifetime: Duration::from_secs(86_400),
            code_length: 6,
            secure_email_change: true,
            max_frequency: None,
            url_paths: BTreeMap::new(),
            subjects: BTreeMap::new(),
            templates: BTreeMap::new(),
            notifications: BTreeSet::new(),
            link_page: false,
            magic_links: true,
        }
    }
}

impl MailerConfig {
    /// Least time between two sign-up confirmations to one address.
    #[must_use]
    pub fn confirmation_gap(&self) -> Duration {
        self.max_frequency.unwrap_or(Duration::from_secs(900))
    }

    /// The same for every other mail.
    #[must_use]
    pub fn other_gap(&self) -> Duration {
        self.max_frequency.unwrap_or(Duration::from_secs(60))
    }
}

/// How a connection to the mail server is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpSecurity {
    /// TLS from the first byte (port 465).
    Tls,
    /// TLS when the server offers it. Never with a password unless the server offers TLS.
    Opportunistic,
    /// Within this computer, by an address of loopback, where there is nobody to encrypt for; not read from
    /// variables. For whoever starts both sides and keeps the server's port.
    OnThisComputer,
}

/// How mail leaves.
#[derive(Debug, Clone)]
pub struct SmtpConfig {
    /// `SMTP_HOST`.
    pub host: String,
    /// `SMTP_PORT`. Default 587.
    pub port: u16,
    /// Follows from the port: 465 is TLS.
    pub security: SmtpSecurity,
    /// `SMTP_USER`.
    pub user: Option<String>,
    /// `SMTP_PASS`.
    pub password: Option<SecretString>,
    /// `SMTP_ADMIN_EMAIL`: the sender's address.
    pub admin_email: String,
    /// `SMTP_SENDER_NAME`. Default: the address.
    pub sender_name: Option<String>,
    /// `SMTP_HEADERS`: further headers of every mail. `$messageType` in a value becomes the kind
    /// of mail in lower case.
    pub headers: Vec<(String, String)>,
}

impl SmtpConfig {
    /// Reads `SMTP_HEADERS`: a JSON object whose values are texts or lists of texts.
    #[must_use]
    pub fn parse_headers(text: &str) -> Option<Vec<(String, String)>> {
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
        let mut headers = Vec::new();
        for (name, value) in object {
            match value {
                serde_json::Value::String(value) => headers.push((name, value)),
                serde_json::Value::Array(values) => {
                    for value in values {
                        headers.push((name.clone(), value.as_str()?.to_owned()));
                    }
                }
                _ => return None,
            }
        }
        Some(headers)
    }

    /// A server that wants no password, as on this computer.
    #[must_use]
    pub fn plain(host: &str, port: u16, admin_email: &str) -> Self {
        Self {
            host: host.to_owned(),
            port,
            security: SmtpSecurity::Opportunistic,
            user: None,
            password: None,
            admin_email: admin_email.to_owned(),
            sender_name: None,
            headers: Vec::new(),
        }
    }
}
