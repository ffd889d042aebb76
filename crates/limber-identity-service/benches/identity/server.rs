//! The service and a bare handler in a child process, with what can be observed from outside.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;
use jsonwebtoken::{EncodingKey, Header, encode};
use limber_identity_service::config::{Allowance, MessageLimit, SmtpConfig};
use limber_identity_service::{Config, migrate, serve};
use limber_postgres::TestDatabase;
use reqwest::{Client, RequestBuilder, Url};
use serde_json::{Value, json};
use sqlx::postgres::PgPoolOptions;
use sqlx::{Connection, PgConnection, PgPool};
use tokio::net::TcpListener;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::Call;
use crate::load::Worker;

/// Argument that tells this program to run as the child.
pub(crate) const CHILD: &str = "be-the-server";
pub(crate) const PASSWORD: &str = "correct horse";
const SECRET: &str = "a secret that only the benchmark knows";
const POOL: u32 = 16;

/// The child process, as seen by the load generator.
pub(crate) struct Server {
    child: Child,
    /// Standard input of the child, which exits when this is closed.
    _leash: ChildStdin,
    base: String,
    bare: String,
    http: Client,
    numbers: AtomicUsize,
    _database: TestDatabase,
}

/// A mail server that accepts everything. It runs in this process, so that its CPU time does not
/// count as the service's.
#[derive(Clone)]
struct MailSink;

impl mailin_embedded::Handler for MailSink {}

/// Starts a mail server that accepts everything and returns its port.
fn start_mail_sink() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let mut server = mailin_embedded::Server::new(MailSink);
    server.with_name("bench").with_num_threads(4).with_tcp_listener(listener);
    std::thread::spawn(move || drop(server.serve()));
    port
}

impl Server {
    pub(crate) async fn start() -> Self {
        let database = TestDatabase::create("bench").await.expect("a PostgreSQL");
        let mut child =
            Command::new(std::env::current_exe().expect("the path of this program is known"))
                .arg(CHILD)
                .env("BENCH_DATABASE", database.url())
                .env("BENCH_SMTP_PORT", start_mail_sink().to_string())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .expect("this program can be started again");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut address = || lines.next().expect("the child prints its address").expect("a line");
        let (base, bare) = (address(), address());
        let leash = child.stdin.take().expect("a pipe");
        let numbers = AtomicUsize::new(0);
        let http = Client::new();
        let server = Self { child, _leash: leash, base, bare, http, numbers, _database: database };
        let mut ann = login();
        ann["email_confirm"] = true.into();
        server.admit(&ann).await;
        server
    }

    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    pub(crate) fn bare_url(&self, path: &str) -> Url {
        Url::parse(&format!("{}{path}", self.bare)).expect("a valid address")
    }

    pub(crate) fn next_number(&self) -> usize {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.http.post(format!("{}{path}", self.base)).json(body)
    }

    /// Creates an account through the admin API.
    pub(crate) async fn admit(&self, account: &Value) {
        let request = self.post("/admin/users", account).bearer_auth(admin_token());
        let answer = request.send().await.expect("the service responds");
        assert!(answer.status().is_success(), "{account}: {}", answer.status());
    }

    /// Opens a connection, signed in with its own session if the call needs one, to the service at
    /// `base`: either [`Self::base`] or a reference that has the account [`login`].
    pub(crate) async fn worker(&self, base: &str, call: Call) -> Worker<'_> {
        let session = match call {
            Call::User | Call::Refresh => {
                let url = format!("{base}/token?grant_type=password");
                let answer = self.http.post(url).json(&login()).send().await;
                let answer =
                    answer.unwrap_or_else(|error| panic!("{base} does not respond: {error}"));
                assert!(answer.status().is_success(), "{base} does not know {}", login());
                answer.json().await.expect("JSON")
            }
            _ => Value::Null,
        };
        let text = |name: &str| session[name].as_str().unwrap_or_default().to_owned();
        let (access, refresh) = (text("access_token"), text("refresh_token"));
        let base = base.to_owned();
        Worker { server: self, base, http: Client::new(), call, access, refresh }
    }

    /// Returns the number of statements so far.
    pub(crate) async fn statements(&self) -> u64 {
        self.ask_bare("/statements").await.parse().expect("a number")
    }

    /// Stops counting statements, so that nothing but the requests takes time.
    pub(crate) async fn stop_counting(&self) {
        self.ask_bare("/stop-counting").await;
    }

    async fn ask_bare(&self, path: &str) -> String {
        let answer = self.http.get(self.bare_url(path)).send().await.expect("the service responds");
        answer.text().await.expect("text")
    }

    /// Returns the CPU time used: fields 14 and 15 of `/proc/PID/stat`, in ticks of 10 ms.
    pub(crate) fn cpu_seconds(&self) -> f64 {
        let stat = self.proc("stat");
        let fields: Vec<&str> =
            stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
        let ticks = |at: usize| fields.get(at).and_then(|t| t.parse::<f64>().ok()).unwrap_or(0.0);
        (ticks(11) + ticks(12)) / 100.0
    }

    pub(crate) fn memory_mb(&self) -> f64 {
        let status = self.proc("status");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
        let kilobytes = line.split_whitespace().nth(1).and_then(|k| k.parse::<f64>().ok());
        kilobytes.unwrap_or(f64::NAN) / 1024.0
    }

    fn proc(&self, file: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.child.id())).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Credentials of the account that signs in.
pub(crate) fn login() -> Value {
    json!({"email": "ann@bench.example", "password": PASSWORD})
}

fn admin_token() -> String {
    let key = EncodingKey::from_secret(SECRET.as_bytes());
    encode(&Header::default(), &json!({"role": "service_role"}), &key).expect("signing succeeds")
}

/// Counts the service's statements, as traced by sqlx.
#[derive(Clone)]
struct Counter {
    statements: Arc<AtomicU64>,
    on: Arc<AtomicBool>,
}

impl<S: tracing::Subscriber> Layer<S> for Counter {
    fn enabled(&self, event: &tracing::Metadata<'_>, _: Context<'_, S>) -> bool {
        self.on.load(Ordering::Relaxed) && event.target() == "sqlx::query"
    }

    fn register_callsite(
        &self,
        event: &'static tracing::Metadata<'static>,
    ) -> tracing::subscriber::Interest {
        match event.target() {
            "sqlx::query" => tracing::subscriber::Interest::sometimes(),
            _ => tracing::subscriber::Interest::never(),
        }
    }

    fn on_event(&self, _: &tracing::Event<'_>, _: Context<'_, S>) {
        self.statements.fetch_add(1, Ordering::Relaxed);
    }
}

/// Runs the child until its standard input is closed.
pub(crate) fn be_the_server() -> ! {
    let counter = Counter { statements: Arc::default(), on: Arc::new(AtomicBool::new(true)) };
    tracing_subscriber::registry().with(counter.clone()).init();
    let runtime = tokio::runtime::Runtime::new().expect("threads can be created");
    runtime.block_on(async {
        let database = std::env::var("BENCH_DATABASE").expect("the parent passes the address");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let url = Url::parse(&base).expect("a valid address");
        let mut config = Config::new(url.clone(), url, database.clone().into(), SECRET.into());
        let smtp_port = std::env::var("BENCH_SMTP_PORT").ok().and_then(|port| port.parse().ok());
        let smtp_port = smtp_port.expect("the parent passes the address");
        config.smtp = Some(SmtpConfig::plain("127.0.0.1", smtp_port, "studio@bench.example"));
        config.limits.emails = MessageLimit::PerHour(u32::MAX);
        config.limits.by_ip = false;
        // All connections refresh sessions of one account.
        config.limits.token = Allowance { burst: f64::MAX, per_second: 0.0 };
        config.database.max_connections = POOL;
        config.max_request_duration = Duration::from_secs(60);
        migrate(&config).await.expect("the database can be created");
        fill(&database).await;
        let bare = bare(&database, counter).await;
        println!("{base}\n{bare}");
        tokio::spawn(serve(config, listener, std::future::pending()));
        // The parent closes this when it exits, for whatever reason.
        let leash = || std::io::stdin().read_to_end(&mut Vec::new());
        let _ = tokio::task::spawn_blocking(leash).await;
    });
    // Requests that are still running no longer matter.
    std::process::exit(0);
}

/// Inserts the accounts of a service in use. With empty tables, PostgreSQL plans sequential scans
/// and keeps those plans while the tables grow, until they are analysed again.
async fn fill(database: &str) {
    let mut conn =
        PgConnection::connect(database).await.expect("the database of the service is reachable");
    for statement in [
        "INSERT INTO accounts (id, aud, role, email, app_metadata, user_metadata, is_anonymous,
                 created_at, updated_at)
             SELECT gen_random_uuid(), '', 'authenticated', 'old' || n || '@bench.example',
                 '{\"provider\": \"email\", \"providers\": [\"email\"]}', '{}', false, now(), now()
             FROM generate_series(1, 10000) n",
        "INSERT INTO identities (id, account_id, provider, provider_id, identity_data, created_at,
                 updated_at)
             SELECT gen_random_uuid(), id, 'email', id::text,
                 jsonb_build_object('sub', id, 'email', email), now(), now()
             FROM accounts",
        "ANALYZE",
    ] {
        sqlx::query(statement).execute(&mut conn).await.expect("the statements succeed");
    }
}

/// Starts a handler that does nothing but query the database, from a pool of the same size.
async fn bare(database: &str, counter: Counter) -> String {
    let pool = PgPoolOptions::new().max_connections(POOL).connect(database).await;
    let pool = pool.expect("the database of the service is reachable");
    let app = Router::new()
        .route("/bare/{statements}/{transaction}", get(bare_answer))
        .with_state(pool)
        .merge(
            Router::new()
                .route(
                    "/statements",
                    get(|State(c): State<Counter>| async move {
                        c.statements.load(Ordering::Relaxed).to_string()
                    }),
                )
                .route(
                    "/stop-counting",
                    get(|State(c): State<Counter>| async move {
                        c.on.store(false, Ordering::Relaxed);
                        tracing::callsite::rebuild_interest_cache();
                    }),
                )
                .with_state(counter),
        );
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}")
}

async fn bare_answer(
    State(pool): State<PgPool>,
    Path((statements, transaction)): Path<(u32, u8)>,
) -> axum::Json<Value> {
    const STATEMENT: &str = "SELECT id::text FROM accounts WHERE email = $1 AND aud = ''";
    let mut found = String::new();
    if transaction == 1 {
        let mut tx = pool.begin().await.expect("a transaction");
        for _ in 0..statements {
            found = sqlx::query_scalar(STATEMENT)
                .bind("ann@bench.example")
                .fetch_one(&mut *tx)
                .await
                .expect("the account exists");
        }
        tx.commit().await.expect("the session can be ended");
    } else {
        for _ in 0..statements {
            found = sqlx::query_scalar(STATEMENT)
                .bind("ann@bench.example")
                .fetch_one(&pool)
                .await
                .expect("the account exists");
        }
    }
    axum::Json(json!({"id": found}))
}
