//! Databases of every earlier version can be migrated with their data.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use limber_domain::hex;
use limber_postgres::TestDatabase;
use reqwest::Method;
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::migrate::Migrator;
use sqlx::{AssertSqlSafe, Executor, PgPool};

use crate::service::{PASSWORD, TestService};

static MIGRATIONS: Migrator = sqlx::migrate!();

const ANN: &str = "7f1bb1ee-3d0f-4b4e-9d7f-0d5a3d2c1b0a";

/// Applies the first `count` migrations, as that version had them.
async fn version(pool: &PgPool, count: usize) {
    let migrations = MIGRATIONS.migrations.iter().take(count).cloned().collect();
    let earlier = Migrator { migrations: Cow::Owned(migrations), ..Migrator::DEFAULT };
    earlier.run(pool).await.expect("the earlier schema can be made");
}

/// Returns SQL that inserts rows as that version wrote them, by the number of the migration that
/// created their table.
fn rows(number: usize, hash: &str, token: &[u8]) -> String {
    let times = "now() - interval '1 hour', now() - interval '1 hour'";
    match number {
        1 => format!(
            "INSERT INTO accounts (id, aud, role, email, phone, password_hash, email_confirmed_at, \
             app_metadata, user_metadata, is_anonymous, created_at, updated_at) VALUES \
             ('{ANN}', '', 'animator', 'ann@b.co', '41791234567', '{hash}', now(), \
             '{{\"provider\": \"email\", \"providers\": [\"email\"]}}', '{{\"name\": \"Ann\"}}', \
             false, {times}); \
             INSERT INTO identities (id, account_id, provider, provider_id, identity_data, \
             created_at, updated_at) VALUES (gen_random_uuid(), '{ANN}', 'email', '{ANN}', \
             '{{\"sub\": \"{ANN}\", \"email\": \"ann@b.co\"}}', {times})"
        ),
        2 => format!(
            "INSERT INTO sessions (id, account_id, aal, amr, created_at, refreshed_at) VALUES \
             ('{ANN}', '{ANN}', 'aal1', '[{{\"method\": \"password\", \"timestamp\": 1}}]', \
             {times}); \
             INSERT INTO refresh_tokens (session_id, token_hash, created_at) \
             VALUES ('{ANN}', '\\x{}', now())",
            hex(token)
        ),
        3 => format!(
            "INSERT INTO mail_outbox (id, kind, recipient, variables, next_attempt_at, created_at) \
             VALUES (gen_random_uuid(), 'PASSWORD_CHANGED_NOTIFICATION', 'ann@b.co', \
             '{{\"SiteURL\": \"https://s.example\", \"Email\": \"ann@b.co\"}}', now(), now()); \
             INSERT INTO one_time_tokens (id, account_id, kind, token_hash, sent_to, created_at) \
             VALUES (gen_random_uuid(), '{ANN}', 'recovery', '\\x00', 'ann@b.co', now()); \
             INSERT INTO flows (id, method, code_challenge, code_challenge_method, created_at) \
             VALUES (gen_random_uuid(), 'recovery', 'x', 'plain', now())"
        ),
        4 => "INSERT INTO send_timers VALUES ('\\x01', 'recovery', now())".to_owned(),
        5 => format!(
            "INSERT INTO factors (id, account_id, friendly_name, kind, verified, phone, \
             created_at, updated_at) VALUES (gen_random_uuid(), '{ANN}', 'old phone', 'phone', \
             true, '41791234567', {times}); \
             UPDATE sessions SET factor_id = (SELECT id FROM factors)"
        ),
        6 => "INSERT INTO provider_flows (state_hash, provider, aud, redirect_to, \
              hands_on_tokens, created_at) VALUES ('\\x02', 'gitlab', '', 'x', false, now())"
            .to_owned(),
        7 => format!(
            "INSERT INTO audit_entries VALUES (gen_random_uuid(), '{{\"actor_id\": \"{ANN}\", \
             \"action\": \"login\", \"log_type\": \"account\"}}', '', now())"
        ),
        // A later migration that creates no table has nothing to fill.
        _ => String::new(),
    }
}

/// Checks that all earlier data can be found through the service.
async fn check(service: &TestService, version: usize, token: &str) {
    let session = service.sign_in("ann@b.co", PASSWORD).await.ok();
    let user = &session.body["user"];
    assert_eq!((&user["id"], &user["phone"]), (&json!(ANN), &json!("41791234567")));
    assert_eq!(
        (&user["role"], &user["user_metadata"]["name"]),
        (&json!("animator"), &json!("Ann"))
    );
    assert_eq!(user["identities"][0]["identity_data"]["email"], "ann@b.co");
    if version >= 2 {
        let refreshed = service.refresh(token).await.ok();
        assert_eq!(refreshed.body["user"]["id"], ANN);
    }
    if version >= 3 {
        let mail = service.mailbox.nth("ann@b.co", 1).await;
        assert_eq!(mail.subject, "Your password has been changed");
    }
    let path = format!("/admin/users/{ANN}/factors");
    let factors = service.get_as(&service.admin_token(), &path).await.ok();
    let names: Vec<&serde_json::Value> =
        factors.body.as_array().expect("a list").iter().map(|f| &f["friendly_name"]).collect();
    assert_eq!(names.len(), usize::from(version >= 5), "{version}: {names:?}");
    let path = "/admin/audit?query=action:login";
    let entries = service.get_as(&service.admin_token(), path).await.ok();
    let count = entries.body.as_array().expect("a list").len();
    assert_eq!(
        count,
        1 + usize::from(version >= 7),
        "{version}: the sign-in and the existing data"
    );
    let body = json!({"email": "new@b.co", "password": PASSWORD});
    service.post("/signup", body).await.ok();
    let path = format!("/admin/users/{ANN}");
    service.send_as(&service.admin_token(), Method::DELETE, &path, json!({})).await.ok();
}

#[tokio::test]
async fn databases_of_every_earlier_version_are_migrated() {
    let hash = bcrypt::hash(PASSWORD, 4).expect("the cost is valid");
    let secret = [7_u8; 32];
    let token = URL_SAFE_NO_PAD.encode(secret);
    for count in 1..=MIGRATIONS.migrations.len() {
        let database = TestDatabase::create("upgrade").await.expect("PostgreSQL is available");
        let pool = PgPool::connect(database.url()).await.expect("the test database is reachable");
        for number in 1..=count {
            version(&pool, number).await;
            let sql = rows(number, &hash, &Sha256::digest(secret));
            pool.execute(AssertSqlSafe(sql)).await.expect("that version accepts these rows");
        }
        pool.close().await;
        let service = TestService::start_on(database, |_| {}).await;
        check(&service, count, &token).await;
    }
}
