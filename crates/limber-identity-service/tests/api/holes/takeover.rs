//! Account pre-hijacking: Eve signs up with Ann's address or number and waits for Ann to confirm
//! it.

use std::time::Duration;

use limber_identity_service::Config;
use reqwest::Method;
use serde_json::{Value, json};

use crate::external::cases_a_to_g::gitlab;
use crate::external::identities::{link, unlink};
use crate::external::stand_in::StandIn;
use crate::external::travel::{account, round_trip};
use crate::factors::{code, enroll, give};
use crate::service::{Answer, PASSWORD, TestService};
use crate::texts::{by_twilio, carrier, last_code};

const EVES: &str = "eve's own password";
const PHONE: &str = "+41791234567";
const WRONG: (u16, &str, &str) = (400, "invalid_credentials", "Invalid login credentials");

/// Starts a service on which Eve has signed up with Ann's address, and Ann has ignored the email.
async fn trapped() -> TestService {
    let service = TestService::start().await;
    let body = json!({"email": "ann@b.co", "password": EVES, "data": {"full_name": "Eve"}});
    service.post("/signup", body).await.ok();
    service.mailbox.nth("ann@b.co", 1).await;
    service.clock.advance(Duration::from_secs(901));
    service
}

async fn follow(service: &TestService, to: &str, number: usize, kind: &str) -> Answer {
    let token = service.mailbox.nth(to, number).await.parameter("token");
    service.post("/verify", json!({"type": kind, "token_hash": token})).await
}

/// Asserts that nothing of Eve's remains, and that the account has no password until Ann sets one.
async fn is_anns_alone(service: &TestService, session: &Answer) {
    let wrong = service.sign_in("ann@b.co", EVES).await;
    wrong.is_error(WRONG.0, WRONG.1, WRONG.2);
    let user = service.get_as(&session.access(), "/user").await.ok().body;
    assert!(user["email_confirmed_at"].is_string(), "{user}");
    assert_ne!(user["user_metadata"]["full_name"], "Eve");
    let body = json!({"password": PASSWORD});
    service.send_as(&session.access(), Method::PUT, "/user", body).await.ok();
    service.sign_in("ann@b.co", PASSWORD).await.ok();
}

fn providers(user: &Value) -> Vec<&str> {
    let identities = user["identities"].as_array().expect("a list").iter();
    identities.map(|identity| identity["provider"].as_str().expect("a name")).collect()
}

#[tokio::test]
async fn confirming_by_link_code_or_recovery_removes_earlier_credentials() {
    for (path, kind) in [("/magiclink", "signup"), ("/otp", "email"), ("/recover", "recovery")] {
        let service = trapped().await;
        service.post(path, json!({"email": "ann@b.co", "data": {"team": "blue"}})).await.ok();
        let session = follow(&service, "ann@b.co", 2, kind).await.ok();
        let data = &session.body["user"]["user_metadata"];
        assert_eq!(data["email_verified"], true, "{path}");
        if path != "/recover" {
            assert_eq!((&data["team"], &data["email"]), (&json!("blue"), &json!("ann@b.co")));
        }
        is_anns_alone(&service, &session).await;
    }
}

#[tokio::test]
async fn invitations_keep_only_the_admins_data() {
    for path in ["/invite", "/admin/generate_link"] {
        let service = trapped().await;
        let body = json!({"type": "invite", "email": "ann@b.co", "data": {"team": "blue"}});
        let admin = service.admin_token();
        let answer = service.send_as(&admin, Method::POST, path, body).await.ok();
        let token = match path {
            "/invite" => service.mailbox.nth("ann@b.co", 2).await.parameter("token"),
            _ => answer.text("hashed_token"),
        };
        let body = json!({"type": "invite", "token_hash": token});
        let session = service.post("/verify", body).await.ok();
        assert_eq!(session.body["user"]["user_metadata"]["team"], "blue");
        is_anns_alone(&service, &session).await;
    }
}

#[tokio::test]
async fn confirming_by_text_message_removes_earlier_credentials() {
    let carrier = carrier().await;
    let service = TestService::start_with(by_twilio(&carrier)).await;
    let body = json!({"phone": PHONE, "password": EVES, "data": {"full_name": "Eve"}});
    service.post("/signup", body).await.ok();
    service.clock.advance(Duration::from_secs(61));
    service.post("/otp", json!({"phone": PHONE, "data": {"team": "blue"}})).await.ok();
    let body = json!({"type": "sms", "phone": PHONE, "token": last_code(&carrier)});
    let session = service.post("/verify", body).await.ok();
    let data = &session.body["user"]["user_metadata"];
    assert_eq!((&data["team"], data.get("full_name")), (&json!("blue"), None));
    assert_eq!(providers(&session.body["user"]), ["phone"]);
    let body = json!({"phone": PHONE, "password": EVES});
    let wrong = service.post("/token?grant_type=password", body).await;
    wrong.is_error(WRONG.0, WRONG.1, WRONG.2);
}

#[tokio::test]
async fn sign_ups_are_confirmed_with_their_data_also_by_a_resent_email() {
    for again in [false, true] {
        let service = trapped().await;
        if again {
            let body = json!({"type": "signup", "email": "ann@b.co"});
            service.post("/resend", body).await.ok();
        }
        let mail = if again { 2 } else { 1 };
        let session = follow(&service, "ann@b.co", mail, "signup").await.ok();
        assert_eq!(session.body["user"]["user_metadata"]["full_name"], "Eve");
        service.sign_in("ann@b.co", EVES).await.ok();
    }
}

#[tokio::test]
async fn phone_sign_ups_are_confirmed_with_their_data_also_by_a_resent_text() {
    let carrier = carrier().await;
    let service = TestService::start_with(by_twilio(&carrier)).await;
    let body = json!({"phone": PHONE, "password": PASSWORD, "data": {"full_name": "Ann"}});
    service.post("/signup", body.clone()).await.ok();
    service.clock.advance(Duration::from_secs(61));
    service.post("/resend", json!({"type": "sms", "phone": PHONE})).await.ok();
    let proof = json!({"type": "sms", "phone": PHONE, "token": last_code(&carrier)});
    let session = service.post("/verify", proof).await.ok();
    assert_eq!(session.body["user"]["user_metadata"]["full_name"], "Ann");
    service.post("/token?grant_type=password", body).await.ok();
}

#[tokio::test]
async fn of_two_sign_ups_the_one_whose_email_was_followed_counts() {
    let service = trapped().await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD, "data": {"full_name": "Ann"}});
    service.post("/signup", body).await.ok();
    let early = service.sign_in("ann@b.co", PASSWORD).await;
    early.is_error(WRONG.0, WRONG.1, WRONG.2);
    let session = follow(&service, "ann@b.co", 2, "signup").await.ok();
    let user = &session.body["user"];
    assert_eq!(user["user_metadata"]["full_name"], "Ann");
    assert_eq!(user["user_metadata"]["sub"], user["id"]);
    service.sign_in("ann@b.co", PASSWORD).await.ok();
    let wrong = service.sign_in("ann@b.co", EVES).await;
    wrong.is_error(WRONG.0, WRONG.1, WRONG.2);
}

const HOME: &str = "203.0.113.7";
const ELSEWHERE: &str = "198.51.100.1";

async fn sign_up_from(service: &TestService, place: &str, password: &str) -> Answer {
    let body = json!({"email": "ann@b.co", "password": password, "data": {"who": password}});
    service.post_from(place, "/signup", body).await
}

#[tokio::test]
async fn later_sign_ups_by_others_invalidate_no_link_and_set_no_password() {
    let service = TestService::start().await;
    sign_up_from(&service, HOME, PASSWORD).await.ok();
    service.clock.advance(Duration::from_secs(901));
    sign_up_from(&service, ELSEWHERE, EVES).await.ok();
    service.mailbox.nth("ann@b.co", 2).await;
    let session = follow(&service, "ann@b.co", 1, "signup").await.ok();
    assert_eq!(session.body["user"]["user_metadata"]["who"], PASSWORD);
    service.sign_in("ann@b.co", PASSWORD).await.ok();
    let wrong = service.sign_in("ann@b.co", EVES).await;
    wrong.is_error(WRONG.0, WRONG.1, WRONG.2);
    let late = follow(&service, "ann@b.co", 2, "signup").await;
    late.is_error(403, "otp_expired", "Email link is invalid or has expired");
}

#[tokio::test]
async fn signing_up_after_someone_else_sends_a_separate_email_at_once() {
    let service = TestService::start().await;
    sign_up_from(&service, ELSEWHERE, EVES).await.ok();
    sign_up_from(&service, HOME, PASSWORD).await.ok();
    service.clock.advance(Duration::from_secs(901));
    sign_up_from(&service, ELSEWHERE, EVES).await.ok();
    follow(&service, "ann@b.co", 2, "signup").await.ok();
    service.sign_in("ann@b.co", PASSWORD).await.ok();
    let wrong = service.sign_in("ann@b.co", EVES).await;
    wrong.is_error(WRONG.0, WRONG.1, WRONG.2);
}

#[tokio::test]
async fn a_resent_email_confirms_only_the_requesters_sign_up() {
    for (place, is_own) in [(HOME, true), ("192.0.2.1", false)] {
        let service = TestService::start().await;
        sign_up_from(&service, HOME, PASSWORD).await.ok();
        service.clock.advance(Duration::from_secs(901));
        sign_up_from(&service, ELSEWHERE, EVES).await.ok();
        service.clock.advance(Duration::from_secs(901));
        let body = json!({"type": "signup", "email": "ann@b.co"});
        service.post_from(place, "/resend", body).await.ok();
        let session = follow(&service, "ann@b.co", 3, "signup").await.ok();
        let who = session.body["user"]["user_metadata"].get("who").cloned();
        assert_eq!(who, is_own.then(|| json!(PASSWORD)), "{place}");
        assert_eq!(service.sign_in("ann@b.co", PASSWORD).await.status == 200, is_own, "{place}");
        let wrong = service.sign_in("ann@b.co", EVES).await;
        wrong.is_error(WRONG.0, WRONG.1, WRONG.2);
    }
}

#[tokio::test]
async fn later_phone_sign_ups_invalidate_no_code_and_set_no_password() {
    let carrier = carrier().await;
    let service = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        config.texts.code_lifetime = Duration::from_secs(600);
    })
    .await;
    let sign_up = |place: &'static str, password: &'static str| {
        service.post_from(place, "/signup", json!({"phone": PHONE, "password": password}))
    };
    sign_up(HOME, PASSWORD).await.ok();
    let own = last_code(&carrier);
    service.clock.advance(Duration::from_secs(61));
    sign_up(ELSEWHERE, EVES).await.ok();
    let body = json!({"type": "sms", "phone": PHONE, "token": own});
    service.post_from(HOME, "/verify", body).await.ok();
    let sign_in = |password: &'static str| {
        service.post("/token?grant_type=password", json!({"phone": PHONE, "password": password}))
    };
    sign_in(PASSWORD).await.ok();
    sign_in(EVES).await.is_error(WRONG.0, WRONG.1, WRONG.2);
}

#[tokio::test]
async fn completing_someone_elses_sign_up_requires_a_password() {
    let service = trapped().await;
    service.post("/magiclink", json!({"email": "ann@b.co"})).await.ok();
    let token = service.mailbox.nth("ann@b.co", 2).await.parameter("token");
    let missing = service.post("/verify", json!({"type": "signup", "token": token})).await;
    missing.is_error(422, "validation_failed", "Password is required to complete signup");
    let body = json!({"type": "signup", "token": token, "password": PASSWORD});
    service.post("/verify", body).await.ok();
    service.sign_in("ann@b.co", PASSWORD).await.ok();
    let wrong = service.sign_in("ann@b.co", EVES).await;
    wrong.is_error(WRONG.0, WRONG.1, WRONG.2);
}

#[tokio::test]
async fn data_set_by_admins_is_kept() {
    let service = TestService::start().await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD, "user_metadata": {"team": "red"}});
    service.send_as(&service.admin_token(), Method::POST, "/admin/users", body).await.ok();
    service.post("/magiclink", json!({"email": "ann@b.co"})).await.ok();
    let session = follow(&service, "ann@b.co", 1, "signup").await.ok();
    assert_eq!(session.body["user"]["user_metadata"]["team"], "red");
    service.sign_in("ann@b.co", PASSWORD).await.ok();
}

/// Starts a service with a provider that reports Ann's address for Eve, unverified.
async fn unsure(change: impl FnOnce(&mut Config)) -> (TestService, StandIn) {
    let stand_in = StandIn::start(gitlab()).await;
    stand_in.change(|case| case.questions[0].answer["confirmed_at"] = Value::Null);
    let service = TestService::start_with(|config| {
        stand_in.enable(config);
        change(config);
    })
    .await;
    (service, stand_in)
}

#[tokio::test]
async fn earlier_sessions_factors_and_identities_are_removed_too() {
    let (service, stand_in) = unsure(|c| c.external.allow_unverified_email = true).await;
    let eve = round_trip(&service, &stand_in, "").await;
    let body = json!({"password": EVES});
    service.send_as(&eve.access(), Method::PUT, "/user", body).await.ok();
    let enrolled = enroll(&service, &eve.access(), "eve's").await.ok();
    let proof = code(&service, &enrolled, 0);
    let lifted = give(&service, &eve.access(), &enrolled.text("id"), &proof).await.ok();

    service.post("/magiclink", json!({"email": "ann@example.co"})).await.ok();
    let session = follow(&service, "ann@example.co", 1, "signup").await.ok();
    let user = &session.body["user"];
    assert_eq!(user["id"], lifted.body["user"]["id"], "there is one account for the email");
    assert_eq!(providers(user), ["email"]);
    assert_eq!(user["app_metadata"], json!({"provider": "email", "providers": ["email"]}));
    assert!(user.get("factors").is_none(), "{user}");
    let gone = "Invalid Refresh Token: Refresh Token Not Found";
    service.refresh(&lifted.refresh()).await.is_error(400, "refresh_token_not_found", gone);
    let wrong = service.sign_in("ann@example.co", EVES).await;
    wrong.is_error(WRONG.0, WRONG.1, WRONG.2);
    let again = account(&service, &round_trip(&service, &stand_in, "").await).await;
    assert_ne!(again["id"], user["id"], "the provider account has another email now");
}

#[tokio::test]
async fn emails_taken_from_identities_must_be_confirmed_too() {
    let (service, stand_in) = unsure(|config| config.external.manual_linking = true).await;
    let eve = service.confirmed("eve@example.co").await;
    let user = account(&service, &link(&service, &stand_in, &eve.access()).await).await;
    let own = user["identities"].as_array().expect("a list").iter();
    let own =
        own.clone().find(|identity| identity["provider"] == "email").expect("the item exists");
    unlink(&service, &eve.access(), &own["identity_id"]).await.ok();
    let user = service.get_as(&eve.access(), "/user").await.ok().body;
    assert_eq!(user["email"], "ann@example.co", "the remaining email");

    service.post("/magiclink", json!({"email": "ann@example.co"})).await.ok();
    let ann = follow(&service, "ann@example.co", 1, "signup").await.ok();
    assert_eq!(providers(&ann.body["user"]), ["email"]);
    assert_eq!(service.refresh(&eve.refresh()).await.status, 400);
    let wrong = service.sign_in("ann@example.co", PASSWORD).await;
    wrong.is_error(WRONG.0, WRONG.1, WRONG.2);
}
