//! Concurrent requests of which only some fit into a limit.

use futures_util::future::join_all;
use serde_json::json;

use crate::{
    studio::{Studio, read},
    upload::addresses,
};

/// Number of concurrent requests: fewer than the server has database connections.
const TOGETHER: usize = 6;

/// Sends requests that all block in the database until `held` is released; returns their statuses.
async fn sent_together(
    studio: &Studio,
    held: &str,
    requests: Vec<reqwest::RequestBuilder>,
) -> Vec<u16> {
    let count = i64::try_from(requests.len()).expect("within the limits");
    let held = studio.hold(held).await;
    let sent = tokio::spawn(join_all(requests.into_iter().map(read)));
    studio.until_waiting(count).await;
    held.let_go().await;
    let answers = sent.await.expect("all of them are answered");
    let mut statuses: Vec<u16> = answers.into_iter().map(|(status, _)| status).collect();
    statuses.sort_unstable();
    statuses
}

#[tokio::test]
async fn concurrent_jobs_cannot_overfill_the_queue() {
    let studio = Studio::open_with(|config| config.max_queued = 2).await;
    let cookie = studio.cookie().await;
    let body = json!({ "params": ["prompt=a person walks", "model=default"] });
    let requests = (0..TOGETHER).map(|_| {
        let request = studio.http.post(studio.url("/job/v1/process/text2motion"));
        request.header("cookie", &cookie).json(&body)
    });
    let held = "lock table jobs in share row exclusive mode";
    let statuses = sent_together(&studio, held, requests.collect()).await;
    assert_eq!(statuses, [200, 200, 503, 503, 503, 503]);
    assert_eq!(studio.rows_of("jobs").await, 2);
}

#[tokio::test]
async fn concurrent_uploads_cannot_exceed_the_limit() {
    let studio = Studio::open_with(|config| config.uploads.at_once = 2).await;
    let (model, _) = addresses(&studio, "name=hero&modelExt=glb").await;
    let requests = (0..TOGETHER).map(|_| {
        let request = studio.http.post(&model).header("x-storage-resumable", "start");
        request.header("content-length", "0")
    });
    let held = "select key from uploads for update";
    let statuses = sent_together(&studio, held, requests.collect()).await;
    assert_eq!(statuses, [201, 201, 429, 429, 429, 429]);
    assert_eq!(studio.rows_of("upload_sessions").await, 2);
}
