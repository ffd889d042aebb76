//! Measures throughput, waiting times, and whether a long job table slows anything down.
//!
//! Targets: those of the queue ([`queue`]); a dry run responds while somebody types (20 ms); status
//! requests reach at least half the throughput of a bare handler in the same process that queries
//! the same rows, and with a long table at least half of that; the longest list responds before a
//! page is drawn (200 ms); downloads reach at least half the throughput of a bare handler that
//! serves the same bytes.

mod queue;
mod requests;

use std::{
    future::Future,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

use limber_bench::{Report, amount};
use limber_client::motion::{JobId, JobStatus, ModelId, MotionClient, TextToMotion};
use limber_motion_service::{Config, create_client, migrate, serve, work};
use limber_postgres::TestDatabase;
use reqwest::header::{COOKIE, HeaderMap, HeaderValue, SET_COOKIE};
use secrecy::{ExposeSecret, SecretString};
use sqlx::{PgPool, postgres::PgPoolOptions};
use tokio::{net::TcpListener, task::JoinHandle};

/// Number of individual measurements of slow operations.
const ROUNDS: usize = 15;

/// A service with an account, and the results so far.
struct Bench {
    client: Arc<MotionClient>,
    /// A plain client with the account's session, without the overhead of [`MotionClient`].
    http: reqwest::Client,
    base: String,
    pool: PgPool,
    config: Config,
    report: Report,
    /// URL of the bare handler.
    bare: String,
    /// Throughput of status requests relative to the bare handler, with an otherwise empty queue.
    polls_to_bare: f64,
    // kept alive until the end
    _files: tempfile::TempDir,
    _database: TestDatabase,
}

#[tokio::main]
async fn main() -> ExitCode {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut bench = Bench::start().await;
    bench.dry_run().await;
    bench.downloads().await;
    bench.workers().await;
    bench.waits().await;
    bench.submits_and_polls().await;
    bench.long_table().await;
    bench.report.end()
}

impl Bench {
    async fn start() -> Self {
        let database = TestDatabase::create("bench").await.expect("a PostgreSQL");
        let files = tempfile::tempdir().expect("a folder");
        let mut config = Config::new(database.secret_url(), files.path().to_owned());
        config.rate_limits = false;
        config.max_queued = 1_000_000;
        config.pictures = false;
        migrate(&config).await.expect("an empty database");
        let (id, secret) = create_client(&config, "bench").await.expect("an account");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let server = config.clone();
        tokio::spawn(async move { serve(&server, listener, std::future::pending()).await });
        let client = MotionClient::new(&base, id.clone(), secret.clone()).expect("an address");
        // the listener accepts connections before the service responds to them
        client.sign_in().await.expect("signed in");
        let http = with_session(&base, &id, &secret).await;
        // configured like the service's own pool, which does not test connections before use
        let pool = PgPoolOptions::new().test_before_acquire(false).connect(database.url()).await;
        let pool = pool.expect("the database");
        Self {
            client: Arc::new(client),
            http,
            base,
            pool,
            config,
            report: Report::new(),
            bare: String::new(),
            polls_to_bare: 0.0,
            _files: files,
            _database: database,
        }
    }

    fn worker(&self, name: &str) -> JoinHandle<()> {
        let config = Config { worker_name: name.to_owned(), ..self.config.clone() };
        tokio::spawn(async move { work(&config, std::future::pending()).await.expect("it works") })
    }

    async fn submit(&self) -> JobId {
        self.client.submit(&walk(), None).await.expect("a job").job
    }

    /// Waits until a job succeeds.
    async fn finished(&self, job: &JobId) {
        loop {
            match self.client.status(job).await.expect("known") {
                JobStatus::Succeeded { .. } => return,
                ended if ended.is_final() => panic!("{job}: {ended:?}"),
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    /// Adds 10 000 waiting jobs, distributed evenly over this account and 99 others; requires at
    /// least one job of this account as a template.
    async fn fill_table(&self) {
        let accounts = "insert into accounts (id, name, secret_hash)
             select 'a' || n, 'bench', '' from generate_series(1, 99) n
             on conflict do nothing";
        sqlx::query(accounts).execute(&self.pool).await.expect("accounts");
        let jobs = "insert into jobs (rid, account_id, processor, spec, parameters)
             select 'bench_job_' || to_char(n, 'FM00000000'),
                 case when n % 100 = 0 then j.account_id else 'a' || (n % 100) end,
                 'text2motion', j.spec, j.parameters
             from generate_series(1, $1::int) n, (select * from jobs limit 1) j";
        let count = amount(10_000_i32, 1_000);
        sqlx::query(jobs).bind(count).execute(&self.pool).await.expect("jobs");
        sqlx::query("vacuum analyze").execute(&self.pool).await.expect("looked through");
    }

    /// Empties the table and leaves it as autovacuum would.
    async fn empty_table(&self) {
        for statement in ["delete from jobs", "vacuum analyze jobs"] {
            sqlx::query(statement).execute(&self.pool).await.expect("emptied");
        }
    }
}

/// Returns a client with a session of this account.
async fn with_session(base: &str, id: &str, secret: &SecretString) -> reqwest::Client {
    let asking = reqwest::Client::new().get(format!("{base}/account/v1/auth"));
    let asking = asking.basic_auth(id, Some(secret.expose_secret()));
    let answer = asking.send().await.expect("an answer");
    let cookie = answer.headers()[SET_COOKIE].to_str().expect("text").split(';').next();
    let cookie = HeaderValue::from_str(cookie.unwrap_or_default()).expect("a header");
    let headers = HeaderMap::from_iter([(COOKIE, cookie)]);
    reqwest::Client::builder().default_headers(headers).build().expect("a client")
}

fn walk() -> TextToMotion {
    let model = ModelId::parse("default").expect("letters");
    TextToMotion { duration_s: Some(2.0), ..TextToMotion::new("a person walks", model) }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
async fn time_ms<T>(work: impl Future<Output = T>) -> f64 {
    let begun = Instant::now();
    work.await;
    begun.elapsed().as_secs_f64() * 1000.0
}
