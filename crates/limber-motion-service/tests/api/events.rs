//! `GET /job/v1/events`.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use limber_client::motion::{JobEvents, JobId, JobStatus, TextToMotion};

use crate::{
    studio::{PATIENCE, Studio, walk},
    within::{Hanging, work_with},
};

async fn heard(events: &mut JobEvents) -> Option<(JobId, JobStatus)> {
    let next = tokio::time::timeout(PATIENCE, events.next()).await;
    next.expect("an event arrives in time").expect("the stream is valid")
}

/// Returns the events until this job has ended.
async fn until_over(events: &mut JobEvents, job: &JobId) -> Vec<JobStatus> {
    let mut all = Vec::new();
    loop {
        let (about, status) = heard(events).await.expect("the stream goes on");
        assert_eq!(about, *job);
        let is_final = status.is_final();
        all.push(status);
        if is_final {
            return all;
        }
    }
}

#[tokio::test]
async fn job_events_reach_only_their_account() {
    let studio = Studio::open().await;
    let client = studio.client();
    let stranger = studio.stranger().await;
    let mut events = client.events(None).await.expect("a stream");
    let mut elsewhere = stranger.events(None).await.expect("a stream");
    let let_go = Arc::new(AtomicBool::new(false));
    let _working = work_with(&studio, Hanging(Arc::clone(&let_go)), |_| {});
    let job = client.submit(&walk(), None).await.expect("a job").job;
    let (about, begun) = heard(&mut events).await.expect("the stream goes on");
    assert!(about == job && matches!(begun, JobStatus::Running { .. }), "{about}: {begun:?}");
    let_go.store(true, Ordering::SeqCst);
    let all = until_over(&mut events, &job).await;
    assert!(matches!(all.last(), Some(JobStatus::Succeeded { files }) if !files.is_empty()));
    let other = stranger.submit(&walk(), None).await.expect("a job").job;
    until_over(&mut elsewhere, &other).await;
}

#[tokio::test]
async fn a_reconnecting_client_receives_missed_events() {
    let mut studio = Studio::open().await;
    let client = studio.client();
    let mut events = client.events(None).await.expect("a stream");
    let worker = studio.worker("a");
    let first = client.submit(&walk(), None).await.expect("a job").job;
    until_over(&mut events, &first).await;
    let last = events.last().expect("a job ended").clone();
    studio.stop_server().await;
    assert!(heard(&mut events).await.is_none(), "a service that stops ends its streams");
    studio.start_server().await;
    let short = TextToMotion { prompt: "a person waves".to_owned(), ..walk() };
    let second = client.submit(&short, None).await.expect("a job").job;
    crate::studio::finished(&client, &second).await;
    worker.stop();
    let mut again = client.events(Some(&last)).await.expect("a stream");
    let mut told = Vec::new();
    while !told.contains(&second) {
        let (job, status) = heard(&mut again).await.expect("missed events come first");
        assert!(status.is_final(), "{job}: {status:?}");
        told.push(job);
    }
}

#[tokio::test]
async fn streams_require_a_session_and_a_valid_id_and_are_limited() {
    let studio = Studio::open().await;
    let url = studio.url("/job/v1/events");
    let answer = studio.http.get(&url).send().await.expect("an answer");
    assert_eq!(answer.status(), 401);
    let cookie = studio.cookie().await;
    for id in ["yesterday", "-1", "99999999999999999999"] {
        let request = studio.http.get(&url).header("cookie", &cookie).header("last-event-id", id);
        assert_eq!(request.send().await.expect("an answer").status(), 400, "{id}");
    }
    let mut open = Vec::new();
    for _ in 0..32 {
        let answer = studio.http.get(&url).header("cookie", &cookie).send().await;
        open.push(answer.expect("an answer"));
    }
    assert!(open.iter().all(|answer| answer.status() == 200));
    let more = studio.http.get(&url).header("cookie", &cookie).send().await.expect("an answer");
    assert_eq!(more.status(), 503);
    drop(open);
    crate::studio::until("slots are released", async || {
        let answer = studio.http.get(&url).header("cookie", &cookie).send().await;
        answer.is_ok_and(|answer| answer.status() == 200).then_some(())
    })
    .await;
}
