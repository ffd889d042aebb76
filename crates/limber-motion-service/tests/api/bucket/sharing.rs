//! Several servers and workers sharing a database and a bucket.

use std::collections::BTreeSet;

use limber_client::motion::{
    FetchLimits, JobStatus, ListFilter, MotionClient, TextToMotion, VariantId,
};

use super::{Bucket, studio_in};
use crate::studio::{PATIENCE, Studio, finished, in_work, until, walk};

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_and_three_workers_act_as_one_service() {
    let bucket = Bucket::open();
    let studio = studio_in(&bucket).await;
    let (_other, base) = studio.another_server().await;
    let here = studio.client();
    let there = MotionClient::new(&base, studio.id.clone(), studio.secret.clone());
    let there = there.expect("an address");
    let names = || studio.rows_of("workers");
    let workers = ["a", "b", "c"].map(|name| studio.worker(name));
    until("all workers are known", async || (names().await == 3).then_some(())).await;
    let (mut jobs, mut busy) = (Vec::new(), BTreeSet::new());
    // repeat, because a slow worker may get none of the first jobs
    let all_worked = async {
        while busy.len() < 3 {
            let before = jobs.len();
            for number in 0..12 {
                let client = if number % 2 == 0 { &here } else { &there };
                let request = TextToMotion { seed: Some(number), ..walk() };
                jobs.push(client.submit(&request, None).await.expect("a job").job);
            }
            for (number, job) in jobs[before..].iter().enumerate() {
                // ask the server that did not receive the job
                let client = if number % 2 == 0 { &there } else { &here };
                assert!(matches!(finished(client, job).await, JobStatus::Succeeded { .. }));
            }
            for job in here.list(&ListFilter::default()).await.expect("a list") {
                assert_eq!(job.processing_info.attempts, 1, "{job:?}");
                busy.extend(job.processing_info.worker);
            }
        }
    };
    tokio::time::timeout(PATIENCE, all_worked).await.expect("all of them work");

    let entry = there.links(&jobs[0], VariantId::FIRST).await.expect("links");
    let link = entry.url("bvh").expect("a link").replace(&base, &studio.base);
    let target = studio.files.path().join("walk.bvh");
    here.fetch(&link, &target, FetchLimits::default()).await.expect("signed there, opened here");
    assert!(std::fs::read(&target).expect("a file").starts_with(b"HIERARCHY"));

    let [first, ..] = workers;
    assert!(first.stop().success());
    assert_eq!(names().await, 2, "stopped workers are removed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draining_worker_finishes_its_job_before_it_stops() {
    let studio = Studio::open_with(|config| config.drain = PATIENCE).await;
    let client = studio.client();
    let held = studio.hold_results().await;
    let worker = studio.worker("patient");
    let request = TextToMotion { variants: 3, ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    let waiting = client.submit(&walk(), None).await.expect("a job").job;
    in_work(&client, &job).await;
    worker.ask_to_stop();
    held.let_go().await;
    assert!(worker.ended().success());
    let done = client.status(&job).await.expect("known");
    assert!(matches!(done, JobStatus::Succeeded { .. }), "{done:?}");
    let next = client.status(&waiting).await.expect("known");
    assert_eq!(next, JobStatus::Queued { position: 1 }, "it takes no other job");
}
