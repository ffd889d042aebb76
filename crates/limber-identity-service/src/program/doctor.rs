//! `limber-identity doctor`: looks at everything a start needs and says what to do.

use secrecy::ExposeSecret;

use crate::config::{Config, ConfigError};
use crate::error::ServiceError;
use crate::mail::smtp::MailServer;
use crate::store;

/// Prints one line per check.
pub(super) async fn examine(config: Result<Config, ConfigError>) -> Result<(), ServiceError> {
    let config = config?;
    let mut failures = 0;
    let mut report = |good: bool, what: &str, advice: &str| {
        let (mark, advice) = if good { ("ok  ", "") } else { ("FAIL", advice) };
        failures += usize::from(!good);
        println!("{mark} {what}{}{advice}", if advice.is_empty() { "" } else { ": " });
    };
    report(true, "settings are complete", "");
    for notice in &config.notices {
        println!("note {notice}");
    }
    report(
        config.jwt.secret.expose_secret().len() >= 32,
        "JWT_SECRET is long enough",
        "use at least 32 random characters, or anybody can sign tokens",
    );
    report(
        config.external_url.scheme() == "https" || is_local(&config),
        "API_EXTERNAL_URL is encrypted",
        "put a proxy with TLS before the service and use its https address",
    );
    match store::connect(&config.database).await {
        Ok(pool) => {
            report(true, "the database answers", "");
            let current = store::is_current(&pool).await.unwrap_or(false);
            report(current, "the schema is up to date", "run limber-identity migrate");
        }
        Err(_) => report(false, "the database answers", "check AUTHSVC_DATABASE_URL"),
    }
    match config.smtp.as_ref().map(MailServer::new) {
        None => report(false, "mail can be sent", "set AUTHSVC_SMTP_HOST; mail is only logged"),
        Some(Err(problem)) => report(false, "mail can be sent", &problem),
        Some(Ok(server)) => report(
            server.check().await,
            "the mail server answers",
            "check AUTHSVC_SMTP_HOST, _PORT, _USER and _PASS",
        ),
    }
    if failures == 0 { Ok(()) } else { Err(ServiceError::Unhealthy(failures)) }
}

fn is_local(config: &Config) -> bool {
    match config.external_url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}
