//! Builds a [`Config`] from variables. Each topic has a file beside this one.

mod accounts;
mod external;
mod limits;
mod mail;
mod telemetry;
mod tokens;

use super::environment::Environment;
use super::{Config, ConfigError, ProxyRange};

pub(super) fn read(mut env: Environment) -> Result<Config, ConfigError> {
    let mut config = read_all(&mut env);
    env.report_what_has_no_effect();
    env.report_unknown_names();
    config.notices = env.notices();
    env.finish(config)
}

fn read_all(env: &mut Environment) -> Config {
    let site_url = env.required_url("SITE_URL", "the address of your site");
    let external_url =
        env.required_place("API_EXTERNAL_URL", "the address of this service as clients see it");
    let database_url = env.secret("DATABASE_URL", "postgres://user:password@host:5432/database");
    if env.set("DATABASE_URL").is_some() && !crate::store::is_address(&database_url) {
        env.problem(
            "AUTHSVC_DATABASE_URL is not a PostgreSQL URL: it must look like \
             postgres://user:password@host:5432/database",
        );
    }
    let secret = env.secret("JWT_SECRET", "a long random text");
    let mut config = Config::new(site_url, external_url, database_url, secret);
    read_service(env, &mut config);
    read_log(env, &mut config);
    config.upkeep.interval = env.duration("UPKEEP_INTERVAL").filter(|d| !d.is_zero());
    let retention = env.duration("ANONYMOUS_USERS_RETENTION").filter(|d| !d.is_zero());
    config.upkeep.anonymous_retention = retention;
    let retention = env.duration("UNCONFIRMED_USERS_RETENTION").filter(|d| !d.is_zero());
    config.upkeep.unconfirmed_retention = retention;
    config.audit.in_database = !env.flag("AUDIT_LOG_DISABLE_POSTGRES");
    config.audit.retention = env.duration("AUDIT_LOG_RETENTION").filter(|d| !d.is_zero());
    config.audit.most = Some(env.number("AUDIT_LOG_MAX_ENTRIES")).filter(|most| *most > 0);
    read_database(env, &mut config);
    tokens::read(env, &mut config);
    accounts::read(env, &mut config);
    accounts::read_sessions(env, &mut config);
    mail::read(env, &mut config);
    mail::read_smtp(env, &mut config);
    limits::read(env, &mut config);
    config.factors = super::factors::read(env);
    config.texts = super::texts::read(env, wants_texts(&config));
    config.captcha = super::captcha::read(env);
    refuse_texts_without_carrier(env, &config);
    config.external = external::read(env);
    telemetry::read(env, &mut config);
    config
}

/// Tells whether any enabled feature sends text messages.
fn wants_texts(config: &Config) -> bool {
    config.signup.phone || config.factors.phone_enroll || config.factors.phone_verify
}

/// Rejects phone features without a text message provider; otherwise the first user would be the
/// one to find out.
fn refuse_texts_without_carrier(env: &mut Environment, config: &Config) {
    let codes = config.signup.phone && !config.signup.phone_autoconfirm;
    let wanted = codes || config.factors.phone_enroll || config.factors.phone_verify;
    if wanted && config.texts.carrier.is_none() && config.texts.test_codes.is_empty() {
        env.problem(
            "AUTHSVC_EXTERNAL_PHONE_ENABLED and AUTHSVC_MFA_PHONE_… need AUTHSVC_SMS_PROVIDER, \
             which sends the codes (or AUTHSVC_SMS_TEST_OTP, for tests)",
        );
    }
}

fn read_service(env: &mut Environment, config: &mut Config) {
    config.uri_allow_list = env.list("URI_ALLOW_LIST");
    config.listen_host = env.text("API_HOST").unwrap_or_default();
    config.port = env.number("PORT");
    config.request_id_header = env.text("REQUEST_ID_HEADER");
    if let Some(limit) = env.duration("API_MAX_REQUEST_DURATION").filter(|d| !d.is_zero()) {
        config.max_request_duration = limit;
    }
    config.cors_allowed_headers = env.list("CORS_ALLOWED_HEADERS");
    read_connections(env, config);
    for text in env.list("TRUSTED_PROXIES") {
        match ProxyRange::parse(&text) {
            Some(range) => config.trusted_proxies.push(range),
            None => env.problem(
                "AUTHSVC_TRUSTED_PROXIES must contain addresses such as 10.0.0.7 and blocks such \
                 as 10.0.0.0/8",
            ),
        }
    }
}

/// Reads the connection limits, which the metrics page has, too. Zero is rejected, because the service could then serve nobody.
fn read_connections(env: &mut Environment, config: &mut Config) {
    let names = ["API_MAX_CONNECTIONS", "API_MAX_CONNECTIONS_OF_ONE"];
    let [all, of_one] = names.map(|name| {
        let number: usize = env.number(name);
        if number == 0 {
            env.problem(format!("AUTHSVC_{name} must be at least 1"));
        }
        number
    });
    config.connections.connections = all;
    config.connections.connections_of_one = of_one;
    if let Some(time) = env.duration("API_HEADER_TIMEOUT").filter(|d| !d.is_zero()) {
        config.connections.header_time = time;
    }
    config.telemetry.page_limits = config.connections;
}

fn read_log(env: &mut Environment, config: &mut Config) {
    config.log.file = env.text("LOG_FILE").map(Into::into);
    let level = env.text("LOG_LEVEL").unwrap_or_default().to_ascii_lowercase();
    match level.as_str() {
        "panic" | "fatal" => config.log.level = "error".to_owned(),
        "error" | "warn" | "info" | "debug" => config.log.level = level,
        _ => env.problem("LOG_LEVEL must be one of panic, fatal, error, warn, info, debug"),
    }
}

fn read_database(env: &mut Environment, config: &mut Config) {
    let driver = env.required("DB_DRIVER", "postgres");
    if !matches!(driver.as_str(), "" | "postgres") {
        env.problem("AUTHSVC_DB_DRIVER must be postgres: no other database is supported");
    }
    config.database.max_connections = env.number("DB_MAX_POOL_SIZE");
    if let Some(patience) = env.duration("DB_TIMEOUT").filter(|d| !d.is_zero()) {
        config.database.patience = patience;
    }
    config.database.namespace = env.text("DB_NAMESPACE");
    if let Some(name) = &config.database.namespace
        && !is_plain_identifier(name)
    {
        env.problem(
            "AUTHSVC_DB_NAMESPACE must start with a letter and contain only letters, digits and _",
        );
    }
}

/// Tells whether a schema name is a plain identifier. It is inserted into SQL, so nothing else is
/// accepted.
fn is_plain_identifier(name: &str) -> bool {
    name.len() <= 63
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    const SECRET: &str = "s3cret of more than thirty-two bytes";
    const LEAST: &[(&str, &str)] = &[
        ("AUTHSVC_SITE_URL", "https://site.example"),
        ("AUTHSVC_API_EXTERNAL_URL", "https://id.example"),
        ("AUTHSVC_DB_DRIVER", "postgres"),
        ("DATABASE_URL", "postgres://u:hidden@h/d"),
        ("AUTHSVC_JWT_SECRET", SECRET),
        ("AUTHSVC_SMTP_ADMIN_EMAIL", "admin@site.example"),
    ];

    /// Builds a configuration from the required settings plus `pairs`.
    fn least_and(pairs: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let mut all = variables(LEAST);
        all.extend(variables(pairs));
        Config::from_env(all)
    }

    #[test]
    fn all_missing_settings_are_reported_at_once() {
        let error = Config::from_env([]).expect_err("nothing is set");
        let text = error.to_string();
        for name in ["SITE_URL", "API_EXTERNAL_URL", "DB_DRIVER", "DATABASE_URL", "JWT_SECRET"] {
            assert!(text.contains(&format!("AUTHSVC_{name} is missing")), "{name}: {text}");
        }
    }

    #[test]
    fn declared_defaults_match_a_new_configuration() {
        let config = least_and(&[]).expect("the required settings are enough");
        let new = Config::new(
            config.site_url.clone(),
            config.external_url.clone(),
            "postgres://u:hidden@h/d".into(),
            SECRET.into(),
        );
        assert_eq!(format!("{config:#?}"), format!("{new:#?}"));
    }

    #[test]
    fn every_declared_setting_is_read() {
        let mut env = Environment::new(variables(LEAST), []);
        read_all(&mut env);
        assert_eq!(env.never_asked(), Vec::<&str>::new());
    }

    #[test]
    fn environment_variables_override_the_file_with_any_prefix() {
        let mut file = variables(LEAST);
        file.extend(variables(&[("AUTHSVC_PORT", "9001"), ("AUTHSVC_JWT_EXP", "120")]));
        let environment = variables(&[("PORT", "9002")]);
        let config =
            Config::from_env_and_file(environment, file, Vec::new()).expect("the file is valid");
        assert_eq!((config.port, config.jwt.lifetime.as_secs()), (9002, 120));
    }

    #[test]
    fn prefixed_names_override_bare_names_and_aliases() {
        let config = least_and(&[
            ("PORT", "9002"),
            ("AUTHSVC_PORT", "9001"),
            ("GOTRUE_PORT", "9003"),
            ("GOTRUE_JWT_EXP", "120"),
        ])
        .expect("aliases are allowed");
        assert_eq!((config.port, config.jwt.lifetime.as_secs()), (9001, 120));
        let config = least_and(&[("GOTRUE_API_PORT", "9004")]).expect("aliases are allowed");
        assert_eq!(config.port, 9004);
    }

    #[test]
    fn problems_and_debug_output_show_no_secret() {
        let config = least_and(&[]).expect("the required settings are enough");
        let printed = format!("{config:?}");
        assert!(!printed.contains("hidden") && !printed.contains("s3cret"), "{printed}");
        assert_eq!(config.jwt.secret.expose_secret(), SECRET);
    }

    #[test]
    fn misspelled_and_ineffective_settings_are_reported() {
        let config = least_and(&[
            ("AUTHSVC_JWT_ADMIN_ROLE", "x"),
            ("AUTHSVC_OPERATOR_TOKEN", "hush"),
            ("AUTHSVC_QWERTY", "x"),
            ("GOTRUE_SITE_URLS", "x"),
            ("GOTRUE_JWT_EXP", "120"),
            ("GOTRUE_API_PORT", "9004"),
        ])
        .expect("none of them is a problem");
        let notices = config.notices.join("\n");
        for expected in [
            "AUTHSVC_JWT_ADMIN_ROLE is not a setting of this service; \
             did you mean AUTHSVC_JWT_ADMIN_ROLES?",
            "AUTHSVC_OPERATOR_TOKEN is accepted but has no effect",
            "AUTHSVC_QWERTY is not a setting of this service",
            "GOTRUE_SITE_URLS is not a setting of this service; did you mean GOTRUE_SITE_URL?",
        ] {
            assert!(config.notices.iter().any(|n| n == expected), "{expected}: {notices}");
        }
        assert!(!notices.contains("hush"), "{notices}");
        assert_eq!(notices.matches("GOTRUE_").count(), 2, "names that work: {notices}");
    }

    #[test]
    fn old_setting_names_work_and_are_reported() {
        let env = Environment::new(variables(&[("AUTHSVC_MFA_ENABLED", "false")]), []);
        assert_eq!(env.set("MFA_TOTP_ENROLL_ENABLED").as_deref(), Some("false"));
        let notice =
            "AUTHSVC_MFA_ENABLED is the old name of AUTHSVC_MFA_TOTP_ENROLL_ENABLED; rename it";
        assert_eq!(env.notices(), [notice]);
    }

    #[test]
    fn enabling_an_unsupported_feature_prevents_the_start() {
        let unavailable = super::super::settings::all().find(|setting| {
            setting.effect == super::super::settings::Effect::NotYet
                && setting.kind == super::super::settings::ValueKind::Flag
                && setting.default == "false"
        });
        // Once every declared setting is implemented, there is none left to test.
        let Some(setting) = unavailable else { return };
        let name = format!("AUTHSVC_{}", setting.names()[0]);
        let error = least_and(&[(&name, "true")]).expect_err("the feature is not supported");
        assert!(error.to_string().contains(&name), "{error}");
        least_and(&[(&name, "false")]).expect("switching an unsupported feature off is allowed");
    }

    #[test]
    fn an_unreadable_env_file_is_reported_with_the_other_problems() {
        let broken = vec!["the file .env cannot be read".to_owned()];
        let error = Config::from_env_and_file([], [], broken).expect_err("nothing is set");
        assert!(error.problems[0].contains(".env") && error.problems.len() > 5, "{error}");
    }

    #[test]
    fn namespaces_must_be_plain_identifiers() {
        for bad in ["a b", "a\"; DROP", "1a", "a.b", ""] {
            assert!(!is_plain_identifier(bad), "{bad}");
        }
        assert!(is_plain_identifier("auth_2"));
    }
}
