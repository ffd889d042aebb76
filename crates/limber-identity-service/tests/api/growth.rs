//! Data that unauthenticated callers can create is temporary and bounded.

use std::collections::BTreeMap;
use std::time::Duration;

use limber_api::identity::ProviderName;
use limber_identity_service::config::{MessageLimit, ProviderConfig};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::factors::{code, enroll, give};
use crate::mailbox::Mood;
use crate::service::{Answer, PASSWORD, TestService};
use crate::texts::{by_twilio, carrier};
use crate::waiting::wait_for;

const CALLS: usize = 5;
const DAY: Duration = Duration::from_secs(86_400);

/// Returns the number of rows per table.
async fn rows(pool: &PgPool) -> BTreeMap<String, i64> {
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'
             AND tablename NOT LIKE '\\_sqlx%'",
    )
    .fetch_all(pool)
    .await
    .expect("the system catalog can be queried");
    let mut rows = BTreeMap::new();
    for table in tables {
        let sql = format!("SELECT count(*) FROM \"{table}\"");
        let count = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(pool).await;
        rows.insert(table, count.expect("the statement succeeds"));
    }
    rows
}

fn more(before: &BTreeMap<String, i64>, after: &BTreeMap<String, i64>) -> Vec<String> {
    let more = |table: &&String| after[*table] > before.get(*table).copied().unwrap_or_default();
    after.keys().filter(more).cloned().collect()
}

/// Waits until no table has more rows than before.
async fn shrinks(pool: &PgPool, before: &BTreeMap<String, i64>) {
    let mut left = Vec::new();
    for _ in 0..200 {
        left = more(before, &rows(pool).await);
        if left.is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("rows left after a sweep: {left:?} of {:?}", rows(pool).await);
}

async fn start() -> (TestService, PgPool) {
    let service = TestService::start_with(|config| {
        config.upkeep.interval = Some(Duration::from_millis(100));
        let callback = config.external_url.join("callback").expect("a valid path");
        let github = ProviderConfig::new("app", "hush".into(), callback.as_str());
        config.external.providers.insert(ProviderName::Github, github);
    })
    .await;
    let pool =
        PgPool::connect(service.database.url()).await.expect("the test database is reachable");
    (service, pool)
}

/// Makes every call that needs no account, on behalf of somebody who has none.
async fn call(service: &TestService, number: usize) {
    let nobody = format!("nobody{number}@b.co");
    let challenge = "c".repeat(43);
    let with_challenge = |mut body: Value| {
        body["code_challenge"] = json!(challenge);
        body["code_challenge_method"] = json!("plain");
        body
    };
    let calls: [(&str, Value); 11] = [
        ("/recover", json!({"email": nobody})),
        ("/recover", with_challenge(json!({"email": format!("p{nobody}")}))),
        ("/otp", with_challenge(json!({"email": nobody, "create_user": false}))),
        ("/resend", json!({"type": "signup", "email": nobody})),
        ("/resend", json!({"type": "email_change", "email": nobody})),
        ("/token?grant_type=password", json!({"email": nobody, "password": "wrong"})),
        ("/token?grant_type=password", json!({"email": "ann@b.co", "password": "wrong"})),
        ("/token?grant_type=refresh_token", json!({"refresh_token": "abcdefghijkl"})),
        ("/token?grant_type=pkce", json!({"auth_code": "x", "code_verifier": "y"})),
        ("/verify", json!({"type": "email", "email": nobody, "token": "123456"})),
        ("/verify", json!({"type": "recovery", "token_hash": "nothing"})),
    ];
    for (path, body) in calls {
        let answer = service.post(path, body).await;
        assert!(answer.status < 500, "{path}: {answer:?}");
    }
    for path in [
        "/authorize?provider=github",
        &format!(
            "/authorize?provider=github&code_challenge={challenge}&code_challenge_method=plain"
        ),
        "/verify?type=signup&token=x",
        "/callback?state=x&code=y",
    ] {
        let answer = Answer::of(service.request(Method::GET, path)).await;
        assert!(answer.status < 500, "{path}: {answer:?}");
    }
}

#[tokio::test]
async fn unauthenticated_calls_leave_no_rows_after_a_sweep() {
    let (service, pool) = start().await;
    service.confirmed("ann@b.co").await;
    let before = rows(&pool).await;
    for number in 0..CALLS {
        call(&service, number).await;
    }
    let grown = more(&before, &rows(&pool).await);
    for table in ["audit_entries", "guesses", "provider_flows", "send_timers"] {
        assert!(grown.iter().any(|known| known == table), "{table} is not in {grown:?}");
    }
    service.clock.advance(DAY * 2);
    shrinks(&pool, &before).await;
}

/// Calls that a malicious account holder can make.
#[tokio::test]
async fn audit_entries_of_users_are_short_and_limited() {
    let (service, pool) = start().await;
    let token = service.confirmed("eve@b.co").await.access();
    let scattered = |number: u128| format!("{:032x}", number.wrapping_mul(u128::MAX / 3 * 2 + 7));
    let name: String = (1..1501).map(scattered).collect();
    let body = json!({"data": {"full_name": name}});
    service.send_as(&token, Method::PUT, "/user", body).await.ok();
    let mut refused = 0;
    for number in 0..60 {
        // From ever-changing addresses.
        let place = format!("198.51.100.{number}");
        let call = |method: Method, path: &str| {
            let request = service.request(method, path).bearer_auth(&token);
            let body = json!({"factor_type": "totp", "friendly_name": "a"});
            Answer::of(request.header("X-Forwarded-For", &place).json(&body))
        };
        let made = call(Method::POST, "/factors").await;
        if made.status == 429 {
            refused += 1;
            continue;
        }
        let path = format!("/factors/{}", made.ok().text("id"));
        call(Method::DELETE, &path).await;
        call(Method::POST, "/logout?scope=others").await;
    }
    assert!(refused > 20, "{refused} of 60 were refused");
    let sql = "SELECT max(pg_column_size(payload)), count(*) FROM audit_entries";
    let (most_bytes, entries): (i32, i64) =
        sqlx::query_as(sql).fetch_one(&pool).await.expect("the statement succeeds");
    assert!(most_bytes < 1024, "the largest entry has {most_bytes} bytes");
    assert!(entries < 120, "{entries} entries after several thousand calls");
}

/// Adds sessions to the only account, each used a minute after the one before.
async fn add_sessions(pool: &PgPool, level: &str, number: u32) {
    let sql = "INSERT INTO sessions (id, account_id, aal, amr, created_at, refreshed_at)
             SELECT gen_random_uuid(), accounts.id, $1, '[]', at, at
             FROM accounts, (SELECT now() + n * interval '1 minute' AS at
                 FROM generate_series(1, $2::bigint) n) AS times";
    let inserted = sqlx::query(sql).bind(level).bind(i64::from(number)).execute(pool).await;
    inserted.expect("the statement succeeds");
}

/// Returns the number of sessions at `aal1` and `aal2`.
async fn sessions(pool: &PgPool) -> (i64, i64) {
    let sql = "SELECT count(*) FILTER (WHERE aal = 'aal1'), count(*) FILTER (WHERE aal = 'aal2')
             FROM sessions";
    sqlx::query_as(sql).fetch_one(pool).await.expect("the statement succeeds")
}

#[tokio::test]
async fn sessions_are_limited_per_account_and_level_and_the_least_recently_used_end() {
    let service = TestService::start().await;
    let pool =
        PgPool::connect(service.database.url()).await.expect("the test database is reachable");
    let oldest = service.confirmed("ann@b.co").await;
    add_sessions(&pool, "aal1", 520).await;
    add_sessions(&pool, "aal2", 20).await;
    service.clock.advance(DAY);
    let oldest = service.refresh(&oldest.refresh()).await.ok();
    let newest = service.sign_in("ann@b.co", PASSWORD).await.ok();
    assert_eq!(sessions(&pool).await, (500, 20), "a password ends no session at aal2");
    service.refresh(&oldest.refresh()).await.ok();
    service.refresh(&newest.refresh()).await.ok();

    add_sessions(&pool, "aal2", 500).await;
    let app = enroll(&service, &newest.access(), "").await.ok();
    let proof = code(&service, &app, 0);
    let lifted = give(&service, &newest.access(), &app.text("id"), &proof).await.ok();
    assert_eq!(sessions(&pool).await, (0, 500));
    service.refresh(&lifted.refresh()).await.ok();
}

#[tokio::test]
async fn audit_entries_are_limited_per_account_and_in_total() {
    let service = TestService::start_with(|config| {
        config.upkeep.interval = Some(Duration::from_millis(100));
        config.audit.most = Some(12_000);
    })
    .await;
    let pool =
        PgPool::connect(service.database.url()).await.expect("the test database is reachable");
    for sql in [
        "INSERT INTO audit_entries (id, payload, ip_address, created_at)
             SELECT gen_random_uuid(), '{\"actor_id\": \"eve\"}', '',
                 now() - n * interval '1 millisecond' FROM generate_series(1, 10700) n",
        "INSERT INTO audit_entries (id, payload, ip_address, created_at)
             SELECT gen_random_uuid(), '{\"actor_id\": \"ann\"}', '',
                 now() - n * interval '1 second' FROM generate_series(1, 100) n",
    ] {
        sqlx::query(sql).execute(&pool).await.expect("the statement succeeds");
    }
    let count = async || {
        let sql = "SELECT count(*) FILTER (WHERE payload->>'actor_id' = 'eve'),
             count(*) FILTER (WHERE payload->>'actor_id' = 'ann'), count(*) FROM audit_entries";
        let told: (i64, i64, i64) =
            sqlx::query_as(sql).fetch_one(&pool).await.expect("the statement succeeds");
        told
    };
    wait_for("the newest entries of Eve and all of Ann's are kept", async || {
        count().await == (10_000, 100, 10_100)
    })
    .await;
    let sql = "INSERT INTO audit_entries (id, payload, ip_address, created_at)
             SELECT gen_random_uuid(), jsonb_build_object('actor_id', n), '', now()
             FROM generate_series(1, 5000) n";
    sqlx::query(sql).execute(&pool).await.expect("the statement succeeds");
    wait_for("no more than the configured number is kept", async || count().await.2 <= 12_000)
        .await;
}

/// Creates accounts in every way open to the public.
async fn make_accounts(service: &TestService, number: usize) {
    let data = json!({"name": "x".repeat(4000)});
    for (path, body) in [
        ("/signup", json!({"email": format!("s{number}@b.co"), "password": PASSWORD})),
        ("/otp", json!({"email": format!("o{number}@b.co")})),
        ("/magiclink", json!({"email": format!("m{number}@b.co")})),
        ("/otp", json!({"phone": format!("+4179000000{number}")})),
        ("/signup", json!({"phone": format!("+4178000000{number}"), "password": PASSWORD})),
        ("/signup", json!({})),
    ] {
        let mut body = body;
        body["data"] = data.clone();
        service.post(path, body).await.ok();
    }
}

#[tokio::test]
async fn unconfirmed_and_unused_accounts_are_deleted_in_time() {
    let carrier = carrier().await;
    let service = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        config.upkeep.interval = Some(Duration::from_millis(100));
        config.signup.anonymous = true;
        config.audit.retention = Some(DAY * 30);
    })
    .await;
    let pool =
        PgPool::connect(service.database.url()).await.expect("the test database is reachable");
    service.confirmed("ann@b.co").await;
    let admin = service.admin_token();
    let body = json!({"email": "bob@b.co"});
    service.send_as(&admin, Method::POST, "/invite", body.clone()).await.ok();
    let body = json!({"email": "cay@b.co", "password": PASSWORD});
    service.send_as(&admin, Method::POST, "/admin/users", body).await.ok();
    let guest = service.post("/signup", json!({})).await.ok();
    let before = rows(&pool).await;
    for number in 0..CALLS {
        make_accounts(&service, number).await;
    }
    // A week after their last code has expired.
    service.clock.advance(DAY * 9);
    service.refresh(&guest.refresh()).await.ok();
    let kept = before["accounts"];
    let anonymous = i64::try_from(CALLS).expect("few");
    wait_for("only anonymous accounts are left", async || {
        rows(&pool).await["accounts"] == kept + anonymous
    })
    .await;
    service.clock.advance(DAY * 85);
    wait_for("only anonymous accounts that were used again are left", async || {
        rows(&pool).await["accounts"] == kept
    })
    .await;
    let left = rows(&pool).await;
    for table in ["identities", "one_time_tokens", "decoy_tokens", "send_timers", "flows"] {
        let most = before.get(table).copied().unwrap_or_default();
        assert!(left[table] <= most, "{table}: {left:?}, before: {before:?}");
    }
}

#[tokio::test]
async fn the_number_of_unconfirmed_accounts_is_limited() {
    let (service, pool) = start().await;
    service.confirmed("ann@b.co").await;
    let sql = "INSERT INTO accounts (id, aud, role, email, app_metadata, user_metadata,
             is_anonymous, unproven, created_at, updated_at)
         SELECT gen_random_uuid(), '', '', 'n' || n || '@b.co', '{}', '{}', n % 2 = 0, n % 2 = 1,
             at, at FROM (SELECT n, now() - interval '1 day' - n * interval '1 millisecond' AS at
                 FROM generate_series(1, 201400) n) AS made";
    sqlx::query(sql).execute(&pool).await.expect("the statement succeeds");
    wait_for("both kinds have been reduced to their limit", async || {
        rows(&pool).await["accounts"] <= 2 * MOST + 1
    })
    .await;
    service.sign_in("ann@b.co", PASSWORD).await.ok();
}

#[tokio::test]
async fn the_number_of_unused_anonymous_accounts_is_limited() {
    let (service, pool) = start().await;
    // All of them were used again after they were made.
    for (number, made, used) in [(100_400, 50, 31), (300, 60, 29)] {
        let sql = format!(
            "WITH made AS (INSERT INTO accounts (id, aud, role, app_metadata, user_metadata,
                     is_anonymous, created_at, updated_at)
                 SELECT gen_random_uuid(), '', '', '{{}}', '{{}}', true, at, at
                     FROM (SELECT now() - interval '{made} days' - n * interval '1 millisecond'
                         AS at FROM generate_series(1, {number}) n) AS times
                 RETURNING id, created_at),
             begun AS (INSERT INTO sessions (id, account_id, aal, amr, created_at, refreshed_at)
                 SELECT gen_random_uuid(), id, 'aal1', '[]', created_at,
                     now() - interval '{used} days' FROM made
                 RETURNING id, created_at)
             INSERT INTO refresh_tokens (session_id, token_hash, created_at)
                 SELECT id, sha256(id::text::bytea), created_at FROM begun"
        );
        let inserted = sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&pool).await;
        inserted.expect("the statement succeeds");
    }
    wait_for("those not used for a month are limited, and the others are kept", async || {
        let sql = "SELECT count(*), count(*) FILTER (WHERE created_at < now() - interval '55 days')
             FROM accounts";
        let counted: (i64, i64) =
            sqlx::query_as(sql).fetch_one(&pool).await.expect("the statement succeeds");
        counted == (MOST + 300, 300)
    })
    .await;
    drop(service);
}

#[tokio::test]
async fn the_number_of_given_up_emails_is_limited() {
    let (service, pool) = start().await;
    service.mailbox.set_mood(Mood::Never);
    let sql = "INSERT INTO mail_outbox (id, kind, recipient, variables, attempts, next_attempt_at,
             created_at, given_up_at)
         SELECT gen_random_uuid(), 'CONFIRMATION', 'n' || n || '@b.co', '{}', 1, at, at, at
             FROM (SELECT n, now() - n * interval '1 second' AS at
                 FROM generate_series(1, 100700) n) AS refused";
    sqlx::query(sql).execute(&pool).await.expect("the statement succeeds");
    let body = json!({"email": "nobody@b.co", "password": PASSWORD});
    service.post("/signup", body).await.ok();
    wait_for("the newest are kept, and among them the one just refused", async || {
        let sql = "SELECT count(*), count(*) FILTER (WHERE recipient = 'nobody@b.co')
             FROM mail_outbox WHERE given_up_at IS NOT NULL";
        let counted: (i64, i64) =
            sqlx::query_as(sql).fetch_one(&pool).await.expect("the statement succeeds");
        counted == (MOST, 1)
    })
    .await;
}

#[tokio::test]
async fn messages_are_counted_with_autoconfirm_too() {
    let service = TestService::start_with(|config| {
        config.mailer.autoconfirm = true;
        config.limits.emails = MessageLimit::PerHour(1);
    })
    .await;
    service.post("/otp", json!({"email": "a@b.co"})).await.ok();
    let refused = service.post("/otp", json!({"email": "b@b.co"})).await;
    refused.is_error(429, "over_email_send_rate_limit", "email rate limit exceeded");
}

#[tokio::test]
async fn decoy_rows_and_dead_tokens_are_deleted_early() {
    let (service, pool) = start().await;
    let before = rows(&pool).await;
    // Sending cannot drain the outbox behind an email that fails.
    for sql in [
        "INSERT INTO decoy_tokens (id, kind, token_hash, created_at)
             SELECT gen_random_uuid(), 'recovery', '\\x00', now() FROM generate_series(1, 1200)",
        "INSERT INTO flows (id, method, code_challenge, code_challenge_method, created_at)
             SELECT gen_random_uuid(), 'magiclink', 'c', 'plain', now()
             FROM generate_series(1, 1200)",
    ] {
        sqlx::query(sql).execute(&pool).await.expect("the statement succeeds");
    }
    shrinks(&pool, &before).await;
    drop(service);
}

/// Maximum number of rows per kind; the newest are kept.
const MOST: i64 = 100_000;

#[tokio::test]
async fn a_flood_of_calls_cannot_fill_the_disk() {
    let (service, pool) = start().await;
    for sql in [
        "INSERT INTO audit_entries (id, payload, ip_address, created_at)
             SELECT gen_random_uuid(), '{\"traits\": {\"known\": false}}', '',
                 now() - n * interval '1 millisecond' FROM generate_series(1, 100700) n",
        "INSERT INTO guesses (subject, count, until)
             SELECT sha256(n::text::bytea), 1, now() + interval '1 hour'
                 + n * interval '1 millisecond' FROM generate_series(1, 100700) n",
        "INSERT INTO guesses (subject, count, until, of_account)
             SELECT sha256(('own ' || n)::bytea), 1, now() + interval '1 minute', true
             FROM generate_series(1, 10) n",
        "INSERT INTO send_timers (address_hash, purpose, started_at)
             SELECT sha256(n::text::bytea), 'recovery', now() + n * interval '1 microsecond'
             FROM generate_series(1, 100700) n",
        "INSERT INTO provider_flows (state_hash, provider, aud, redirect_to, hands_on_tokens,
                 created_at)
             SELECT sha256(n::text::bytea), 'github', '', '', false,
                 now() + n * interval '1 microsecond' FROM generate_series(1, 100700) n",
    ] {
        sqlx::query(sql).execute(&pool).await.expect("the statement succeeds");
    }
    let bound = [
        ("audit_entries", MOST),
        // Counts for unknown addresses do not evict those of accounts.
        ("guesses", MOST + 10),
        ("send_timers", MOST),
        ("provider_flows", MOST),
    ]
    .map(|(table, most)| (table.to_owned(), most));
    for _ in 0..600 {
        let now = rows(&pool).await;
        if bound.iter().all(|(table, most)| now[table] <= *most) {
            // The newest rows stay; one fewer than the maximum if two have the same time.
            assert!(bound.iter().all(|(table, most)| now[table] >= most - 1), "{now:?}");
            let own: i64 = sqlx::query_scalar("SELECT count(*) FROM guesses WHERE of_account")
                .fetch_one(&pool)
                .await
                .expect("the statement succeeds");
            assert_eq!(own, 10);
            drop(service);
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{:?}", rows(&pool).await);
}

#[tokio::test]
async fn codes_are_limited_per_account_and_purpose() {
    let (service, pool) = start().await;
    service.confirmed("ann@b.co").await;
    let recover = async |number: usize| {
        let place = format!("198.51.100.{number}");
        service.post_from(&place, "/recover", json!({"email": "ann@b.co"})).await.ok();
    };
    for number in 0..40 {
        recover(number).await;
    }
    assert_eq!(rows(&pool).await["one_time_tokens"], 40, "fresh codes are kept");
    service.clock.advance(Duration::from_secs(3601));
    recover(40).await;
    assert_eq!(rows(&pool).await["one_time_tokens"], 32);
}
