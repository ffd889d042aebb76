//! Text messages: the request to each carrier, and how its responses are handled.

use std::cell::Cell;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use limber_identity_service::Config;
use limber_identity_service::config::{Carrier, MessageLimit};
use serde_json::{Value, json};

use crate::service::{Answer, PASSWORD, TestService};
use crate::stand_in::{Reply, StandIn};
use crate::waiting::wait_for;

const NUMBER: &str = "+41 79 123 45 67";

/// Starts a carrier that accepts everything.
pub(crate) async fn carrier() -> StandIn {
    StandIn::start(Reply::json(201, &json!({"sid": "SM1", "status": "queued"}))).await
}

/// Returns a configuration change that enables phones and sends texts through Twilio to the
/// simulated carrier.
pub(crate) fn by_twilio(carrier: &StandIn) -> impl FnOnce(&mut Config) {
    let base = carrier.base.clone();
    move |config| {
        config.signup.phone = true;
        config.limits.texts = MessageLimit::PerHour(1000);
        config.texts.carrier = Some(Carrier::Twilio {
            base,
            account: "AC1".into(),
            token: "twilio's token".into(),
            sender: "MG1".into(),
        });
    }
}

/// Returns the code in the last text that was sent.
pub(crate) fn last_code(carrier: &StandIn) -> String {
    let form = carrier.last().form;
    let text = form.get("Body").expect("a text").clone();
    text.chars().filter(char::is_ascii_digit).collect()
}

async fn ask(service: &TestService) -> Answer {
    service.post("/otp", json!({"phone": NUMBER})).await
}

async fn service_with(carrier: Carrier) -> TestService {
    TestService::start_with(|config| {
        config.signup.phone = true;
        config.texts.carrier = Some(carrier);
        config.texts.template = "Dein Schlüssel: {{ .Code }}".into();
    })
    .await
}

#[tokio::test]
async fn twilio_requests_have_the_documented_form() {
    let carrier = carrier().await;
    let service = TestService::start_with(by_twilio(&carrier)).await;
    assert_eq!(ask(&service).await.ok().body, json!({"message_id": "SM1"}));
    let asked = carrier.last();
    let (line, form) = asked.whole();
    assert_eq!(line, "POST /2010-04-01/Accounts/AC1/Messages.json");
    let text = format!("Your code is {}", last_code(&carrier));
    assert_eq!(
        form,
        [("Body", text.as_str()), ("Channel", "sms"), ("From", "MG1"), ("To", "+41791234567")]
    );
    let basic = format!("Basic {}", STANDARD.encode("AC1:twilio's token"));
    assert_eq!(asked.header("authorization"), basic);
    assert_eq!(asked.header("content-type"), "application/x-www-form-urlencoded");
    assert_eq!(last_code(&carrier).len(), 6);
}

#[tokio::test]
async fn twilio_sends_by_whatsapp_and_from_a_number() {
    let carrier = carrier().await;
    let base = carrier.base.clone();
    let service = service_with(Carrier::Twilio {
        base,
        account: "AC1".into(),
        token: "t".into(),
        sender: "15005550006".into(),
    })
    .await;
    let body = json!({"phone": NUMBER, "channel": "whatsapp"});
    service.post("/otp", body).await.ok();
    let form = carrier.last().form;
    assert_eq!(
        (form["To"].as_str(), form["From"].as_str(), form["Channel"].as_str()),
        ("whatsapp:+41791234567", "whatsapp:+15005550006", "whatsapp")
    );
    let body = json!({"phone": NUMBER, "channel": "pigeon"});
    let text = "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only \
                supported if Twilio or Twilio Verify is used as the provider.";
    service.post("/otp", body).await.is_error(400, "validation_failed", text);
}

#[tokio::test]
async fn messagebird_requests_have_the_documented_form() {
    let reply = json!({"id": "MB1", "recipients": {"totalDeliveryFailedCount": 0}});
    let carrier = StandIn::start(Reply::json(201, &reply)).await;
    let base = carrier.base.clone();
    let originator = "Studio".to_owned();
    let service =
        service_with(Carrier::MessageBird { base, key: "bird key".into(), originator }).await;
    assert_eq!(ask(&service).await.ok().body, json!({"message_id": "MB1"}));
    let asked = carrier.last();
    let (line, form) = asked.whole();
    assert_eq!(line, "POST /messages");
    assert!(asked.form["body"].starts_with("Dein Schlüssel: "), "{:?}", asked.form);
    let rest: Vec<_> = form.into_iter().filter(|(name, _)| *name != "body").collect();
    assert_eq!(
        rest,
        [
            ("datacoding", "unicode"),
            ("originator", "Studio"),
            ("recipients", "41791234567"),
            ("type", "sms")
        ]
    );
    assert_eq!(asked.header("authorization"), "AccessKey bird key");
    let lost = json!({"id": "x", "recipients": {"totalDeliveryFailedCount": 1,
        "items": [{"status": "delivery_failed"}]}});
    carrier.next(Reply::json(201, &lost));
    service.clock.advance(Duration::from_secs(61));
    is_refused(&ask(&service).await, "delivery_failed");
    let refused = json!({"errors": [{"code": 2, "description": "Request not allowed"}]});
    carrier.next(Reply::json(401, &refused));
    is_refused(&ask(&service).await, "Request not allowed");
}

#[tokio::test]
async fn textlocal_requests_have_the_documented_form() {
    let reply = json!({"status": "success", "messages": [{"id": 77}]});
    let carrier = StandIn::start(Reply::json(200, &reply)).await;
    let base = carrier.base.clone();
    let sender = "STUDIO".to_owned();
    let service = service_with(Carrier::Textlocal { base, key: "local key".into(), sender }).await;
    assert_eq!(ask(&service).await.ok().body, json!({"message_id": "77"}));
    let asked = carrier.last();
    let (line, form) = asked.whole();
    assert_eq!(line, "POST /send");
    let rest: Vec<_> = form.into_iter().filter(|(name, _)| *name != "message").collect();
    assert_eq!(rest, [("apikey", "local key"), ("numbers", "41791234567"), ("sender", "STUDIO")]);
    let refused = json!({"status": "failure", "errors": [{"code": 7, "message": "No credit"}]});
    carrier.next(Reply::json(200, &refused));
    service.clock.advance(Duration::from_secs(61));
    is_refused(&ask(&service).await, "No credit");
}

#[tokio::test]
async fn vonage_requests_have_the_documented_form() {
    let reply = json!({"message-count": "1", "messages": [{"status": "0", "message-id": "V1"}]});
    let carrier = StandIn::start(Reply::json(200, &reply)).await;
    let service = service_with(Carrier::Vonage {
        base: carrier.base.clone(),
        key: "v key".into(),
        secret: "v secret".into(),
        sender: "Studio".into(),
    })
    .await;
    assert_eq!(ask(&service).await.ok().body, json!({"message_id": "V1"}));
    let asked = carrier.last();
    let (line, form) = asked.whole();
    assert_eq!(line, "POST /sms/json");
    let rest: Vec<_> = form.into_iter().filter(|(name, _)| *name != "text").collect();
    assert_eq!(
        rest,
        [
            ("api_key", "v key"),
            ("api_secret", "v secret"),
            ("from", "Studio"),
            ("to", "41791234567"),
            ("type", "unicode")
        ]
    );
    let refused = json!({"messages": [{"status": "4", "error-text": "Bad Credentials"}]});
    carrier.next(Reply::json(200, &refused));
    service.clock.advance(Duration::from_secs(61));
    is_refused(&ask(&service).await, "Bad Credentials");
}

#[track_caller]
fn is_refused(answer: &Answer, reason: &str) {
    let text = format!("Error sending confirmation OTP to provider: {reason}");
    answer.is_error(422, "sms_send_failed", &text);
}

/// Asserts that the caller is told to try again, and why.
#[track_caller]
fn is_for_later(answer: &Answer, reason: &str) {
    let text = format!("Error sending confirmation OTP to provider: {reason}");
    assert_eq!((answer.status, answer.text("msg")), (503, text), "{answer:?}");
    assert!(answer.headers.contains_key("retry-after"), "{answer:?}");
}

#[tokio::test]
async fn failed_texts_leave_nothing_behind() {
    let carrier = carrier().await;
    let service = TestService::start_with(by_twilio(&carrier)).await;
    let refused = json!({"code": 21211, "message": "Invalid 'To'\nPhone Number", "status": 400});
    let replies = [
        (Reply::json(400, &refused), "Invalid 'To' Phone Number"),
        (Reply::json(201, &json!({"status": "failed"})), "failed"),
    ];
    for (reply, reason) in replies {
        carrier.next(reply);
        is_refused(&ask(&service).await, reason);
    }
    let failed = json!({"code": 20500, "message": "Internal Server Error", "status": 500});
    let plain = |status, body| Reply { status, body, delay: Duration::ZERO };
    let replies = [
        (Reply::json(500, &failed), "the provider answered with status 500"),
        (Reply::json(429, &failed), "the provider answered with status 429"),
        (plain(502, b"<html>".to_vec()), "the provider answered with status 502"),
        (plain(200, b"<html>".to_vec()), "the provider's answer cannot be read"),
        (plain(200, vec![b' '; 100_000]), "the provider's answer cannot be read"),
    ];
    for (reply, reason) in replies {
        carrier.next(reply);
        is_for_later(&ask(&service).await, reason);
    }
    let listed = service.get_as(&service.admin_token(), "/admin/users").await.ok();
    assert_eq!(listed.headers["x-total-count"], "0", "no account");
    ask(&service).await.ok();
}

#[tokio::test]
async fn slow_or_missing_text_providers_are_reported_and_block_no_one() {
    let carrier = carrier().await;
    let service = TestService::start_with(by_twilio(&carrier)).await;
    // More than the service has database connections.
    const TEXTS: usize = 7;
    for _ in 0..TEXTS {
        carrier.next(Reply { delay: Duration::from_secs(30), ..Reply::json(201, &json!({})) });
    }
    let asking = (0..TEXTS)
        .map(|number| service.post("/otp", json!({"phone": format!("+4179000000{number}")})));
    let is_over = Cell::new(false);
    let slow = async {
        let answers = futures_util::future::join_all(asking).await;
        is_over.set(true);
        answers
    };
    let other = async {
        wait_for("a request to the provider", async || !carrier.asked().is_empty()).await;
        let listed = service.get_as(&service.admin_token(), "/admin/users").await;
        (listed.status, is_over.get())
    };
    let (slow, other) = tokio::join!(slow, other);
    assert_eq!(other, (200, false), "other requests do not wait for the provider");
    let texts: Vec<String> = slow.iter().map(|answer| answer.text("msg")).collect();
    let ends = |end: &str| texts.iter().filter(|text| text.ends_with(end)).count();
    let late = ends("the provider did not answer in time");
    let waiting = ends("too many messages are waiting");
    // There is one place, which a second text gets once the first has timed out, if others have
    // been delayed for that long.
    assert!(late >= 1 && waiting >= 1 && late + waiting == TEXTS, "{texts:?}");
    for answer in &slow {
        assert_eq!(answer.status, 503, "not the caller's fault: {answer:?}");
        assert!(answer.headers.contains_key("retry-after"), "{answer:?}");
    }

    let service = TestService::start_with(|config| config.signup.phone = true).await;
    is_refused(&ask(&service).await, "no provider is configured");
    let nowhere = reqwest::Url::parse("http://127.0.0.1:9").expect("a valid address");
    let sender = "S".to_owned();
    let service = service_with(Carrier::Textlocal { base: nowhere, key: "k".into(), sender }).await;
    is_for_later(&ask(&service).await, "the provider cannot be reached");
}

#[tokio::test]
async fn a_resend_does_not_report_that_the_provider_fails() {
    let carrier = carrier().await;
    let service = TestService::start_with(by_twilio(&carrier)).await;
    ask(&service).await.ok();
    for status in [400, 503] {
        service.clock.advance(Duration::from_secs(61));
        carrier.next(Reply::json(status, &json!({"message": "no", "status": status})));
        let asked = carrier.asked().len();
        for phone in [NUMBER, "+41790000009"] {
            service.post("/resend", json!({"type": "sms", "phone": phone})).await.ok();
        }
        assert_eq!(carrier.asked().len(), asked + 1, "only the known number gets a text");
        for phone in [NUMBER, "+41790000009"] {
            let body = json!({"type": "sms", "phone": phone});
            assert_eq!(service.post("/resend", body).await.status, 429, "{phone} has to wait");
        }
    }
}

#[tokio::test]
async fn text_messages_per_hour_are_limited() {
    let carrier = carrier().await;
    let service = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        config.limits.texts = MessageLimit::PerHour(1);
    })
    .await;
    ask(&service).await.ok();
    let refused = service.post("/otp", json!({"phone": "+41790000000"})).await;
    refused.is_error(429, "over_sms_send_rate_limit", "SMS rate limit exceeded");
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(carrier.asked().len(), 1);
    // A number without a pending code is refused in the same way.
    let body = json!({"type": "sms", "phone": "+41790000009"});
    assert_eq!(service.post("/resend", body).await.status, 429);
}

#[tokio::test]
async fn test_numbers_have_a_fixed_code_and_get_no_text() {
    let carrier = carrier().await;
    let service = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        config.texts.test_codes.insert("41791234567".into(), "123456".into());
    })
    .await;
    assert_eq!(ask(&service).await.ok().body, json!({}));
    let body = json!({"type": "sms", "phone": NUMBER, "token": "123456"});
    service.post("/verify", body).await.ok();
    assert!(carrier.asked().is_empty());
}

#[tokio::test]
async fn settings_name_the_text_provider() {
    let carrier = carrier().await;
    let service = TestService::start_with(by_twilio(&carrier)).await;
    let settings = Answer::of(service.request(reqwest::Method::GET, "/settings")).await.ok();
    assert_eq!(settings.text("sms_provider"), "twilio");
    assert_eq!(settings.body["external"]["phone"], Value::Bool(true));
}

/// Returns how many text messages an instance may still send after this call.
async fn left_after(path: &str, body: Value) -> usize {
    let carrier = carrier().await;
    let service = TestService::start_with(|config| {
        by_twilio(&carrier)(config);
        config.limits.texts = MessageLimit::Bucket(5, Duration::from_secs(86_400));
    })
    .await;
    ask(&service).await.ok();
    service.post("/otp", json!({"phone": CONFIRMED})).await.ok();
    let code = json!({"type": "sms", "phone": CONFIRMED, "token": last_code(&carrier)});
    service.post("/verify", code).await.ok();
    service.clock.advance(Duration::from_secs(61));
    service.post(path, body).await.ok();
    let mut left = 0;
    while service.post("/otp", json!({"phone": format!("+4178000000{left}")})).await.status == 200 {
        left += 1;
    }
    left
}

const CONFIRMED: &str = "+41790000001";
const UNKNOWN: &str = "+41790000009";

#[tokio::test]
async fn the_text_limit_does_not_reveal_accounts() {
    let resend = |number: &str| json!({"type": "sms", "phone": number});
    let sign_up = |number: &str| json!({"phone": number, "password": PASSWORD});
    for (path, body) in [
        ("/resend", resend(NUMBER)),
        ("/resend", resend(UNKNOWN)),
        ("/resend", resend(CONFIRMED)),
        ("/signup", sign_up(UNKNOWN)),
        ("/signup", sign_up(CONFIRMED)),
    ] {
        assert_eq!(left_after(path, body.clone()).await, 2, "{path} {body}");
    }
}
