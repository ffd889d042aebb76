//! Settings of the service: one struct per subject, each value documented where it is declared.
//!
//! [`Config::new`] gives every default; [`Config::from_env`] reads variables and reports all
//! problems at once. Names in the docs are without their prefix `AUTHSVC_`; [`settings`] declares
//! them all.

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

/// Everything an instance can be told.
#[derive(Debug, Clone)]
pub struct Config {
    /// `SITE_URL`: base of the site; where links lead unless a request says otherwise.
    pub site_url: Url,
    /// `URI_ALLOW_LIST`: glob patterns of further addresses links may lead to.
    pub uri_allow_list: Vec<String>,
    /// `API_EXTERNAL_URL`: this service as the world sees it.
    pub external_url: Url,
    /// `API_HOST`: where to listen. Default `127.0.0.1`, because a proxy stands
    /// before the service; containers set `0.0.0.0`.
    pub listen_host: String,
    /// `PORT` or `API_PORT`. Default 8081.
    pub port: u16,
    /// `REQUEST_ID_HEADER`: incoming header that names the request.
    pub request_id_header: Option<String>,
    /// `API_MAX_REQUEST_DURATION`. Default 10 s.
    pub max_request_duration: Duration,
    /// `CORS_ALLOWED_HEADERS`: further request headers a browser may send.
    pub cors_allowed_headers: Vec<String>,
    /// `TRUSTED_PROXIES`: whose word about the caller's address is believed. Default nobody's.
    pub trusted_proxies: Vec<ProxyRange>,
    /// `API_MAX_CONNECTIONS`, `API_MAX_CONNECTIONS_OF_ONE`, `API_HEADER_TIMEOUT`: what connections
    /// may use up.
    pub connections: Limits,
    /// Who alone is answered, where the service is there for one app on one computer; not read from
    /// variables. Default everybody.
    pub admission: Option<Admission>,
    /// The database.
    pub database: DatabaseConfig,
    /// The log.
    pub log: LogConfig,
    /// Access tokens.
    pub jwt: JwtConfig,
    /// Who may make an account, and how.
    pub signup: SignupConfig,
    /// Sign-in by other services.
    pub external: ExternalConfig,
    /// What a password must be.
    pub passwords: PasswordRules,
    /// How long sign-ins live.
    pub sessions: SessionRules,
    /// Text messages.
    pub texts: TextsConfig,
    /// Who checks that a person asks; `None` (`SECURITY_CAPTCHA_ENABLED` false): nobody does.
    pub captcha: Option<CaptchaConfig>,
    /// Second factors.
    pub factors: FactorRules,
    /// What mail says.
    pub mailer: MailerConfig,
    /// How mail leaves. `None` (`SMTP_HOST` empty): mail is only noted in the log.
    pub smtp: Option<SmtpConfig>,
    /// How often anybody may ask.
    pub limits: RateLimits,
    /// The audit log.
    pub audit: AuditConfig,
    /// Deleting what is old.
    pub upkeep: UpkeepConfig,
    /// Traces and metrics.
    pub telemetry: TelemetryConfig,
    /// What the operator should know about this configuration; logged at start.
    pub notices: Vec<String>,
}

/// The database.
#[derive(Debug, Clone)]
pub struct DatabaseConfig {
    /// `DATABASE_URL` or `DB_DATABASE_URL`.
    pub url: SecretString,
    /// `DB_MAX_POOL_SIZE`; 0 means ten less than the server allows.
    pub max_connections: u32,
    /// `DB_NAMESPACE`: schema that holds the tables, made when missing.
    pub namespace: Option<String>,
    /// `DB_TIMEOUT`: how long a statement or a free connection is waited for while requests are
    /// served. Default 8 s, so that a request ends before its own limit.
    pub patience: Duration,
}

/// The log.
#[derive(Debug, Clone)]
pub struct LogConfig {
    /// `LOG_LEVEL`: error, warn, info or debug (panic and fatal mean error). Default info.
    pub level: String,
    /// `LOG_FILE`: file instead of standard error.
    pub file: Option<PathBuf>,
}

/// The audit log: who did what.
#[derive(Debug, Clone)]
pub struct AuditConfig {
    /// `AUDIT_LOG_DISABLE_POSTGRES` turned round. Off: entries stand in the log alone.
    pub in_database: bool,
    /// `AUDIT_LOG_RETENTION`: older entries are deleted. Default 90 days; `None` keeps all.
    pub retention: Option<Duration>,
    /// `AUDIT_LOG_MAX_ENTRIES`: of more the oldest are deleted. Default a million; `None` keeps all.
    pub most: Option<u32>,
}

/// Deleting what is old.
#[derive(Debug, Clone)]
pub struct UpkeepConfig {
    /// `UPKEEP_INTERVAL`: time between two sweeps; 0 for none. Default 10 min.
    pub interval: Option<Duration>,
    /// `ANONYMOUS_USERS_RETENTION`: anonymous accounts that were silent this long are deleted.
    /// Default 90 days; `None` keeps all.
    pub anonymous_retention: Option<Duration>,
    /// `UNCONFIRMED_USERS_RETENTION`: accounts whose address nobody proved are deleted so long after
    /// somebody last asked for a confirmation. Default 7 days; `None` keeps all.
    pub unconfirmed_retention: Option<Duration>,
}

/// Access tokens.
#[derive(Debug, Clone)]
pub struct JwtConfig {
    /// `JWT_SECRET`: signs with HS256 unless `keys` is set; always verifies HS256.
    pub secret: SecretString,
    /// `JWT_SHORT_SECRET_FOR_TESTS_ONLY`: fewer than [`LEAST_SECRET_BYTES`] are taken. Default
    /// false.
    pub short_secret_for_tests: bool,
    /// `JWT_KEY_ID`: `kid` of tokens signed with the secret.
    pub key_id: Option<String>,
    /// `JWT_KEYS`: JSON array of JWKs, one of which may sign.
    pub keys: Option<SecretString>,
    /// `JWT_EXP`. Default 3600 s.
    pub lifetime: Duration,
    /// `JWT_AUD`: audience of new accounts. Default empty.
    pub audience: String,
    /// `JWT_ISSUER`. Default `API_EXTERNAL_URL`.
    pub issuer: String,
    /// `JWT_DEFAULT_GROUP_NAME`: role of new accounts. Default empty.
    pub default_role: String,
    /// `JWT_ADMIN_ROLES`. Default `service_role,platform_admin`.
    pub admin_roles: Vec<String>,
}

/// As many as HS256 makes of it: a shorter secret is the weakest part of every signature
/// (RFC 7518, 3.2).
pub const LEAST_SECRET_BYTES: usize = 32;

impl JwtConfig {
    /// Why the secret cannot be used, in one sentence that does not quote it.
    pub(crate) fn problem_of_secret(&self) -> Option<String> {
        let short = self.secret.expose_secret().len() < LEAST_SECRET_BYTES;
        (short && !self.short_secret_for_tests).then(|| {
            format!(
                "AUTHSVC_JWT_SECRET is shorter than {LEAST_SECRET_BYTES} bytes: set it to a longer \
                 random text, or whoever guesses it signs tokens"
            )
        })
    }
}

/// Who may make an account, and how.
#[derive(Debug, Clone)]
pub struct SignupConfig {
    /// `DISABLE_SIGNUP`. Default false.
    pub disabled: bool,
    /// `EXTERNAL_EMAIL_ENABLED`. Default true.
    pub email: bool,
    /// `EXTERNAL_PHONE_ENABLED`. Default false.
    pub phone: bool,
    /// `EXTERNAL_ANONYMOUS_USERS_ENABLED`. Default false.
    pub anonymous: bool,
    /// `SMS_AUTOCONFIRM`: phone numbers need no confirmation. Default false.
    pub phone_autoconfirm: bool,
}

/// What a password must be.
#[derive(Debug, Clone)]
pub struct PasswordRules {
    /// `PASSWORD_MIN_LENGTH`, characters. Default and least 6.
    pub min_length: usize,
    /// `PASSWORD_REQUIRED_CHARACTERS`: one of each set is needed.
    pub required_characters: Vec<String>,
    /// How many passwords are hashed at once; more wait. Each takes 19 MiB.
    pub parallel_hashes: usize,
}

/// How long sign-ins live.
#[derive(Debug, Clone)]
pub struct SessionRules {
    /// `SECURITY_REFRESH_TOKEN_ROTATION_ENABLED`: reuse ends the session. Default true.
    pub end_on_reuse: bool,
    /// `SECURITY_REFRESH_TOKEN_REUSE_INTERVAL`: forgives a retry. Default 10 s.
    pub reuse_interval: Duration,
    /// `SESSIONS_TIMEBOX`: longest life of a sign-in.
    pub timebox: Option<Duration>,
    /// `SESSIONS_INACTIVITY_TIMEOUT`: longest time without a refresh.
    pub inactivity: Option<Duration>,
    /// `SESSIONS_SINGLE_PER_USER`: a new sign-in ends older ones. Default false.
    pub single_per_account: bool,
    /// `SECURITY_ACCESS_TOKEN_REQUIRE_SESSION`: access tokens die with their session.
    /// Default false.
    pub access_needs_session: bool,
    /// `SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD`. Default false.
    pub password_change_needs_current: bool,
    /// `SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION`: a new password needs a code from
    /// `/reauthenticate`. Default false.
    pub password_change_needs_nonce: bool,
    /// `SECURITY_REAUTHENTICATION_MAX_AGE`: younger sign-ins need no code. Default 24 h; 0 asks
    /// always.
    pub reauthentication_max_age: Duration,
}

impl Config {
    /// A configuration with every default; fields may be changed afterwards.
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

    /// Reads variables.
    ///
    /// # Errors
    /// [`ConfigError`] with every problem there is, each naming its variable.
    pub fn from_env(
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        Self::from_env_and_file(variables, [], Vec::new())
    }

    /// Reads the variables of a process and those of its `.env`, over which the first win.
    /// `problems` are those of the file itself; they are told with the others.
    ///
    /// # Errors
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
