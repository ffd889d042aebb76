//! Runs many jobs while workers are killed one after another, and server and database twice each.
//! In the end, every job has ended, the ledger balances, and no file is missing or left over.
//!
//! `cargo xtask soak chaos` runs this with five hundred jobs.

mod house;

use std::{collections::BTreeSet, time::Duration};

use limber_client::motion::{FileKind, JobId, JobStatus, MotionClient, TextToMotion};
use limber_domain::hex;
use limber_motion_service::{create_client, grant_credits, migrate, serve};
use rand::{Rng, RngExt, SeedableRng, rngs::SmallRng};
use sha2::{Digest, Sha256};

use crate::{
    credits,
    studio::{until, walk},
};
use house::{House, Process};

/// Time between two kills.
const PAUSE: Duration = Duration::from_secs(2);
const WORKERS: usize = 3;
/// Upper bound; the jobs end earlier.
const LONGEST: Duration = Duration::from_secs(540);
const LONGEST_JOB: Duration = Duration::from_secs(20);
/// Number of jobs in `cargo xtask test`.
const FEW_JOBS: u32 = 24;

fn from_environment(name: &str) -> Option<u32> {
    std::env::var(name).ok()?.parse().ok()
}

fn request(random: &mut SmallRng) -> TextToMotion {
    let formats = match random.random_range(0..4) {
        0 => vec![FileKind::Bvh, FileKind::Glb],
        _ => vec![FileKind::Bvh],
    };
    TextToMotion {
        variants: 1 + u32::from(random.random_range(0..5) == 0),
        duration_s: Some(random.random_range(2..=4) as f32),
        seed: Some(random.next_u32().into()),
        formats,
        ..walk()
    }
}

/// Submits all jobs, retrying as often as necessary, and cancels every fiftieth.
async fn hand_in(client: MotionClient, jobs: u32, mut random: SmallRng) -> Vec<JobId> {
    let mut handed_in = Vec::new();
    for number in 0..jobs {
        let (request, key) = (request(&mut random), format!("chaos-{number}"));
        let job = loop {
            match client.submit(&request, Some(&key)).await {
                Ok(submitted) => break submitted.job,
                Err(error) => assert!(error.is_transient(), "{error}"),
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        };
        if number % 50 == 49 {
            // the job may have ended, or the server may be down
            let _ = client.cancel(&job).await;
        }
        handed_in.push(job);
    }
    handed_in
}

/// Kills one worker per job, and the server and database according to plan, until all jobs have
/// ended.
async fn wreck(house: &mut House, jobs: u32, random: &mut SmallRng) -> [u32; 3] {
    let mut server = house.process("serve", "server");
    let mut workers: Vec<Process> =
        (0..WORKERS).map(|number| house.process("work", &format!("worker-{number}"))).collect();
    let [mut kills, mut servers, mut databases] = [0; 3];
    loop {
        tokio::time::sleep(PAUSE).await;
        let over = over(house).await;
        let share = over.unwrap_or(0) as f32 / jobs as f32;
        // at certain shares of ended jobs, the server and the database are killed as well
        if servers < 2 && share >= [0.2, 0.5][servers as usize] {
            server.kill();
            server = house.process("serve", "server");
            servers += 1;
        }
        if databases < 2 && share >= [0.3, 0.6][databases as usize] {
            house.restart_database(databases == 0).await;
            databases += 1;
        }
        if over == Some(i64::from(jobs)) && servers == 2 && databases == 2 {
            return [kills, servers, databases];
        }
        if server.has_ended() {
            // as a supervisor would
            server = house.process("serve", "server");
        }
        for (number, worker) in workers.iter_mut().enumerate() {
            if worker.has_ended() {
                *worker = house.process("work", &format!("worker-{number}"));
            }
        }
        if kills < jobs {
            let unlucky = random.random_range(0..WORKERS);
            workers[unlucky].kill();
            workers[unlucky] = house.process("work", &format!("worker-{unlucky}"));
            kills += 1;
        }
        println!("{kills} kills, {over:?} of {jobs} jobs are over");
    }
}

/// Returns how many jobs have ended; `None` while the database is down.
async fn over(house: &House) -> Option<i64> {
    let pool = sqlx::PgPool::connect(house.database()).await.ok()?;
    let count = "select count(*) from jobs where state in ('success', 'failure', 'cancelled')";
    let count = sqlx::query_scalar(count).fetch_one(&pool).await.ok();
    pool.close().await;
    count
}

/// Checks that every file of every job exists and is intact; returns the names of all needed files.
async fn check_files(house: &House) -> BTreeSet<String> {
    let pool = sqlx::PgPool::connect(house.database()).await.expect("the database");
    let needed: Vec<String> = sqlx::query_scalar(
        "select content_id from artifacts union select content_id from stock_contents",
    )
    .fetch_all(&pool)
    .await
    .expect("contents");
    let without: i64 = sqlx::query_scalar(
        "select count(*) from jobs j where state = 'success'
             and not exists (select 1 from artifacts a where a.rid = j.rid and a.kind = 'bvh')",
    )
    .fetch_one(&pool)
    .await
    .expect("a number");
    pool.close().await;
    assert_eq!(without, 0, "successful jobs without files");
    for id in &needed {
        let path = house.folder.path().join("files/objects").join(&id[..2]).join(id);
        let bytes = std::fs::read(&path).unwrap_or_else(|_| panic!("{id} is missing"));
        assert_eq!(hex(&Sha256::digest(&bytes)), *id, "a damaged file");
    }
    needed.into_iter().collect()
}

/// Counts the jobs by outcome: success, error code, or cancelled.
async fn check_jobs(
    client: &MotionClient,
    jobs: &[JobId],
) -> std::collections::BTreeMap<String, u32> {
    let mut ends = std::collections::BTreeMap::new();
    for job in jobs {
        let known = until("the job is known", async || client.status(job).await.ok());
        let end = match known.await {
            JobStatus::Succeeded { .. } => "success".to_owned(),
            JobStatus::Failed(cause) if !cause.codes.is_empty() => {
                format!("{:?} {}", cause.codes, cause.text)
            }
            JobStatus::Cancelled => "cancelled".to_owned(),
            other => panic!("{job}: {other:?}"),
        };
        *ends.entry(end).or_default() += 1;
    }
    ends
}

#[tokio::test(flavor = "multi_thread")]
async fn every_job_ends_and_the_books_balance_despite_kills() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let jobs = from_environment("LIMBER_SOAK_JOBS").unwrap_or(FEW_JOBS);
    let seed = from_environment("LIMBER_SOAK_SEED").unwrap_or(20_261_122);
    let mut random = SmallRng::seed_from_u64(seed.into());
    let mut house = House::open().await;
    migrate(&house.config).await.expect("an empty database");
    let (id, secret) = create_client(&house.config, "chaos").await.expect("an account");
    grant_credits(&house.config, &id, 1_000_000).await.expect("the database").expect("known");
    let client = || MotionClient::new(&house.base, id.clone(), secret.clone()).expect("an address");
    let (sender, client) = (client(), client());
    let handing_in =
        tokio::spawn(hand_in(sender, jobs, SmallRng::seed_from_u64(random.next_u64())));
    let wrecking =
        tokio::time::timeout(LONGEST.max(LONGEST_JOB * jobs), wreck(&mut house, jobs, &mut random));
    let [kills, servers, databases] = wrecking.await.expect("every job ends");
    let handed_in = handing_in.await.expect("all jobs are accepted");
    assert_eq!(handed_in.iter().collect::<BTreeSet<_>>().len(), jobs as usize);

    // all processes are dead now; start one server that cleans up after them
    let mut config = house.config.clone();
    config.orphan_age = Duration::ZERO;
    config.uploads.upkeep = Duration::from_millis(500);
    let (left, half) = house.contents();
    let listener = tokio::net::TcpListener::bind(config.listen).await.expect("the port is ours");
    let serving = tokio::spawn(async move {
        serve(&config, listener, std::future::pending()).await.expect("it serves");
    });
    let ends = check_jobs(&client, &handed_in).await;
    credits::audit(house.database()).await;
    let needed = check_files(&house).await;
    until("no unreferenced or partial files are left", async || {
        let (whole, half) = house.contents();
        (whole.is_subset(&needed) && half.is_empty()).then_some(())
    })
    .await;
    serving.abort();
    let _ = serving.await;
    check_files(&house).await;
    let orphans = left.difference(&needed).count();
    println!(
        "{jobs} jobs, seed {seed}: {ends:?}; {kills} workers, {servers} servers, {databases} \
         databases killed; {orphans} unreferenced and {} partial files were removed",
        half.len()
    );
    assert_eq!((servers, databases), (2, 2));
    house.close().await;
}
