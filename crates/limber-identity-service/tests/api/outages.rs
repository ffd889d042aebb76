//! A database that is unavailable, unresponsive, slow or killed: nobody is signed out, nothing is
//! lost, and every call says that it can be retried.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use futures_util::future::join_all;
use limber_client::identity::{IdentityClient, IdentityOptions, Session};
use limber_identity_service::Config;
use limber_identity_service::config::Allowance;
use limber_postgres::TestServer;
use reqwest::Url;
use serde_json::json;
use sqlx::{Connection, PgConnection};
use tokio::io::AsyncWriteExt;

use crate::deployment::Deployment;
use crate::flood::{answers, fresh_client};
use crate::nasty::everything_on;
use crate::nasty::routes::{Cast, Route, all};
use crate::service::{Answer, PASSWORD, TestService};
use crate::waiting::{until, wait_for};
use crate::wire::{RawResponse, Request, ask, connect};

/// Number of users active while the database fails.
const PEOPLE: usize = 6;
/// The service's database time limit in tests that wait for it to elapse.
const SHORT: Duration = Duration::from_secs(1);

async fn on_a_server(change: impl FnOnce(&mut Config)) -> (TestServer, TestService) {
    let server = TestServer::start("identity").await.expect("PostgreSQL is there");
    let service = TestService::start_on(server.database(), |config| {
        config.mailer.autoconfirm = true;
        change(config);
    })
    .await;
    (server, service)
}

#[track_caller]
fn is_for_later(answer: &Answer) {
    assert_eq!(answer.status, 503, "{answer:?}");
    assert!(answer.headers.contains_key("retry-after"), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exchange_whose_last_word_is_lost_signs_nobody_out_however_late_it_is_asked_again() {
    let (server, service) = on_a_server(|_| {}).await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let token = service.post("/signup", body).await.ok().refresh();
    server.lose_next_commit();
    is_for_later(&service.refresh(&token).await);
    // Far beyond the reuse interval of a refresh token.
    service.clock.advance(Duration::from_secs(3600));
    let child = service.refresh(&token).await.ok().refresh();
    assert_eq!(service.refresh(&token).await.ok().refresh(), child, "until the child is used");
    let next = service.refresh(&child).await.ok().refresh();
    service.clock.advance(Duration::from_secs(3600));
    let message = "Invalid Refresh Token: Already Used";
    service.refresh(&token).await.is_error(400, "refresh_token_already_used", message);
    service.refresh(&next).await.is_error(400, "refresh_token_already_used", message);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exchange_whose_last_word_is_lost_is_known_to_instances_that_were_not_there() {
    let (server, service) = on_a_server(|_| {}).await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let token = service.post("/signup", body).await.ok().refresh();
    server.lose_next_commit();
    is_for_later(&service.refresh(&token).await);
    // Started afresh, as after a restart.
    let (other, _stop) = service.beside_at().await;
    service.clock.advance(Duration::from_secs(3600));
    let body = json!({"refresh_token": token}).to_string();
    let request = Request::new("POST", "/token?grant_type=refresh_token").json(body);
    let told = ask(&other, &request).await;
    assert_eq!(told.status, 200, "{told:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exchange_is_answered_although_the_database_hangs_right_after_its_commit() {
    let (server, service) = on_a_server(|config| {
        config.sessions.reuse_interval = Duration::ZERO;
        config.database.patience = SHORT;
    })
    .await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let token = service.post("/signup", body).await.ok().refresh();
    service.clock.run();
    server.freeze_after_next_commit();
    let answer = service.refresh(&token).await;
    server.thaw();
    let child = answer.ok().refresh();
    service.refresh(&child).await.ok();
}

async fn ask_all(base: &Url, cast: &Cast, routes: &[Route]) -> Vec<RawResponse> {
    let requests = routes.iter().map(|route| cast.request(route));
    join_all(requests.map(|request| async move { ask(base, &request).await })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_database_every_call_says_later_or_what_it_says_without_one() {
    let (server, service) = on_a_server(|config| {
        everything_on(config);
        config.database.patience = SHORT;
    })
    .await;
    let cast = Cast::of(&service).await;
    let routes = all();
    for what in ["stands still", "is gone"] {
        let frozen = match what {
            "is gone" => {
                server.kill();
                None
            }
            _ => Some(server.freeze()),
        };
        let told = ask_all(&service.base, &cast, &routes).await;
        drop(frozen);
        are_for_later(&routes, &told, what);
    }
}

/// Asserts that every call is for later, except those that need no database.
#[track_caller]
fn are_for_later(routes: &[Route], told: &[RawResponse], what: &str) {
    let mut later = 0;
    for (route, told) in routes.iter().zip(told) {
        let name = format!("{} {} while the database {what}", route.method, route.path);
        if told.status == 503 {
            assert!(told.header("retry-after").is_some(), "{name}: {told:?}");
            later += 1;
            continue;
        }
        // Routes that need no lookup.
        let known = matches!(
            route.path.as_str(),
            "/health" | "/settings" | "/.well-known/jwks.json" | "/openapi.json" | "/sso"
        );
        let leads = route.method == "HEAD" || (300..400).contains(&told.status);
        let needs_nothing = ["/authorize", "/callback", "/identities"];
        let needs_nothing = needs_nothing.iter().any(|word| route.path.contains(word));
        assert!(known || leads || needs_nothing, "{name}: {told:?}");
    }
    assert!(later > 25, "{later} of {} need the database", routes.len());
}

/// A user who refreshes the session continuously.
struct Person {
    client: IdentityClient,
    done: AtomicUsize,
    failed: AtomicUsize,
}

impl Person {
    /// Refreshes until told to stop, and returns the last session.
    async fn refresh(self: Arc<Self>, mut session: Session, stop: Arc<AtomicBool>) -> Session {
        while !stop.load(SeqCst) {
            match self.client.refresh(&session.refresh_token).await {
                Ok(next) => {
                    session = next;
                    self.done.fetch_add(1, SeqCst);
                }
                Err(error) => {
                    assert!(error.is_passing() && !error.ends_session(), "signed out: {error:?}");
                    self.failed.fetch_add(1, SeqCst);
                }
            }
        }
        session
    }
}

/// Maximum number of attempts to create an account.
const MOST_TRIES: usize = 50;

async fn sign_up(base: &Url, number: usize) -> (Arc<Person>, Session) {
    let client = IdentityClient::new(base, &IdentityOptions::default()).expect("an address");
    let email = format!("p{number}@b.co");
    let mut tries = 0;
    // On a busy computer, creating an account may exceed this short limit.
    let session = loop {
        let signed_up = client.sign_up(&email, &PASSWORD.into(), None, None).await;
        match client.sign_in(&email, &PASSWORD.into()).await {
            Ok(session) => break session,
            Err(error) => assert!(tries < MOST_TRIES, "no account: {signed_up:?}, {error}"),
        }
        tries += 1;
    };
    (Arc::new(Person { client, done: AtomicUsize::new(0), failed: AtomicUsize::new(0) }), session)
}

async fn wait_until_each(people: &[Arc<Person>], what: &str, more: fn(&Person) -> &AtomicUsize) {
    let before: Vec<usize> = people.iter().map(|one| more(one).load(SeqCst)).collect();
    wait_for(what, async || {
        people.iter().zip(&before).all(|(one, before)| more(one).load(SeqCst) > *before)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn people_stay_signed_in_while_the_database_is_frozen_and_killed_under_them() {
    let (mut server, service) = on_a_server(|config| {
        // Without a reuse interval, only exchanges left unanswered by an outage are forgiven.
        config.sessions.reuse_interval = Duration::ZERO;
        config.database.patience = SHORT;
        config.limits.token = Allowance { burst: f64::MAX, per_second: 0.0 };
    })
    .await;
    service.clock.run();
    let (mut people, mut sessions) = (Vec::new(), Vec::new());
    for number in 0..PEOPLE {
        let (person, session) = sign_up(&service.base, number).await;
        people.push(person);
        sessions.push(session);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let running: Vec<_> = people
        .iter()
        .zip(sessions)
        .map(|(one, session)| tokio::spawn(Arc::clone(one).refresh(session, Arc::clone(&stop))))
        .collect();
    wait_until_each(&people, "refreshes before", |one| &one.done).await;
    let frozen = server.freeze();
    wait_until_each(&people, "answers of a frozen database", |one| &one.failed).await;
    drop(frozen);
    wait_until_each(&people, "refreshes after the frost", |one| &one.done).await;
    server.kill();
    wait_until_each(&people, "answers without a database", |one| &one.failed).await;
    server.start_again().await.expect("it comes up");
    wait_until_each(&people, "refreshes after the kill", |one| &one.done).await;
    stop.store(true, SeqCst);
    for (one, running) in people.iter().zip(running) {
        let session = running.await.expect("nobody was signed out");
        one.client.user(&session.access_token).await.expect("the account is there");
        one.client.refresh(&session.refresh_token).await.expect("the session goes on");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pool_that_is_empty_and_a_statement_that_is_slow_are_for_later() {
    let (_server, service) = on_a_server(|config| {
        everything_on(config);
        config.database.max_connections = 2;
        config.database.patience = SHORT;
    })
    .await;
    let (cast, routes) = (Cast::of(&service).await, all());
    let body = json!({"email": "bob@b.co", "password": PASSWORD});
    let token = service.post("/signup", body).await.ok().refresh();
    let pool = sqlx::PgPool::connect(service.database.url()).await.expect("the test's database");
    let all_tables = "SELECT string_agg(quote_ident(tablename::text), ', ') FROM pg_tables
         WHERE schemaname = 'public'";
    let tables: String =
        sqlx::query_scalar(all_tables).fetch_one(&pool).await.expect("there are tables");
    let lock = format!("LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE");
    let held = until("the service's own tasks have released every table", async || {
        let mut held = pool.begin().await.ok()?;
        let lock = sqlx::query(sqlx::AssertSqlSafe(lock.clone()));
        lock.execute(&mut *held).await.ok()?;
        Some(held)
    })
    .await;
    // Two at a time wait for a lock, the others for a free connection.
    let refreshes = join_all((0..6).map(|_| service.refresh(&token)));
    let (refreshes, told) = tokio::join!(refreshes, ask_all(&service.base, &cast, &routes));
    for answer in refreshes {
        is_for_later(&answer);
    }
    are_for_later(&routes, &told, "is locked and has no free connection");
    held.rollback().await.expect("it ends");
    // A busy computer may occasionally take longer than that.
    wait_for("a refresh", async || service.refresh(&token).await.status == 200).await;
}

/// More refreshes than one caller may make at once.
const MANY: usize = 40;

#[tokio::test(flavor = "multi_thread")]
async fn an_outage_uses_up_no_rate_limit() {
    let (mut server, service) = on_a_server(|config| {
        config.limits.by_ip = true;
        config.database.patience = SHORT;
    })
    .await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let token = service.post("/signup", body).await.ok().refresh();
    server.kill();
    for answer in join_all((0..MANY).map(|_| service.refresh(&token))).await {
        is_for_later(&answer);
    }
    server.start_again().await.expect("it comes up");
    wait_for("a refresh", async || {
        let answer = service.refresh(&token).await;
        assert!(matches!(answer.status, 200 | 503), "{answer:?}");
        answer.status == 200
    })
    .await;
}

/// Errors of a database that is being moved, restored or migrated, and the response to calls other
/// than a refresh. A faulty statement causes the last three, too.
const UNUSABLE: [(&str, u16); 6] = [
    ("28P01", 503),
    ("3D000", 503),
    ("3F000", 503),
    ("42P01", 500),
    ("42703", 500),
    ("42501", 500),
];

#[tokio::test]
async fn a_database_that_cannot_be_used_yet_signs_nobody_out() {
    let service = TestService::start_with(|config| config.mailer.autoconfirm = true).await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let mut token = service.post("/signup", body).await.ok().refresh();
    let pool = sqlx::PgPool::connect(service.database.url()).await.expect("the test's database");
    let run = async |sql: &str| {
        let sql = sqlx::AssertSqlSafe(sql.to_owned());
        sqlx::query(sql).execute(&pool).await.expect("the statement succeeds");
    };
    for (code, others) in UNUSABLE {
        run(&format!(
            "CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
                 $$ BEGIN RAISE EXCEPTION 'unusable' USING ERRCODE = '{code}'; END $$"
        ))
        .await;
        run("CREATE TRIGGER fails BEFORE INSERT OR UPDATE ON refresh_tokens
                 FOR EACH ROW EXECUTE FUNCTION fail()")
        .await;
        is_for_later(&service.refresh(&token).await);
        assert_eq!(service.sign_in("ann@b.co", PASSWORD).await.status, others, "{code}");
        run("DROP TRIGGER fails ON refresh_tokens").await;
        token = service.refresh(&token).await.ok().refresh();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_database_password_signs_nobody_out_and_is_logged() {
    let server = TestServer::start("identity").await.expect("PostgreSQL is there");
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("identity.log");
    let mut deployment = Deployment::on(server.database());
    deployment.set("AUTHSVC_LOG_FILE", file.to_str().expect("a plain path"));
    deployment.set("AUTHSVC_MAILER_AUTOCONFIRM", "true");
    let running = deployment.serve().await;
    let http = fresh_client();
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let session = Answer::of(http.post(deployment.url("/signup")).json(&body)).await.ok();
    let mut operator =
        PgConnection::connect(deployment.database.url()).await.expect("the server is running");
    for sql in [
        "ALTER ROLE CURRENT_USER PASSWORD 'changed'",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
    ] {
        sqlx::query(sql).execute(&mut operator).await.expect("the statement succeeds");
    }
    let body = json!({"refresh_token": session.refresh()});
    for _ in 0..MANY {
        let url = deployment.url("/token?grant_type=refresh_token");
        is_for_later(&Answer::of(http.post(url).json(&body)).await);
    }
    running.terminate();
    let log = std::fs::read_to_string(&file).expect("the log file exists");
    assert!(log.contains("password authentication failed"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_program_stops_in_time_while_its_database_is_frozen() {
    let server = TestServer::start("identity").await.expect("PostgreSQL is there");
    let deployment = Deployment::on(server.database());
    let running = deployment.serve().await;
    let frozen = server.freeze();
    let mut waiting = connect(&deployment.url("/")).await;
    let token = "A".repeat(43);
    let body = json!({"refresh_token": token}).to_string();
    let request = Request::new("POST", "/token?grant_type=refresh_token").json(body);
    waiting.write_all(&request.bytes()).await.expect("the service is listening");
    // Once this is answered, the service has begun the request before it.
    answers(deployment.url("/health").as_str()).await;
    running.terminate();
    drop(frozen);
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_and_captchas_of_administrators_fail_as_the_database_does() {
    let (server, service) = on_a_server(|config| {
        config.captcha = Some(limber_identity_service::config::CaptchaConfig {
            // Nothing listens on port 9.
            address: Url::parse("http://127.0.0.1:9/").expect("an address"),
            secret: "secret".into(),
            timeout: SHORT,
        });
    })
    .await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD, "email_confirm": true});
    let made = service
        .send_as(&service.admin_token(), reqwest::Method::POST, "/admin/users", body)
        .await
        .ok();
    // Names an account, so a lookup is required.
    let token = service.token(&json!({"role": "service_role", "sub": made.text("id")}));
    server.kill();
    let ready = Answer::of(service.request(reqwest::Method::GET, "/health/ready")).await;
    is_for_later(&ready);
    let request = Request::new("POST", "/recover").bearer(&token);
    let told = ask(&service.base, &request.json(r#"{"email": "ann@b.co"}"#)).await;
    assert_eq!(told.status, 503, "not taken for a stranger without a captcha: {told:?}");
}
