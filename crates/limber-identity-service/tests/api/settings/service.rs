//! Settings of the service itself: database, time limits, CORS, log.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use sqlx::PgPool;

use crate::deployment::{Deployment, PORT};
use crate::service::{Answer, PASSWORD, SITE, TestService};
use crate::verify::open;
use crate::waiting::wait_for;

async fn database(service: &TestService) -> PgPool {
    PgPool::connect(service.database.url()).await.expect("the test database is reachable")
}

#[tokio::test]
async fn tables_are_in_the_configured_schema_and_connections_are_limited() {
    let service = TestService::start_from(&[
        ("DB_NAMESPACE", "Auth_2"),
        ("DB_MAX_POOL_SIZE", "3"),
        ("MAILER_AUTOCONFIRM", "true"),
    ])
    .await;
    let calls = (0..12).map(|number| {
        let body = json!({"email": format!("u{number}@b.co"), "password": PASSWORD});
        service.post("/signup", body)
    });
    for answer in futures_util::future::join_all(calls).await {
        answer.ok();
    }
    let pool = database(&service).await;
    let schemas: Vec<String> = sqlx::query_scalar(
        "SELECT table_schema::text FROM information_schema.tables WHERE table_name = 'accounts'",
    )
    .fetch_all(&pool)
    .await
    .expect("the system catalog can be queried");
    assert_eq!(schemas, ["Auth_2"]);
    let accounts: i64 = sqlx::query_scalar("SELECT count(*) FROM \"Auth_2\".accounts")
        .fetch_one(&pool)
        .await
        .expect("the statement succeeds");
    assert_eq!(accounts, 12);
    // Connections from the migration may still be closing; those of the service stay.
    wait_for("there are at most three connections", async || {
        let connections: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM pg_stat_activity \
             WHERE datname = current_database() AND application_name = 'limber-identity'",
        )
        .fetch_one(&pool)
        .await
        .expect("the view can be read");
        (1..=3).contains(&connections)
    })
    .await;
}

#[tokio::test]
async fn slow_requests_time_out_with_retry_after() {
    let service = TestService::start_from(&[
        ("API_MAX_REQUEST_DURATION", "2s"),
        ("REQUEST_ID_HEADER", "X-Request-Id"),
    ])
    .await;
    let pool = database(&service).await;
    let mut held = pool.begin().await.expect("a transaction");
    sqlx::query("LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE")
        .execute(&mut *held)
        .await
        .expect("no other transaction holds the lock");
    let body = json!({"email": "a@b.co", "password": "x"});
    let request = service.request(Method::POST, "/token?grant_type=password").json(&body);
    let answer = Answer::of(request.header("X-Request-Id", "trace-8")).await;
    let expected = json!({
        "code": 504, "error_code": "request_timeout", "error_id": "trace-8",
        "msg": "Processing this request timed out, please retry after a moment.",
    });
    assert_eq!((answer.status, answer.body), (504, expected));
    held.rollback().await.expect("the process ends");
    // A busy computer may occasionally take longer than that.
    wait_for("a response in time", async || service.sign_in("a@b.co", "x").await.status == 400)
        .await;
}

#[tokio::test]
async fn cors_headers_and_redirects_follow_the_settings() {
    let service = TestService::start_from(&[
        ("CORS_ALLOWED_HEADERS", "X-Studio, X-Take"),
        ("URI_ALLOW_LIST", "https://*.studio.example/in/**,app://back"),
    ])
    .await;
    let preflight = service
        .request(Method::OPTIONS, "/signup")
        .header("Origin", "https://a.example")
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "x-studio");
    let answer = Answer::of(preflight).await.ok();
    let allowed = answer.headers["access-control-allow-headers"].to_str().expect("text");
    assert!(allowed.contains("x-studio") && allowed.contains("x-take"), "{allowed}");
    let methods = answer.headers["access-control-allow-methods"].to_str().expect("text");
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
        assert!(methods.contains(method), "{methods}");
    }
    let base = service.base.as_str().trim_end_matches('/');
    for (asked, leads_to) in [
        ("https://a.studio.example/in/deep/er", "https://a.studio.example/in/deep/er"),
        ("app://back", "app://back"),
        ("https://a.b.studio.example/in/x", SITE),
        ("https://a.studio.example/out", SITE),
    ] {
        let link = format!("{base}/verify?type=signup&token=x&redirect_to={asked}");
        let (url, pairs) = open(&service, &link).await;
        assert!(url.as_str().starts_with(leads_to), "{asked}: {url}");
        assert_eq!(pairs["error_code"], "otp_expired");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn listen_address_and_log_level_follow_the_settings() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let mut lines = Vec::new();
    for level in ["fatal", "debug"] {
        let file = folder.path().join(level);
        let mut deployment = Deployment::new().await;
        // On Linux, and only there, every address in 127.0.0.0/8 is this computer.
        let host = if cfg!(target_os = "linux") { "127.0.0.2" } else { "127.0.0.1" };
        deployment.set("AUTHSVC_API_EXTERNAL_URL", &format!("http://{host}:{PORT}"));
        deployment.set("AUTHSVC_API_HOST", host);
        deployment.set("AUTHSVC_LOG_LEVEL", level);
        deployment.set("AUTHSVC_LOG_FILE", file.to_str().expect("a plain path"));
        let server = deployment.serve().await;
        let mut elsewhere = deployment.url("/health");
        elsewhere.set_host(Some("127.0.0.1")).expect("a host");
        let other = reqwest::get(elsewhere).await;
        assert_eq!(
            other.is_err(),
            cfg!(target_os = "linux"),
            "it listens only on the configured address"
        );
        server.terminate();
        lines.push(std::fs::read_to_string(&file).expect("the log file exists").lines().count());
    }
    assert_eq!(lines[0], 0, "there were no errors");
    assert!(lines[1] > 1, "{lines:?}");
}

#[tokio::test]
async fn retention_follows_the_settings() {
    let service = TestService::start_from(&[
        ("EXTERNAL_ANONYMOUS_USERS_ENABLED", "true"),
        ("UPKEEP_INTERVAL", "40ms"),
        ("ANONYMOUS_USERS_RETENTION", "2h"),
        ("AUDIT_LOG_DISABLE_POSTGRES", "true"),
        ("AUDIT_LOG_RETENTION", "1h"),
    ])
    .await;
    service.post("/signup", json!({})).await.ok();
    let pool = database(&service).await;
    let count = async |sql: &'static str| -> i64 {
        sqlx::query_scalar(sql).fetch_one(&pool).await.expect("the statement succeeds")
    };
    assert_eq!(count("SELECT count(*) FROM audit_entries").await, 0, "the entries are in the log");
    service.clock.advance(Duration::from_secs(2 * 3600 + 60));
    wait_for("the unused account is deleted", async || {
        count("SELECT count(*) FROM accounts").await == 0
    })
    .await;
}
