//! Old rows are deleted, and only those.

use std::time::Duration;

use limber_identity_service::Config;
use serde_json::json;
use sqlx::PgPool;

use crate::service::{PASSWORD, TestService};
use crate::waiting::wait_for;

const HOUR: Duration = Duration::from_secs(3600);

fn often(config: &mut Config) {
    config.upkeep.interval = Some(Duration::from_millis(40));
}

async fn count(pool: &PgPool, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(pool).await.expect("the statement succeeds")
}

/// Waits until the clean-up task brings the count down to `expected`.
async fn becomes(pool: &PgPool, sql: &'static str, expected: i64) {
    let what = format!("{expected} is the result of {sql}");
    wait_for(&what, async || count(pool, sql).await == expected).await;
}

const REVOKED: &str = "SELECT count(*) FROM refresh_tokens WHERE revoked_at IS NOT NULL";
const CODES: &str = "SELECT count(*) FROM one_time_tokens";
const ACCOUNTS: &str = "SELECT count(*) FROM accounts";
const AUDIT: &str = "SELECT count(*) FROM audit_entries";

#[tokio::test]
async fn rows_that_ended_a_day_ago_are_swept() {
    let service = TestService::start_with(often).await;
    let pool =
        PgPool::connect(service.database.url()).await.expect("the test database is reachable");
    let session = service.confirmed("ann@b.co").await;
    let session = service.refresh(&session.refresh()).await.ok();
    service.post("/recover", json!({"email": "ann@b.co"})).await.ok();
    service.clock.advance(HOUR * 23);
    tokio::time::sleep(Duration::from_millis(400)).await;
    assert_eq!((count(&pool, REVOKED).await, count(&pool, CODES).await), (1, 1));
    service.clock.advance(HOUR * 2);
    becomes(&pool, REVOKED, 0).await;
    assert_eq!(count(&pool, CODES).await, 1, "a code stays for a day after it expired");
    service.clock.advance(HOUR * 24);
    becomes(&pool, CODES, 0).await;
    service.refresh(&session.refresh()).await.ok();
    service.sign_in("ann@b.co", PASSWORD).await.ok();
}

#[tokio::test]
async fn expired_sessions_are_swept() {
    let service = TestService::start_with(|config| {
        often(config);
        config.sessions.inactivity = Some(HOUR);
    })
    .await;
    let pool =
        PgPool::connect(service.database.url()).await.expect("the test database is reachable");
    service.confirmed("ann@b.co").await;
    service.clock.advance(HOUR * 24);
    service.sign_in("ann@b.co", PASSWORD).await.ok();
    service.clock.advance(HOUR * 2);
    becomes(&pool, "SELECT count(*) FROM sessions", 1).await;
}

#[tokio::test]
async fn unused_anonymous_accounts_and_old_audit_entries_are_deleted() {
    let keeping = TestService::start_with(|config| {
        often(config);
        config.signup.anonymous = true;
        config.upkeep.anonymous_retention = None;
    })
    .await;
    keeping.post("/signup", json!({})).await.ok();
    let sweeping = TestService::start_with(|config| {
        often(config);
        config.signup.anonymous = true;
        config.upkeep.anonymous_retention = Some(HOUR * 720);
        config.audit.retention = Some(HOUR * 100);
    })
    .await;
    sweeping.post("/signup", json!({})).await.ok();
    let alive = sweeping.post("/signup", json!({})).await.ok();
    let kept =
        PgPool::connect(keeping.database.url()).await.expect("the test database is reachable");
    let swept =
        PgPool::connect(sweeping.database.url()).await.expect("the test database is reachable");
    for service in [&keeping, &sweeping] {
        service.clock.advance(HOUR * 719);
    }
    sweeping.refresh(&alive.refresh()).await.ok();
    becomes(&swept, AUDIT, 2).await;
    for service in [&keeping, &sweeping] {
        service.clock.advance(HOUR * 2);
    }
    becomes(&swept, ACCOUNTS, 1).await;
    assert_eq!(count(&kept, ACCOUNTS).await, 1);
    assert!(count(&kept, AUDIT).await > 0);
    // By default, audit entries of the last 90 days are kept.
    keeping.clock.advance(HOUR * (24 * 90 - 719));
    becomes(&kept, AUDIT, 0).await;
    assert_eq!(count(&kept, ACCOUNTS).await, 1);
}
