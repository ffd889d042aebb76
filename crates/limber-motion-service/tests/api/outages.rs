//! A database that stalls or is killed: every call fails as temporary, clients keep their state,
//! and nothing is lost or done twice.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};

use limber_client::motion::{JobStatus, ListFilter, MotionClient, MotionError};
use limber_postgres::TestServer;
use reqwest::Method;
use serde_json::{Value, json};

use crate::studio::{Studio, finished, in_work, until, walk};

/// Number of concurrent clients.
const CLIENTS: usize = 3;
/// How long the service waits for its database in these tests.
const SHORT: Duration = Duration::from_secs(1);

async fn studio() -> (TestServer, Studio) {
    let server = TestServer::start("motion").await.expect("PostgreSQL");
    let studio = Studio::open_on(&server, |config| {
        config.database_patience = SHORT;
        config.max_queued = 10_000;
    })
    .await;
    (server, studio)
}

/// Returns every call that needs the database, with arguments that pass the first checks.
fn calls(rid: &str, upload: &str) -> Vec<(Method, String, Value)> {
    let get = |path: &str| (Method::GET, path.to_owned(), Value::Null);
    let submit = json!({ "params": ["prompt=a person walks forward", "model=default"] });
    let store = json!({ "modelUrl": upload, "modelName": "hero" });
    vec![
        get("/account/v1/auth"),
        get("/account/v1/creditBalance"),
        (Method::POST, "/job/v1/process/text2motion".to_owned(), submit),
        get(&format!("/job/v1/status/{rid}")),
        get(&format!("/job/v1/download/{rid}")),
        get(&format!("/job/v1/cancel/{rid}")),
        (Method::DELETE, format!("/job/v1/purge/{rid}"), Value::Null),
        get("/job/v1/backdrops"),
        get("/job/v1/list"),
        get("/job/v1/list/QUEUED"),
        get("/job/v1/events"),
        get("/character/v1/listModels"),
        get("/character/v1/getModelUploadUrl"),
        (Method::POST, "/character/v1/storeModel".to_owned(), store),
        (Method::DELETE, "/character/v1/deleteModel/abc".to_owned(), Value::Null),
        (Method::PUT, "/upload/v1/session/abc".to_owned(), Value::Null),
        (Method::DELETE, "/upload/v1/session/abc".to_owned(), Value::Null),
        get("/health/ready"),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_database_every_call_gets_503() {
    let (server, studio) = studio().await;
    let client = studio.client();
    // with so short a timeout, even the first connection may time out on a busy computer
    let job =
        until("a job is accepted", async || client.submit(&walk(), None).await.ok()).await.job;
    let cookie = studio.cookie().await;
    let (_, addresses) = studio.get("/character/v1/getModelUploadUrl").await;
    let upload = addresses["modelUrl"].as_str().expect("an address").to_owned();
    for what in ["stands still", "is gone"] {
        let frozen = (what == "stands still").then(|| server.freeze());
        if frozen.is_none() {
            server.kill();
        }
        for (method, path, body) in calls(job.as_str(), &upload) {
            let request = studio.http.request(method.clone(), studio.url(&path));
            let request = match path.as_str() {
                "/account/v1/auth" => {
                    let secret = secrecy::ExposeSecret::expose_secret(&studio.secret);
                    request.basic_auth(&studio.id, Some(secret))
                }
                _ => request.header("cookie", &cookie),
            };
            let request = match path.starts_with("/upload") {
                // asks how much has arrived
                true => request.header("content-range", "bytes */*").header("content-length", "0"),
                false if body.is_null() => request,
                false => request.json(&body),
            };
            let answer = request.send().await.expect("an answer");
            let name = format!("{method} {path} while the database {what}");
            assert_eq!(answer.status(), 503, "{name}");
            assert!(answer.headers().contains_key("retry-after"), "{name}");
        }
        let health = studio.http.get(studio.url("/health")).send().await.expect("an answer");
        assert_eq!(health.status(), 200, "a restart would not help");
    }
}

/// Submits jobs one after another, each with its own idempotency key, until told to stop.
struct Submitter {
    client: MotionClient,
    name: String,
    done: AtomicUsize,
    failed: AtomicUsize,
}

impl Submitter {
    async fn submit(self: Arc<Self>, stop: Arc<AtomicBool>) -> BTreeSet<String> {
        let mut jobs = BTreeSet::new();
        while !stop.load(SeqCst) {
            let key = format!("{}-{}", self.name, jobs.len());
            // whatever happened to the first attempt, a retry must return the same job
            let submitted = loop {
                match self.client.submit(&walk(), Some(&key)).await {
                    Ok(submitted) => break submitted,
                    Err(error) => self.note(&error),
                }
            };
            match self.client.status(&submitted.job).await {
                Ok(status) => assert!(matches!(status, JobStatus::Queued { .. }), "{status:?}"),
                Err(error) => self.note(&error),
            }
            assert!(jobs.insert(submitted.job.to_string()), "one job, one key");
            self.done.fetch_add(1, SeqCst);
        }
        jobs
    }

    fn note(&self, error: &MotionError) {
        assert!(error.is_transient(), "an outage is not the client's error: {error:?}");
        self.failed.fetch_add(1, SeqCst);
    }
}

async fn until_each(all: &[Arc<Submitter>], what: &str, more: fn(&Submitter) -> &AtomicUsize) {
    let before: Vec<usize> = all.iter().map(|one| more(one).load(SeqCst)).collect();
    until(what, async || {
        all.iter().zip(&before).all(|(one, before)| more(one).load(SeqCst) > *before).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_continue_without_loss_while_the_database_freezes_and_dies() {
    let (mut server, studio) = studio().await;
    let all: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let (done, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let (client, name) = (studio.client(), format!("client-{number}"));
            Arc::new(Submitter { client, name, done, failed })
        })
        .collect();
    let stop = Arc::new(AtomicBool::new(false));
    let running: Vec<_> =
        all.iter().map(|one| tokio::spawn(Arc::clone(one).submit(Arc::clone(&stop)))).collect();
    until_each(&all, "jobs before", |one| &one.done).await;
    let frozen = server.freeze();
    until_each(&all, "responses with a frozen database", |one| &one.failed).await;
    drop(frozen);
    until_each(&all, "jobs after the freeze", |one| &one.done).await;
    server.kill();
    until_each(&all, "responses without a database", |one| &one.failed).await;
    server.start_again().await.expect("it comes up");
    until_each(&all, "jobs after the kill", |one| &one.done).await;
    stop.store(true, SeqCst);
    let mut known = BTreeSet::new();
    for running in running {
        known.append(&mut running.await.expect("every error was temporary"));
    }
    let rows = usize::try_from(studio.rows_of("jobs").await).expect("a count");
    assert_eq!(rows, known.len(), "none is lost or duplicated");
    let listed = all[0].client.list(&ListFilter::default()).await.expect("the session stays valid");
    assert!(listed.iter().all(|job| known.contains(job.rid.as_str())));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_stops_cleanly_with_a_stalled_database() {
    let (server, studio) = studio().await;
    let client = studio.client();
    let held = studio.hold_results().await;
    let worker = studio.worker("cpu-0");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    in_work(&client, &job).await;
    let frozen = server.freeze();
    worker.ask_to_stop();
    assert!(worker.ended().success(), "whatever it was doing");
    drop(frozen);
    held.let_go().await;
    let _heir = studio.worker("heir");
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
}
