//! `GET /job/v1/list`.

use limber_client::motion::{ListFilter, TextToMotion};

use crate::studio::{Studio, walk};

#[tokio::test]
async fn jobs_are_listed_newest_first_and_by_status() {
    let studio = Studio::open().await;
    let client = studio.client();
    let mut jobs = Vec::new();
    for prompt in ["a person walks", "a person runs", "a person jumps"] {
        let request = TextToMotion { prompt: prompt.into(), ..walk() };
        jobs.push(client.submit(&request, None).await.expect("a job").job);
        tokio::time::sleep(std::time::Duration::from_millis(3)).await;
    }
    client.cancel(&jobs[1]).await.expect("it waits");
    let count = async |path: &str| {
        let (status, body) = studio.get(path).await;
        assert_eq!(status, 200, "{path}: {body}");
        body["count"].as_u64().expect("a number")
    };
    assert_eq!(count("/job/v1/list").await, 3);
    assert_eq!(count("/job/v1/list/PROGRESS").await, 2);
    assert_eq!(count("/job/v1/list/PROGRESS,FAILURE/text2motion").await, 3);
    assert_eq!(count("/job/v1/list/FAILURE/text2motion").await, 1);
    assert_eq!(count("/job/v1/list/FAILURE/render").await, 0);
    assert_eq!(count("/job/v1/list/STARTING").await, 0);
    assert_eq!(count("/job/v1/list?limit=2").await, 2);
    assert_eq!(count("/job/v1/list?search=RUNS").await, 1);
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let ids: Vec<_> = listed.iter().map(|job| job.rid.clone()).collect();
    assert_eq!(ids, jobs.iter().rev().cloned().collect::<Vec<_>>());
    let second = &listed[1];
    let older = count(&format!("/job/v1/list?before={},{}", second.ctime, second.rid)).await;
    assert_eq!(older, 1);
    assert_eq!(listed[0].charged_amount, 0.0);
}

#[tokio::test]
async fn unknown_statuses_are_rejected() {
    let studio = Studio::open().await;
    for path in [
        "/job/v1/list/DONE",
        "/job/v1/list/progress",
        "/job/v1/list/PROGRESS/cook",
        "/job/v1/list?limit=0",
        "/job/v1/list?limit=501",
        "/job/v1/list?before=yesterday",
    ] {
        let (status, body) = studio.get(path).await;
        assert_eq!((status, &body["type"]), (422, &"invalid_parameter".into()), "{path}");
    }
}
