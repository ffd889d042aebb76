//! Reads the settings of email contents and delivery.

use crate::config::environment::Environment;
use crate::config::{Config, MailKind, SmtpConfig, SmtpSecurity};

pub(super) fn read(env: &mut Environment, config: &mut Config) {
    let mailer = &mut config.mailer;
    mailer.autoconfirm = env.flag("MAILER_AUTOCONFIRM");
    if let Some(lifetime) = env.duration("MAILER_OTP_EXP").filter(|d| !d.is_zero()) {
        mailer.code_lifetime = lifetime;
    }
    let length = env.number("MAILER_OTP_LENGTH");
    mailer.code_length = if (6..=10).contains(&length) { length } else { 6 };
    mailer.secure_email_change = env.flag("MAILER_SECURE_EMAIL_CHANGE_ENABLED");
    mailer.max_frequency = env.duration("SMTP_MAX_FREQUENCY");
    mailer.link_page = env.flag("MAILER_LINK_PAGE_ENABLED");
    mailer.magic_links = env.flag("EXTERNAL_EMAIL_MAGIC_LINK_ENABLED");
    for kind in MailKind::ALL {
        if let Some(word) = kind.notification()
            && env.flag(&format!("MAILER_NOTIFICATIONS_{word}_ENABLED"))
        {
            mailer.notifications.insert(kind);
        }
    }
    let maps = [
        ("MAILER_URLPATHS_<KIND>", &mut mailer.url_paths),
        ("MAILER_SUBJECTS_<KIND>", &mut mailer.subjects),
        ("MAILER_TEMPLATES_<KIND>", &mut mailer.templates),
    ];
    for (family, map) in maps {
        for (word, value) in env.family(family) {
            match MailKind::parse(&word) {
                Some(kind) => drop(map.insert(kind, value)),
                None => {
                    env.notice(format!("{family}: this version sends no email of the kind {word}"));
                }
            }
        }
    }
}

pub(super) fn read_smtp(env: &mut Environment, config: &mut Config) {
    let admin_email = env.required("SMTP_ADMIN_EMAIL", "the address that emails are sent from");
    let port = env.number("SMTP_PORT");
    let user = env.text("SMTP_USER");
    let password = env.text("SMTP_PASS").map(Into::into);
    let sender_name = env.text("SMTP_SENDER_NAME");
    let headers = env.text("SMTP_HEADERS").map(|text| SmtpConfig::parse_headers(&text));
    if headers == Some(None) {
        env.problem("AUTHSVC_SMTP_HEADERS must be a JSON object of header names and values");
    }
    let headers = headers.flatten().unwrap_or_default();
    let Some(host) = env.text("SMTP_HOST") else { return };
    let security = if port == 465 { SmtpSecurity::Tls } else { SmtpSecurity::Opportunistic };
    let smtp =
        SmtpConfig { host, port, security, user, password, admin_email, sender_name, headers };
    if let Err(problem) = crate::mail::smtp::MailServer::new(&smtp) {
        env.problem(problem);
    }
    config.smtp = Some(smtp);
}
