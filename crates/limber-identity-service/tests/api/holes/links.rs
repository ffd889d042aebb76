//! A link or code confirms only what it was sent for, and becomes invalid together with it.

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::external::cases_a_to_g::gitlab;
use crate::external::identities::{link, unlink};
use crate::external::stand_in::StandIn;
use crate::external::travel::account;
use crate::service::{Answer, PASSWORD, TestService};
use crate::texts::{by_twilio, carrier, last_code};
use crate::verify::open;

const DEAD_LINK: &str = "Email link is invalid or has expired";
const DEAD_CODE: &str = "Token has expired or is invalid";

async fn redeem(service: &TestService, kind: &str, token: &str) -> Answer {
    service.post("/verify", json!({"type": kind, "token_hash": token})).await
}

async fn admin(service: &TestService, method: Method, id: &Value, body: Value) -> Answer {
    let path = format!("/admin/users/{}", id.as_str().expect("an id"));
    service.send_as(&service.admin_token(), method, &path, body).await
}

/// Makes a change that no API call could make without revoking outstanding codes.
async fn behind_its_back(service: &TestService, sql: &'static str) {
    let pool =
        PgPool::connect(service.database.url()).await.expect("the test database is reachable");
    let done = sqlx::query(sql).execute(&pool).await.expect("the statement succeeds");
    assert_eq!(done.rows_affected(), 1, "{sql}");
}

#[tokio::test]
async fn links_sent_to_one_email_confirm_no_other() {
    let service = TestService::start_with(|c| c.mailer.secure_email_change = false).await;
    service.post("/signup", json!({"email": "ann@b.co", "password": PASSWORD})).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 1).await;
    behind_its_back(&service, "UPDATE accounts SET email = 'boss@b.co' WHERE email = 'ann@b.co'")
        .await;
    let dead = redeem(&service, "signup", &mail.parameter("token")).await;
    dead.is_error(403, "otp_expired", DEAD_LINK);
    let body = json!({"type": "signup", "email": "ann@b.co", "token": mail.code()});
    service.post("/verify", body).await.is_error(403, "otp_expired", DEAD_CODE);

    service.confirmed("bob@b.co").await;
    service.post("/recover", json!({"email": "bob@b.co"})).await.ok();
    let mail = service.mailbox.nth("bob@b.co", 2).await;
    behind_its_back(&service, "UPDATE accounts SET email = 'chief@b.co' WHERE email = 'bob@b.co'")
        .await;
    let dead = redeem(&service, "recovery", &mail.parameter("token")).await;
    dead.is_error(403, "otp_expired", DEAD_LINK);

    let token = service.confirmed("cid@b.co").await.access();
    let body = json!({"email": "new@b.co"});
    service.send_as(&token, Method::PUT, "/user", body).await.ok();
    let mail = service.mailbox.nth("new@b.co", 1).await;
    let other = "UPDATE accounts SET new_email = 'other@b.co' WHERE email = 'cid@b.co'";
    behind_its_back(&service, other).await;
    let dead = redeem(&service, "email_change", &mail.parameter("token")).await;
    dead.is_error(403, "otp_expired", DEAD_LINK);
}

#[tokio::test]
async fn codes_sent_to_one_phone_confirm_no_other() {
    let carrier = carrier().await;
    let service = TestService::start_with(by_twilio(&carrier)).await;
    let body = json!({"phone": "+41791234567", "password": PASSWORD});
    service.post("/signup", body).await.ok();
    behind_its_back(&service, "UPDATE accounts SET phone = '41790000000'").await;
    let body = json!({"type": "sms", "phone": "+41791234567", "token": last_code(&carrier)});
    service.post("/verify", body).await.is_error(403, "otp_expired", DEAD_CODE);
}

#[tokio::test]
async fn unlinking_an_identity_invalidates_earlier_links() {
    let stand_in = StandIn::start(gitlab()).await;
    let service = TestService::start_with(|config| {
        stand_in.enable(config);
        config.external.manual_linking = true;
    })
    .await;
    let token = service.confirmed("own@example.co").await.access();
    let user = account(&service, &link(&service, &stand_in, &token).await).await;
    service.post("/recover", json!({"email": "own@example.co"})).await.ok();
    let mail = service.mailbox.nth("own@example.co", 2).await;
    let linked = user["identities"].as_array().expect("a list").iter();
    let linked = linked.clone().find(|identity| identity["provider"] == "gitlab");
    unlink(&service, &token, &linked.expect("the identity is linked")["identity_id"]).await.ok();
    let dead = redeem(&service, "recovery", &mail.parameter("token")).await;
    dead.is_error(403, "otp_expired", DEAD_LINK);
}

#[tokio::test]
async fn admin_changes_invalidate_earlier_links_and_pending_changes() {
    for body in [
        json!({"email": "new@b.co", "email_confirm": true}),
        json!({"phone": "+41791234567"}),
        json!({"password": "battery staple"}),
    ] {
        let service = TestService::start().await;
        let session = service.confirmed("ann@b.co").await;
        let id = &session.body["user"]["id"];
        let thief = json!({"email": "thief@b.co"});
        service.send_as(&session.access(), Method::PUT, "/user", thief).await.ok();
        let to_thief = service.mailbox.nth("thief@b.co", 1).await;
        service.mailbox.nth("ann@b.co", 2).await;
        service.post("/recover", json!({"email": "ann@b.co"})).await.ok();
        let mail = service.mailbox.nth("ann@b.co", 3).await;
        let changed = admin(&service, Method::PUT, id, body.clone()).await.ok();
        assert!(changed.body.get("new_email").is_none(), "{body}");
        for (kind, token) in
            [("recovery", mail.parameter("token")), ("email_change", to_thief.parameter("token"))]
        {
            let dead = redeem(&service, kind, &token).await;
            dead.is_error(403, "otp_expired", DEAD_LINK);
        }
    }
}

#[tokio::test]
async fn codes_from_links_end_when_the_password_changes() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    let verifier = "v".repeat(43);
    let body = json!({"email": "ann@b.co", "code_challenge": verifier,
        "code_challenge_method": "plain"});
    service.post("/recover", body).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    let (landed, _) = open(&service, mail.link()).await;
    let code = landed.query_pairs().find(|(name, _)| name == "code").expect("a code").1;
    let password = json!({"password": "battery staple"});
    admin(&service, Method::PUT, &session.body["user"]["id"], password).await.ok();
    let body = json!({"auth_code": code, "code_verifier": verifier});
    let late = service.post("/token?grant_type=pkce", body).await;
    let message = "invalid flow state, no valid flow state found";
    late.is_error(404, "flow_state_not_found", message);
}

#[tokio::test]
async fn deletion_invalidates_earlier_links() {
    for softly in [false, true] {
        let service = TestService::start().await;
        let session = service.confirmed("ann@b.co").await;
        service.post("/recover", json!({"email": "ann@b.co"})).await.ok();
        let mail = service.mailbox.nth("ann@b.co", 2).await;
        let body = json!({"should_soft_delete": softly});
        admin(&service, Method::DELETE, &session.body["user"]["id"], body).await.ok();
        let dead = redeem(&service, "recovery", &mail.parameter("token")).await;
        dead.is_error(403, "otp_expired", DEAD_LINK);
    }
}

#[tokio::test]
async fn soft_deletion_erases_pending_addresses() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    let (id, body) = (&session.body["user"]["id"], json!({"email": "new@b.co"}));
    let changed = service.send_as(&session.access(), Method::PUT, "/user", body).await.ok();
    assert_eq!(changed.text("new_email"), "new@b.co");
    admin(&service, Method::DELETE, id, json!({"should_soft_delete": true})).await.ok();
    let left = admin(&service, Method::GET, id, json!({})).await.ok();
    assert!(!left.body.to_string().contains("@b.co"), "{left:?}");
}

#[tokio::test]
async fn emails_set_by_admins_are_confirmed_only_on_request() {
    let service = TestService::start().await;
    let session = service.confirmed("ann@b.co").await;
    let id = &session.body["user"]["id"];
    let put = |body: Value| admin(&service, Method::PUT, id, body);
    let moved = put(json!({"email": "new@b.co"})).await.ok();
    assert!(moved.body.get("email_confirmed_at").is_none(), "{moved:?}");
    assert_eq!(moved.body["user_metadata"]["email_verified"], false);
    assert_eq!(moved.body["user_metadata"]["email"], "new@b.co");
    assert_eq!(moved.body["identities"][0]["identity_data"]["email_verified"], false);
    let early = service.sign_in("new@b.co", PASSWORD).await;
    early.is_error(400, "email_not_confirmed", "Email not confirmed");
    let vouched = put(json!({"email": "third@b.co", "email_confirm": true})).await.ok();
    assert!(vouched.body["email_confirmed_at"].is_string());
    let same = put(json!({"email": "third@b.co"})).await.ok();
    assert!(same.body["email_confirmed_at"].is_string(), "nothing has changed");
    service.sign_in("third@b.co", PASSWORD).await.ok();
    let number = json!({"phone": "+41791234567", "phone_confirm": true});
    assert!(put(number).await.ok().body["phone_confirmed_at"].is_string());
    let other = put(json!({"phone": "+41790000000"})).await.ok();
    assert!(other.body.get("phone_confirmed_at").is_none(), "{other:?}");
}

#[tokio::test]
async fn unconfirmed_emails_do_not_make_anonymous_accounts_permanent() {
    let service = TestService::start_with(|config| config.signup.anonymous = true).await;
    let guest = service.post("/signup", json!({})).await.ok();
    let id = &guest.body["user"]["id"];
    let body = json!({"email": "ann@b.co", "email_confirm": false});
    let named = admin(&service, Method::PUT, id, body).await.ok();
    assert_eq!(
        (named.text("email").as_str(), &named.body["is_anonymous"]),
        ("ann@b.co", &json!(true))
    );
    let known = admin(&service, Method::PUT, id, json!({"email_confirm": true})).await.ok();
    assert!(known.body["email_confirmed_at"].is_string());
    assert_eq!(known.body["is_anonymous"], false);
}

const OWNER: &str = "192.0.2.1";

/// Makes the same request from several other networks.
async fn ask_from_elsewhere(service: &TestService, networks: usize, path: &str, body: &Value) {
    for number in 0..networks {
        let place = format!("198.51.100.{number}");
        service.post_from(&place, path, body.clone()).await.ok();
    }
}

#[tokio::test]
async fn requests_from_many_networks_invalidate_neither_link_nor_code() {
    let body = json!({"email": "ann@b.co"});
    for by_code in [false, true] {
        let service = TestService::start().await;
        service.confirmed("ann@b.co").await;
        service.post_from(OWNER, "/recover", body.clone()).await.ok();
        let mail = service.mailbox.nth("ann@b.co", 2).await;
        ask_from_elsewhere(&service, 20, "/recover", &body).await;
        // The link works anywhere, the code at least where it was requested.
        if by_code {
            let body = json!({"type": "recovery", "email": "ann@b.co", "token": mail.code()});
            service.post_from(OWNER, "/verify", body).await.ok();
        } else {
            redeem(&service, "recovery", &mail.parameter("token")).await.ok();
        }
    }
}

#[tokio::test]
async fn requests_from_many_networks_invalidate_no_sign_up_or_invitation() {
    let service = TestService::start().await;
    let (token, bob) = (service.admin_token(), json!({"email": "bob@b.co"}));
    service.send_as(&token, Method::POST, "/invite", bob).await.ok();
    let ann = json!({"email": "ann@b.co", "password": PASSWORD});
    service.post_from(OWNER, "/signup", ann).await.ok();
    for (email, kind) in [("ann@b.co", "signup"), ("bob@b.co", "invite")] {
        let mail = service.mailbox.nth(email, 1).await;
        let body = json!({"type": "signup", "email": email});
        ask_from_elsewhere(&service, 10, "/resend", &body).await;
        redeem(&service, kind, &mail.parameter("token")).await.ok();
    }
    service.sign_in("ann@b.co", PASSWORD).await.ok();
}
