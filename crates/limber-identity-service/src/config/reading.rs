//! From variables to [`Config`].

use std::time::Duration;

use super::environment::Environment;
use super::limits::{BURST, FIVE_MINUTES, HOUR};
use super::{Allowance, Config, ConfigError, MailKind, MessageLimit, SmtpConfig, SmtpSecurity};

/// External providers the specification names; none is available in this version.
pub(crate) const PROVIDERS: [&str; 18] = [
    "apple",
    "azure",
    "bitbucket",
    "discord",
    "facebook",
    "figma",
    "github",
    "gitlab",
    "google",
    "keycloak",
    "linkedin",
    "notion",
    "snapchat",
    "spotify",
    "slack",
    "twitch",
    "twitter",
    "workos",
];

pub(super) fn read(
    variables: impl IntoIterator<Item = (String, String)>,
) -> Result<Config, ConfigError> {
    let mut env = Environment::new(variables);
    let site_url = env.required_url("SITE_URL", "the address of your site");
    let external_url =
        env.required_url("API_EXTERNAL_URL", "the address of this service as clients see it");
    let database_url = match env.text("DATABASE_URL").or_else(|| env.text("DB_DATABASE_URL")) {
        Some(url) => url.into(),
        None => env.secret("DATABASE_URL", "postgres://user:password@host:5432/database"),
    };
    let secret = env.secret("JWT_SECRET", "a long random text");
    let mut config = Config::new(site_url, external_url, database_url, secret);
    read_service(&mut env, &mut config);
    read_database(&mut env, &mut config);
    read_jwt(&mut env, &mut config);
    read_accounts(&mut env, &mut config);
    read_sessions(&mut env, &mut config);
    read_mailer(&mut env, &mut config);
    read_smtp(&mut env, &mut config);
    read_limits(&mut env, &mut config);
    refuse_what_is_missing(&mut env);
    env.finish(config)
}

fn read_service(env: &mut Environment, config: &mut Config) {
    config.uri_allow_list = env.list("URI_ALLOW_LIST");
    if let Some(host) = env.text("API_HOST") {
        config.listen_host = host;
    }
    let api_port = env.number("API_PORT", config.port);
    config.port = env.number("PORT", api_port);
    config.request_id_header = env.text("REQUEST_ID_HEADER");
    if let Some(limit) = env.duration("API_MAX_REQUEST_DURATION").filter(|d| !d.is_zero()) {
        config.max_request_duration = limit;
    }
    config.cors_allowed_headers = env.list("CORS_ALLOWED_HEADERS");
    config.log.file = env.text("LOG_FILE").map(Into::into);
    if let Some(level) = env.text("LOG_LEVEL") {
        match level.to_ascii_lowercase().as_str() {
            "panic" | "fatal" => config.log.level = "error".to_owned(),
            known @ ("error" | "warn" | "info" | "debug") => config.log.level = known.to_owned(),
            _ => env.problem("LOG_LEVEL must be one of panic, fatal, error, warn, info, debug"),
        }
    }
    for name in ["OPERATOR_TOKEN", "API_ENDPOINT"] {
        if env.text(name).is_some() {
            tracing::warn!(setting = name, "this setting is accepted but has no effect");
        }
    }
}

fn read_database(env: &mut Environment, config: &mut Config) {
    let driver = env.required("DB_DRIVER", "postgres");
    if !matches!(driver.as_str(), "" | "postgres") {
        env.problem("AUTHSVC_DB_DRIVER must be postgres: no other database is supported");
    }
    config.database.max_connections = env.number("DB_MAX_POOL_SIZE", 0);
    config.database.namespace = env.text("DB_NAMESPACE");
    if let Some(name) = &config.database.namespace
        && !is_plain_identifier(name)
    {
        env.problem(
            "AUTHSVC_DB_NAMESPACE must begin with a letter and hold letters, digits and _ only",
        );
    }
}

/// The name goes into SQL, so nothing but a plain identifier is let through.
fn is_plain_identifier(name: &str) -> bool {
    name.len() <= 63
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn read_jwt(env: &mut Environment, config: &mut Config) {
    let jwt = &mut config.jwt;
    jwt.key_id = env.text("JWT_KEY_ID");
    jwt.keys = env.text("JWT_KEYS").map(Into::into);
    if let Some(keys) = &jwt.keys
        && let Err(problem) = crate::tokens::keys::check(keys)
    {
        env.problem(format!("AUTHSVC_JWT_KEYS {problem}"));
    }
    if let Some(lifetime) = env.duration("JWT_EXP") {
        if lifetime.as_secs() == 0 {
            env.problem("AUTHSVC_JWT_EXP must be at least one second");
        }
        jwt.lifetime = lifetime;
    }
    jwt.audience = env.text("JWT_AUD").unwrap_or_default();
    if let Some(issuer) = env.text("JWT_ISSUER") {
        jwt.issuer = issuer;
    }
    jwt.default_role = env.text("JWT_DEFAULT_GROUP_NAME").unwrap_or_default();
    let roles = env.list("JWT_ADMIN_ROLES");
    if !roles.is_empty() {
        jwt.admin_roles = roles;
    }
}

fn read_accounts(env: &mut Environment, config: &mut Config) {
    let signup = &mut config.signup;
    signup.disabled = env.flag("DISABLE_SIGNUP", false);
    signup.email = env.flag("EXTERNAL_EMAIL_ENABLED", true);
    signup.phone = env.flag("EXTERNAL_PHONE_ENABLED", false);
    signup.anonymous = env.flag("EXTERNAL_ANONYMOUS_USERS_ENABLED", false);
    signup.phone_autoconfirm = env.flag("SMS_AUTOCONFIRM", false);
    let rules = &mut config.passwords;
    rules.min_length = env.number("PASSWORD_MIN_LENGTH", 6).clamp(6, 72);
    rules.required_characters =
        split_character_sets(&env.text("PASSWORD_REQUIRED_CHARACTERS").unwrap_or_default());
    rules.parallel_hashes = env.number("PASSWORD_PARALLEL_HASHES", rules.parallel_hashes).max(1);
}

/// `abc:0-9\:` holds the sets `abc` and `0-9:`.
fn split_character_sets(text: &str) -> Vec<String> {
    let mut sets = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&':') => {
                chars.next();
                sets.last_mut().expect("there is always a set").push(':');
            }
            ':' => sets.push(String::new()),
            other => sets.last_mut().expect("there is always a set").push(other),
        }
    }
    sets.retain(|set| !set.is_empty());
    sets
}

fn read_sessions(env: &mut Environment, config: &mut Config) {
    let rules = &mut config.sessions;
    rules.end_on_reuse = env.flag("SECURITY_REFRESH_TOKEN_ROTATION_ENABLED", true);
    if let Some(interval) = env.duration("SECURITY_REFRESH_TOKEN_REUSE_INTERVAL") {
        rules.reuse_interval = interval;
    }
    let set = |d: &Duration| !d.is_zero();
    rules.timebox = env.duration("SESSIONS_TIMEBOX").filter(set);
    rules.inactivity = env.duration("SESSIONS_INACTIVITY_TIMEOUT").filter(set);
    rules.single_per_account = env.flag("SESSIONS_SINGLE_PER_USER", false);
    rules.access_needs_session = env.flag("SECURITY_ACCESS_TOKEN_REQUIRE_SESSION", false);
    rules.password_change_needs_current =
        env.flag("SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD", false);
}

fn read_mailer(env: &mut Environment, config: &mut Config) {
    let mailer = &mut config.mailer;
    mailer.autoconfirm = env.flag("MAILER_AUTOCONFIRM", false);
    if let Some(lifetime) = env.duration("MAILER_OTP_EXP").filter(|d| !d.is_zero()) {
        mailer.code_lifetime = lifetime;
    }
    let length = env.number("MAILER_OTP_LENGTH", 6);
    mailer.code_length = if (6..=10).contains(&length) { length } else { 6 };
    mailer.secure_email_change = env.flag("MAILER_SECURE_EMAIL_CHANGE_ENABLED", true);
    mailer.max_frequency = env.duration("SMTP_MAX_FREQUENCY");
    mailer.notify_password_changed =
        env.flag("MAILER_NOTIFICATIONS_PASSWORD_CHANGED_ENABLED", false);
    mailer.notify_email_changed = env.flag("MAILER_NOTIFICATIONS_EMAIL_CHANGED_ENABLED", false);
    for kind in MailKind::ALL {
        let name = kind.as_str();
        if let Some(path) = env.text(&format!("MAILER_URLPATHS_{name}")) {
            mailer.url_paths.insert(kind, path);
        }
        if let Some(subject) = env.text(&format!("MAILER_SUBJECTS_{name}")) {
            mailer.subjects.insert(kind, subject);
        }
        if let Some(address) = env.text(&format!("MAILER_TEMPLATES_{name}")) {
            mailer.templates.insert(kind, address);
        }
    }
}

fn read_smtp(env: &mut Environment, config: &mut Config) {
    let admin_email = env.required("SMTP_ADMIN_EMAIL", "the address mail is sent from");
    let port = env.number("SMTP_PORT", 587);
    let user = env.text("SMTP_USER");
    let password = env.text("SMTP_PASS").map(Into::into);
    let sender_name = env.text("SMTP_SENDER_NAME");
    let Some(host) = env.text("SMTP_HOST") else { return };
    let security = if port == 465 { SmtpSecurity::Tls } else { SmtpSecurity::Opportunistic };
    let smtp = SmtpConfig { host, port, security, user, password, admin_email, sender_name };
    if let Err(problem) = crate::mail::smtp::sender(&smtp) {
        env.problem(problem);
    }
    config.smtp = Some(smtp);
}

fn read_limits(env: &mut Environment, config: &mut Config) {
    let limits = &mut config.limits;
    limits.header = env.text("RATE_LIMIT_HEADER");
    limits.by_ip = env.flag("RATE_LIMIT_BY_IP", false);
    let mut allowance = |name: &str, default: f64, time| {
        let count: f64 = env.number(name, default);
        if !count.is_finite() || count < 0.0 {
            env.problem(format!("AUTHSVC_{name} must not be negative"));
        }
        Allowance::new(count, time, BURST)
    };
    limits.token = allowance("RATE_LIMIT_TOKEN_REFRESH", 150.0, FIVE_MINUTES);
    limits.verify = allowance("RATE_LIMIT_VERIFY", 30.0, FIVE_MINUTES);
    limits.otp = allowance("RATE_LIMIT_OTP", 30.0, FIVE_MINUTES);
    limits.anonymous = allowance("RATE_LIMIT_ANONYMOUS_USERS", 30.0, HOUR);
    if let Some(text) = env.text("RATE_LIMIT_EMAIL_SENT") {
        match MessageLimit::parse(&text) {
            Some(limit) => limits.emails = limit,
            None => env.problem(
                "AUTHSVC_RATE_LIMIT_EMAIL_SENT must be a number or a form such as 100/24h",
            ),
        }
    }
}

/// A protection or a way in that was asked for and is not there must not be passed over.
fn refuse_what_is_missing(env: &mut Environment) {
    let switches =
        ["SECURITY_CAPTCHA_ENABLED", "SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION"];
    let providers = PROVIDERS.map(|name| format!("EXTERNAL_{}_ENABLED", name.to_uppercase()));
    for name in switches.iter().map(ToString::to_string).chain(providers) {
        if env.flag(&name, false) {
            env.problem(format!("AUTHSVC_{name} is not available in this version: set it false"));
        }
    }
    if env.flag("EXTERNAL_PHONE_ENABLED", false) && !env.flag("SMS_AUTOCONFIRM", false) {
        env.problem(
            "AUTHSVC_EXTERNAL_PHONE_ENABLED needs AUTHSVC_SMS_AUTOCONFIRM=true in this version: \
             no text messages can be sent",
        );
    }
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    const LEAST: &[(&str, &str)] = &[
        ("AUTHSVC_SITE_URL", "https://site.example"),
        ("AUTHSVC_API_EXTERNAL_URL", "https://id.example"),
        ("AUTHSVC_DB_DRIVER", "postgres"),
        ("DATABASE_URL", "postgres://u:hidden@h/d"),
        ("AUTHSVC_JWT_SECRET", "s3cret"),
        ("AUTHSVC_SMTP_ADMIN_EMAIL", "admin@site.example"),
    ];

    #[test]
    fn everything_missing_is_named_at_once() {
        let error = Config::from_env([]).expect_err("nothing is set");
        let text = error.to_string();
        for name in ["SITE_URL", "API_EXTERNAL_URL", "DB_DRIVER", "DATABASE_URL", "JWT_SECRET"] {
            assert!(text.contains(&format!("AUTHSVC_{name} is missing")), "{name}: {text}");
        }
    }

    #[test]
    fn the_least_configuration_takes_every_default() {
        let config = Config::from_env(variables(LEAST)).expect("the least is enough");
        assert_eq!(config.port, 8081);
        assert_eq!(config.jwt.lifetime.as_secs(), 3600);
        assert_eq!(config.mailer.confirmation_gap().as_secs(), 900);
        assert_eq!(config.mailer.other_gap().as_secs(), 60);
        assert_eq!(config.sessions.reuse_interval.as_secs(), 10);
        assert!(config.smtp.is_none() && config.signup.email && !config.signup.anonymous);
    }

    #[test]
    fn our_prefix_wins_over_the_bare_name_and_that_over_the_alias() {
        let mut all = variables(LEAST);
        all.extend(variables(&[
            ("PORT", "9002"),
            ("AUTHSVC_PORT", "9001"),
            ("GOTRUE_PORT", "9003"),
            ("GOTRUE_JWT_EXP", "120"),
        ]));
        let config = Config::from_env(all).expect("aliases are allowed");
        assert_eq!(config.port, 9001);
        assert_eq!(config.jwt.lifetime.as_secs(), 120);
    }

    #[test]
    fn problems_and_debug_output_show_no_secret() {
        let config = Config::from_env(variables(LEAST)).expect("the least is enough");
        let printed = format!("{config:?}");
        assert!(!printed.contains("hidden") && !printed.contains("s3cret"), "{printed}");
        assert_eq!(config.jwt.secret.expose_secret(), "s3cret");
    }

    #[test]
    fn a_protection_that_is_not_there_stops_the_start() {
        let mut all = variables(LEAST);
        all.extend(variables(&[("AUTHSVC_SECURITY_CAPTCHA_ENABLED", "true")]));
        let error = Config::from_env(all).expect_err("captcha is not available");
        assert!(error.to_string().contains("CAPTCHA"));
    }

    #[test]
    fn character_sets_split_on_colons_that_are_not_escaped() {
        assert_eq!(split_character_sets("abc:0-9\\:::ABC"), ["abc", "0-9:", "ABC"]);
    }

    #[test]
    fn a_namespace_that_is_more_than_a_name_is_refused() {
        for bad in ["a b", "a\"; DROP", "1a", "a.b", ""] {
            assert!(!is_plain_identifier(bad), "{bad}");
        }
        assert!(is_plain_identifier("auth_2"));
    }
}
