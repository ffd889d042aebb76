//! Message composition, and the connection to the mail server.

use std::net::IpAddr;
use std::time::Duration;

use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::{Address, Message};
use secrecy::ExposeSecret;
use tokio::net::TcpStream;

use super::template::Rendered;
use crate::config::{MailKind, SmtpConfig, SmtpSecurity};
use crate::store::outbox::MailRow;

/// Time limit for connecting. The caller limits the total time.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// Emails per connection, after which it is closed: servers limit concurrent connections, and
/// others should get their turn.
const MAILS_PER_CONNECTION: u32 = 50;

/// Why an email was not sent. The messages contain no addresses.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SendError {
    /// The server rejected the email permanently.
    #[error("the mail server permanently rejected the email")]
    Permanent,
    /// A temporary failure.
    #[error("the email could not be sent yet: {0}")]
    Transient(&'static str),
}

const INSECURE: SendError =
    SendError::Transient("no secure connection to the mail server is possible");

/// The configured mail server.
pub(crate) struct MailServer {
    host: String,
    port: u16,
    /// `None` if this computer cannot check certificates. Emails that need no TLS are still sent;
    /// the others stay in the outbox.
    tls: Option<TlsParameters>,
    security: SmtpSecurity,
    credentials: Option<Credentials>,
    sender: Mailbox,
    headers: Vec<(HeaderName, String)>,
}

/// An SMTP connection, kept open while there is more to send.
#[derive(Default)]
pub(crate) struct SmtpConnection {
    connection: Option<AsyncSmtpConnection>,
    sent: u32,
}

/// Returns the sender's mailbox, or a description of what is wrong with the settings.
fn sender(config: &SmtpConfig) -> Result<Mailbox, String> {
    let address: Address = config
        .admin_email
        .parse()
        .map_err(|_| "AUTHSVC_SMTP_ADMIN_EMAIL must be an email address".to_owned())?;
    Ok(Mailbox::new(config.sender_name.clone(), address))
}

/// Headers that every email has and that `SMTP_HEADERS` therefore must not set.
const OWN_HEADERS: [&str; 9] = [
    "from",
    "to",
    "subject",
    "date",
    "message-id",
    "mime-version",
    "content-type",
    "content-transfer-encoding",
    "auto-submitted",
];

/// Parses the operator's extra headers, or describes what is wrong with them.
fn extra_headers(config: &SmtpConfig) -> Result<Vec<(HeaderName, String)>, String> {
    let read = |(name, value): &(String, String)| {
        if OWN_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
            return Err(format!(
                "AUTHSVC_SMTP_HEADERS must not contain {name}: the service sets this header itself"
            ));
        }
        let printable =
            name.bytes().all(|b| b.is_ascii_graphic()) && !value.contains(char::is_control);
        HeaderName::new_from_ascii(name.clone())
            .ok()
            .filter(|_| printable)
            .map(|name| (name, value.clone()))
            .ok_or_else(|| {
                "AUTHSVC_SMTP_HEADERS contains a name or value that is not valid in an email header"
                    .to_owned()
            })
    };
    config.headers.iter().map(read).collect()
}

/// Classifies an SMTP error. Rejected credentials count as temporary, because the operator can
/// correct them; rejection of the email or its recipient is final.
fn classify(error: &Error) -> SendError {
    if error.is_timeout() {
        return SendError::Transient("the mail server did not answer in time");
    }
    if error.is_tls() {
        return INSECURE;
    }
    let code = error.status().map(|code| code.to_string()).unwrap_or_default();
    match code.as_str() {
        "530" | "534" | "535" | "538" => {
            SendError::Transient("the mail server rejected the user name or password")
        }
        _ if error.is_permanent() => SendError::Permanent,
        _ if error.is_transient() => {
            SendError::Transient("the mail server asked to try again later")
        }
        _ => SendError::Transient("the mail server cannot be reached"),
    }
}

impl MailServer {
    pub(crate) fn new(config: &SmtpConfig) -> Result<Self, String> {
        let tls = TlsParameters::new(config.host.clone()).inspect_err(|error| {
            tracing::warn!(%error, "secure connections to the mail server are not possible");
        });
        let is_near = config.host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
        if config.security == SmtpSecurity::OnThisComputer && !is_near {
            return Err(
                "a mail server on this computer needs a loopback address such as 127.0.0.1"
                    .to_owned(),
            );
        }
        let credentials =
            config.user.as_ref().zip(config.password.as_ref()).map(|(user, password)| {
                Credentials::new(user.clone(), password.expose_secret().to_owned())
            });
        Ok(Self {
            host: config.host.clone(),
            port: config.port,
            tls: tls.ok(),
            security: config.security,
            credentials,
            sender: sender(config)?,
            headers: extra_headers(config)?,
        })
    }

    /// Sends an email and returns as soon as the server has accepted it, without waiting for
    /// `QUIT`, so that the caller can commit without delay. The connection stays open for the next
    /// email; [`SmtpConnection::close`] closes it.
    pub(crate) async fn send(
        &self,
        smtp: &mut SmtpConnection,
        mail: &MailRow,
        kind: MailKind,
        rendered: Rendered,
    ) -> Result<(), SendError> {
        let message = self.compose(mail, kind, rendered).ok_or(SendError::Permanent)?;
        let mut connection = match smtp.take().await {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        let taken = connection.send(message.envelope(), &message.formatted()).await;
        if !connection.has_broken() {
            smtp.connection = Some(connection);
        }
        smtp.sent += 1;
        taken.map(drop).map_err(|error| classify(&error))
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, SendError> {
        tokio::time::timeout(CONNECT_TIMEOUT, self.connect_unbounded())
            .await
            .unwrap_or(Err(SendError::Transient("the mail server did not answer in time")))
    }

    async fn connect_unbounded(&self) -> Result<AsyncSmtpConnection, SendError> {
        let server = (self.host.as_str(), self.port);
        let name = ClientId::default();
        let mut connection = match self.security {
            SmtpSecurity::Tls => {
                let tls = Some(self.tls()?);
                AsyncSmtpConnection::connect_tokio1(server, None, &name, tls, None).await
            }
            SmtpSecurity::Opportunistic | SmtpSecurity::OnThisComputer => {
                let away = |_| SendError::Transient("the mail server cannot be reached");
                let stream = TcpStream::connect(server).await.map_err(away)?;
                // An email is written in small pieces; Nagle's algorithm would delay each one until
                // the previous is acknowledged.
                stream.set_nodelay(true).map_err(away)?;
                AsyncSmtpConnection::connect_with_transport(Box::new(stream), &name).await
            }
        }
        .map_err(|error| unreachable_for_now(&error))?;
        // A password must never leave this computer in clear text.
        if self.security == SmtpSecurity::Opportunistic
            && (connection.can_starttls() || self.credentials.is_some())
        {
            connection.starttls(self.tls()?, &name).await.map_err(|_| INSECURE)?;
        }
        if let Some(credentials) = &self.credentials {
            let accepted = connection.auth(DEFAULT_MECHANISMS, credentials).await;
            accepted.map_err(|_| {
                SendError::Transient("the mail server rejected the user name or password")
            })?;
        }
        Ok(connection)
    }

    fn tls(&self) -> Result<TlsParameters, SendError> {
        self.tls.clone().ok_or(INSECURE)
    }

    fn compose(&self, mail: &MailRow, kind: MailKind, rendered: Rendered) -> Option<Message> {
        let recipient: Address = mail.recipient.parse().ok()?;
        // The id is the same for every attempt, so that a duplicate can be recognised.
        let id = format!("<{}@{}>", mail.id, self.sender.email.domain());
        let mut message = Message::builder()
            .from(self.sender.clone())
            .to(Mailbox::new(None, recipient))
            .message_id(Some(id))
            .date(mail.created_at.into())
            .subject(rendered.subject)
            .multipart(MultiPart::alternative_plain_html(rendered.text, rendered.html))
            .ok()?;
        let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
        let headers = message.headers_mut();
        headers.insert_raw(HeaderValue::new(automatic, "auto-generated".to_owned()));
        for (name, value) in &self.headers {
            let value = value.replace("$messageType", &kind.as_str().to_ascii_lowercase());
            headers.insert_raw(HeaderValue::new(name.clone(), value));
        }
        Some(message)
    }

    /// Tells whether the server answers and accepts our credentials.
    pub(crate) async fn check(&self) -> bool {
        let connection = self.connect().await.ok();
        let answers = connection.is_some();
        SmtpConnection { connection, sent: 0 }.close().await;
        answers
    }
}

/// Treats errors during connection set-up as temporary, even those that SMTP calls permanent.
fn unreachable_for_now(error: &Error) -> SendError {
    match classify(error) {
        SendError::Permanent => SendError::Transient("the mail server accepts no connections"),
        transient @ SendError::Transient(_) => transient,
    }
}

impl SmtpConnection {
    /// Returns the connection if it is still alive and may carry another email.
    async fn take(&mut self) -> Option<AsyncSmtpConnection> {
        if self.sent >= MAILS_PER_CONNECTION {
            self.close().await;
        }
        let mut connection = self.connection.take()?;
        connection.test_connected().await.then_some(connection)
    }

    /// Closes the connection, if there is one.
    pub(crate) async fn close(&mut self) {
        self.sent = 0;
        if let Some(mut connection) = self.connection.take() {
            let _ = tokio::time::timeout(Duration::from_secs(2), connection.abort()).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use mailin_embedded::response::{AUTH_OK, INVALID_CREDENTIALS, OK};
    use mailin_embedded::{AuthMechanism, Handler, Response, Server, SslConfig};
    use serde_json::json;

    use super::*;

    /// An SMTP server that requires authentication and records the emails it receives.
    #[derive(Debug, Clone, Default)]
    struct Guarded(Arc<Mutex<Vec<String>>>);

    impl Guarded {
        fn note(&self, line: String) {
            self.0.lock().expect("no thread panicked while holding the lock").push(line);
        }
    }

    impl Handler for Guarded {
        fn auth_plain(&mut self, _: &str, name: &str, password: &str) -> Response {
            self.note(format!("{name}/{password}"));
            if password == "mail password" { AUTH_OK } else { INVALID_CREDENTIALS }
        }

        fn data_end(&mut self) -> Response {
            self.note("a mail".to_owned());
            OK
        }
    }

    /// Starts a TLS server with a self-signed certificate.
    fn start() -> (Guarded, SmtpConfig) {
        // Every test calls this; only the first call has an effect.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("a bound address").port();
        let pem = concat!(env!("CARGO_MANIFEST_DIR"), "/src/mail/certificate_for_tests.pem");
        let ssl = SslConfig::SelfSigned { cert_path: pem.into(), key_path: pem.into() };
        let guarded = Guarded::default();
        let mut server = Server::new(guarded.clone());
        server.with_name("test").with_ssl(ssl).expect("a good certificate");
        server.with_auth(AuthMechanism::Plain).with_tcp_listener(listener);
        std::thread::spawn(move || drop(server.serve()));
        let mut config = SmtpConfig::plain("localhost", port, "studio@site.example");
        config.user = Some("postmaster".into());
        config.password = Some("mail password".into());
        (guarded, config)
    }

    async fn send(server: &MailServer) -> Result<(), SendError> {
        let mail = MailRow {
            id: uuid::Uuid::nil(),
            kind: "INVITE".into(),
            recipient: "ann@b.co".into(),
            variables: json!({}),
            attempts: 0,
            created_at: chrono::DateTime::UNIX_EPOCH,
        };
        let rendered = Rendered { subject: "Hi".into(), text: "Hi".into(), html: "Hi".into() };
        let mut smtp = SmtpConnection::default();
        let outcome = server.send(&mut smtp, &mail, MailKind::Invite, rendered).await;
        smtp.close().await;
        outcome
    }

    /// Returns a client that accepts the self-signed certificate.
    fn trusting(config: &SmtpConfig) -> MailServer {
        let tls = TlsParameters::builder(config.host.clone()).dangerous_accept_invalid_certs(true);
        let tls = tls.build().expect("TLS can be set up");
        MailServer { tls: Some(tls), ..MailServer::new(config).expect("good settings") }
    }

    #[tokio::test]
    async fn smtp_credentials_are_sent_once_after_starttls() {
        let (guarded, mut config) = start();
        send(&trusting(&config)).await.expect("the server accepts the credentials");
        let told = || {
            std::mem::take(
                &mut *guarded.0.lock().expect("no thread panicked while holding the lock"),
            )
        };
        assert_eq!(told(), ["postmaster/mail password", "a mail"]);
        config.password = Some("another".into());
        let error = send(&trusting(&config)).await.expect_err("the password is wrong");
        assert!(matches!(error, SendError::Transient(_)), "the operator can correct it: {error}");
        assert!(!told().contains(&"a mail".to_owned()));
    }

    #[tokio::test]
    async fn smtp_passwords_are_sent_unencrypted_only_to_loopback() {
        let (_, mut config) = start();
        config.security = SmtpSecurity::OnThisComputer;
        for elsewhere in ["localhost", "mail.example", "192.168.1.10", "0.0.0.0"] {
            config.host = elsewhere.to_owned();
            assert!(MailServer::new(&config).is_err(), "{elsewhere}");
        }
        config.host = "127.0.0.1".to_owned();
        assert!(MailServer::new(&config).is_ok());
    }

    #[tokio::test]
    async fn smtp_passwords_are_not_sent_with_an_untrusted_certificate() {
        let (guarded, config) = start();
        let error = send(&MailServer::new(&config).expect("good settings")).await;
        assert!(
            matches!(
                error,
                Err(SendError::Transient("no secure connection to the mail server is possible"))
            ),
            "{error:?}"
        );
        assert!(guarded.0.lock().expect("no thread panicked while holding the lock").is_empty());
    }
}
