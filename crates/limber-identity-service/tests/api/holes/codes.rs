//! Strangers' guesses never stop the right code where it was requested, and requesting codes from
//! many networks gains few guesses.

use std::time::Duration;

use serde_json::{Value, json};

use crate::service::{Answer, TestService};
use crate::stand_in::StandIn;
use crate::texts::{by_twilio, carrier, last_code};

const NUMBER: &str = "+41791234567";
const OWNER: &str = "192.0.2.1";
const EVE: &str = "203.0.113.9";
/// Never a right code.
const WRONG: &str = "00000x";

async fn start() -> (TestService, StandIn) {
    let carrier = carrier().await;
    (TestService::start_with(by_twilio(&carrier)).await, carrier)
}

fn sms(code: &str) -> Value {
    json!({"type": "sms", "phone": NUMBER, "token": code})
}

/// Requests a code from this network and returns it.
async fn ask_from(service: &TestService, carrier: &StandIn, place: &str) -> String {
    service.post_from(place, "/otp", json!({"phone": NUMBER})).await.ok();
    last_code(carrier)
}

async fn verify_from(service: &TestService, place: &str, body: &Value) -> Answer {
    service.post_from(place, "/verify", body.clone()).await
}

/// Submits wrong codes from as many networks as it takes to use up the shared limit.
async fn guess_from_everywhere(service: &TestService, wrong: &Value) {
    for number in 0..4 {
        for _ in 0..30 {
            let place = format!("198.51.100.{number}");
            assert_eq!(verify_from(service, &place, wrong).await.status, 403);
        }
    }
    let refused = verify_from(service, "198.51.100.4", wrong).await;
    refused.is_error(429, "over_request_rate_limit", "Request rate limit reached");
}

#[tokio::test]
async fn strangers_guesses_do_not_stop_the_code_that_the_owner_requested() {
    let (service, carrier) = start().await;
    let first = ask_from(&service, &carrier, OWNER).await;
    verify_from(&service, OWNER, &sms(&first)).await.ok();
    service.clock.advance(Duration::from_secs(61));
    let code = ask_from(&service, &carrier, OWNER).await;
    guess_from_everywhere(&service, &sms(WRONG)).await;
    assert_eq!(verify_from(&service, EVE, &sms(&code)).await.status, 429, "another network");
    assert_eq!(verify_from(&service, OWNER, &sms(WRONG)).await.status, 429);
    verify_from(&service, OWNER, &sms(&code)).await.ok();
}

#[tokio::test]
async fn codes_requested_during_an_attack_sign_in_too() {
    let (service, carrier) = start().await;
    ask_from(&service, &carrier, "198.51.100.0").await;
    guess_from_everywhere(&service, &sms(WRONG)).await;
    let code = ask_from(&service, &carrier, OWNER).await;
    verify_from(&service, OWNER, &sms(&code)).await.ok();
}

#[tokio::test]
async fn a_requested_code_gains_ten_guesses_at_that_code_only() {
    let (service, carrier) = start().await;
    let owners = ask_from(&service, &carrier, OWNER).await;
    guess_from_everywhere(&service, &sms(WRONG)).await;
    let hers = ask_from(&service, &carrier, EVE).await;
    assert_eq!(verify_from(&service, EVE, &sms(&owners)).await.status, 429, "not her own code");
    for _ in 0..9 {
        assert_eq!(verify_from(&service, EVE, &sms(WRONG)).await.status, 429);
    }
    assert_eq!(verify_from(&service, EVE, &sms(&hers)).await.status, 429, "ten were wrong");
    // New codes gain ten guesses each, up to thirty an hour from one network.
    for _ in 0..2 {
        service.clock.advance(Duration::from_secs(61));
        ask_from(&service, &carrier, EVE).await;
        for _ in 0..9 {
            assert_eq!(verify_from(&service, EVE, &sms(WRONG)).await.status, 429);
        }
    }
    // So far 29 guesses, of which the last code got nine.
    assert_eq!(verify_from(&service, EVE, &sms(WRONG)).await.status, 429);
    service.clock.advance(Duration::from_secs(61));
    let hers = ask_from(&service, &carrier, EVE).await;
    assert_eq!(verify_from(&service, EVE, &sms(&hers)).await.status, 429, "a new code is no help");
}

#[tokio::test]
async fn a_guess_is_tried_at_four_codes() {
    let (service, carrier) = start().await;
    for (strangers, status) in [(3, 200), (4, 403)] {
        let code = ask_from(&service, &carrier, OWNER).await;
        for number in 0..strangers {
            ask_from(&service, &carrier, &format!("198.51.100.{number}")).await;
        }
        let elsewhere = verify_from(&service, EVE, &sms(&code)).await;
        assert_eq!(elsewhere.status, status, "{strangers} newer codes");
        if status != 200 {
            verify_from(&service, OWNER, &sms(&code)).await.ok();
        }
        service.clock.advance(Duration::from_secs(61));
    }
}

#[tokio::test]
async fn an_hour_after_the_request_the_shared_limit_applies_to_a_code() {
    let service = TestService::start().await;
    service.confirmed("ann@b.co").await;
    service.post_from(OWNER, "/recover", json!({"email": "ann@b.co"})).await.ok();
    let mail = service.mailbox.nth("ann@b.co", 2).await;
    service.clock.advance(Duration::from_secs(3600));
    let body = |code: &str| json!({"type": "recovery", "email": "ann@b.co", "token": code});
    guess_from_everywhere(&service, &body(WRONG)).await;
    assert_eq!(verify_from(&service, OWNER, &body(&mail.code())).await.status, 429);
    let link = json!({"type": "recovery", "token_hash": mail.parameter("token")});
    verify_from(&service, OWNER, &link).await.ok();
}
