//! The envelope and the mail server.

use std::time::Duration;

use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use secrecy::ExposeSecret;

use super::template::Rendered;
use crate::config::{SmtpConfig, SmtpSecurity};

/// How long one command to the mail server may take.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Why a mail did not leave. Texts hold no address.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SendError {
    /// The server will never take this mail.
    #[error("the mail server refused the mail for good")]
    Final,
    /// It may take it later.
    #[error("the mail server could not take the mail now: {0}")]
    Passing(&'static str),
}

/// A connection pool to the configured server.
pub(crate) struct MailServer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    sender: Mailbox,
}

/// The sender's mailbox, or what is wrong with the settings.
pub(crate) fn sender(config: &SmtpConfig) -> Result<Mailbox, String> {
    let address: Address = config
        .admin_email
        .parse()
        .map_err(|_| "AUTHSVC_SMTP_ADMIN_EMAIL must be an email address".to_owned())?;
    Ok(Mailbox::new(config.sender_name.clone(), address))
}

impl MailServer {
    pub(crate) fn new(config: &SmtpConfig) -> Result<Self, String> {
        let tls = || {
            TlsParameters::new(config.host.clone())
                .map_err(|_| "AUTHSVC_SMTP_HOST must be a host name".to_owned())
        };
        let security = match config.security {
            SmtpSecurity::Tls => Tls::Wrapper(tls()?),
            // a password never travels in clear
            SmtpSecurity::Opportunistic if config.password.is_some() => Tls::Required(tls()?),
            SmtpSecurity::Opportunistic => Tls::Opportunistic(tls()?),
        };
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&config.host)
            .port(config.port)
            .tls(security)
            .timeout(Some(TIMEOUT));
        if let (Some(user), Some(password)) = (&config.user, &config.password) {
            let password = password.expose_secret().to_owned();
            builder = builder.credentials(Credentials::new(user.clone(), password));
        }
        Ok(Self { transport: builder.build(), sender: sender(config)? })
    }

    pub(crate) async fn send(&self, recipient: &str, mail: Rendered) -> Result<(), SendError> {
        let recipient: Address = recipient.parse().map_err(|_| SendError::Final)?;
        let message = Message::builder()
            .from(self.sender.clone())
            .to(Mailbox::new(None, recipient))
            .subject(mail.subject)
            .multipart(MultiPart::alternative_plain_html(mail.text, mail.html))
            .map_err(|_| SendError::Final)?;
        match self.transport.send(message).await {
            Ok(_) => Ok(()),
            Err(error) if error.is_permanent() => Err(SendError::Final),
            Err(error) if error.is_timeout() => Err(SendError::Passing("it did not answer")),
            Err(error) if error.is_tls() => Err(SendError::Passing("no secure connection")),
            Err(error) if error.is_transient() => Err(SendError::Passing("it asked to wait")),
            Err(_) => Err(SendError::Passing("it cannot be reached")),
        }
    }

    /// True when the server answers.
    pub(crate) async fn check(&self) -> bool {
        self.transport.test_connection().await.unwrap_or(false)
    }
}
