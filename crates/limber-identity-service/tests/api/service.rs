//! One service per test: its own database, mailbox and clock, and a client that speaks HTTP.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use chrono::{DateTime, Utc};
use jsonwebtoken::{EncodingKey, Header, encode};
use limber_identity_service::config::{ProxyRange, SmtpConfig};
use limber_identity_service::{Clock, Config, SystemChance, SystemClock, migrate, serve_with};
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
/// What a request may take unless a test says otherwise: a busy computer may hold anything up.
const LIMIT: Duration = Duration::from_secs(60);
/// Where the tests ask from.
const HERE: &str = "127.0.0.1";

/// The time of the start, moved on by what the test says and by nothing else: how long a busy
/// computer takes for a test changes nothing. Only that each look is a microsecond later than the
/// one before it, because rows are told apart by their times.
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
        let moved_us = i64::try_from(time.as_micros()).expect("tests move by months at most");
        self.moved_us.fetch_add(moved_us, Ordering::SeqCst);
    }

    /// From now on it goes by itself too, for those who compare it with a clock of their own.
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

/// A database with the service's tables; that they can be made is tested where a deployment starts.
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

    /// With settings other than the defaults.
    pub(crate) async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        let database = migrated().await.expect("PostgreSQL is there");
        Self::begin(database, change, false).await
    }

    /// On a database that is there already, whatever it holds.
    pub(crate) async fn start_on(database: TestDatabase, change: impl FnOnce(&mut Config)) -> Self {
        Self::begin(database, change, true).await
    }

    async fn begin(
        database: TestDatabase,
        change: impl FnOnce(&mut Config),
        migrates: bool,
    ) -> Self {
        // every service of a test asks; only the first succeeds
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
        // one test asks more often than one caller may, and says for itself where callers are
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
        let chance = Arc::new(SystemChance);
        tokio::spawn(serve_with(config.clone(), listener, shutdown, time, chance));
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            // reading the system's certificates takes longer than most tests
            .tls_certs_only([])
            .build()
            .expect("a client can be built");
        Self { base, mailbox, clock, database, http, config, stop: Some(stop) }
    }

    /// With settings as operators write them, each name without its prefix.
    pub(crate) async fn start_from(settings: &[(&str, &str)]) -> Self {
        // the settings may name another schema, which is to be made
        let database = TestDatabase::create("identity").await.expect("PostgreSQL is there");
        Self::start_on(database, |config| *config = from_settings(config, settings)).await
    }

    /// On a database without any table.
    pub(crate) async fn start_empty() -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let database = TestDatabase::create("identity").await.expect("PostgreSQL is there");
        Self::begin(database, |_| {}, false).await
    }

    /// Another instance on the same database, until what is returned is dropped.
    pub(crate) async fn beside(&self) -> oneshot::Sender<()> {
        self.beside_at().await.1
    }

    /// The same, and its address.
    pub(crate) async fn beside_at(&self) -> (Url, oneshot::Sender<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let base = Url::parse(&format!("http://{address}")).expect("a valid address");
        let (stop, stopped) = oneshot::channel::<()>();
        let shutdown = async move { drop(stopped.await) };
        let time: Arc<dyn Clock> = Arc::clone(&self.clock) as _;
        let chance = Arc::new(SystemChance);
        tokio::spawn(serve_with(self.config.clone(), listener, shutdown, time, chance));
        (base, stop)
    }

    /// How many mails came to an address, once nothing is left to be sent.
    pub(crate) async fn count_mails(&self, to: &str) -> usize {
        self.mailbox.count(&self.database, to).await
    }

    /// The service's time.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, self.base.join(path).expect("a valid path"))
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        Answer::of(self.request(Method::POST, path).json(&body)).await
    }

    /// The same from another place, as the proxy tells it.
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

    /// Signs up, follows the mailed link, and is a confirmed account.
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

    /// A token as operators make them.
    pub(crate) fn admin_token(&self) -> String {
        self.token(&json!({"role": "service_role"}))
    }

    pub(crate) fn token(&self, claims: &Value) -> String {
        let key = EncodingKey::from_secret(SECRET.as_bytes());
        encode(&Header::default(), claims, &key).expect("signing succeeds")
    }
}

/// What the program makes of these settings and of the least there has to be.
pub(crate) fn from_settings(base: &Config, settings: &[(&str, &str)]) -> Config {
    let smtp = base.smtp.as_ref().expect("tests send mail");
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
    config.expect("these settings can be used")
}

impl Drop for TestService {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }
}

/// A status, its headers and its JSON (`null` when there is none).
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    pub(crate) async fn of(request: reqwest::RequestBuilder) -> Self {
        let response: Response = request.send().await.expect("the service answers");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.expect("the answer arrives");
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Self { status, headers, body }
    }

    /// Must have succeeded.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert!((200..300).contains(&self.status), "{self:?}");
        self
    }

    /// Must be exactly this error, and nothing more than it.
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
