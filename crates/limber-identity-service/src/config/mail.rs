//! Settings of email contents and delivery.

mod kind;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use secrecy::SecretString;

pub use kind::MailKind;

/// Settings of email contents.
#[derive(Debug, Clone)]
pub struct MailerConfig {
    /// `MAILER_AUTOCONFIRM`: email addresses need no confirmation. Default false.
    pub autoconfirm: bool,
    /// `MAILER_OTP_EXP`: lifetime of a mailed code or link. Default 24 h.
    pub code_lifetime: Duration,
    /// `MAILER_OTP_LENGTH`: number of digits in a code, 6-10. Default 6.
    pub code_length: usize,
    /// `MAILER_SECURE_EMAIL_CHANGE_ENABLED`: a change of address must be confirmed from both
    /// addresses. Default true.
    pub secure_email_change: bool,
    /// `SMTP_MAX_FREQUENCY`: minimum interval between two emails to one person. If unset: 900 s for
    /// sign-up confirmations, 60 s for the rest.
    pub max_frequency: Option<Duration>,
    /// `MAILER_URLPATHS_<KIND>`: path that links point to. Default `/verify`.
    pub url_paths: BTreeMap<MailKind, String>,
    /// `MAILER_SUBJECTS_<KIND>`: subject lines.
    pub subjects: BTreeMap<MailKind, String>,
    /// `MAILER_TEMPLATES_<KIND>`: location of an HTML template (`http…`, a path on the site, or
    /// `file:`), or the template itself.
    pub templates: BTreeMap<MailKind, String>,
    /// `MAILER_NOTIFICATIONS_<KIND>_ENABLED`: notifications that are sent. Default none.
    pub notifications: BTreeSet<MailKind>,
    /// `MAILER_LINK_PAGE_ENABLED`: links open a page with a button, so that mail scanners that
    /// follow links do not consume the code. Default false.
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
    /// Returns the minimum interval between two sign-up confirmations to one address.
    #[must_use]
    pub fn confirmation_gap(&self) -> Duration {
        self.max_frequency.unwrap_or(Duration::from_secs(900))
    }

    /// Returns the minimum interval between two other emails to one address.
    #[must_use]
    pub fn other_gap(&self) -> Duration {
        self.max_frequency.unwrap_or(Duration::from_secs(60))
    }
}

/// How the connection to the mail server is secured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmtpSecurity {
    /// TLS from the first byte (port 465).
    Tls,
    /// TLS if the server offers it. A password is never sent without TLS.
    Opportunistic,
    /// No TLS, for a server on this computer reached through a loopback address. Not read from
    /// variables. For callers that start both sides and own the server's port.
    OnThisComputer,
}

/// SMTP settings.
#[derive(Debug, Clone)]
pub struct SmtpConfig {
    /// `SMTP_HOST`: the mail server.
    pub host: String,
    /// `SMTP_PORT`. Default 587.
    pub port: u16,
    /// Derived from the port: 465 means TLS.
    pub security: SmtpSecurity,
    /// `SMTP_USER`: user name, if the server requires authentication.
    pub user: Option<String>,
    /// `SMTP_PASS`: password of that user.
    pub password: Option<SecretString>,
    /// `SMTP_ADMIN_EMAIL`: the sender's address.
    pub admin_email: String,
    /// `SMTP_SENDER_NAME`: display name of the sender. Default: the address.
    pub sender_name: Option<String>,
    /// `SMTP_HEADERS`: extra headers on every email. `$messageType` in a value is replaced by the
    /// lower-case kind of mail.
    pub headers: Vec<(String, String)>,
}

impl SmtpConfig {
    /// Parses `SMTP_HEADERS`: a JSON object whose values are strings or arrays of strings.
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

    /// Returns settings for a server that needs no password, such as one on this computer.
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
