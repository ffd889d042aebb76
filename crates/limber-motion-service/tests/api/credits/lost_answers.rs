//! Lost responses: a repeated request neither creates nor charges a second job.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering::SeqCst},
};

use limber_client::motion::{JobStatus, MotionClient, TextToMotion};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use super::{charged, studio_with};
use crate::studio::{Studio, finished, until, walk};

fn host(studio: &Studio) -> &str {
    studio.base.trim_start_matches("http://")
}

#[tokio::test]
async fn a_job_with_a_lost_response_is_created_and_charged_once() {
    let studio = studio_with(50).await;
    let client = studio.client();
    let body = serde_json::to_string(&walk().to_process_request()).expect("JSON");
    let mut wire = TcpStream::connect(host(&studio)).await.expect("it listens");
    let request = format!(
        "POST /job/v1/process/text2motion HTTP/1.1\r\nhost: studio\r\ncookie: {}\r\n\
         idempotency-key: lost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        studio.cookie().await,
        body.len()
    );
    wire.write_all(request.as_bytes()).await.expect("it is sent");
    until("the job is accepted", async || (studio.rows_of("jobs").await == 1).then_some(())).await;
    drop(wire);
    let job = client.submit(&walk(), Some("lost")).await.expect("the same job").job;
    assert_eq!(studio.rows_of("jobs").await, 1);
    assert_eq!(studio.rows_of("ledger where kind = 'reserve'").await, 1);
    let _worker = studio.worker("cpu-0");
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    let cost = charged(&client, &job).await;
    assert!(cost > 0.0, "{cost}");
    let again = client.submit(&walk(), Some("lost")).await.expect("still the same job").job;
    assert_eq!(again, job);
    assert_eq!(studio.rows_of("ledger where kind = 'charge'").await, 1);
    studio.audit().await;
}

#[tokio::test]
async fn an_idempotency_key_is_valid_for_a_day_even_if_the_queue_is_full() {
    let studio = Studio::open_with(|config| config.max_queued = 1).await;
    let client = studio.client();
    let job = client.submit(&walk(), Some("mine")).await.expect("a job").job;
    // the job itself fills the queue
    assert_eq!(client.submit(&walk(), Some("mine")).await.expect("the same job").job, job);
    let other = TextToMotion { variants: 2, ..walk() };
    let refused = client.submit(&other, Some("mine")).await.expect_err("a different request");
    assert_eq!((refused.status(), refused.kind()), (Some(409), Some("invalid_state")));
    assert!(refused.to_string().contains("Idempotency-Key"), "{refused}");
    let refused = client.submit(&walk(), Some(&"k".repeat(129))).await.expect_err("a long key");
    assert_eq!(refused.status(), Some(400));
    client.cancel(&job).await.expect("cancelled");
    studio.sql("update idempotency_keys set created_ms = created_ms - 86400001").await;
    let next = client.submit(&other, Some("mine")).await.expect("the key is free again").job;
    assert_ne!(next, job);
    assert_eq!(studio.rows_of("idempotency_keys").await, 1, "old ones are forgotten");
}

/// A proxy to the studio that drops the connection instead of forwarding the first submit response.
struct Forgetful {
    base: String,
    forgot: Arc<AtomicBool>,
}

impl Forgetful {
    async fn before(studio: &Studio) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let (server, forgot) = (host(studio).to_owned(), Arc::new(AtomicBool::new(false)));
        let shared = Arc::clone(&forgot);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(carry(client, server.clone(), Arc::clone(&shared)));
            }
        });
        Self { base, forgot }
    }
}

async fn carry(mut client: TcpStream, server: String, forgot: Arc<AtomicBool>) {
    let Ok(mut server) = TcpStream::connect(server).await else { return };
    let (mut there, mut back) = (vec![0; 64 << 10], vec![0; 64 << 10]);
    let mut forgets = false;
    loop {
        tokio::select! {
            read = client.read(&mut there) => {
                let Ok(count @ 1..) = read else { return };
                let is_submit = there[..count].starts_with(b"POST /job/v1/process/");
                forgets |= is_submit && !forgot.swap(true, SeqCst);
                if server.write_all(&there[..count]).await.is_err() {
                    return;
                }
            }
            read = server.read(&mut back) => {
                let Ok(count @ 1..) = read else { return };
                if forgets || client.write_all(&back[..count]).await.is_err() {
                    return;
                }
            }
        }
    }
}

#[tokio::test]
async fn a_client_without_a_response_retries_and_gets_one_job() {
    let studio = Studio::open().await;
    let way = Forgetful::before(&studio).await;
    let client = MotionClient::new(&way.base, studio.id.clone(), studio.secret.clone());
    let client = client.expect("an address");
    let job = client.submit(&walk(), Some("once")).await.expect("it is sent again").job;
    assert!(way.forgot.load(SeqCst), "an answer was lost");
    assert_eq!(studio.rows_of("jobs").await, 1);
    assert_eq!(client.status(&job).await.expect("known"), JobStatus::Queued { position: 1 });
    way.forgot.store(false, SeqCst);
    let lost = client.submit(&walk(), None).await.expect_err("no retry without a key");
    assert!(lost.may_have_been_heard(), "{lost}");
    assert_eq!(studio.rows_of("jobs").await, 2, "and it was sent once");
}
