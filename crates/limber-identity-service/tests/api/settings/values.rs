//! Every declared setting ends up in its configuration field: one row for each, with a non-default
//! value and the expected part of the configuration.

use std::collections::BTreeSet;

use limber_api::identity::ProviderName;
use limber_identity_service::Config;
use limber_identity_service::config::settings::{Effect, SECTIONS, Setting};
use secrecy::ExposeSecret;

const LEAST: [(&str, &str); 6] = [
    ("SITE_URL", "https://site.example"),
    ("API_EXTERNAL_URL", "https://id.example"),
    ("DB_DRIVER", "postgres"),
    ("DATABASE_URL", "postgres://u:p@h/d"),
    ("JWT_SECRET", "a secret of more than thirty-two bytes"),
    ("SMTP_ADMIN_EMAIL", "admin@site.example"),
];

fn read(settings: &[(String, String)]) -> Result<Config, String> {
    let least = LEAST.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let all = least.chain(settings.iter().cloned());
    Config::from_env(all.map(|(name, value)| (format!("AUTHSVC_{name}"), value)))
        .map_err(|error| error.to_string())
}

/// Returns the lines of the second description that are not in the first.
fn new_lines(before: &Config, after: &Config) -> String {
    let (before, after) = (format!("{before:#?}"), format!("{after:#?}"));
    let known: BTreeSet<&str> = before.lines().collect();
    after.lines().filter(|line| !known.contains(line)).collect::<Vec<_>>().join("\n")
}

/// A setting's name, its value, and text that the configuration contains only then.
type Row = (&'static str, &'static str, &'static str);

const KEYS: &str = r#"[{"kty":"oct","kid":"a","alg":"HS256","key_ops":["sign"],"k":"c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"}]"#;

const ROWS: &[Row] = &[
    ("SITE_URL", "https://x.example", "\"x.example\""),
    ("URI_ALLOW_LIST", "a://b/**, c://d", "\"c://d\""),
    ("API_EXTERNAL_URL", "https://x.example", "issuer: \"https://x.example\""),
    ("API_HOST", "0.0.0.0", "listen_host: \"0.0.0.0\""),
    ("PORT", "9001", "port: 9001"),
    ("API_PORT", "9002", "port: 9002"),
    ("REQUEST_ID_HEADER", "X-Id", "\"X-Id\""),
    ("API_MAX_REQUEST_DURATION", "3s", "max_request_duration: 3s"),
    ("API_MAX_CONNECTIONS", "77", "connections: 77"),
    ("API_MAX_CONNECTIONS_OF_ONE", "78", "connections_of_one: 78"),
    ("API_HEADER_TIMEOUT", "79s", "header_time: 79s"),
    ("CORS_ALLOWED_HEADERS", "X-A,X-B", "\"X-B\""),
    ("DB_MAX_POOL_SIZE", "7", "max_connections: 7"),
    ("DB_TIMEOUT", "80s", "patience: 80s"),
    ("DB_NAMESPACE", "auth", "\"auth\""),
    ("LOG_LEVEL", "fatal", "level: \"error\""),
    ("LOG_FILE", "identity.log", "\"identity.log\""),
    ("AUDIT_LOG_DISABLE_POSTGRES", "true", "in_database: false"),
    ("AUDIT_LOG_MAX_ENTRIES", "0", "most: None"),
    ("AUDIT_LOG_RETENTION", "2h", "7200s"),
    ("UPKEEP_INTERVAL", "0", "interval: None"),
    ("ANONYMOUS_USERS_RETENTION", "720h", "2592000s"),
    ("UNCONFIRMED_USERS_RETENTION", "0", "unconfirmed_retention: None"),
    ("JWT_KEYS", KEYS, "keys: Some("),
    ("JWT_KEY_ID", "own", "\"own\""),
    ("JWT_EXP", "1h30m", "lifetime: 5400s"),
    ("JWT_AUD", "studio", "audience: \"studio\""),
    ("JWT_ISSUER", "me", "issuer: \"me\""),
    ("JWT_DEFAULT_GROUP_NAME", "animator", "default_role: \"animator\""),
    ("JWT_ADMIN_ROLES", "boss", "\"boss\""),
    ("JWT_SHORT_SECRET_FOR_TESTS_ONLY", "true", "short_secret_for_tests: true"),
    ("DISABLE_SIGNUP", "true", "disabled: true"),
    ("EXTERNAL_EMAIL_ENABLED", "false", "email: false"),
    ("EXTERNAL_PHONE_ENABLED", "true", "phone: true"),
    ("EXTERNAL_ANONYMOUS_USERS_ENABLED", "1", "anonymous: true"),
    ("EXTERNAL_EMAIL_MAGIC_LINK_ENABLED", "off", "magic_links: false"),
    // Values that are too low are raised; those beyond what a hash can take are capped.
    ("PASSWORD_MIN_LENGTH", "9", "min_length: 9"),
    ("PASSWORD_REQUIRED_CHARACTERS", "ab:\\:", "\":\""),
    ("PASSWORD_PARALLEL_HASHES", "2", "parallel_hashes: 2"),
    (
        "SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD",
        "t",
        "password_change_needs_current: true",
    ),
    (
        "SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION",
        "yes",
        "password_change_needs_nonce: true",
    ),
    ("SECURITY_REAUTHENTICATION_MAX_AGE", "0", "reauthentication_max_age: 0ns"),
    ("SECURITY_MANUAL_LINKING_ENABLED", "true", "manual_linking: true"),
    ("SECURITY_REFRESH_TOKEN_ROTATION_ENABLED", "false", "end_on_reuse: false"),
    ("SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", "500ms", "reuse_interval: 500ms"),
    ("SESSIONS_TIMEBOX", "3h", "10800s"),
    ("SESSIONS_INACTIVITY_TIMEOUT", "4h", "14400s"),
    ("SESSIONS_SINGLE_PER_USER", "true", "single_per_account: true"),
    ("SECURITY_ACCESS_TOKEN_REQUIRE_SESSION", "true", "access_needs_session: true"),
    ("SMTP_HOST", "mail.example", "host: \"mail.example\""),
    ("SMTP_PORT", "465", "security: Tls"),
    ("SMTP_USER", "post", "\"post\""),
    ("SMTP_PASS", "x", "password: Some("),
    ("SMTP_SENDER_NAME", "Studio", "\"Studio\""),
    ("SMTP_HEADERS", "{\"X-A\": [\"b\"]}", "\"X-A\""),
    ("SMTP_MAX_FREQUENCY", "5", "5s"),
    ("MAILER_AUTOCONFIRM", "true", "autoconfirm: true"),
    ("MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS", "true", "allow_unverified_email: true"),
    ("MAILER_SECURE_EMAIL_CHANGE_ENABLED", "false", "secure_email_change: false"),
    ("MAILER_LINK_PAGE_ENABLED", "true", "link_page: true"),
    ("MAILER_OTP_EXP", "1h", "code_lifetime: 3600s"),
    ("MAILER_OTP_LENGTH", "8", "code_length: 8"),
    ("SMS_AUTOCONFIRM", "true", "phone_autoconfirm: true"),
    ("SMS_MAX_FREQUENCY", "7", "max_frequency: 7s"),
    ("SMS_OTP_EXP", "7m", "code_lifetime: 420s"),
    ("SMS_OTP_LENGTH", "9", "code_length: 9"),
    ("SMS_TEMPLATE", "Hi {{ .Code }}", "\"Hi {{ .Code }}\""),
    ("SMS_TEST_OTP", "4179:123456", "\"4179\""),
    ("SMS_TEST_OTP_VALID_UNTIL", "2031-01-01T00:00:00Z", "2031-01-01T00:00:00Z"),
    ("MFA_TOTP_ENROLL_ENABLED", "false", "totp_enroll: false"),
    ("MFA_TOTP_VERIFY_ENABLED", "false", "totp_verify: false"),
    ("MFA_PHONE_ENROLL_ENABLED", "true", "phone_enroll: true"),
    ("MFA_PHONE_VERIFY_ENABLED", "true", "phone_verify: true"),
    ("MFA_MAX_ENROLLED_FACTORS", "3", "max_enrolled: 3"),
    ("MFA_CHALLENGE_EXPIRY_DURATION", "11", "challenge_lifetime: 11s"),
    ("MFA_FACTOR_EXPIRY_DURATION", "12", "factor_lifetime: 12s"),
    ("MFA_SAME_ADDRESS_REQUIRED", "false", "same_address: false"),
    ("EXTERNAL_FLOW_STATE_EXPIRY_DURATION", "10m", "flow_lifetime: 600s"),
    ("RATE_LIMIT_HEADER", "X-Real", "\"X-Real\""),
    ("RATE_LIMIT_BY_IP", "false", "by_ip: false"),
    ("TRUSTED_PROXIES", "10.0.0.0/8, ::1", "bits: 8"),
    ("RATE_LIMIT_TOKEN_REFRESH", "600", "per_second: 2.0"),
    ("RATE_LIMIT_VERIFY", "900", "per_second: 3.0"),
    ("RATE_LIMIT_OTP", "1200", "per_second: 4.0"),
    ("RATE_LIMIT_ANONYMOUS_USERS", "18000", "per_second: 5.0"),
    ("MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", "360", "per_second: 6.0"),
    ("RATE_LIMIT_EMAIL_SENT", "77", "77"),
    ("RATE_LIMIT_SMS_SENT", "88/1m", "88"),
    ("TRACING_ENABLED", "true", "traces: true"),
    ("OTEL_EXPORTER_PROMETHEUS_HOST", "::1", "page_host: \"::1\""),
    ("OTEL_EXPORTER_PROMETHEUS_PORT", "9101", "page_port: 9101"),
    ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://c.example:1", "\"c.example\""),
    ("OTEL_EXPORTER_OTLP_HEADERS", "x-key=hush", "\"x-key\""),
    ("OTEL_METRIC_EXPORT_INTERVAL", "500", "metrics_interval: 500ms"),
    ("OTEL_RESOURCE_ATTRIBUTES", "a=b%20c", "\"b c\""),
    ("DEBUG", "true", "debug: true"),
    ("METRICS_ENABLED", "true", "OpenTelemetry"),
];

/// Settings that have no effect on their own. Each is read together with its group.
const GROUPS: &[&[Row]] = &[
    &[("METRICS_ENABLED", "true", ""), ("METRICS_EXPORTER", "prometheus", "Prometheus")],
    &[
        ("SECURITY_CAPTCHA_ENABLED", "true", "CaptchaConfig"),
        ("SECURITY_CAPTCHA_PROVIDER", "TURNSTILE", "\"challenges.cloudflare.com\""),
        ("SECURITY_CAPTCHA_SECRET", "x", "secret: SecretBox"),
        ("SECURITY_CAPTCHA_TIMEOUT", "3", "timeout: 3s"),
    ],
    &[
        ("SECURITY_CAPTCHA_ENABLED", "true", ""),
        ("SECURITY_CAPTCHA_PROVIDER", "hCaptcha", ""),
        ("SECURITY_CAPTCHA_SECRET", "x", ""),
        ("SECURITY_CAPTCHA_URL", "http://c.example/check", "\"/check\""),
    ],
    &[
        ("EXTERNAL_AZURE_ENABLED", "true", ""),
        ("EXTERNAL_AZURE_CLIENT_ID", "app", ""),
        ("EXTERNAL_AZURE_SECRET", "hush", ""),
        ("EXTERNAL_AZURE_REDIRECT_URI", "https://id.example/callback", ""),
        ("EXTERNAL_AZURE_TENANTS", "ours,theirs", "\"theirs\""),
    ],
    &[
        ("EXTERNAL_WORKOS_ENABLED", "true", ""),
        ("EXTERNAL_WORKOS_CLIENT_ID", "app", ""),
        ("EXTERNAL_WORKOS_SECRET", "hush", ""),
        ("EXTERNAL_WORKOS_REDIRECT_URI", "https://id.example/callback", ""),
        ("EXTERNAL_WORKOS_CONNECTIONS", "conn_1,org_2", "\"org_2\""),
    ],
    &[
        ("SMS_PROVIDER", "twilio", "Twilio"),
        ("SMS_TWILIO_ACCOUNT_SID", "AC1", "\"AC1\""),
        ("SMS_TWILIO_AUTH_TOKEN", "x", "token: SecretBox"),
        ("SMS_TWILIO_MESSAGE_SERVICE_SID", "MG1", "\"MG1\""),
        ("SMS_TWILIO_URL", "http://t.example", "\"t.example\""),
    ],
    &[
        ("SMS_PROVIDER", "messagebird", "MessageBird"),
        ("SMS_MESSAGEBIRD_ACCESS_KEY", "x", "key: SecretBox"),
        ("SMS_MESSAGEBIRD_ORIGINATOR", "Bird", "\"Bird\""),
        ("SMS_MESSAGEBIRD_URL", "http://m.example", "\"m.example\""),
    ],
    &[
        ("SMS_PROVIDER", "textlocal", "Textlocal"),
        ("SMS_TEXTLOCAL_API_KEY", "x", "key: SecretBox"),
        ("SMS_TEXTLOCAL_SENDER", "Local", "\"Local\""),
        ("SMS_TEXTLOCAL_URL", "http://l.example", "\"l.example\""),
    ],
    &[
        ("SMS_PROVIDER", "vonage", "Vonage"),
        ("SMS_VONAGE_API_KEY", "vk", "\"vk\""),
        ("SMS_VONAGE_API_SECRET", "x", "secret: SecretBox"),
        ("SMS_VONAGE_FROM", "Von", "\"Von\""),
        ("SMS_VONAGE_URL", "http://v.example", "\"v.example\""),
    ],
];

/// Returns what else a row needs to be accepted or visible.
fn beside(name: &str) -> Vec<(String, String)> {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    match name {
        "EXTERNAL_PHONE_ENABLED" | "MFA_PHONE_ENROLL_ENABLED" | "MFA_PHONE_VERIFY_ENABLED" => {
            vec![pair("SMS_TEST_OTP", "41:123456")]
        }
        smtp if smtp.starts_with("SMTP_") && smtp != "SMTP_HOST" => {
            vec![pair("SMTP_HOST", "mail.example")]
        }
        _ => Vec::new(),
    }
}

fn check(named: &mut BTreeSet<String>, base: &[(String, String)], row: &Row) {
    let (name, value, shows) = *row;
    let before = read(base).unwrap_or_else(|error| panic!("without {name}: {error}"));
    let with: Vec<_> = base.iter().cloned().chain([(name.to_owned(), value.to_owned())]).collect();
    let after = read(&with).unwrap_or_else(|error| panic!("{name}: {error}"));
    let lines = new_lines(&before, &after);
    assert!(lines.contains(shows), "{name}={value}: {shows} is not in\n{lines}");
    named.insert(name.to_owned());
}

fn check_groups(named: &mut BTreeSet<String>) {
    for group in GROUPS {
        let whole: Vec<_> = group
            .iter()
            .map(|(name, value, _)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let after = read(&whole).unwrap_or_else(|error| panic!("{group:?}: {error}"));
        let lines = new_lines(&read(&[]).expect("the required settings are enough"), &after);
        for (name, _, shows) in *group {
            assert!(lines.contains(shows), "{name}: {shows} is not in\n{lines}");
            named.insert((*name).to_owned());
        }
    }
}

fn check_providers(named: &mut BTreeSet<String>) {
    for provider in ProviderName::ALL {
        let name = |what: &str| format!("EXTERNAL_{}_{what}", provider.as_str().to_uppercase());
        let settings: Vec<(String, String)> = [
            ("ENABLED", "true"),
            ("CLIENT_ID", "web,app"),
            ("SECRET", "hush"),
            ("REDIRECT_URI", "https://id.example/callback"),
            ("URL", "https://own.example/realm/"),
            ("EMAIL_OPTIONAL", "true"),
            ("SKIP_NONCE_CHECK", "true"),
        ]
        .map(|(what, value)| (name(what), value.to_owned()))
        .into();
        let config = read(&settings).unwrap_or_else(|error| panic!("{provider}: {error}"));
        let written = &config.external.providers[provider];
        assert_eq!(config.external.providers.len(), 1);
        assert_eq!(written.client_ids, ["web", "app"]);
        assert_eq!(written.redirect_uri, "https://id.example/callback");
        assert_eq!(written.base.as_deref(), Some("https://own.example/realm"));
        assert!(written.email_optional && written.skip_nonce_check, "{provider}");
        named.extend(settings.into_iter().map(|(name, _)| name));
    }
    let error = read(&[
        ("EXTERNAL_APPLE_ENABLED".into(), "true".into()),
        ("EXTERNAL_APPLE_PRIVATE_KEY".into(), "no key".into()),
    ]);
    let text = error.expect_err("the text is not a key");
    for what in ["APPLE_TEAM_ID", "APPLE_KEY_ID", "APPLE_PRIVATE_KEY"] {
        assert!(text.contains(&format!("AUTHSVC_EXTERNAL_{what}")), "{text}");
        named.insert(format!("EXTERNAL_{what}"));
    }
}

fn check_mail(named: &mut BTreeSet<String>) {
    for setting in
        all().filter(|setting| setting.name.starts_with("MAILER_") && !setting.words.is_empty())
    {
        let (before, after) =
            setting.name.split_once("<KIND>").expect("the name contains the placeholder");
        for kind in setting.words {
            let name = format!("{before}{kind}{after}");
            let flag = after.ends_with("_ENABLED");
            let value = if flag { "true".to_owned() } else { format!("/value-of-{name}") };
            let shows = if flag { "notifications: {" } else { value.as_str() };
            let with = [(name.clone(), value.clone())];
            let config = read(&with).unwrap_or_else(|error| panic!("{name}: {error}"));
            let lines = new_lines(&read(&[]).expect("the required settings are enough"), &config);
            assert!(lines.contains(shows), "{name}: {lines}");
            named.insert(name);
        }
    }
}

fn all() -> impl Iterator<Item = &'static Setting> {
    SECTIONS.iter().flat_map(|section| section.settings)
}

/// Returns every name of the setting, with the placeholder of a family expanded.
pub(crate) fn written_out(setting: &Setting) -> Vec<String> {
    let Some((before, rest)) = setting.name.split_once('<') else {
        let names = std::iter::once(&setting.name).chain(setting.also);
        return names.map(ToString::to_string).collect();
    };
    let after = rest.split_once('>').expect("the placeholder is closed").1;
    setting.words.iter().map(|word| format!("{before}{}{after}", word.to_uppercase())).collect()
}

/// Checks settings that are required, that only cause a notice, or that accept a single value.
fn check_the_rest(named: &mut BTreeSet<String>) {
    for name in ["DATABASE_URL", "DB_DATABASE_URL"] {
        let all = LEAST.iter().filter(|(known, _)| *known != "DATABASE_URL");
        let all = all.copied().chain([(name, "postgres://other@h/d")]);
        let all = all.map(|(name, value)| (format!("GOTRUE_{name}"), value.to_owned()));
        let config = Config::from_env(all).expect("the other prefix works too");
        assert_eq!(config.database.url.expose_secret(), "postgres://other@h/d");
        named.insert(name.to_owned());
    }
    let other = "another secret of more than thirty-two bytes";
    let config = read(&[("JWT_SECRET".into(), other.into())]).expect("a good secret");
    assert_eq!(config.jwt.secret.expose_secret(), other);
    named.insert("JWT_SECRET".to_owned());
    let with = [("SMTP_HOST".into(), "h".into()), ("SMTP_ADMIN_EMAIL".into(), "x@y.zz".into())];
    let config = read(&with).expect("a good address");
    assert_eq!(config.smtp.expect("there is a host").admin_email, "x@y.zz");
    named.insert("SMTP_ADMIN_EMAIL".to_owned());
    for (name, wrong) in [
        ("DB_DRIVER", "mysql"),
        ("TRACING_EXPORTER", "jaeger"),
        ("METRICS_EXPORTER", "statsd"),
        ("LOG_LEVEL", "loud"),
        ("SMS_PROVIDER", "pigeon"),
        ("JWT_EXP", "0"),
        ("JWT_KEYS", "[]"),
        ("JWT_SECRET", "short"),
        ("TRUSTED_PROXIES", "everybody"),
        ("EXTERNAL_AZURE_TENANTS", "common"),
        ("SMTP_HEADERS", "[]"),
        ("DB_NAMESPACE", "a.b"),
        ("PORT", "70000"),
        ("RATE_LIMIT_EMAIL_SENT", "many"),
        ("SESSIONS_TIMEBOX", "soon"),
        ("DISABLE_SIGNUP", "perhaps"),
        ("SITE_URL", "nowhere"),
    ] {
        let error = read(&[(name.to_owned(), wrong.to_owned())]).expect_err(name);
        assert!(error.contains(name) && !error.contains("perhaps"), "{name}: {error}");
        named.insert(name.to_owned());
    }
    let on = [("SECURITY_CAPTCHA_ENABLED".to_owned(), "true".to_owned())];
    let error = read(&on).expect_err("the provider is missing");
    for name in ["SECURITY_CAPTCHA_PROVIDER", "SECURITY_CAPTCHA_SECRET"] {
        assert!(error.contains(name), "{error}");
    }
    for setting in all().filter(|setting| setting.effect != Effect::Works) {
        let flag = setting.effect == Effect::NotYet;
        let value = if flag { "true" } else { "x" };
        let outcome = read(&[(setting.name.to_owned(), value.to_owned())]);
        let said = match outcome {
            Ok(config) => config.notices.join("\n"),
            Err(error) => error,
        };
        assert!(said.contains(&format!("AUTHSVC_{}", setting.name)), "{said}");
        named.insert(setting.name.to_owned());
    }
}

#[test]
fn every_setting_is_read_into_the_configuration() {
    let mut named = BTreeSet::new();
    for row in ROWS {
        check(&mut named, &beside(row.0), row);
    }
    check_groups(&mut named);
    check_providers(&mut named);
    check_mail(&mut named);
    check_the_rest(&mut named);
    let declared: BTreeSet<String> = all().flat_map(written_out).collect();
    let missing: Vec<&String> = declared.difference(&named).collect();
    assert!(missing.is_empty(), "declared, but not tested here: {missing:?}");
    let unknown: Vec<&String> = named.difference(&declared).collect();
    assert!(unknown.is_empty(), "tested here, but not declared: {unknown:?}");
}

#[test]
fn settings_are_read_under_bare_old_and_prefixed_names() {
    for setting in all().filter(|setting| setting.bare) {
        // The name must be recognised: a wrong value prevents the start, a right one is read.
        let least = LEAST.iter().filter(|(name, _)| *name != setting.name);
        let least = least.map(|(name, value)| (format!("AUTHSVC_{name}"), (*value).to_owned()));
        let row = ROWS.iter().find(|(name, ..)| *name == setting.name);
        let value = row.map_or("postgres://other@h/d", |row| row.1);
        let config = Config::from_env(least.chain([(setting.name.to_owned(), value.to_owned())]));
        let config = config.unwrap_or_else(|error| panic!("{}: {error}", setting.name));
        let unset = read(&[]).expect("the required settings are enough");
        let taken = !new_lines(&unset, &config).is_empty() || setting.required;
        assert!(taken, "{}", setting.name);
    }
    for (old, setting) in all().flat_map(|s| s.formerly.iter().map(move |old| (old, s))) {
        let config =
            read(&[((*old).to_owned(), "false".to_owned())]).expect("the old name still works");
        let notice =
            format!("AUTHSVC_{old} is the old name of AUTHSVC_{}; rename it", setting.name);
        assert_eq!(config.notices, [notice]);
        let lines = new_lines(&read(&[]).expect("the required settings are enough"), &config);
        assert!(lines.contains("totp_enroll: false"), "{old}: {lines}");
    }
}
