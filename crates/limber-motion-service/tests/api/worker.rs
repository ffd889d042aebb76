//! What a worker makes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use limber_client::motion::{FetchLimits, JobStatus, ListFilter, TextToMotion, VariantId};
use limber_motion_service::{ServiceError, work_with_engine};
use limber_text_to_motion::{
    Cancel, Composer, EngineError, EngineInfo, GeneratedMotion, MotionEngine, MotionRequest,
    MotionScript, Prompt, Seed,
};

use crate::studio::{Studio, finished, until, walk};

#[tokio::test]
async fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
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
async fn steps_rise_and_real_times_are_kept() {
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
}

/// The composer, but some variants fail.
pub(crate) struct Faulty {
    /// How often it still breaks down.
    pub(crate) failures: AtomicU32,
    /// Seeds that always fail for good.
    pub(crate) bad: Vec<Seed>,
}

impl MotionEngine for Faulty {
    fn describe(&self) -> EngineInfo {
        Composer.describe()
    }

    fn understand(&self, prompt: &Prompt) -> Result<(MotionScript, Vec<String>), EngineError> {
        Composer.understand(prompt)
    }

    fn generate(
        &self,
        request: &MotionRequest,
        seed: Seed,
        cancel: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError> {
        if self.bad.contains(&seed) {
            return Err(EngineError::UnknownAction {
                message: "a word is not known".into(),
                words: vec![],
                nearest: vec![],
            });
        }
        if self
            .failures
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1))
            .is_ok()
        {
            panic!("a fault for the test");
        }
        Composer.generate(request, seed, cancel, progress)
    }
}

pub(crate) fn work(studio: &Studio, engine: Faulty) -> tokio::task::JoinHandle<()> {
    let mut config = studio.config.clone();
    config.work.retry_delays = [std::time::Duration::from_millis(20); 2];
    config.work.poll = std::time::Duration::from_millis(20);
    tokio::spawn(async move {
        work_with_engine(&config, Arc::new(engine), std::future::pending())
            .await
            .expect("it works");
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_that_passes_is_tried_again_and_one_that_stays_ends_with_498() {
    let studio = Studio::open().await;
    let client = studio.client();
    let working = work(&studio, Faulty { failures: AtomicU32::new(2), bad: vec![] });
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    assert_eq!(listed[0].processing_info.attempts, 3);
    working.abort();
    let working = work(&studio, Faulty { failures: AtomicU32::new(9), bad: vec![] });
    let job = client.submit(&walk(), None).await.expect("a job").job;
    let JobStatus::Failed(cause) = finished(&client, &job).await else { panic!("it fails") };
    assert_eq!(cause.codes, [498]);
    working.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_good_variant_is_a_success_and_the_bad_one_is_named() {
    let studio = Studio::open().await;
    let client = studio.client();
    let bad = vec![Seed(7).for_variant(2)];
    let working = work(&studio, Faulty { failures: AtomicU32::new(0), bad });
    let job =
        client.submit(&TextToMotion { variants: 3, ..walk() }, None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let numbers: Vec<_> = listed[0].variants.keys().cloned().collect();
    assert_eq!(numbers, ["1", "3"]);
    assert_eq!(listed[0].failed_variants["2"], ["502"]);
    working.abort();
}

/// Comes back when it is let go, not when it is asked to stop.
struct Hanging(Arc<AtomicBool>);

impl MotionEngine for Hanging {
    fn describe(&self) -> EngineInfo {
        Composer.describe()
    }

    fn understand(&self, prompt: &Prompt) -> Result<(MotionScript, Vec<String>), EngineError> {
        Composer.understand(prompt)
    }

    fn generate(
        &self,
        request: &MotionRequest,
        seed: Seed,
        _: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError> {
        while !self.0.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(20));
        }
        Composer.generate(request, seed, &Cancel::default(), progress)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stage_that_never_ends_takes_its_worker_along_and_not_the_job() {
    let studio = Studio::open().await;
    let client = studio.client();
    let mut config = studio.config.clone();
    config.work.retry_delays = [Duration::from_millis(20); 2];
    config.work.stage_limits.insert("generate".to_owned(), Duration::from_millis(200));
    let let_go = Arc::new(AtomicBool::new(false));
    let job = client.submit(&walk(), None).await.expect("a job").job;
    let engine = Arc::new(Hanging(Arc::clone(&let_go)));
    let working = work_with_engine(&config, engine, std::future::pending());
    let ended = tokio::time::timeout(Duration::from_secs(30), working).await;
    assert!(matches!(ended, Ok(Err(ServiceError::Wedged))), "{ended:?}");
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    assert_eq!(listed[0].processing_info.attempts, 1);
    // whoever comes next makes it
    let _worker = studio.worker("cpu-1");
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let_go.store(true, Ordering::SeqCst);
}
