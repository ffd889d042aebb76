//! Configuration of the service: one struct per topic, with every setting documented where it is
//! declared.
//!
//! [`Config::new`] fills in the defaults; [`Config::from_env`] reads environment variables and
//! reports all problems at once. Variable names in the docs omit their prefix `AUTHSVC_`;
//! [`settings`] declares all of them.

mod captcha;
mod duration;
mod environment;
mod external;
mod factors;
mod limits;
mod mail;
pub(crate) mod reading;
pub mod settings;
mod texts;

use std::path::PathBuf;
use std::time::Duration;

use limber_serve::{Admission, Limits};
use limber_telemetry::TelemetryConfig;
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use environment::Environment;

pub use captcha::CaptchaConfig;
pub use duration::{parse_compound, parse_duration};
pub use environment::ConfigError;
pub use external::{AppleKey, ClientSecret, ExternalConfig, ProviderConfig};
pub use factors::FactorRules;
pub use limber_api::proxies::ProxyRange;
pub use limits::{Allowance, MessageLimit, RateLimits};
pub use mail::{MailKind, MailerConfig, SmtpConfig, SmtpSecurity};
pub use texts::{Carrier, TextsConfig};
pub(crate) use texts::{fill, join};

/// The complete configuration of one service instance.
#[derive(Debug, Clone)]
pub struct Config {
    /// `SITE_URL`: base URL of the site, and the redirect target unless a request asks for another.
    pub site_url: Url,
    /// `URI_ALLOW_LIST`: glob patterns of further allowed redirect targets.
    pub uri_allow_list: Vec<String>,
    /// `API_EXTERNAL_URL`: the public base URL of this service.
    pub external_url: Url,
    /// `API_HOST`: address to listen on. Default `127.0.0.1`, because the service is meant to run
    /// behind a proxy; containers set `0.0.0.0`.
    pub listen_host: String,
    /// `PORT` or `API_PORT`. Default 8081.
    pub port: u16,
    /// `REQUEST_ID_HEADER`: name of the incoming header that carries the request ID.
    pub request_id_header: Option<String>,
    /// `API_MAX_REQUEST_DURATION`: time limit of one request. Default 10 s.
    pub max_request_duration: Duration,
    /// `CORS_ALLOWED_HEADERS`: additional request headers that browsers may send.
    pub cors_allowed_headers: Vec<String>,
    /// `TRUSTED_PROXIES`: proxies whose forwarded client address is trusted. Default none.
    pub trusted_proxies: Vec<ProxyRange>,
    /// `API_MAX_CONNECTIONS`, `API_MAX_CONNECTIONS_OF_ONE`, `API_HEADER_TIMEOUT`: limits on open
    /// connections.
    pub connections: Limits,
    /// Restricts the service to one app on the same computer. Not read from variables; default
    /// `None`, which admits every caller.
    pub admission: Option<Admission>,
    /// The database.
    pub database: DatabaseConfig,
    /// Logging.
    pub log: LogConfig,
    /// Access tokens.
    pub jwt: JwtConfig,
    /// Who may create an account, and how.
    pub signup: SignupConfig,
    /// Sign-in through external providers.
    pub external: ExternalConfig,
    /// Password rules.
    pub passwords: PasswordRules,
    /// Lifetime of sessions.
    pub sessions: SessionRules,
    /// Text messages.
    pub texts: TextsConfig,
    /// Captcha verification. `None` (`SECURITY_CAPTCHA_ENABLED` is false) switches it off.
    pub captcha: Option<CaptchaConfig>,
    /// Second factors (MFA).
    pub factors: FactorRules,
    /// Contents of the emails.
    pub mailer: MailerConfig,
    /// Mail delivery. With `None` (`SMTP_HOST` is empty) mail is only recorded in the log.
    pub smtp: Option<SmtpConfig>,
    /// Rate limits.
    pub limits: RateLimits,
    /// The audit log.
    pub audit: AuditConfig,
    /// Periodic deletion of expired data.
    pub upkeep: UpkeepConfig,
    /// Traces and metrics.
    pub telemetry: TelemetryConfig,
    /// Warnings for the operator about this configuration, logged at start-up.
    pub notices: Vec<String>,
}

/// Database settings.
#[derive(Debug, Clone)]
pub struct DatabaseConfig {
    /// `DATABASE_URL` or `DB_DATABASE_URL`.
    pub url: SecretString,
    /// `DB_MAX_POOL_SIZE`; 0 means ten less than the server allows.
    pub max_connections: u32,
    /// `DB_NAMESPACE`: schema that holds the tables; created if missing.
    pub namespace: Option<String>,
    /// `DB_TIMEOUT`: how long a request waits for a free connection, and for each statement.
    /// Default 8 s, shorter than the request limit so that the request can still answer with an
    /// error.
    pub patience: Duration,
}

/// Log settings.
#[derive(Debug, Clone)]
pub struct LogConfig {
    /// `LOG_LEVEL`: error, warn, info or debug (panic and fatal mean error). Default info.
    pub level: String,
    /// `LOG_FILE`: log to this file instead of standard error.
    pub file: Option<PathBuf>,
}

/// Settings of the audit log, which records who did what.
#[derive(Debug, Clone)]
pub struct AuditConfig {
    /// The negation of `AUDIT_LOG_DISABLE_POSTGRES`. When false, entries go to the log only.
    pub in_database: bool,
    /// `AUDIT_LOG_RETENTION`: age at which entries are deleted. Default 90 days; `None` keeps them
    /// all.
    pub retention: Option<Duration>,
    /// `AUDIT_LOG_MAX_ENTRIES`: the oldest entries beyond this number are deleted. Default one
    /// million; `None` keeps them all.
    pub most: Option<u32>,
}

/// Settings of the periodic clean-up.
#[derive(Debug, Clone)]
pub struct UpkeepConfig {
    /// `UPKEEP_INTERVAL`: time between two clean-up runs; 0 disables them. Default 10 min.
    pub interval: Option<Duration>,
    /// `ANONYMOUS_USERS_RETENTION`: anonymous accounts inactive for this long are deleted. Default
    /// 90 days; `None` keeps them all.
    pub anonymous_retention: Option<Duration>,
    /// `UNCONFIRMED_USERS_RETENTION`: accounts with an unconfirmed address are deleted this long
    /// after a confirmation was last requested. Default 7 days; `None` keeps them all.
    pub unconfirmed_retention: Option<Duration>,
}

/// Access token settings.
#[derive(Debug, Clone)]
pub struct JwtConfig {
    /// `JWT_SECRET`: signs with HS256 unless `keys` is set; HS256 tokens are always verified with
    /// it.
    pub secret: SecretString,
    /// `JWT_SHORT_SECRET_FOR_TESTS_ONLY`: accept a secret shorter than [`MIN_SECRET_BYTES`].
    /// Default false.
    pub short_secret_for_tests: bool,
    /// `JWT_KEY_ID`: `kid` of tokens signed with the secret.
    pub key_id: Option<String>,
    /// `JWT_KEYS`: JSON array of JWKs, exactly one of which is used for signing.
    pub keys: Option<SecretString>,
    /// `JWT_EXP`: lifetime of an access token. Default 3600 s.
    pub lifetime: Duration,
    /// `JWT_AUD`: audience assigned to new accounts. Default empty.
    pub audience: String,
    /// `JWT_ISSUER`: the `iss` claim. Default `API_EXTERNAL_URL`.
    pub issuer: String,
    /// `JWT_DEFAULT_GROUP_NAME`: role assigned to new accounts. Default empty.
    pub default_role: String,
    /// `JWT_ADMIN_ROLES`: roles that may use the admin endpoints. Default
    /// `service_role,platform_admin`.
    pub admin_roles: Vec<String>,
}

/// Shortest accepted secret, in bytes: the output size of HS256 (RFC 7518, 3.2). A shorter secret
/// would be the weakest part of every signature.
pub const MIN_SECRET_BYTES: usize = 32;

impl JwtConfig {
    /// Explains in one sentence, without quoting the secret, why it cannot be used. Returns `None`
    /// if it can.
    pub(crate) fn problem_of_secret(&self) -> Option<String> {
        let short = self.secret.expose_secret().len() < MIN_SECRET_BYTES;
        (short && !self.short_secret_for_tests).then(|| {
            format!(
                "AUTHSVC_JWT_SECRET is shorter than {MIN_SECRET_BYTES} bytes: set it to a longer \
                 random text, because anyone who guesses it can sign tokens"
            )
        })
    }
}

/// Rules for creating accounts.
#[derive(Debug, Clone)]
pub struct SignupConfig {
    /// `DISABLE_SIGNUP`: nobody can sign up. Default false.
    pub disabled: bool,
    /// `EXTERNAL_EMAIL_ENABLED`: sign-up by email address. Default true.
    pub email: bool,
    /// `EXTERNAL_PHONE_ENABLED`: sign-up by phone number. Default false.
    pub phone: bool,
    /// `EXTERNAL_ANONYMOUS_USERS_ENABLED`: anonymous sign-up. Default false.
    pub anonymous: bool,
    /// `SMS_AUTOCONFIRM`: phone numbers need no confirmation. Default false.
    pub phone_autoconfirm: bool,
}

/// Password rules.
#[derive(Debug, Clone)]
pub struct PasswordRules {
    /// `PASSWORD_MIN_LENGTH`: minimum length in characters. Default 6, which is also the lowest
    /// accepted value.
    pub min_length: usize,
    /// `PASSWORD_REQUIRED_CHARACTERS`: character sets, each of which must contribute a character.
    pub required_characters: Vec<String>,
    /// `PASSWORD_PARALLEL_HASHES`: number of passwords hashed concurrently; further requests wait.
    /// Each hash takes 19 MiB.
    pub parallel_hashes: usize,
}

/// Session lifetime rules.
#[derive(Debug, Clone)]
pub struct SessionRules {
    /// `SECURITY_REFRESH_TOKEN_ROTATION_ENABLED`: reuse of a refresh token ends the session.
    /// Default true.
    pub end_on_reuse: bool,
    /// `SECURITY_REFRESH_TOKEN_REUSE_INTERVAL`: grace period in which a refresh token may be
    /// reused, for retries. Default 10 s.
    pub reuse_interval: Duration,
    /// `SESSIONS_TIMEBOX`: maximum lifetime of a session.
    pub timebox: Option<Duration>,
    /// `SESSIONS_INACTIVITY_TIMEOUT`: longest time a session may go without a refresh.
    pub inactivity: Option<Duration>,
    /// `SESSIONS_SINGLE_PER_USER`: a new sign-in ends the account's other sessions. Default false.
    pub single_per_account: bool,
    /// `SECURITY_ACCESS_TOKEN_REQUIRE_SESSION`: access tokens become invalid when their session
    /// ends. Default false.
    pub access_needs_session: bool,
    /// `SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD`: changing the password requires the
    /// current one. Default false.
    pub password_change_needs_current: bool,
    /// `SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`: changing the password requires a code
    /// from `/reauthenticate`. Default false.
    pub password_change_needs_nonce: bool,
    /// `SECURITY_REAUTHENTICATION_MAX_AGE`: sessions younger than this need no code. Default 24 h;
    /// 0 always requires one.
    pub reauthentication_max_age: Duration,
}

impl Config {
    /// Returns a configuration with every default filled in; fields may be changed afterwards.
    #[must_use]
    pub fn new(
        site_url: Url,
        external_url: Url,
        database_url: SecretString,
        jwt_secret: SecretString,
    ) -> Self {
        Self {
            uri_allow_list: Vec::new(),
            listen_host: "127.0.0.1".to_owned(),
            port: 8081,
            request_id_header: None,
            max_request_duration: Duration::from_secs(10),
            cors_allowed_headers: Vec::new(),
            trusted_proxies: Vec::new(),
            connections: Limits::default(),
            admission: None,
            database: DatabaseConfig {
                url: database_url,
                max_connections: 0,
                namespace: None,
                patience: Duration::from_secs(8),
            },
            log: LogConfig { level: "info".to_owned(), file: None },
            jwt: JwtConfig {
                secret: jwt_secret,
                short_secret_for_tests: false,
                key_id: None,
                keys: None,
                lifetime: Duration::from_secs(3600),
                audience: String::new(),
                issuer: external_url.as_str().trim_end_matches('/').to_owned(),
                default_role: String::new(),
                admin_roles: vec!["service_role".to_owned(), "platform_admin".to_owned()],
            },
            signup: SignupConfig {
                disabled: false,
                email: true,
                phone: false,
                anonymous: false,
                phone_autoconfirm: false,
            },
            external: ExternalConfig::default(),
            passwords: PasswordRules {
                min_length: 6,
                required_characters: Vec::new(),
                parallel_hashes: 4,
            },
            sessions: SessionRules {
                end_on_reuse: true,
                reuse_interval: Duration::from_secs(10),
                timebox: None,
                inactivity: None,
                single_per_account: false,
                access_needs_session: false,
                password_change_needs_current: false,
                password_change_needs_nonce: false,
                reauthentication_max_age: Duration::from_secs(86_400),
            },
            texts: TextsConfig::default(),
            captcha: None,
            factors: FactorRules::default(),
            mailer: MailerConfig::default(),
            smtp: None,
            limits: RateLimits::default(),
            audit: AuditConfig {
                in_database: true,
                retention: Some(Duration::from_secs(90 * 86_400)),
                most: Some(1_000_000),
            },
            upkeep: UpkeepConfig {
                interval: Some(Duration::from_secs(600)),
                anonymous_retention: Some(Duration::from_secs(90 * 86_400)),
                unconfirmed_retention: Some(Duration::from_secs(7 * 86_400)),
            },
            telemetry: TelemetryConfig::default(),
            notices: Vec::new(),
            site_url,
            external_url,
        }
    }

    /// Reads the configuration from environment variables.
    ///
    /// # Errors
    ///
    /// If any setting is missing or invalid. [`ConfigError`] lists every problem, each with its
    /// variable's name.
    pub fn from_env(
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        Self::from_env_and_file(variables, [], Vec::new())
    }

    /// Reads the configuration from the process environment and a `.env` file; the environment
    /// takes precedence. `problems` found while reading the file are reported together with the
    /// others.
    ///
    /// # Errors
    ///
    /// As [`from_env`](Self::from_env).
    pub fn from_env_and_file(
        variables: impl IntoIterator<Item = (String, String)>,
        file: impl IntoIterator<Item = (String, String)>,
        problems: Vec<String>,
    ) -> Result<Self, ConfigError> {
        let mut env = Environment::new(variables, file);
        for problem in problems {
            env.problem(problem);
        }
        reading::read(env)
    }
}
