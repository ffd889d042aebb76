//! Measures request throughput, with an empty and with a long job table.

use std::{
    future::Future,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{Router, body::Body, extract::State, routing::get};
use futures_util::future::join_all;
use limber_bench::{amount, rounds};
use limber_client::motion::{JobId, ListFilter, VariantId};
use sqlx::{PgPool, Row as _};
use tokio::net::TcpListener;

use super::{Bench, ROUNDS, time_ms, walk};

/// Number of concurrent clients.
const CLIENTS: usize = 8;
const MEASURED: Duration = Duration::from_millis(500);
/// Number of alternations between two measurements that are compared.
const TURNS: u32 = 12;

impl Bench {
    pub(super) async fn dry_run(&mut self) {
        let request = walk().to_process_request();
        let mut times = Vec::new();
        for _ in 0..rounds(ROUNDS) {
            times.push(
                time_ms(async { self.client.dry_run(&request).await.expect("an answer") }).await,
            );
        }
        self.report.at_most("dry run", 20.0, "ms", times);
    }

    /// Compares downloading the GLB of a job with a bare handler that serves the same bytes.
    pub(super) async fn downloads(&mut self) {
        let worker = self.worker("bench");
        let job = self.submit().await;
        self.finished(&job).await;
        worker.abort();
        let _ = worker.await;
        let entry = self.client.links(&job, VariantId::FIRST).await.expect("links");
        let link = entry.url("glb").expect("a GLB").to_owned();
        let http = reqwest::Client::new();
        let bytes = http.get(&link).send().await.expect("a file").bytes().await.expect("bytes");
        let bare = bare_handler(bytes.to_vec()).await;
        let rate = async |url: &str| {
            let per_s = per_second(|| async {
                let answer = http.get(url).send().await.expect("an answer");
                assert_eq!(answer.status(), 200);
                answer.bytes().await.expect("bytes");
            });
            per_s.await * bytes.len() as f64 / 1e6
        };
        let (mut own, mut other) = (0.0, 0.0);
        let turns = amount(TURNS, 1);
        for _ in 0..turns {
            own += rate(&link).await / f64::from(turns);
            other += rate(&bare).await / f64::from(turns);
        }
        let what = format!("download, {own:.0} MB/s, to bare");
        self.report.at_least(&what, 0.5, "x", vec![own / other]);
        self.empty_table().await;
    }

    pub(super) async fn submits_and_polls(&mut self) {
        let mut rates = Vec::new();
        for _ in 0..amount(TURNS, 1) {
            rates.push(per_second(|| async { drop(self.submit().await) }).await);
        }
        self.report.at_least("submits, 8 at once", 200.0, "/s", rates);
        self.empty_table().await;
        let job = self.submit().await;
        let bare = bare_rows(self.pool.clone(), job.clone()).await;
        let (polls, ratio) = self.polls_beside(&job, &bare).await;
        self.report.at_least(&format!("polls, {polls:.0}/s, to bare"), 0.5, "x", vec![ratio]);
        (self.bare, self.polls_to_bare) = (bare, ratio);
    }

    /// Measures status requests per second, and their ratio to the bare handler; in short turns, so
    /// that other load on the computer affects both equally.
    async fn polls_beside(&self, job: &JobId, bare: &str) -> (f64, f64) {
        let url = format!("{}/job/v1/status/{job}", self.base);
        let (mut own, mut other) = (0.0, 0.0);
        let turns = amount(TURNS, 1);
        for _ in 0..turns {
            own += self.answers(&url).await;
            other += self.answers(bare).await;
        }
        (own / f64::from(turns), own / other)
    }

    /// Measures complete responses per second with a client that does nothing else with them, so
    /// that two rates compare servers.
    async fn answers(&self, url: &str) -> f64 {
        per_second(|| async {
            let answer = self.http.get(url).send().await.expect("an answer");
            assert_eq!(answer.status(), 200);
            answer.bytes().await.expect("a body");
        })
        .await
    }

    pub(super) async fn long_table(&mut self) {
        self.fill_table().await;
        let job = self.submit().await;
        let ratio = self.polls_beside(&job, &self.bare).await.1 / self.polls_to_bare;
        self.report.at_least("polls with 10 000 waiting, to without", 0.5, "x", vec![ratio]);
        sqlx::query(
            "insert into jobs (rid, account_id, processor, spec, parameters)
             select 'own_job_' || to_char(n, 'FM00000000'), j.account_id, 'text2motion', j.spec,
                 j.parameters
             from generate_series(1, 1000) n, (select * from jobs where rid = $1) j",
        )
        .bind(job.as_str())
        .execute(&self.pool)
        .await
        .expect("1 000 jobs");
        let mut times = Vec::new();
        for _ in 0..rounds(ROUNDS) {
            let filter = ListFilter::default();
            times.push(time_ms(async { self.client.list(&filter).await.expect("a list") }).await);
        }
        self.report.at_most("list of 1 000", 200.0, "ms", times);
    }
}

/// Serves these bytes in chunks, as the service does.
async fn bare_handler(bytes: Vec<u8>) -> String {
    let answer = async |State(bytes): State<Arc<Vec<u8>>>| {
        let pieces: Vec<_> = bytes
            .chunks(8192)
            .map(|piece| Ok::<_, std::io::Error>(bytes::Bytes::copy_from_slice(piece)))
            .collect();
        Body::from_stream(futures_util::stream::iter(pieces))
    };
    serve_bare(Router::new().route("/", get(answer)).with_state(Arc::new(bytes))).await
}

/// Queries the rows that a status request needs: the session's account and the job.
async fn bare_rows(pool: PgPool, job: JobId) -> String {
    let answer = async |State((pool, job)): State<(PgPool, JobId)>| {
        let session = sqlx::query(
            "select a.id from sessions s join accounts a on a.id = s.account_id
             where s.account_id = (select account_id from jobs where rid = $1)",
        );
        let account: String =
            session.bind(job.as_str()).fetch_one(&pool).await.expect("a session").get(0);
        let row = sqlx::query("select * from jobs where rid = any($1)").bind([job.as_str()]);
        let row = row.fetch_one(&pool).await.expect("a job");
        account + row.get::<&str, _>("state")
    };
    serve_bare(Router::new().route("/", get(answer)).with_state((pool, job))).await
}

async fn serve_bare(app: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}/")
}

/// Returns how often several concurrent clients do this per second.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
async fn per_second<F: Future<Output = ()>>(work: impl Fn() -> F) -> f64 {
    let measured = amount(MEASURED, Duration::from_millis(50));
    let begun = Instant::now();
    let one = async || {
        let mut done = 0_u32;
        while begun.elapsed() < measured {
            work().await;
            done += 1;
        }
        done
    };
    let done: u32 = join_all((0..CLIENTS).map(|_| one())).await.into_iter().sum();
    f64::from(done) / begun.elapsed().as_secs_f64()
}
