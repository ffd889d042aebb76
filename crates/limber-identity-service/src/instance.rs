//! The state shared by all requests: configuration, database, clock, randomness, keys and the rate
//! limiter.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use limber_domain::environment::{Clock, SecureRandom};
use limber_serve::Pulse;
use limber_telemetry::RequestMeasures;
use secrecy::ExposeSecret;
use sqlx::{PgPool, PgTransaction};
use tokio::sync::Notify;

use crate::captcha::Captcha;
use crate::config::Config;
use crate::domain::password_guesses::AttemptLocks;
use crate::error::ServiceError;
use crate::passwords::Hasher;
use crate::providers::Providers;
use crate::rate_limits::RateLimiter;
use crate::redirects::Redirects;
use crate::refusal::Outcome;
use crate::texts::TextSender;
use crate::tokens::factor_secrets::FactorKey;
use crate::tokens::keys::KeyRing;
use crate::tokens::one_time::CodeKey;

/// One running service.
pub(crate) struct Instance {
    pub(crate) config: Config,
    pub(crate) pool: PgPool,
    /// Detects an unresponsive database.
    pub(crate) pulse: Pulse,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn SecureRandom>,
    pub(crate) keys: KeyRing,
    pub(crate) code_key: CodeKey,
    pub(crate) factor_key: FactorKey,
    pub(crate) hasher: Hasher,
    pub(crate) attempt_locks: AttemptLocks,
    pub(crate) texts: TextSender,
    /// `None` if captchas are disabled.
    pub(crate) captcha: Option<Captcha>,
    pub(crate) rate_limiter: RateLimiter,
    pub(crate) redirects: Redirects,
    pub(crate) providers: Providers,
    pub(crate) measures: RequestMeasures,
    /// Wakes the mail task after a transaction that queued mail.
    pub(crate) mail_ready: Notify,
}

impl Instance {
    pub(crate) fn new(
        config: Config,
        pool: PgPool,
        clock: Arc<dyn Clock>,
        random: Arc<dyn SecureRandom>,
    ) -> Result<Self, ServiceError> {
        let unusable =
            |problem| ServiceError::Config(crate::config::ConfigError { problems: vec![problem] });
        if let Some(problem) = config.jwt.problem_of_secret() {
            return Err(unusable(problem));
        }
        let keys = KeyRing::new(&config.jwt)
            .map_err(|problem| unusable(format!("AUTHSVC_JWT_KEYS {problem}")))?;
        // rustls needs a default crypto provider; an embedding program may have installed one
        // already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let permits = pool.options().get_max_connections() as usize / 4;
        let texts = TextSender::new(&config.texts, permits, Arc::clone(&clock));
        let captcha = config.captcha.as_ref().map(Captcha::new).transpose();
        Ok(Self {
            texts: texts.map_err(ServiceError::Client)?,
            captcha: captcha.map_err(ServiceError::Client)?,
            keys,
            code_key: CodeKey::new(config.jwt.secret.expose_secret().as_bytes()),
            factor_key: FactorKey::new(config.jwt.secret.expose_secret().as_bytes()),
            hasher: Hasher::new(config.passwords.parallel_hashes, &*random),
            attempt_locks: AttemptLocks::default(),
            rate_limiter: RateLimiter::new(config.limits.clone(), clock.now()),
            redirects: Redirects::new(&config.site_url, &config.uri_allow_list),
            providers: Providers::new(config.external.clone(), config.max_request_duration),
            measures: RequestMeasures::new(crate::NAME, "limber.identity.refusals"),
            mail_ready: Notify::new(),
            pulse: Pulse::of(&pool, config.database.patience),
            config,
            pool,
            clock,
            random,
        })
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub(crate) async fn begin(&self) -> Outcome<PgTransaction<'static>> {
        Ok(self.pool.begin().await?)
    }

    /// Commits a transaction that may have queued mail.
    pub(crate) async fn commit(&self, transaction: PgTransaction<'static>) -> Outcome<()> {
        transaction.commit().await?;
        self.mail_ready.notify_one();
        Ok(())
    }
}

/// The caller, as far as the domain is concerned.
#[derive(Debug, Clone)]
pub(crate) struct RequestContext {
    /// Audience of the request.
    pub(crate) aud: String,
    /// Redirect target for links; already validated.
    pub(crate) redirect_to: String,
    pub(crate) user_agent: Option<String>,
    pub(crate) ip: Option<String>,
    /// Network that identifies the caller: an IPv4 address or an IPv6 /64 prefix.
    pub(crate) network: String,
    /// Key under which rate limits count the caller, or `None` if callers are not to be counted.
    pub(crate) rate_limit_key: Option<String>,
}
