//! Several servers and workers that share a database and a bucket.

use std::collections::BTreeSet;

use limber_client::motion::{FetchLimits, JobStatus, ListFilter, MotionClient, VariantId};

use super::{Bucket, studio_in};
use crate::studio::{finished, until, walk};

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_and_three_workers_are_one_service() {
    let bucket = Bucket::open();
    let studio = studio_in(&bucket).await;
    let (_other, base) = studio.another_server().await;
    let here = studio.client();
    let there = MotionClient::new(&base, studio.id.clone(), studio.secret.clone());
    let there = there.expect("an address");
    let mut jobs = Vec::new();
    for number in 0..12 {
        let client = if number % 2 == 0 { &here } else { &there };
        let request = limber_client::motion::TextToMotion { seed: Some(number), ..walk() };
        jobs.push(client.submit(&request, None).await.expect("a job").job);
    }
    let workers = ["a", "b", "c"].map(|name| studio.worker(name));
    for (number, job) in jobs.iter().enumerate() {
        // asked of the server that did not take it in
        let client = if number % 2 == 0 { &there } else { &here };
        assert!(matches!(finished(client, job).await, JobStatus::Succeeded { .. }));
    }
    let listed = here.list(&ListFilter::default()).await.expect("a list");
    let busy: BTreeSet<_> =
        listed.iter().filter_map(|job| job.processing_info.worker.clone()).collect();
    assert_eq!(busy.len(), 3, "all of them worked: {busy:?}");

    let entry = there.links(&jobs[0], VariantId::FIRST).await.expect("links");
    let link = entry.url("bvh").expect("a link").replace(&base, &studio.base);
    let target = studio.files.path().join("walk.bvh");
    here.fetch(&link, &target, FetchLimits::default()).await.expect("signed there, opened here");
    assert!(std::fs::read(&target).expect("a file").starts_with(b"HIERARCHY"));

    let names = || studio.rows_of("workers");
    until("all workers are known", async || (names().await == 3).then_some(())).await;
    let [first, ..] = workers;
    assert!(first.stop().success());
    assert_eq!(names().await, 2, "who leaves is forgotten");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_may_finishes_the_job_in_hand_before_it_stops() {
    let studio = crate::studio::Studio::open_with(|config| {
        config.drain = std::time::Duration::from_secs(60);
    })
    .await;
    let client = studio.client();
    let worker = studio.worker("patient");
    let request =
        limber_client::motion::TextToMotion { variants: 3, duration_s: Some(6.0), ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    let waiting = client.submit(&walk(), None).await.expect("a job").job;
    until("the job is in work", async || {
        matches!(client.status(&job).await, Ok(JobStatus::Running { .. })).then_some(())
    })
    .await;
    assert!(worker.stop().success());
    let done = client.status(&job).await.expect("known");
    assert!(matches!(done, JobStatus::Succeeded { .. }), "{done:?}");
    let next = client.status(&waiting).await.expect("known");
    assert_eq!(next, JobStatus::Queued { position: 1 }, "it takes no other");
}
