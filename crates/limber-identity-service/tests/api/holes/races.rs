//! Races: the later of two concurrent requests must see the effects of the earlier one.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use sqlx::PgPool;

use crate::external::cases_a_to_g::gitlab;
use crate::external::identities::link;
use crate::external::stand_in::StandIn;
use crate::external::travel::{account, at_provider, give_consent, round_trip, step, with};
use crate::service::{Answer, PASSWORD, TestService};
use crate::waiting::wait_for;

const LINK: &str = "/user/identities/authorize?provider=gitlab&skip_http_redirect=true";
const ENDED: &str = "Session from session_id claim in JWT does not exist";
const ACCOUNTS: &str = "SELECT id FROM accounts FOR UPDATE";

/// Locks rows, applies `changes` once the request waits for the lock, and releases it.
async fn while_it_waits<T>(
    service: &TestService,
    rows: &'static str,
    changes: &[&'static str],
    request: impl Future<Output = T>,
) -> T {
    let pool =
        PgPool::connect(service.database.url()).await.expect("the test database is reachable");
    let mut held = pool.begin().await.expect("a transaction");
    sqlx::query(rows).execute(&mut *held).await.expect("the statement succeeds");
    let change = async {
        wait_for("a request that waits for the rows", async || {
            let waiting: i64 = sqlx::query_scalar(
                "SELECT count(*) FROM pg_stat_activity
                 WHERE datname = current_database() AND wait_event_type = 'Lock'",
            )
            .fetch_one(&pool)
            .await
            .expect("the system catalog can be queried");
            waiting > 0
        })
        .await;
        for sql in changes {
            sqlx::query(*sql).execute(&mut *held).await.expect("the statement succeeds");
        }
        held.commit().await.expect("the row can be stored");
    };
    let (answer, ()) = tokio::join!(request, change);
    answer
}

#[tokio::test]
async fn sign_ins_in_progress_fail_when_the_password_changes() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    // As a password change would, which ends all sessions.
    let changes = ["UPDATE accounts SET password_hash = NULL", "DELETE FROM sessions"];
    let thief = service.sign_in("ann@b.co", PASSWORD);
    let refused = while_it_waits(&service, ACCOUNTS, &changes, thief).await;
    refused.is_error(400, "invalid_credentials", "Invalid login credentials");
}

#[tokio::test]
async fn concurrent_sign_ins_that_rehash_the_password_all_succeed() {
    let service = TestService::start().await;
    let hash = bcrypt::hash(PASSWORD, 4).expect("the cost is valid");
    let body = json!({"email": "ann@b.co", "password_hash": hash, "email_confirm": true});
    let admin = service.admin_token();
    service.send_as(&admin, Method::POST, "/admin/users", body).await.ok();
    let changes = ["UPDATE accounts SET updated_at = now()"];
    let all = (0..4).map(|_| service.sign_in("ann@b.co", PASSWORD));
    let all = futures_util::future::join_all(all);
    for answer in while_it_waits(&service, ACCOUNTS, &changes, all).await {
        answer.ok();
    }
}

#[tokio::test]
async fn changes_in_progress_fail_when_the_session_ends() {
    let service = TestService::start().await;
    let thief = service.confirmed("ann@b.co").await.access();
    let body = json!({"password": "battery staple"});
    let change = service.send_as(&thief, Method::PUT, "/user", body);
    let refused = while_it_waits(&service, ACCOUNTS, &["DELETE FROM sessions"], change).await;
    refused.is_error(403, "session_not_found", ENDED);
    service.sign_in("ann@b.co", PASSWORD).await.ok();
}

#[tokio::test]
async fn tokens_of_ended_sessions_cannot_undo_changes() {
    let service = TestService::start().await;
    let owner = service.confirmed("ann@b.co").await.access();
    let thief = service.sign_in("ann@b.co", PASSWORD).await.ok().access();
    let body = json!({"password": "battery staple"});
    service.send_as(&owner, Method::PUT, "/user", body).await.ok();
    for body in [
        json!({"password": "the thief's own"}),
        json!({"email": "thief@b.co"}),
        json!({"phone": "+41791234567"}),
    ] {
        let refused = service.send_as(&thief, Method::PUT, "/user", body).await;
        refused.is_error(403, "session_not_found", ENDED);
    }
    // Changes that do not affect credentials are allowed as long as the token is valid.
    service.send_as(&thief, Method::PUT, "/user", json!({"data": {"a": 1}})).await.ok();
    service.sign_in("ann@b.co", "battery staple").await.ok();
}

async fn with_gitlab() -> (TestService, StandIn) {
    let stand_in = StandIn::start(gitlab()).await;
    let service = TestService::start_with(|config| {
        stand_in.enable(config);
        config.external.manual_linking = true;
    })
    .await;
    (service, stand_in)
}

#[tokio::test]
async fn linking_fails_if_the_session_ended_meanwhile() {
    let (service, stand_in) = with_gitlab().await;
    let owner = service.confirmed("own@example.co").await.access();
    let thief = service.sign_in("own@example.co", PASSWORD).await.ok().access();
    let away = service.get_as(&thief, LINK).await.ok();
    let away = give_consent(&away.text("url")).await;
    let back = with(at_provider(&stand_in.case(), away.address).await, &away.cookies);
    service.send_as(&owner, Method::POST, "/logout?scope=others", json!({})).await.ok();
    let landing = step(back).await;
    assert_eq!(landing.query("error_code").as_deref(), Some("session_not_found"), "{landing:?}");
    let user = service.get_as(&owner, "/user").await.ok().body;
    assert_eq!(user["identities"].as_array().map(Vec::len), Some(1), "{user}");
    service.get_as(&thief, LINK).await.is_error(403, "session_not_found", ENDED);
}

#[tokio::test]
async fn identities_unlinked_meanwhile_do_not_sign_in() {
    let (service, stand_in) = with_gitlab().await;
    let owner = service.confirmed("own@example.co").await;
    let user = account(&service, &link(&service, &stand_in, &owner.access()).await).await;
    assert_eq!(user["id"], owner.body["user"]["id"]);
    let changes = ["DELETE FROM identities WHERE provider = 'gitlab'"];
    let thief = round_trip(&service, &stand_in, "");
    let landing = while_it_waits(&service, ACCOUNTS, &changes, thief).await;
    assert_ne!(account(&service, &landing).await["id"], user["id"]);
}

#[tokio::test]
async fn after_a_wait_only_one_instance_checks_a_password() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    // From an address at which she is not signed in.
    let sign_in = |password: &str| {
        let body = json!({"email": "ann@b.co", "password": password});
        let request = service.request(Method::POST, "/token?grant_type=password").json(&body);
        Answer::of(request.header("X-Forwarded-For", "198.51.100.1"))
    };
    for _ in 0..10 {
        assert_eq!(sign_in("wrong").await.status, 400);
    }
    service.clock.advance(Duration::from_secs(2));
    // Another request counts its attempt first.
    let (rows, changes) =
        ("SELECT subject FROM guesses FOR UPDATE", ["UPDATE guesses SET count = count + 1"]);
    let late = while_it_waits(&service, rows, &changes, sign_in(PASSWORD)).await;
    late.is_error(429, "over_request_rate_limit", "Request rate limit reached");
}
