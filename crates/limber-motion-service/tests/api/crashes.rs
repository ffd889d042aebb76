//! Killing workers and servers (SIGKILL) in the middle of a job.

use limber_client::motion::{JobStatus, ListFilter, TextToMotion, VariantId};
use limber_text_to_motion::Seed;

use crate::studio::{Studio, finished, in_work, until, walk};

/// Returns a request for a long job, so that it can be interrupted.
fn caught(seed: u64) -> TextToMotion {
    TextToMotion { variants: 8, seed: Some(seed), ..walk() }
}

#[tokio::test]
async fn a_killed_worker_costs_an_attempt_but_finished_work_is_kept() {
    let studio = Studio::open().await;
    let client = studio.client();
    let worker = studio.endless_worker("doomed", Seed(7).for_variant(3));
    let job = client.submit(&caught(7), None).await.expect("a job").job;
    until("the first of eight variants is there", async || {
        matches!(client.status(&job).await, Ok(JobStatus::Running { step, .. }) if step >= 20)
            .then_some(())
    })
    .await;
    worker.kill();
    let _heir = studio.worker("heir");
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let info = &listed[0].processing_info;
    assert_eq!((info.attempts, info.worker.as_deref()), (2, Some("heir")));
    assert_eq!(listed[0].variants.as_ref().map(|all| all.len()), Some(8));
    let made_in = |attempt| {
        let of_it = info.stages.iter().filter(|stage| stage.attempt == attempt);
        let made = of_it.filter(|stage| stage.name == "generate").map(|stage| stage.variant);
        made.collect::<Vec<_>>()
    };
    let (first, second) = (made_in(1), made_in(2));
    assert!(first.starts_with(&[1, 2]), "the first attempt is still reported: {info:?}");
    assert!(!second.contains(&1), "the first variant existed already: {info:?}");
    assert!(second.ends_with(&[6, 7, 8]), "the rest was made by the next worker: {info:?}");
}

#[tokio::test]
async fn three_killed_workers_end_the_job_with_1101() {
    let studio = Studio::open().await;
    let client = studio.client();
    let job = client.submit(&caught(7), None).await.expect("a job").job;
    for attempt in 1..=3 {
        let worker = studio.endless_worker("doomed", Seed(7));
        until("the job is running", async || {
            let listed = client.list(&ListFilter::default()).await.expect("a list");
            let running = matches!(client.status(&job).await, Ok(JobStatus::Running { .. }));
            (running && listed[0].processing_info.attempts == attempt).then_some(())
        })
        .await;
        worker.kill();
    }
    let _heir = studio.worker("heir");
    let JobStatus::Failed(cause) = finished(&client, &job).await else { panic!("it fails") };
    assert_eq!(cause.codes, [1101]);
}

#[tokio::test]
async fn a_stopping_worker_returns_its_job_without_counting_the_attempt() {
    let studio = Studio::open().await;
    let client = studio.client();
    let held = studio.hold_results().await;
    let worker = studio.worker("polite");
    let job = client.submit(&caught(7), None).await.expect("a job").job;
    in_work(&client, &job).await;
    worker.ask_to_stop();
    held.let_go().await;
    assert!(worker.ended().success());
    assert_eq!(client.status(&job).await.expect("known"), JobStatus::Queued { position: 1 });
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    assert_eq!(listed[0].processing_info.attempts, 0);
}

#[tokio::test]
async fn a_killed_server_loses_nothing() {
    let mut studio = Studio::open().await;
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    studio.kill_server().await;
    let _worker = studio.worker("cpu-0");
    assert!(client.status(&job).await.expect_err("there is no response").is_transient());
    studio.start_server().await;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let entry = client.links(&job, VariantId::FIRST).await.expect("links");
    assert!(entry.url("glb").is_some());
}
