//! The way from the outbox to a mail server that is slow, full, rude or shared, and from a
//! service that is killed.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use limber_postgres::TestDatabase;
use serde_json::json;

use crate::mailbox::{Mailbox, Mood};
use crate::service::{PASSWORD, TestService};

async fn rows(service: &TestService, condition: &str) -> i64 {
    let pool = sqlx::PgPool::connect(service.database.url()).await.expect("the test's database");
    let sql = format!("SELECT count(*) FROM mail_outbox WHERE {condition}");
    let count = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&pool).await;
    pool.close().await;
    count.expect("the table is there")
}

/// Until it holds; a mail task looks every two seconds.
async fn wait_for(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..150 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what} did not happen");
}

async fn sign_up(service: &TestService, email: &str) {
    service.post("/signup", json!({"email": email, "password": PASSWORD})).await.ok();
}

#[tokio::test]
async fn a_mail_server_that_asks_to_wait_is_asked_again_and_gets_the_mail_once() {
    let service = TestService::start().await;
    service.mailbox.set_mood(Mood::Later);
    sign_up(&service, "ann@b.co").await;
    wait_for("a first attempt", async || service.mailbox.refused() == 1).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(service.mailbox.refused(), 1, "not before its pause is over");
    service.clock.advance(Duration::from_secs(9));
    wait_for("a second attempt", async || service.mailbox.refused() == 2).await;
    let waiting = "attempts = 2 AND given_up_at IS NULL";
    wait_for("its note", async || rows(&service, waiting).await == 1).await;
    service.mailbox.set_mood(Mood::Takes);
    service.clock.advance(Duration::from_secs(15));
    service.mailbox.nth("ann@b.co", 1).await;
    assert_eq!(service.count_mails("ann@b.co").await, 1);
    assert_eq!(rows(&service, "true").await, 0, "what left is gone, with its secrets");
}

#[tokio::test]
async fn a_refused_reader_is_given_up_without_secrets_and_holds_nobody_up() {
    let service = TestService::start().await;
    service.mailbox.set_mood(Mood::Never);
    sign_up(&service, "nobody@b.co").await;
    let given_up = "given_up_at IS NOT NULL AND variables = '{}'";
    wait_for("giving up", async || rows(&service, given_up).await == 1).await;
    service.mailbox.set_mood(Mood::Takes);
    sign_up(&service, "ann@b.co").await;
    service.mailbox.nth("ann@b.co", 1).await;
    assert_eq!(service.mailbox.refused(), 1, "a final no is not asked again");
}

#[tokio::test]
async fn a_slow_mail_server_slows_no_request() {
    let service = TestService::start().await;
    // so long as one request would take that waited for it
    let slow = Duration::from_secs(8);
    service.mailbox.set_mood(Mood::Slow(slow));
    service.post("/otp", json!({"email": "a@b.co"})).await.ok();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let begun = now();
    for number in 0..5 {
        service.post("/otp", json!({"email": format!("n{number}@b.co")})).await.ok();
    }
    assert!(begun.elapsed() < slow, "{:?}", begun.elapsed());
    service.mailbox.nth("a@b.co", 1).await;
    service.mailbox.set_mood(Mood::Takes);
    for number in 0..5 {
        service.mailbox.nth(&format!("n{number}@b.co"), 1).await;
    }
    assert_eq!(service.count_mails("a@b.co").await, 1, "slow is not lost");
}

#[expect(clippy::disallowed_methods, reason = "this test measures how long answers take")]
fn now() -> Instant {
    Instant::now()
}

#[tokio::test]
async fn instances_that_share_a_database_send_each_mail_once() {
    let service = TestService::start().await;
    let _second = service.beside().await;
    let _third = service.beside().await;
    service.mailbox.set_mood(Mood::Slow(Duration::from_millis(20)));
    for number in 0..40 {
        service.post("/otp", json!({"email": format!("n{number}@b.co")})).await.ok();
    }
    wait_for("an empty outbox", async || rows(&service, "true").await == 0).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(service.mailbox.all().len(), 40);
}

/// The program itself, so that it can be killed.
struct Program {
    child: Child,
    base: String,
}

impl Program {
    async fn start(database: &TestDatabase, smtp_port: u16) -> Self {
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = free.local_addr().expect("a bound address").port();
        drop(free);
        let base = format!("http://127.0.0.1:{port}");
        let child = Command::new(env!("CARGO_BIN_EXE_limber-identity"))
            .env("AUTHSVC_SITE_URL", "http://site.example")
            .env("AUTHSVC_API_EXTERNAL_URL", &base)
            .env("AUTHSVC_DB_DRIVER", "postgres")
            .env("AUTHSVC_DATABASE_URL", database.url())
            .env("AUTHSVC_DB_MAX_POOL_SIZE", "32")
            .env("AUTHSVC_JWT_SECRET", "a secret that only this test knows")
            .env("AUTHSVC_SMTP_ADMIN_EMAIL", "studio@site.example")
            .env("AUTHSVC_SMTP_HOST", "127.0.0.1")
            .env("AUTHSVC_SMTP_PORT", smtp_port.to_string())
            .env("AUTHSVC_RATE_LIMIT_EMAIL_SENT", "1000000")
            .env("AUTHSVC_PORT", port.to_string())
            .env("AUTHSVC_LOG_LEVEL", "error")
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let health = format!("{base}/health");
        wait_for("a start", async || reqwest::get(&health).await.is_ok()).await;
        Self { child, base }
    }

    /// As `kill -9` does: nothing is tidied up.
    fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks for mail to ever new addresses until the service is gone; keeps what was accepted.
async fn ask_until_gone(base: String, name: String, accepted: Arc<Mutex<BTreeSet<String>>>) {
    let http = reqwest::Client::new();
    for number in 0.. {
        let email = format!("{name}n{number}@b.co");
        let request = http.post(format!("{base}/otp")).json(&json!({"email": email}));
        match request.send().await {
            Ok(answer) if answer.status() == 200 => {
                accepted.lock().expect("nobody panics while holding it").insert(email);
            }
            Ok(answer) => panic!("{}", answer.status()),
            Err(_) => return,
        }
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_under_load_loses_no_mail_and_repeats_at_most_those_in_the_air() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let database = TestDatabase::create("identity").await.expect("PostgreSQL is there");
    let (mailbox, smtp_port) = Mailbox::start();
    let accepted = Arc::new(Mutex::new(BTreeSet::new()));
    // of that many senders each can be killed between the server's yes and noting it
    const KILLS: usize = 3;
    const SENDERS: usize = 4;
    for round in 0..KILLS {
        let mut program = Program::start(&database, smtp_port).await;
        let asking: Vec<_> = (0..3)
            .map(|asker| {
                let name = format!("r{round}a{asker}");
                tokio::spawn(ask_until_gone(program.base.clone(), name, Arc::clone(&accepted)))
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(1500)).await;
        program.kill();
        for task in asking {
            task.await.expect("every answer was a good one");
        }
    }
    let last = Program::start(&database, smtp_port).await;
    let accepted = accepted.lock().expect("nobody panics while holding it").clone();
    assert!(accepted.len() > 20, "only {} requests were accepted", accepted.len());
    let arrived = || {
        let mut ids: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for mail in mailbox.all() {
            ids.entry(mail.to.clone()).or_default().push(mail.header("Message-ID"));
        }
        ids
    };
    wait_for("the last mail", async || {
        let arrived = arrived();
        accepted.iter().all(|email| arrived.contains_key(email))
    })
    .await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    drop(last);
    let arrived = arrived();
    let repeated: usize = arrived.values().map(|ids| ids.len() - 1).sum();
    println!("{} accepted, {repeated} repeated", accepted.len());
    assert!(repeated <= KILLS * SENDERS, "{repeated} mails were repeated");
    for (email, ids) in arrived {
        let distinct: BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), 1, "copies for {email} are recognised by their Message-ID");
    }
}
