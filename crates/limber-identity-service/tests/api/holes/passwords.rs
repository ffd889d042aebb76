//! Who may set a password, who is notified, and what the timing of a sign-in reveals.

use std::collections::BTreeSet;
use std::time::Duration;

use limber_identity_service::config::MailKind;
use reqwest::Method;
use serde_json::{Value, json};

use crate::external::cases_a_to_g::google;
use crate::external::stand_in::StandIn;
use crate::service::{Answer, PASSWORD, TestService};
use crate::texts::{by_twilio, carrier, last_code};
use crate::verify::open;

async fn strict() -> TestService {
    TestService::start_with(|config| config.sessions.password_change_needs_current = true).await
}

async fn set(service: &TestService, token: &str) -> Answer {
    let body = json!({"password": "battery staple"});
    service.send_as(token, Method::PUT, "/user", body).await
}

#[track_caller]
fn needs_current(answer: &Answer) {
    let message = "Current password required when setting new password.";
    answer.is_error(400, "current_password_required", message);
}

#[tokio::test]
async fn after_a_recovery_link_the_current_password_is_not_required() {
    for path in ["/recover", "/magiclink"] {
        let service = strict().await;
        service.confirmed("ann@b.co").await;
        service.post(path, json!({"email": "ann@b.co"})).await.ok();
        let mail = service.mailbox.nth("ann@b.co", 2).await;
        let (_, pairs) = open(&service, mail.link()).await;
        set(&service, &pairs["access_token"]).await.ok();
        service.sign_in("ann@b.co", "battery staple").await.ok();
    }
}

#[tokio::test]
async fn after_a_pkce_recovery_the_current_password_is_not_required() {
    for path in ["/recover", "/magiclink"] {
        let service = strict().await;
        service.confirmed("ann@b.co").await;
        let verifier = "v".repeat(43);
        let body = json!({"email": "ann@b.co", "code_challenge": verifier,
            "code_challenge_method": "plain"});
        service.post(path, body).await.ok();
        let mail = service.mailbox.nth("ann@b.co", 2).await;
        let (landed, _) = open(&service, mail.link()).await;
        let code = landed.query_pairs().find(|(name, _)| name == "code").expect("a code").1;
        let body = json!({"auth_code": code, "code_verifier": verifier});
        let session = service.post("/token?grant_type=pkce", body).await.ok();
        set(&service, &session.access()).await.ok();
    }
}

#[tokio::test]
async fn a_confirmation_replaces_the_password_for_ten_minutes() {
    let service = strict().await;
    let proven = service.confirmed("ann@b.co").await;
    let by_password = service.sign_in("ann@b.co", PASSWORD).await.ok();
    needs_current(&set(&service, &by_password.access()).await);
    service.clock.advance(Duration::from_secs(601));
    needs_current(&set(&service, &proven.access()).await);
    let renewed = service.refresh(&proven.refresh()).await.ok();
    needs_current(&set(&service, &renewed.access()).await);
}

const EVES_NUMBER: &str = "+41791234567";

/// Which of the two protections is enabled.
#[derive(Clone, Copy, PartialEq)]
enum Strict {
    Current,
    Nonce,
}

/// Asserts the error that a thief without the password gets.
#[track_caller]
fn is_held_up(answer: &Answer, strict: Strict) {
    let code = match strict {
        Strict::Current => "current_password_required",
        Strict::Nonce => "reauthentication_needed",
    };
    assert_eq!((answer.status, answer.text("error_code").as_str()), (400, code));
}

/// Starts a service with an SMS and an OpenID provider, and with a session of Ann's that has been
/// open for a day.
async fn left_open(strict: Strict) -> (TestService, crate::stand_in::StandIn, StandIn, String) {
    let (carrier, provider) = (carrier().await, StandIn::start(google()).await);
    let service = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        provider.enable(config);
        config.external.manual_linking = true;
        config.jwt.lifetime = Duration::from_secs(7 * 86_400);
        config.sessions.password_change_needs_current = strict == Strict::Current;
        config.sessions.password_change_needs_nonce = strict == Strict::Nonce;
    })
    .await;
    service.confirmed("ann@b.co").await;
    let token = service.sign_in("ann@b.co", PASSWORD).await.ok().access();
    service.clock.advance(Duration::from_secs(86_401));
    (service, carrier, provider, token)
}

async fn change(service: &TestService, token: &str, body: Value) -> Answer {
    service.send_as(token, Method::PUT, "/user", body).await
}

#[tokio::test]
async fn an_old_session_cannot_add_a_sign_in_method() {
    for strict in [Strict::Current, Strict::Nonce] {
        let (service, _carrier, provider, token) = left_open(strict).await;
        is_held_up(&change(&service, &token, json!({"phone": EVES_NUMBER})).await, strict);
        let id_token = provider.id_token(json!({"exp": service.now().timestamp() + 600}));
        let body = json!({"provider": "google", "link_identity": true, "id_token": id_token});
        let path = "/token?grant_type=id_token";
        let refused = service.send_as(&token, Method::POST, path, body).await;
        assert_eq!(refused.text("error_code"), "reauthentication_needed", "{refused:?}");
    }
}

#[tokio::test]
async fn confirming_a_phone_or_identity_does_not_replace_the_password() {
    for strict in [Strict::Current, Strict::Nonce] {
        let (service, carrier, provider, _) = left_open(strict).await;
        let token = service.sign_in("ann@b.co", PASSWORD).await.ok().access();
        // She may add the number, but the resulting session is no stronger than the original one.
        change(&service, &token, json!({"phone": EVES_NUMBER})).await.ok();
        let proof = json!({"type": "phone_change", "phone": EVES_NUMBER,
            "token": last_code(&carrier)});
        let by_number = service.post("/verify", proof).await.ok();
        let id_token = provider.id_token(json!({"exp": service.now().timestamp() + 600}));
        let body = json!({"provider": "google", "link_identity": true, "id_token": id_token});
        let path = "/token?grant_type=id_token";
        let linked = service.send_as(&token, Method::POST, path, body).await.ok();
        for session in [by_number, linked] {
            is_held_up(&set(&service, &session.access()).await, strict);
        }
    }
}

#[tokio::test]
async fn confirming_only_the_new_email_does_not_replace_the_password() {
    let service = TestService::start_with(|config| {
        config.sessions.password_change_needs_current = true;
        config.mailer.secure_email_change = false;
    })
    .await;
    service.confirmed("ann@b.co").await;
    let token = service.sign_in("ann@b.co", PASSWORD).await.ok().access();
    service.clock.advance(Duration::from_secs(901));
    let refused = change(&service, &token, json!({"email": "eve@b.co"})).await;
    is_held_up(&refused, Strict::Current);
    let body = json!({"email": "eve@b.co", "current_password": PASSWORD});
    change(&service, &token, body).await.ok();
    let link = service.mailbox.nth("eve@b.co", 1).await.parameter("token");
    let body = json!({"type": "email_change", "token_hash": link});
    let session = service.post("/verify", body).await.ok();
    is_held_up(&set(&service, &session.access()).await, Strict::Current);
}

#[tokio::test]
async fn users_are_notified_of_passwords_set_by_admins() {
    let service = TestService::start_with(|config| {
        config.mailer.notifications.insert(MailKind::PasswordChanged);
    })
    .await;
    let session = service.confirmed("ann@b.co").await;
    let path = format!("/admin/users/{}", session.body["user"]["id"].as_str().expect("an id"));
    let body = json!({"password": "battery staple"});
    service.send_as(&service.admin_token(), Method::PUT, &path, body).await.ok();
    let told = service.mailbox.nth("ann@b.co", 2).await;
    assert_eq!(told.subject, "Your password has been changed");
}

async fn bring(service: &TestService, account: Value) {
    let admin = service.admin_token();
    service.send_as(&admin, Method::POST, "/admin/users", account).await.ok();
}

#[tokio::test]
async fn every_sign_in_queries_the_hash_kinds() {
    let service = TestService::start().await;
    let bcrypt = bcrypt::hash(PASSWORD, 4).expect("the cost is valid");
    bring(&service, json!({"email": "other@b.co", "password_hash": bcrypt})).await;
    bring(&service, json!({"email": "ours@b.co", "password": PASSWORD})).await;
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    // From here on, querying the kinds of hashes fails.
    let gone = sqlx::query("ALTER FUNCTION hash_kind RENAME TO gone").execute(&pool).await;
    gone.expect("the function exists");
    for email in ["other@b.co", "ours@b.co", "nobody@b.co", "no address"] {
        assert_eq!(service.sign_in(email, "wrong").await.status, 500, "{email}");
    }
}

#[tokio::test]
async fn the_database_distinguishes_every_kind_of_hash() {
    let service = TestService::start().await;
    let bcrypt = bcrypt::hash(PASSWORD, 4).expect("the cost is valid");
    // The example from github.com/firebase/scrypt.
    let firebase = "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,\
        sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==\
        $42xEC+ixf3L2lw==\
        $lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";
    let argon = "$argon2i$v=19$m=64,t=1,p=1$c29tZSBzYWx0IGhlcmU\
        $AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let older = bcrypt.replace("$2b$", "$2y$");
    for (name, hash) in
        [("b", bcrypt.as_str()), ("y", older.as_str()), ("f", firebase), ("a", argon)]
    {
        let account = json!({"email": format!("{name}@b.co"), "password_hash": hash});
        bring(&service, account).await;
    }
    bring(&service, json!({"email": "ours@b.co", "password": PASSWORD})).await;
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    let kinds: Vec<String> = sqlx::query_scalar("SELECT hash_kind(password_hash) FROM accounts")
        .fetch_all(&pool)
        .await
        .expect("every hash has a kind");
    let kinds: BTreeSet<&str> = kinds.iter().map(String::as_str).collect();
    let expected = BTreeSet::from([
        "$2b$04$",
        "$argon2i$v=19$m=64,t=1,p=1$",
        "$argon2id$v=19$m=19456,t=2,p=1$",
        "$fbscrypt$n=14,r=8,p=1$",
    ]);
    assert_eq!(kinds, expected);
}
