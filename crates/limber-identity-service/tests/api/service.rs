//! One service per test, with its own database, mailbox and clock, and an HTTP client for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use jsonwebtoken::{EncodingKey, Header, encode};
use limber_domain::environment::{Clock, SystemClock, SystemRandom};
use limber_identity_service::config::{ProxyRange, SmtpConfig};
use limber_identity_service::{Config, migrate, serve_with};
use limber_postgres::TestDatabase;
use reqwest::{Method, Response, Url};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::mailbox::Mailbox;

pub(crate) const SITE: &str = "http://site.example";
pub(crate) const PASSWORD: &str = "correct horse";
const SECRET: &str = "a secret that only the tests know";
/// Time limit per request in tests that set no other; generous, because a busy computer may delay
/// anything.
const LIMIT: Duration = Duration::from_secs(60);
/// The address that tests connect from.
const HERE: &str = "127.0.0.1";

/// A clock that starts at the current time and advances only when a test says so, so that the speed
/// of the computer has no effect. Each reading is one microsecond later than the last, because rows
/// are ordered by time.
#[derive(Debug)]
pub(crate) struct MovedClock {
    start: DateTime<Utc>,
    runs: AtomicBool,
    moved_us: AtomicI64,
}

impl MovedClock {
    fn new() -> Self {
        let (runs, moved_us) = (AtomicBool::new(false), AtomicI64::new(0));
        Self { start: SystemClock.now(), runs, moved_us }
    }

    pub(crate) fn advance(&self, time: Duration) {
        let moved_us =
            i64::try_from(time.as_micros()).expect("tests advance the clock by months at most");
        self.moved_us.fetch_add(moved_us, Ordering::SeqCst);
    }

    /// Lets the clock run from now on, for comparisons with a clock outside the service.
    pub(crate) fn run(&self) {
        self.runs.store(true, Ordering::SeqCst);
    }
}

impl Clock for MovedClock {
    fn now(&self) -> DateTime<Utc> {
        let moved_us = self.moved_us.fetch_add(1, Ordering::SeqCst);
        let from = if self.runs.load(Ordering::SeqCst) { SystemClock.now() } else { self.start };
        from + chrono::Duration::microseconds(moved_us)
    }
}

/// Creates a database with the service's tables, copied from a template. Migrations themselves are
/// tested where a deployment starts.
async fn migrated() -> Result<TestDatabase, Box<dyn std::error::Error + Send + Sync>> {
    let migrate = async |url| {
        let site = Url::parse(SITE)?;
        Ok(migrate(&Config::new(site.clone(), site, url, SECRET.into())).await?)
    };
    TestDatabase::create_migrated("identity", &sqlx::migrate!(), migrate).await
}

/// A running service.
pub(crate) struct TestService {
    pub(crate) base: Url,
    pub(crate) mailbox: Mailbox,
    pub(crate) clock: Arc<MovedClock>,
    pub(crate) database: TestDatabase,
    http: reqwest::Client,
    config: Config,
    stop: Option<oneshot::Sender<()>>,
}

impl TestService {
    pub(crate) async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    /// Starts a service with settings other than the defaults.
    pub(crate) async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        let database = migrated().await.expect("PostgreSQL is available");
        Self::begin(database, change, false).await
    }

    /// Starts a service on an existing database, whatever it contains.
    pub(crate) async fn start_on(database: TestDatabase, change: impl FnOnce(&mut Config)) -> Self {
        Self::begin(database, change, true).await
    }

    async fn begin(
        database: TestDatabase,
        change: impl FnOnce(&mut Config),
        migrates: bool,
    ) -> Self {
        // Every service of a test calls this; only the first call has an effect.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let (mailbox, smtp_port) = Mailbox::start();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let base = Url::parse(&format!("http://{address}")).expect("a valid address");
        let site = Url::parse(SITE).expect("a valid address");
        let url = database.secret_url();
        let mut config = Config::new(site, base.clone(), url, SECRET.into());
        config.smtp = Some(SmtpConfig::plain("127.0.0.1", smtp_port, "studio@site.example"));
        config.max_request_duration = LIMIT;
        config.database.max_connections = 5;
        config.database.patience = LIMIT;
        config.limits.emails = limber_identity_service::config::MessageLimit::PerHour(1000);
        // A single test makes more calls than one caller may, and sets callers' addresses itself.
        config.limits.by_ip = false;
        config.trusted_proxies = vec![ProxyRange::parse(HERE).expect("an address")];
        change(&mut config);
        if migrates {
            migrate(&config).await.expect("the schema can be made");
        }
        let clock = Arc::new(MovedClock::new());
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = async move { drop(stopped.await) };
        let time: Arc<dyn Clock> = Arc::clone(&clock) as _;
        let random = Arc::new(SystemRandom);
        tokio::spawn(serve_with(config.clone(), listener, shutdown, time, random));
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            // Loading the system's certificates takes longer than most tests.
            .tls_certs_only([])
            .build()
            .expect("a client can be built");
        Self { base, mailbox, clock, database, http, config, stop: Some(stop) }
    }

    /// Starts a service with settings as operators write them, without prefix.
    pub(crate) async fn start_from(settings: &[(&str, &str)]) -> Self {
        // The settings may name another schema, which must be created.
        let database = TestDatabase::create("identity").await.expect("PostgreSQL is available");
        Self::start_on(database, |config| *config = from_settings(config, settings)).await
    }

    /// Starts a service on a database without tables.
    pub(crate) async fn start_empty() -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let database = TestDatabase::create("identity").await.expect("PostgreSQL is available");
        Self::begin(database, |_| {}, false).await
    }

    /// Starts another instance on the same database, which runs until the returned value is
    /// dropped.
    pub(crate) async fn beside(&self) -> oneshot::Sender<()> {
        self.beside_at().await.1
    }

    /// Like [`beside`](Self::beside), and also returns the instance's address.
    pub(crate) async fn beside_at(&self) -> (Url, oneshot::Sender<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let base = Url::parse(&format!("http://{address}")).expect("a valid address");
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = async move { drop(stopped.await) };
        let time: Arc<dyn Clock> = Arc::clone(&self.clock) as _;
        let random = Arc::new(SystemRandom);
        tokio::spawn(serve_with(self.config.clone(), listener, shutdown, time, random));
        (base, stop)
    }

    /// Returns the number of emails to an address, once the outbox is empty.
    pub(crate) async fn count_mails(&self, to: &str) -> usize {
        self.mailbox.count(&self.database, to).await
    }

    /// Returns the service's time.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, self.base.join(path).expect("a valid path"))
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        Answer::of(self.request(Method::POST, path).json(&body)).await
    }

    /// Posts from another IP address, as reported by the proxy.
    pub(crate) async fn post_from(&self, place: &str, path: &str, body: Value) -> Answer {
        let request = self.request(Method::POST, path).json(&body);
        Answer::of(request.header("X-Forwarded-For", place)).await
    }

    pub(crate) async fn get_as(&self, token: &str, path: &str) -> Answer {
        Answer::of(self.request(Method::GET, path).bearer_auth(token)).await
    }

    pub(crate) async fn send_as(
        &self,
        token: &str,
        method: Method,
        path: &str,
        body: Value,
    ) -> Answer {
        Answer::of(self.request(method, path).bearer_auth(token).json(&body)).await
    }

    /// Signs up and follows the mailed link, which yields a confirmed account and its session.
    pub(crate) async fn confirmed(&self, email: &str) -> Answer {
        self.post("/signup", json!({"email": email, "password": PASSWORD})).await.ok();
        let mail = self.mailbox.nth(email, 1).await;
        let body = json!({"type": "signup", "token_hash": mail.parameter("token")});
        self.post("/verify", body).await.ok()
    }

    pub(crate) async fn sign_in(&self, email: &str, password: &str) -> Answer {
        let body = json!({"email": email, "password": password});
        self.post("/token?grant_type=password", body).await
    }

    pub(crate) async fn refresh(&self, token: &str) -> Answer {
        self.post("/token?grant_type=refresh_token", json!({"refresh_token": token})).await
    }

    /// Returns a token as operators issue it.
    pub(crate) fn admin_token(&self) -> String {
        self.token(&json!({"role": "service_role"}))
    }

    pub(crate) fn token(&self, claims: &Value) -> String {
        let key = EncodingKey::from_secret(SECRET.as_bytes());
        encode(&Header::default(), claims, &key).expect("signing succeeds")
    }
}

/// Reads a configuration from these settings and the required ones.
pub(crate) fn from_settings(base: &Config, settings: &[(&str, &str)]) -> Config {
    let smtp = base.smtp.as_ref().expect("tests have a mail server");
    let least = [
        ("SITE_URL", SITE.to_owned()),
        ("API_EXTERNAL_URL", base.external_url.to_string()),
        ("DB_DRIVER", "postgres".to_owned()),
        ("DATABASE_URL", base.database.url.expose_secret().to_owned()),
        ("API_MAX_REQUEST_DURATION", format!("{}s", base.max_request_duration.as_secs())),
        ("DB_MAX_POOL_SIZE", base.database.max_connections.to_string()),
        ("DB_TIMEOUT", format!("{}ms", base.database.patience.as_millis())),
        ("JWT_SECRET", SECRET.to_owned()),
        ("SMTP_ADMIN_EMAIL", smtp.admin_email.clone()),
        ("SMTP_HOST", smtp.host.clone()),
        ("SMTP_PORT", smtp.port.to_string()),
        ("RATE_LIMIT_EMAIL_SENT", "1000".to_owned()),
        ("RATE_LIMIT_BY_IP", "false".to_owned()),
        ("TRUSTED_PROXIES", HERE.to_owned()),
    ];
    let own = settings.iter().map(|(name, value)| (*name, (*value).to_owned()));
    let all = least.into_iter().chain(own);
    let config = Config::from_env(all.map(|(name, value)| (format!("AUTHSVC_{name}"), value)));
    config.expect("the settings are valid")
}

impl Drop for TestService {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }
}

/// A response: status, headers and JSON body (`null` if there is none).
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) async fn of(request: reqwest::RequestBuilder) -> Self {
        let response: Response = request.send().await.expect("the service responds");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.expect("the response arrives");
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Self { status, headers, body }
    }

    /// Asserts success.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert!((200..300).contains(&self.status), "{self:?}");
        self
    }

    /// Asserts exactly this error and nothing more.
    #[track_caller]
    pub(crate) fn is_error(&self, status: u16, code: &str, message: &str) {
        let expected = json!({"code": status, "error_code": code, "msg": message});
        assert_eq!((self.status, &self.body), (status, &expected));
    }

    #[track_caller]
    pub(crate) fn text(&self, name: &str) -> String {
        let value = self.body[name].as_str();
        value.unwrap_or_else(|| panic!("{name} is missing in {self:?}")).to_owned()
    }

    pub(crate) fn access(&self) -> String {
        self.text("access_token")
    }

    pub(crate) fn refresh(&self) -> String {
        self.text("refresh_token")
    }
}
