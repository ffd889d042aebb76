//! The results of a worker.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use limber_client::motion::{FetchLimits, JobStatus, ListFilter, TextToMotion, VariantId};
use limber_motion_service::{Config, Environment, ServiceError, work_in};
use limber_text_to_motion::Seed;

use crate::{
    studio::{PATIENCE, Studio, finished, until, walk},
    within::{Endless, Faulty, Hanging, OneCharacterShort, work_with},
};

/// The seed that the worker process below never finishes.
pub(crate) const ENDLESS_SEED: &str = "LIMBER_TEST_ENDLESS_SEED";

/// The worker process that other tests start and kill.
#[tokio::test(flavor = "multi_thread")]
async fn runs_as_the_environment_configures() {
    let seed = std::env::var(ENDLESS_SEED).ok().and_then(|text| text.parse().ok());
    let Some(seed) = seed else {
        println!("skipped: this is the worker that other tests start and kill");
        return;
    };
    let config = Config::from_env(|name| std::env::var(name).ok()).expect("settings");
    let (engine, environment) = (Arc::new(Endless(Seed(seed))), Environment::system());
    let worked = work_in(&config, engine, environment, std::future::pending()).await;
    worked.expect("it works until it is killed");
}

#[tokio::test]
async fn the_same_seed_gives_the_same_bytes_and_other_seeds_do_not() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let mut digests = Vec::new();
    for seed in [7, 7, 8] {
        let request = TextToMotion { seed: Some(seed), ..walk() };
        let job = client.submit(&request, None).await.expect("a job").job;
        assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
        let entry = client.links(&job, VariantId::FIRST).await.expect("links");
        let target = studio.files.path().join(format!("{job}.glb"));
        let link = entry.url("glb").expect("a link");
        digests.push(
            client.fetch(link, &target, FetchLimits::default()).await.expect("a file").sha256,
        );
    }
    assert_eq!(digests[0], digests[1]);
    assert_ne!(digests[0], digests[2]);
}

#[tokio::test]
async fn progress_rises_and_times_are_recorded() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-7");
    let request = TextToMotion { variants: 3, duration_s: Some(6.0), ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    let mut steps = Vec::new();
    until("the job is over", async || {
        let status = client.status(&job).await.expect("known");
        if let JobStatus::Running { step, total } = status {
            assert_eq!(total, 100);
            steps.push(step);
        }
        status.is_final().then_some(())
    })
    .await;
    assert!(steps.windows(2).all(|pair| pair[0] <= pair[1]), "{steps:?}");
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let info = &listed[0].processing_info;
    assert_eq!(info.worker.as_deref(), Some("cpu-7"));
    let (started, finished) =
        (info.started_at.expect("it ran"), info.finished_at.expect("it ended"));
    assert!(info.queued_at <= started && started <= finished);
    let wall: i64 = info.stages.iter().map(|stage| stage.duration_ms).sum();
    let cpu: i64 = info.stages.iter().map(|stage| stage.cpu_ms).sum();
    assert!(wall <= finished - started + 5, "stages take no longer than the job");
    assert!(cpu > 0 && cpu <= wall + 50, "cpu {cpu} ms of {wall} ms");
    // periods follow each other without gaps, until the last file is stored
    let mut until = started;
    for stage in &info.stages {
        assert_eq!((stage.started_at, stage.attempt), (until, 1), "{info:?}");
        until += stage.duration_ms;
    }
    let last = info.stages.last().expect("stages");
    assert_eq!((last.name.as_str(), last.variant), ("store", 3), "{info:?}");
}

fn faulty(failures: u32, bad: Vec<Seed>) -> Faulty {
    Faulty { failures: AtomicU32::new(failures), bad }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_temporary_error_is_retried_and_a_permanent_one_ends_with_498() {
    let studio = Studio::open().await;
    let client = studio.client();
    let working = work_with(&studio, faulty(2, vec![]), |_| {});
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    assert_eq!(listed[0].processing_info.attempts, 3);
    working.end().await;
    let _working = work_with(&studio, faulty(9, vec![]), |_| {});
    let job = client.submit(&walk(), None).await.expect("a job").job;
    let JobStatus::Failed(cause) = finished(&client, &job).await else { panic!("it fails") };
    assert_eq!(cause.codes, [498]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_variant_is_retried_with_another_seed() {
    let studio = Studio::open().await;
    let client = studio.client();
    let bad = vec![Seed(7), Seed(7).for_variant(2)];
    let _working = work_with(&studio, faulty(0, bad), |_| {});
    let job =
        client.submit(&TextToMotion { variants: 3, ..walk() }, None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let variants = listed[0].variants.as_ref().expect("variants");
    let numbers: Vec<_> = variants.keys().cloned().collect();
    assert_eq!(numbers, ["1", "2", "3"]);
    assert!(listed[0].failed_variants.is_empty() && listed[0].processing_info.attempts == 1);
    let seeds: Vec<_> = variants.values().map(|variant| variant.seed.as_str()).collect();
    let wanted = [1, 2, 3].map(|variant| Seed(7).for_variant(variant).0.to_string());
    assert!(seeds[0] != wanted[0] && seeds[1] != wanted[1] && seeds[2] == wanted[2], "{seeds:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_fails_and_names_the_variant_that_cannot_be_made() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _working = work_with(&studio, OneCharacterShort, |_| {});
    let job =
        client.submit(&TextToMotion { variants: 3, ..walk() }, None).await.expect("a job").job;
    let JobStatus::Failed(cause) = finished(&client, &job).await else { panic!("it fails") };
    assert_eq!(cause.codes, [501]);
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    assert_eq!(listed[0].variants.as_ref().map(|all| all.len()), Some(0), "all or none");
    assert_eq!(listed[0].failed_variants["2"], ["501"]);
    assert_eq!(listed[0].failed_variants.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hanging_stage_ends_its_worker_but_not_the_job() {
    let studio = Studio::open().await;
    let client = studio.client();
    let mut config = studio.config.clone();
    config.work.retry_delays = [Duration::from_millis(20); 2];
    config.work.stage_limits.insert("generate".to_owned(), Duration::from_millis(200));
    let let_go = Arc::new(AtomicBool::new(false));
    let job = client.submit(&walk(), None).await.expect("a job").job;
    let engine = Arc::new(Hanging(Arc::clone(&let_go)));
    let environment = Environment::system();
    let working = work_in(&config, engine, environment, std::future::pending());
    let ended = tokio::time::timeout(PATIENCE, working).await;
    assert!(matches!(ended, Ok(Err(ServiceError::Wedged))), "{ended:?}");
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    assert_eq!(listed[0].processing_info.attempts, 1);
    // another worker then finishes the job
    let _worker = studio.worker("cpu-1");
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let_go.store(true, Ordering::SeqCst);
}
