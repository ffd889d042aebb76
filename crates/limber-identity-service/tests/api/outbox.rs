//! The outbox with a mail server that is slow, full, rejecting or shared, and with a service that
//! is killed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use limber_postgres::TestDatabase;
use reqwest::Url;
use serde_json::json;

use crate::deployment::Deployment;
use crate::mailbox::Mood;
use crate::service::{PASSWORD, TestService};
use crate::waiting::wait_for;

async fn rows(database: &TestDatabase, condition: &str) -> i64 {
    let pool = sqlx::PgPool::connect(database.url()).await.expect("the test's database");
    let sql = format!("SELECT count(*) FROM mail_outbox WHERE {condition}");
    let count = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&pool).await;
    pool.close().await;
    count.expect("the table is there")
}

async fn sign_up(service: &TestService, email: &str) {
    service.post("/signup", json!({"email": email, "password": PASSWORD})).await.ok();
}

#[tokio::test]
async fn a_mail_server_that_asks_to_wait_is_asked_again_and_gets_the_mail_once() {
    let service = TestService::start().await;
    service.mailbox.set_mood(Mood::Later);
    sign_up(&service, "ann@b.co").await;
    let database = &service.database;
    let tried = "attempts = 1 AND given_up_at IS NULL";
    wait_for("the note of a first attempt", async || rows(database, tried).await == 1).await;
    assert_eq!(service.mailbox.refused(), 1);
    // The pause is at least five seconds, and the email that has been due longest goes first.
    service.clock.advance(Duration::from_secs(4));
    sign_up(&service, "bob@b.co").await;
    wait_for("an attempt with bob's", async || rows(database, tried).await == 2).await;
    assert_eq!(service.mailbox.refused(), 2, "ann's not before its pause is over");
    // It is less than eight seconds, when bob's email is still waiting.
    service.clock.advance(Duration::from_secs(4));
    let again = "attempts = 2 AND given_up_at IS NULL";
    wait_for("the note of a second attempt", async || rows(database, again).await == 1).await;
    assert_eq!(service.mailbox.refused(), 3);
    service.mailbox.set_mood(Mood::Takes);
    service.clock.advance(Duration::from_secs(15));
    service.mailbox.nth("ann@b.co", 1).await;
    assert_eq!(service.count_mails("ann@b.co").await, 1);
    assert_eq!(rows(database, "true").await, 0, "what left is gone, with its secrets");
}

#[tokio::test]
async fn a_refused_reader_is_given_up_without_secrets_and_holds_nobody_up() {
    let service = TestService::start().await;
    service.mailbox.set_mood(Mood::Never);
    sign_up(&service, "nobody@b.co").await;
    let given_up = "given_up_at IS NOT NULL AND variables = '{}'";
    wait_for("giving up", async || rows(&service.database, given_up).await == 1).await;
    service.mailbox.set_mood(Mood::Takes);
    sign_up(&service, "ann@b.co").await;
    service.mailbox.nth("ann@b.co", 1).await;
    assert_eq!(service.mailbox.refused(), 1, "a final no is not asked again");
}

#[tokio::test]
async fn a_slow_mail_server_slows_no_request() {
    let service = TestService::start().await;
    service.mailbox.set_mood(Mood::Holds);
    service.post("/otp", json!({"email": "a@b.co"})).await.ok();
    wait_for("a mail in its hand", async || service.mailbox.held() == 1).await;
    for number in 0..5 {
        service.post("/otp", json!({"email": format!("n{number}@b.co")})).await.ok();
    }
    assert!(service.mailbox.all().is_empty(), "all were answered before it took the first");
    service.mailbox.set_mood(Mood::Takes);
    service.mailbox.nth("a@b.co", 1).await;
    for number in 0..5 {
        service.mailbox.nth(&format!("n{number}@b.co"), 1).await;
    }
    assert_eq!(service.count_mails("a@b.co").await, 1, "slow is not lost");
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
    wait_for("an empty outbox", async || rows(&service.database, "true").await == 0).await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(service.mailbox.all().len(), 40);
}

/// Requests emails to new addresses until the service is gone, and records the accepted ones.
async fn ask_until_gone(url: Url, name: String, accepted: Arc<Mutex<BTreeSet<String>>>) {
    let http = reqwest::Client::new();
    for number in 0.. {
        let email = format!("{name}n{number}@b.co");
        match http.post(url.clone()).json(&json!({"email": email})).send().await {
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
    // Each sender can be killed between the server's acceptance and the commit.
    const KILLS: usize = 3;
    const SENDERS: usize = 4;
    // Accepted requests before each kill.
    const REQUESTS: usize = 30;
    let mut deployment = Deployment::new().await;
    // One sender per eight connections.
    deployment.set("AUTHSVC_DB_MAX_POOL_SIZE", "32");
    deployment.set("AUTHSVC_LOG_LEVEL", "error");
    let accepted = Arc::new(Mutex::new(BTreeSet::new()));
    for round in 0..KILLS {
        let mut program = deployment.serve().await;
        let asking: Vec<_> = (0..3)
            .map(|asker| {
                let (url, name) = (deployment.url("/otp"), format!("r{round}a{asker}"));
                tokio::spawn(ask_until_gone(url, name, Arc::clone(&accepted)))
            })
            .collect();
        let enough = (round + 1) * REQUESTS;
        wait_for("enough accepted requests", async || {
            accepted.lock().expect("nobody panics while holding it").len() >= enough
        })
        .await;
        program.kill();
        for task in asking {
            task.await.expect("every answer was a good one");
        }
    }
    let last = deployment.serve().await;
    let database = &deployment.database;
    wait_for("an empty outbox", async || rows(database, "true").await == 0).await;
    drop(last);
    let mut arrived: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mail in deployment.mailbox.all() {
        arrived.entry(mail.to.clone()).or_default().push(mail.header("Message-ID"));
    }
    let accepted = accepted.lock().expect("nobody panics while holding it").clone();
    let lost: Vec<&String> = accepted.iter().filter(|to| !arrived.contains_key(*to)).collect();
    assert!(lost.is_empty(), "{lost:?} of {} were lost", accepted.len());
    let repeated: usize = arrived.values().map(|ids| ids.len() - 1).sum();
    println!("{} accepted, {repeated} repeated", accepted.len());
    assert!(repeated <= KILLS * SENDERS, "{repeated} mails were repeated");
    for (email, ids) in arrived {
        let distinct: BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), 1, "copies for {email} are recognised by their Message-ID");
    }
}
