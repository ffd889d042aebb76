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

use futures_util::future::join_all;
use limber_client::motion::{JobStatus, ListFilter, MotionClient, MotionError};
use limber_postgres::TestServer;
use reqwest::{Method, RequestBuilder};
use secrecy::ExposeSecret as _;
use serde_json::json;
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use crate::{
    flood::answers,
    floods::place,
    heads::{described, filled},
    studio::{Studio, finished, in_work, until, walk},
    upload::{Session, addresses},
};

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

/// Routes that need no database. A file's own signature suffices.
const WITHOUT_DATABASE: [&str; 5] = [
    "/files/v1/{content}/{name}",
    "/health",
    "/job/v1/corrections-schema",
    "/job/v1/script-schema",
    "/openapi.json",
];
const OBJECT: &str = "/upload/v1/object/{key}/{name}";
const SESSION: &str = "/upload/v1/session/{token}";

/// Every call, and what the calls refer to.
struct Cast {
    calls: Vec<(Method, String)>,
    job: String,
    cookie: String,
    /// Where an upload in parts starts.
    resumable: String,
    /// Where a whole file is uploaded.
    whole: String,
    /// Where the parts of an upload that has started are sent.
    session: String,
}

impl Cast {
    async fn of(studio: &Studio) -> Self {
        let client = studio.client();
        // with so short a timeout, even the first connection may time out on a busy computer
        let submitted =
            until("a job is accepted", async || client.submit(&walk(), None).await.ok()).await;
        let mut calls = described(studio).await;
        // the other values of the parameter
        calls.push((Method::POST, "/job/v1/process/render".to_owned()));
        calls.push((Method::GET, "/job/v1/list/PROGRESS/render".to_owned()));
        Self {
            calls,
            job: submitted.job.to_string(),
            cookie: studio.cookie().await,
            resumable: addresses(studio, "name=hero&modelExt=glb").await.0,
            whole: addresses(studio, "name=hero&modelExt=glb&resumable=0").await.0,
            session: Session::start(studio).await.url,
        }
    }

    /// Returns a request with arguments that pass the first checks.
    fn request(&self, studio: &Studio, method: &Method, path: &str) -> RequestBuilder {
        let address = match path {
            OBJECT if *method == Method::POST => self.resumable.clone(),
            OBJECT => self.whole.clone(),
            SESSION => self.session.clone(),
            _ => studio.url(&filled(path, &self.job)),
        };
        let request = studio.http.request(method.clone(), address);
        match path {
            "/account/v1/auth" => {
                request.basic_auth(&studio.id, Some(studio.secret.expose_secret()))
            }
            OBJECT if *method == Method::POST => {
                request.header("x-storage-resumable", "start").header("content-length", "0")
            }
            OBJECT | SESSION if *method == Method::PUT => request.body("a file"),
            "/character/v1/storeModel" => {
                let body = json!({ "modelUrl": self.resumable, "modelName": "hero" });
                request.header("cookie", &self.cookie).json(&body)
            }
            _ if path.starts_with("/job/v1/process/") => {
                let body = json!({ "params": ["prompt=a person walks forward", "model=default"] });
                request.header("cookie", &self.cookie).json(&body)
            }
            _ => request.header("cookie", &self.cookie),
        }
    }

    /// Makes every call, and asserts that it gets 503 if it needs the database.
    async fn is_sent_away(&self, studio: &Studio, what: &str) {
        let asking = self.calls.iter().map(|(method, path)| async move {
            let answer = self.request(studio, method, path).send().await.expect("an answer");
            (answer.status().as_u16(), answer.headers().contains_key("retry-after"))
        });
        for ((method, path), answer) in self.calls.iter().zip(join_all(asking).await) {
            let name = format!("{method} {path} while the database {what}");
            match WITHOUT_DATABASE.contains(&path.as_str()) {
                true => assert!(answer.0 < 500, "{name}: {answer:?}"),
                false => assert_eq!(answer, (503, true), "{name}"),
            }
        }
        let health = studio.http.get(studio.url("/health")).send().await.expect("an answer");
        assert_eq!(health.status(), 200, "a restart would not help");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_database_every_call_gets_503() {
    let (server, studio) = studio().await;
    let cast = Cast::of(&studio).await;
    let frozen = server.freeze();
    cast.is_sent_away(&studio, "stands still").await;
    drop(frozen);
    server.kill();
    cast.is_sent_away(&studio, "is gone").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_pool_and_a_slow_statement_get_503() {
    let (_server, studio) = studio().await;
    let cast = Cast::of(&studio).await;
    let pool = sqlx::PgPool::connect(studio.database.url()).await.expect("the database");
    let all = "select string_agg(quote_ident(tablename::text), ', ') from pg_tables
         where schemaname = 'public'";
    let tables: String = sqlx::query_scalar(all).fetch_one(&pool).await.expect("there are tables");
    let lock = format!("lock table {tables} in access exclusive mode");
    let held = until("the service's own tasks have released every table", async || {
        let mut held = pool.begin().await.ok()?;
        let lock = sqlx::query(sqlx::AssertSqlSafe(lock.clone()));
        lock.execute(&mut *held).await.ok()?;
        Some(held)
    })
    .await;
    // as many as there are connections wait for a lock, the others for a connection
    cast.is_sent_away(&studio, "is locked and has no free connection").await;
    held.rollback().await.expect("it ends");
    until("the service goes on", async || studio.client().balance().await.ok()).await;
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

#[tokio::test(flavor = "multi_thread")]
async fn a_server_stops_cleanly_with_a_stalled_database() {
    let (server, mut studio) = studio().await;
    let process = studio.start_server_process().await;
    let cookie = studio.cookie().await;
    let events = studio.http.get(studio.url("/job/v1/events")).header("cookie", &cookie);
    let events = events.send().await.expect("a stream");
    assert_eq!(events.status(), 200);
    let frozen = server.freeze();
    let mut waiting = TcpStream::connect(place(&studio)).await.expect("it listens");
    let head = format!("GET /job/v1/list HTTP/1.1\r\nHost: a\r\nCookie: {cookie}\r\n\r\n");
    waiting.write_all(head.as_bytes()).await.expect("it listens");
    // once this is answered, the server has begun the request before it
    answers(&studio.url("/health")).await;
    assert!(process.stop().success(), "whatever it was waiting for");
    drop(frozen);
}
