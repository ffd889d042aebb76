//! `GET /job/v1/cancel/{rid}`.

use limber_client::motion::{JobStatus, TextToMotion};
use limber_text_to_motion::Seed;

use crate::studio::{Studio, finished, in_work, walk};

#[tokio::test]
async fn a_waiting_job_stays_cancelled() {
    let studio = Studio::open().await;
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    client.cancel(&job).await.expect("it waits");
    assert_eq!(client.status(&job).await.expect("known"), JobStatus::Cancelled);
    client.cancel(&job).await.expect("a repetition is fine");
    let (_, body) = studio.get(&format!("/job/v1/status/{job}")).await;
    assert_eq!(body["status"][0]["status"], "FAILURE");
    assert_eq!(
        body["status"][0]["details"],
        serde_json::json!({"exc_message": [], "exc_type": "Cancelled"})
    );
}

#[tokio::test]
async fn a_running_job_is_cancelled_and_the_worker_continues() {
    let studio = Studio::open().await;
    let client = studio.client();
    let endless = TextToMotion { seed: Some(7), ..walk() };
    let _worker = studio.endless_worker("cpu-0", Seed(7));
    let job = client.submit(&endless, None).await.expect("a job").job;
    in_work(&client, &job).await;
    client.cancel(&job).await.expect("it runs");
    assert_eq!(client.status(&job).await.expect("known"), JobStatus::Cancelled, "at once");
    let other = TextToMotion { seed: Some(8), ..walk() };
    let next = client.submit(&other, None).await.expect("a job").job;
    assert!(matches!(finished(&client, &next).await, JobStatus::Succeeded { .. }));
    assert_eq!(client.status(&job).await.expect("known"), JobStatus::Cancelled);
    let refused = client.cancel(&next).await.expect_err("it has ended");
    assert_eq!(refused.kind(), Some("invalid_state"));
}

#[tokio::test]
async fn an_unknown_job_cannot_be_cancelled() {
    let studio = Studio::open().await;
    let (status, body) = studio.get("/job/v1/cancel/unknownunknown00").await;
    assert_eq!((status, &body["type"]), (404, &"job_not_found".into()));
}
