//! `GET /job/v1/status/{rid,…}`.

use limber_client::motion::JobStatus;

use crate::studio::{Studio, walk};

#[tokio::test]
async fn unknown_jobs_are_omitted_and_only_unknown_ones_give_404() {
    let studio = Studio::open().await;
    let job = studio.client().submit(&walk(), None).await.expect("a job").job;
    let (status, body) = studio.get(&format!("/job/v1/status/unknownunknown00,{job},{job}")).await;
    assert_eq!((status, &body["count"]), (200, &1.into()));
    assert_eq!(body["missing"], serde_json::json!(["unknownunknown00"]));
    for unknown in ["unknownunknown00", "a%00b", ",", "';drop table jobs;--"] {
        let (status, body) = studio.get(&format!("/job/v1/status/{unknown}")).await;
        assert_eq!((status, &body["type"]), (404, &"job_not_found".into()), "{unknown}");
    }
    let (status, _) = studio.get("/job/v1/status/%ff").await;
    assert_eq!(status, 400);
}

#[tokio::test]
async fn another_accounts_job_does_not_exist() {
    let studio = Studio::open().await;
    let job = studio.client().submit(&walk(), None).await.expect("a job").job;
    let stranger = studio.stranger().await;
    assert_eq!(stranger.status(&job).await.expect_err("not theirs").kind(), Some("job_not_found"));
    assert_eq!(stranger.cancel(&job).await.expect_err("not theirs").kind(), Some("job_not_found"));
    let first = limber_client::motion::VariantId::FIRST;
    assert_eq!(
        stranger.links(&job, first).await.expect_err("not theirs").kind(),
        Some("job_not_found")
    );
}

#[tokio::test]
async fn queue_positions_reflect_the_round_robin() {
    let studio = Studio::open().await;
    let (mine, theirs) = (studio.client(), studio.stranger().await);
    let mut own = Vec::new();
    for _ in 0..3 {
        own.push(mine.submit(&walk(), None).await.expect("a job").job);
    }
    let other = theirs.submit(&walk(), None).await.expect("a job").job;
    let mut places = Vec::new();
    for (_, status) in mine.statuses(&own).await.expect("known") {
        match status {
            JobStatus::Queued { position } => places.push(position),
            other => panic!("there is no worker: {other:?}"),
        }
    }
    let JobStatus::Queued { position } = theirs.status(&other).await.expect("known") else {
        panic!("there is no worker");
    };
    places.push(position);
    // whichever account is first, the other account's only job comes before my second
    assert!(places == [1, 3, 4, 2] || places == [2, 3, 4, 1], "{places:?}");
}
