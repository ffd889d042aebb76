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
    let pool = sqlx::PgPool::connect(database.url()).await.expect("the test database is reachable");
    let sql = format!("SELECT count(*) FROM mail_outbox WHERE {condition}");
    let count = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&pool).await;
    pool.close().await;
    count.expect("the statement succeeds")
}

async fn sign_up(service: &TestService, email: &str) {
    service.post("/signup", json!({"email": email, "password": PASSWORD})).await.ok();
}

#[tokio::test]
async fn temporary_mail_server_errors_are_retried_without_duplicates() {
    let service = TestService::start().await;
    service.mailbox.set_mood(Mood::Later);
    sign_up(&service, "ann@b.co").await;
    let database = &service.database;
    let tried = "attempts = 1 AND given_up_at IS NULL";
    wait_for("the first attempt is recorded", async || rows(database, tried).await == 1).await;
    assert_eq!(service.mailbox.refused(), 1);
    // The pause is at least five seconds, and the email that has been due longest goes first.
    service.clock.advance(Duration::from_secs(4));
    sign_up(&service, "bob@b.co").await;
    wait_for("an attempt to send Bob's email", async || rows(database, tried).await == 2).await;
    assert_eq!(service.mailbox.refused(), 2, "Ann's email is not retried before its pause is over");
    // It is less than eight seconds, when bob's email is still waiting.
    service.clock.advance(Duration::from_secs(4));
    let again = "attempts = 2 AND given_up_at IS NULL";
    wait_for("the second attempt is recorded", async || rows(database, again).await == 1).await;
    assert_eq!(service.mailbox.refused(), 3);
    service.mailbox.set_mood(Mood::Takes);
    service.clock.advance(Duration::from_secs(15));
    service.mailbox.nth("ann@b.co", 1).await;
    assert_eq!(service.count_mails("ann@b.co").await, 1);
    assert_eq!(rows(database, "true").await, 0, "sent emails are deleted, with their secrets");
}

#[tokio::test]
async fn rejected_recipients_are_given_up_and_delay_no_other_email() {
    let service = TestService::start().await;
    service.mailbox.set_mood(Mood::Never);
    sign_up(&service, "nobody@b.co").await;
    let given_up = "given_up_at IS NOT NULL AND variables = '{}'";
    wait_for("giving up", async || rows(&service.database, given_up).await == 1).await;
    service.mailbox.set_mood(Mood::Takes);
    sign_up(&service, "ann@b.co").await;
    service.mailbox.nth("ann@b.co", 1).await;
    assert_eq!(service.mailbox.refused(), 1, "a permanent rejection is not retried");
}

#[tokio::test]
async fn slow_mail_servers_do_not_slow_requests() {
    let service = TestService::start().await;
    service.mailbox.set_mood(Mood::Holds);
    service.post("/otp", json!({"email": "a@b.co"})).await.ok();
    wait_for("the server is receiving an email", async || service.mailbox.held() == 1).await;
    for number in 0..5 {
        service.post("/otp", json!({"email": format!("n{number}@b.co")})).await.ok();
    }
    assert!(
        service.mailbox.all().is_empty(),
        "all requests were answered before the first email was accepted"
    );
    service.mailbox.set_mood(Mood::Takes);
    service.mailbox.nth("a@b.co", 1).await;
    for number in 0..5 {
        service.mailbox.nth(&format!("n{number}@b.co"), 1).await;
    }
    assert_eq!(service.count_mails("a@b.co").await, 1, "slow emails are not lost");
}

#[tokio::test]
async fn instances_sharing_a_database_send_each_email_once() {
    let service = TestService::start().await;
    let _second = service.beside().await;
    let _third = service.beside().await;
    service.mailbox.set_mood(Mood::Slow(Duration::from_millis(20)));
    for number in 0..40 {
        service.post("/otp", json!({"email": format!("n{number}@b.co")})).await.ok();
    }
    wait_for("the outbox is empty", async || rows(&service.database, "true").await == 0).await;
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
                accepted.lock().expect("no thread panicked while holding the lock").insert(email);
            }
            Ok(answer) => panic!("{}", answer.status()),
            Err(_) => return,
        }
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killing_the_service_under_load_loses_no_email_and_repeats_few() {
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
        wait_for("enough requests were accepted", async || {
            accepted.lock().expect("no thread panicked while holding the lock").len() >= enough
        })
        .await;
        program.kill();
        for task in asking {
            task.await.expect("every response was successful");
        }
    }
    let last = deployment.serve().await;
    let database = &deployment.database;
    wait_for("the outbox is empty", async || rows(database, "true").await == 0).await;
    drop(last);
    let mut arrived: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mail in deployment.mailbox.all() {
        arrived.entry(mail.to.clone()).or_default().push(mail.header("Message-ID"));
    }
    let accepted = accepted.lock().expect("no thread panicked while holding the lock").clone();
    let lost: Vec<&String> = accepted.iter().filter(|to| !arrived.contains_key(*to)).collect();
    assert!(lost.is_empty(), "{lost:?} of {} were lost", accepted.len());
    let repeated: usize = arrived.values().map(|ids| ids.len() - 1).sum();
    println!("{} accepted, {repeated} repeated", accepted.len());
    assert!(repeated <= KILLS * SENDERS, "{repeated} emails were repeated");
    for (email, ids) in arrived {
        let distinct: BTreeSet<_> = ids.iter().collect();
        assert_eq!(distinct.len(), 1, "copies for {email} have the same Message-ID");
    }
}
