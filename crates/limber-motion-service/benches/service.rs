//! How many requests the service answers, by itself and with a long table of jobs.
//!
//! Targets: a dry run answers while somebody types (20 ms); a team of a hundred clients that all poll
//! once a second keeps a tenth of the computer busy (1 000 polls a second at most load), whatever
//! stands in the table; a list of the most that is listed is there before a page is drawn (200 ms);
//! a download is at least half as fast as the same bytes by a bare handler in the same process.

use std::{
    future::Future,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{Router, body::Body, extract::State, routing::get};
use futures_util::future::join_all;
use limber_client::motion::{JobId, ListFilter, ModelId, MotionClient, TextToMotion, VariantId};
use limber_motion_service::{Config, create_client, migrate, serve, work};
use limber_postgres::TestDatabase;
use sqlx::PgPool;
use tokio::net::TcpListener;

const ROUNDS: usize = 15;
/// Clients at the same time.
const CLIENTS: usize = 8;
const MEASURED: Duration = Duration::from_secs(2);

struct Bench {
    client: Arc<MotionClient>,
    pool: PgPool,
    config: Config,
    rows: Vec<(String, String, String, bool)>,
}

#[tokio::main]
async fn main() {
    let _ = rustls::crypto::ring::default_provider().install_default();
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
    let client = MotionClient::new(&base, id, secret).expect("an address");
    tokio::time::sleep(Duration::from_millis(500)).await;
    client.sign_in().await.expect("signed in");
    let pool = PgPool::connect(database.url()).await.expect("the database");
    let mut bench = Bench { client: Arc::new(client), pool, config, rows: Vec::new() };
    bench.dry_run().await;
    bench.downloads().await;
    bench.submits_and_polls().await;
    bench.long_table().await;
    println!("{:<44} | {:>12} | {:>12} | verdict", "what", "target", "median");
    for (what, target, median, good) in &bench.rows {
        let verdict = if *good { "ok" } else { "MISS" };
        println!("{what:<44} | {target:>12} | {median:>12} | {verdict}");
    }
    drop(database);
    if bench.rows.iter().any(|row| !row.3) {
        std::process::exit(1);
    }
}

impl Bench {
    fn row(&mut self, what: &str, target: &str, median: String, good: bool) {
        self.rows.push((what.to_owned(), target.to_owned(), median, good));
    }

    async fn dry_run(&mut self) {
        let request = walk().to_process_request();
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let client = Arc::clone(&self.client);
            times.push(time_ms(client.dry_run(&request)).await);
        }
        let ms = median(times);
        self.row("dry run", "<= 20 ms", format!("{ms:.1} ms"), ms <= 20.0);
    }

    /// The GLB of one job by its link, and the same bytes by a bare handler.
    async fn downloads(&mut self) {
        let working = self.config.clone();
        let working = tokio::spawn(async move { work(&working, std::future::pending()).await });
        let job = self.client.submit(&walk(), None).await.expect("a job").job;
        while !self.client.status(&job).await.expect("known").is_final() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        working.abort();
        let entry = self.client.links(&job, VariantId::FIRST).await.expect("links");
        let link = entry.url("glb").expect("a GLB").to_owned();
        let http = reqwest::Client::new();
        let bytes = http.get(&link).send().await.expect("a file").bytes().await.expect("bytes");
        let bare = bare_handler(bytes.to_vec()).await;
        let rate = async |url: String| {
            let per_s = per_second(|| async {
                let answer = http.get(&url).send().await.expect("an answer");
                assert_eq!(answer.status(), 200);
                answer.bytes().await.expect("bytes");
            });
            per_s.await * bytes.len() as f64 / 1e6
        };
        let (mut own, mut other) = (Vec::new(), Vec::new());
        for _ in 0..3 {
            own.push(rate(link.clone()).await);
            other.push(rate(bare.clone()).await);
        }
        let (own, other) = (median(own), median(other));
        let ratio = own / other;
        let said = format!("{ratio:.2} x");
        self.row(&format!("download, {own:.0} MB/s, to bare"), ">= 0.5 x", said, ratio >= 0.5);
    }

    async fn submits_and_polls(&mut self) {
        let submits = median_of_3(async || {
            per_second(|| async { drop(self.client.submit(&walk(), None).await.expect("a job")) })
                .await
        });
        let submits = submits.await;
        self.row("submits, 8 at once", ">= 200/s", format!("{submits:.0}/s"), submits >= 200.0);
        sqlx::query("delete from jobs").execute(&self.pool).await.expect("emptied");
        let job = self.client.submit(&walk(), None).await.expect("a job").job;
        let polls = self.polls(&job).await;
        self.row("polls, 8 at once", ">= 1000/s", format!("{polls:.0}/s"), polls >= 1000.0);
    }

    async fn polls(&self, job: &JobId) -> f64 {
        median_of_3(async || {
            per_second(|| async { drop(self.client.status(job).await.expect("known")) }).await
        })
        .await
    }

    /// 10 000 waiting jobs of this account and a hundred others.
    async fn long_table(&mut self) {
        for statement in [
            "insert into accounts (id, name, secret_hash)
             select 'a' || n, 'bench', '' from generate_series(1, 99) n",
            "insert into jobs (rid, account_id, processor, spec, parameters)
             select 'bench_job_' || to_char(n, 'FM00000000'),
                 case when n % 100 = 0 then j.account_id else 'a' || (n % 100) end,
                 'text2motion', j.spec, j.parameters
             from generate_series(1, 10000) n, (select * from jobs limit 1) j",
            "analyze",
        ] {
            sqlx::query(statement).execute(&self.pool).await.expect("rows");
        }
        let job = self.client.submit(&walk(), None).await.expect("a job").job;
        let polls = self.polls(&job).await;
        let good = polls >= 200.0;
        self.row("polls with 10 000 waiting", ">= 200/s", format!("{polls:.0}/s"), good);
        sqlx::query(
            "insert into jobs (rid, account_id, processor, spec, parameters)
             select 'own_job_' || to_char(n, 'FM00000000'), j.account_id, 'text2motion', j.spec, j.parameters
             from generate_series(1, 1000) n, (select * from jobs where rid = $1) j",
        )
        .bind(job.as_str())
        .execute(&self.pool)
        .await
        .expect("1 000 jobs");
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let client = Arc::clone(&self.client);
            let filter = ListFilter::default();
            times.push(time_ms(client.list(&filter)).await);
        }
        let ms = median(times);
        self.row("list of 1 000", "<= 200 ms", format!("{ms:.0} ms"), ms <= 200.0);
    }
}

/// Serves these bytes in pieces, as files are.
async fn bare_handler(bytes: Vec<u8>) -> String {
    let answer = async |State(bytes): State<Arc<Vec<u8>>>| {
        let pieces: Vec<_> = bytes
            .chunks(8192)
            .map(|piece| Ok::<_, std::io::Error>(bytes::Bytes::copy_from_slice(piece)))
            .collect();
        Body::from_stream(futures_util::stream::iter(pieces))
    };
    let app = Router::new().route("/", get(answer)).with_state(Arc::new(bytes));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}/")
}

fn walk() -> TextToMotion {
    let model = ModelId::parse("default").expect("letters");
    TextToMotion { duration_s: Some(1.0), ..TextToMotion::new("a person walks", model) }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

async fn median_of_3(mut measure: impl AsyncFnMut() -> f64) -> f64 {
    let mut values = Vec::new();
    for _ in 0..3 {
        values.push(measure().await);
    }
    median(values)
}

#[expect(clippy::disallowed_methods, reason = "a benchmark is where time is taken")]
async fn time_ms<T, E: std::fmt::Debug>(work: impl Future<Output = Result<T, E>>) -> f64 {
    let begun = Instant::now();
    work.await.expect("it works");
    begun.elapsed().as_secs_f64() * 1000.0
}

/// How often this is done in a second by several at once.
#[expect(clippy::disallowed_methods, reason = "a benchmark is where time is taken")]
async fn per_second<F: Future<Output = ()>>(work: impl Fn() -> F) -> f64 {
    let begun = Instant::now();
    let one = async || {
        let mut done = 0_u32;
        while begun.elapsed() < MEASURED {
            work().await;
            done += 1;
        }
        done
    };
    let done: u32 = join_all((0..CLIENTS).map(|_| one())).await.into_iter().sum();
    f64::from(done) / begun.elapsed().as_secs_f64()
}
