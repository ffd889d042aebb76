//! `GET /job/v1/cancel/{rid}`.

use std::time::Duration;

use limber_client::motion::{JobStatus, TextToMotion};

use crate::studio::{Studio, finished, until, walk};

#[tokio::test]
async fn a_waiting_job_is_cancelled_once_and_for_all() {
    let studio = Studio::open().await;
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    client.cancel(&job).await.expect("it waits");
    assert_eq!(client.status(&job).await.expect("known"), JobStatus::Cancelled);
    client.cancel(&job).await.expect("twice is fine");
    let (_, body) = studio.get(&format!("/job/v1/status/{job}")).await;
    assert_eq!(body["status"][0]["status"], "FAILURE");
    assert_eq!(
        body["status"][0]["details"],
        serde_json::json!({"exc_message": [], "exc_type": "Cancelled"})
    );
}

#[tokio::test]
async fn a_job_in_work_stops_within_two_seconds_and_the_worker_goes_on() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let long = TextToMotion { variants: 8, duration_s: Some(10.0), ..walk() };
    let job = client.submit(&long, None).await.expect("a job").job;
    until("the job is in work", async || {
        matches!(client.status(&job).await, Ok(JobStatus::Running { .. })).then_some(())
    })
    .await;
    client.cancel(&job).await.expect("it runs");
    assert_eq!(client.status(&job).await.expect("known"), JobStatus::Cancelled, "at once");
    let next = client.submit(&walk(), None).await.expect("a job").job;
    let taken = until("the next job is taken", async || {
        (!matches!(client.status(&next).await, Ok(JobStatus::Queued { .. }))).then_some(())
    });
    tokio::time::timeout(Duration::from_secs(2), taken)
        .await
        .expect("the worker is free within 2 s");
    assert!(matches!(finished(&client, &next).await, JobStatus::Succeeded { .. }));
    assert_eq!(client.status(&job).await.expect("known"), JobStatus::Cancelled);
    let refused = client.cancel(&next).await.expect_err("it has finished");
    assert_eq!(refused.kind(), Some("invalid_state"));
}

#[tokio::test]
async fn an_unknown_job_cannot_be_cancelled() {
    let studio = Studio::open().await;
    let (status, body) = studio.get("/job/v1/cancel/unknownunknown00").await;
    assert_eq!((status, &body["type"]), (404, &"job_not_found".into()));
}
