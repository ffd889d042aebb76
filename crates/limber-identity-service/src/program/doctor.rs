//! `limber-identity doctor`: checks everything a deployment needs and says what to do.

use std::fmt::Display;

use jsonwebtoken::Algorithm;
use secrecy::ExposeSecret;
use url::{Host, Url};

use crate::config::{Config, ConfigError};
use crate::error::ServiceError;
use crate::mail::smtp::MailServer;
use crate::store;
use crate::tokens::keys::KeyRing;

/// The checks so far.
#[derive(Default)]
struct Report {
    failures: usize,
}

impl Report {
    fn check(&mut self, good: bool, what: &str, advice: impl Display) {
        if good {
            println!("ok    {what}");
        } else {
            self.failures += 1;
            println!("FAIL  {what}: {advice}");
        }
    }

    fn note(&self, text: impl Display) {
        println!("note  {text}");
    }
}

/// Runs all checks and prints one line for each.
pub(super) async fn examine(config: Result<Config, ConfigError>) -> Result<(), ServiceError> {
    let config = config?;
    let mut report = Report::default();
    report.check(true, "the settings are complete", "");
    for notice in &config.notices {
        report.note(notice);
    }
    check_addresses(&mut report, &config);
    check_tokens(&mut report, &config);
    check_accounts(&mut report, &config);
    check_limits(&mut report, &config);
    check_database(&mut report, &config).await;
    check_mail(&mut report, &config).await;
    match report.failures {
        0 => Ok(()),
        failures => Err(ServiceError::Unhealthy(failures)),
    }
}

fn check_addresses(report: &mut Report, config: &Config) {
    let encrypted = |url: &Url| url.scheme() == "https" || is_local(url);
    report.check(
        encrypted(&config.external_url),
        "API_EXTERNAL_URL uses https or a local address",
        "put a proxy that terminates TLS in front of the service, and use the proxy's https \
         address",
    );
    let site = &config.site_url;
    report.check(
        encrypted(site) && site.query().is_none() && site.fragment().is_none(),
        "SITE_URL uses https or a local address, without query and fragment",
        "use the https address of your site, without a query or fragment",
    );
    report.check(
        !config.uri_allow_list.iter().any(|p| matches!(p.as_str(), "*" | "**" | "*://**")),
        "URI_ALLOW_LIST does not allow every address",
        "list the sites that may receive users' sessions, for example https://*.example.org/**",
    );
}

fn check_tokens(report: &mut Report, config: &Config) {
    report.check(
        config.jwt.secret.expose_secret().len() >= 32,
        "JWT_SECRET is long enough",
        "use at least 32 random characters; anyone who guesses a shorter secret can sign tokens",
    );
    let Ok(ring) = KeyRing::new(&config.jwt) else { return };
    match ring.signing.algorithm {
        Algorithm::HS256 => report.note(
            "tokens are signed with HS256, so anyone who can verify them can also sign them; \
             `limber-identity keys generate` creates a key that only this service has",
        ),
        Algorithm::EdDSA => {
            report.note(
                "tokens are signed with EdDSA, which only servers can verify; the usual client for \
                 browsers cannot",
            );
        }
        _ => report.check(true, "tokens are signed with a key that only this service has", ""),
    }
    if config.jwt.audience.is_empty() || config.jwt.default_role.is_empty() {
        report.note("JWT_AUD and JWT_DEFAULT_GROUP_NAME are usually both `authenticated`");
    }
}

fn check_accounts(report: &mut Report, config: &Config) {
    if config.mailer.autoconfirm && !is_local(&config.external_url) {
        report.note(
            "MAILER_AUTOCONFIRM is on: anyone can sign up with someone else's email address, and \
             responses reveal whether an address has an account",
        );
    }
    if config.signup.anonymous && config.upkeep.anonymous_retention.is_none() {
        report.note("anonymous accounts are never deleted; set ANONYMOUS_USERS_RETENTION");
    }
    if config.listen_host != "127.0.0.1" && config.listen_host != "localhost" {
        report.note(format!(
            "the service listens on {}; make sure that only the proxy can reach port {}",
            config.listen_host, config.port
        ));
    }
}

fn check_limits(report: &mut Report, config: &Config) {
    let limited = config.limits.header.is_some() || config.limits.by_ip;
    let advice = "without a limit, one caller can try any number of passwords and codes; remove \
                  RATE_LIMIT_BY_IP=false";
    if limited || !is_local(&config.external_url) {
        report.check(limited, "callers are rate limited", advice);
    } else {
        report.note(format!("callers are not rate limited; {advice}"));
    }
    let told_apart = !config.trusted_proxies.is_empty();
    let advice = "all users behind a proxy count as one caller; set TRUSTED_PROXIES to the \
                  addresses of your proxies";
    if told_apart || !is_local(&config.external_url) {
        report.check(told_apart, "callers behind a proxy are told apart", advice);
    } else {
        report.note(advice);
    }
}

async fn check_database(report: &mut Report, config: &Config) {
    match store::connect(&config.database).await {
        Ok(pool) => {
            report.check(true, "the database is reachable", "");
            let current = store::is_current(&pool).await.unwrap_or(false);
            report.check(current, "the schema is up to date", "run `limber-identity migrate`");
            pool.close().await;
        }
        Err(error) => report.check(false, "the database is reachable", error),
    }
}

async fn check_mail(report: &mut Report, config: &Config) {
    match config.smtp.as_ref().map(MailServer::new) {
        None if config.mailer.autoconfirm => {
            report.note("SMTP_HOST is not set, so users cannot reset a forgotten password");
        }
        None => report.check(
            false,
            "emails can be sent",
            "set SMTP_HOST; without it, emails are only logged",
        ),
        Some(Err(problem)) => report.check(false, "emails can be sent", problem),
        Some(Ok(server)) => report.check(
            server.check().await,
            "the mail server accepts the connection",
            "check SMTP_HOST, SMTP_PORT, SMTP_USER and SMTP_PASS",
        ),
    }
}

fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}
