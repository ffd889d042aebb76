//! The program is repeatedly killed in the middle of its work: whatever it has acknowledged
//! persists, and whatever it has not can simply be retried.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use futures_util::{StreamExt, stream};
use reqwest::{Client, StatusCode, Url};
use serde_json::json;

use crate::deployment::Deployment;
use crate::mailbox::Mail;
use crate::service::PASSWORD;
use crate::waiting::wait_for;

const KILLS: usize = 4;
/// Number of concurrent sign-ups.
const PEOPLE: usize = 12;
/// Mail senders, one per eight database connections, of which the deployment has eight. This many
/// emails can be in flight at the moment of a kill.
const SENDERS: usize = 1;

/// Addresses, by the outcome of their sign-up.
#[derive(Debug, Default)]
struct Asked {
    accepted: BTreeSet<String>,
    unanswered: BTreeSet<String>,
}

/// Signs up new addresses until the service is gone.
async fn sign_up_until_gone(http: Client, url: Url, name: String, asked: Arc<Mutex<Asked>>) {
    for number in 0.. {
        let email = format!("{name}n{number}@b.co");
        let status = sign_up(&http, &url, &email).await;
        let mut asked = asked.lock().expect("no thread panicked while holding the lock");
        match status {
            Some(StatusCode::OK) => asked.accepted.insert(email),
            None => {
                asked.unanswered.insert(email);
                return;
            }
            Some(status) => panic!("{email}: {status}"),
        };
    }
}

/// Signs up and returns the status, or `None` if the response did not arrive completely.
async fn sign_up(http: &Client, url: &Url, email: &str) -> Option<StatusCode> {
    let request = http.post(url.clone()).json(&json!({"email": email, "password": PASSWORD}));
    let answer = request.send().await.ok()?;
    let status = answer.status();
    answer.bytes().await.ok().map(|_| status)
}

/// Returns the emails by address.
fn mails(deployment: &Deployment) -> BTreeMap<String, Vec<Mail>> {
    let mut mails: BTreeMap<String, Vec<Mail>> = BTreeMap::new();
    for mail in deployment.mailbox.all() {
        mails.entry(mail.to.clone()).or_default().push(mail);
    }
    mails
}

async fn wait_for_an_empty_outbox(deployment: &Deployment) {
    let pool = sqlx::PgPool::connect(deployment.database.url()).await.expect("the database");
    wait_for("the outbox is empty", async || {
        let left = sqlx::query_scalar("SELECT count(*) FROM mail_outbox").fetch_one(&pool).await;
        let left: i64 = left.expect("the statement succeeds");
        left == 0
    })
    .await;
    pool.close().await;
}

/// Follows the mailed link, then signs in with the password of the sign-up.
async fn enters(http: &Client, deployment: &Deployment, mail: &Mail) {
    let proof = json!({"type": "signup", "token_hash": mail.parameter("token")});
    let password = json!({"email": mail.to, "password": PASSWORD});
    for (path, body) in [("/verify", proof), ("/token?grant_type=password", password)] {
        let answer = http.post(deployment.url(path)).json(&body).send().await;
        let status = answer.expect("the service responds").status();
        assert_eq!(status, 200, "{}: {path}", mail.to);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killing_the_service_loses_no_accepted_sign_up_and_no_email() {
    let deployment = Deployment::new().await;
    let asked = Arc::new(Mutex::new(Asked::default()));
    for round in 0..KILLS {
        let mut service = deployment.serve().await;
        let name_of = |person: usize| format!("r{round}p{person}");
        let people: Vec<_> = (0..PEOPLE)
            .map(|person| {
                let (url, name) = (deployment.url("/signup"), name_of(person));
                tokio::spawn(sign_up_until_gone(Client::new(), url, name, Arc::clone(&asked)))
            })
            .collect();
        wait_for("each client has signed up once", async || {
            let asked = asked.lock().expect("no thread panicked while holding the lock");
            let first = |person| format!("{}n0@b.co", name_of(person));
            (0..PEOPLE).all(|person| asked.accepted.contains(&first(person)))
        })
        .await;
        service.kill();
        for person in people {
            person.await.expect("every response was successful");
        }
    }
    let asked =
        std::mem::take(&mut *asked.lock().expect("no thread panicked while holding the lock"));
    let (accepted, unanswered) = (asked.accepted, asked.unanswered);
    assert!(accepted.len() >= KILLS * PEOPLE, "only {} sign-ups were accepted", accepted.len());
    assert_eq!(unanswered.len(), KILLS * PEOPLE, "every client noticed each kill");

    let _service = deployment.serve().await;
    let http = Client::new();
    for email in &unanswered {
        // Either the sign-up was done but not acknowledged, so that its email was sent a moment
        // ago, or it was not done at all.
        let status = sign_up(&http, &deployment.url("/signup"), email).await;
        assert!(matches!(status.map(|s| s.as_u16()), Some(200 | 429)), "{email}: {status:?}");
    }
    wait_for_an_empty_outbox(&deployment).await;

    let mails = mails(&deployment);
    let expected: BTreeSet<_> = accepted.union(&unanswered).cloned().collect();
    assert_eq!(
        mails.keys().cloned().collect::<BTreeSet<_>>(),
        expected,
        "one email for each sign-up"
    );
    let repeated: usize = mails.values().map(|copies| copies.len() - 1).sum();
    println!("{} accepted, {} retried, {repeated} repeated", accepted.len(), unanswered.len());
    assert!(
        repeated <= KILLS * SENDERS,
        "only emails that were in transit at a kill may be repeated"
    );
    for (email, copies) in &mails {
        let ids: BTreeSet<_> = copies.iter().map(|mail| mail.header("Message-ID")).collect();
        assert_eq!(ids.len(), 1, "the copies for {email} have the same Message-ID");
        let links: BTreeSet<_> = copies.iter().map(Mail::link).collect();
        assert_eq!(links.len(), 1, "every copy works: {email}");
    }
    let first = mails.values().filter_map(|copies| copies.first());
    stream::iter(first).for_each_concurrent(4, |mail| enters(&http, &deployment, mail)).await;
}
