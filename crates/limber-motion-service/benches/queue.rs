//! How long a job waits for an idle worker, and whether a long queue slows a submit.
//!
//! Targets of product.md §7: submit to start ≤ 50 ms; 10 000 waiting jobs do not slow a submit.

use std::time::{Duration, Instant};

use limber_client::motion::{ListFilter, ModelId, MotionClient, TextToMotion};
use limber_motion_service::{Config, create_client, migrate, serve, work};
use limber_postgres::TestDatabase;
use sqlx::PgPool;
use tokio::net::TcpListener;

const ROUNDS: usize = 15;

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

    let before = submit_ms(&client).await;
    let pool = PgPool::connect(database.url()).await.expect("the database");
    sqlx::query(
        "insert into accounts (id, name, secret_hash)
         select 'a' || n, 'bench', '' from generate_series(1, 100) n",
    )
    .execute(&pool)
    .await
    .expect("accounts");
    sqlx::query(
        "insert into jobs (rid, account_id, processor, spec, parameters)
         select 'bench_job_' || to_char(n, 'FM00000000'), 'a' || (n % 100 + 1), 'text2motion', j.spec, j.parameters
         from generate_series(1, 10000) n, (select spec, parameters from jobs limit 1) j",
    )
    .execute(&pool)
    .await
    .expect("10 000 jobs");
    let after = submit_ms(&client).await;
    sqlx::query("delete from jobs").execute(&pool).await.expect("emptied");

    let worker = config.clone();
    tokio::spawn(async move { work(&worker, std::future::pending()).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let mut waits = Vec::new();
    for _ in 0..ROUNDS {
        waits.push(wait_ms(&client).await);
    }
    let start = median(waits);
    let slower = after / before;
    println!("{:<44} | {:>10} | {:>10} | verdict", "what", "target", "median");
    let start_good =
        row("submit to start of the work", "<= 50 ms", &format!("{start:.1} ms"), start <= 50.0);
    let queue_good = row(
        "submit with 10 000 waiting, to without",
        "<= 1.5 x",
        &format!("{slower:.2} x"),
        slower <= 1.5,
    );
    drop(database);
    if !(start_good && queue_good) {
        std::process::exit(1);
    }
}

fn row(what: &str, target: &str, median: &str, good: bool) -> bool {
    println!("{what:<44} | {target:>10} | {median:>10} | {}", if good { "ok" } else { "MISS" });
    good
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn walk() -> TextToMotion {
    let model = ModelId::parse("default").expect("letters");
    TextToMotion { duration_s: Some(1.0), ..TextToMotion::new("a person walks", model) }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark is where time is taken")]
async fn submit_ms(client: &MotionClient) -> f64 {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        client.submit(&walk(), None).await.expect("a job");
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
    }
    median(times)
}

/// By the database's own clock: from the row's making to its taking.
async fn wait_ms(client: &MotionClient) -> f64 {
    let job = client.submit(&walk(), None).await.expect("a job").job;
    loop {
        if client.status(&job).await.expect("known").is_final() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let listed =
        client.list(&ListFilter { limit: Some(1), ..ListFilter::default() }).await.expect("a list");
    let info = &listed[0].processing_info;
    (info.started_at.expect("it ran") - info.queued_at) as f64
}
