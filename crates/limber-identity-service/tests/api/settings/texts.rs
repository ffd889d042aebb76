//! Settings of text messages: carriers, codes and intervals.

use std::time::Duration;

use serde_json::{Value, json};

use crate::service::TestService;
use crate::stand_in::{Reply, StandIn};
use crate::texts::{carrier, last_code};

const NUMBER: &str = "+41791234567";

#[tokio::test]
async fn code_length_lifetime_and_frequency_follow_the_settings() {
    let carrier = carrier().await;
    let service = TestService::start_from(&[
        ("EXTERNAL_PHONE_ENABLED", "true"),
        ("SMS_PROVIDER", "twilio"),
        ("SMS_TWILIO_ACCOUNT_SID", "AC1"),
        ("SMS_TWILIO_AUTH_TOKEN", "token"),
        ("SMS_TWILIO_MESSAGE_SERVICE_SID", "MG1"),
        ("SMS_TWILIO_URL", carrier.base.as_str()),
        ("SMS_MAX_FREQUENCY", "20"),
        ("SMS_OTP_EXP", "5m"),
        ("SMS_OTP_LENGTH", "8"),
        ("SMS_TEMPLATE", "Type {{ .Code }}, please"),
        ("SMS_TEST_OTP", "41790000001:111111,41790000002:222222"),
        ("SMS_TEST_OTP_VALID_UNTIL", "2100-01-01T00:00:00Z"),
        // A bucket that refills once a day; an hourly limit would reset when the test passes a full
        // hour.
        ("RATE_LIMIT_SMS_SENT", "3/24h"),
    ])
    .await;
    let ask = |number: &'static str| service.post("/otp", json!({"phone": number}));
    let give = |number: &'static str, code: String| {
        service.post("/verify", json!({"type": "sms", "phone": number, "token": code}))
    };
    ask(NUMBER).await.ok();
    let (text, code) = (carrier.last().form["Body"].clone(), last_code(&carrier));
    assert_eq!((text, code.len()), (format!("Type {code}, please"), 8));
    let soon = ask(NUMBER).await;
    let message = "For security purposes, you can only request this after 20 seconds.";
    soon.is_error(429, "over_sms_send_rate_limit", message);
    service.clock.advance(Duration::from_secs(21));
    ask(NUMBER).await.ok();
    service.clock.advance(Duration::from_secs(290));
    give(NUMBER, last_code(&carrier)).await.ok();
    ask(NUMBER).await.ok();
    service.clock.advance(Duration::from_secs(301));
    let late = give(NUMBER, last_code(&carrier)).await;
    late.is_error(403, "otp_expired", "Token has expired or is invalid");
    // Test numbers need no carrier and do not count against the limit.
    ask("+41790000002").await.ok();
    give("+41790000002", "222222".into()).await.ok();
    let over = ask("+41790000003").await;
    over.is_error(429, "over_sms_send_rate_limit", "SMS rate limit exceeded");
    assert_eq!(carrier.asked().len(), 3);
}

/// A carrier's name, its credentials, the path of its API, and its response.
type Named = (&'static str, &'static [(&'static str, &'static str)], &'static str, Value);

#[tokio::test]
async fn every_text_provider_uses_its_own_settings() {
    let carriers: [Named; 3] = [
        (
            "messagebird",
            &[("SMS_MESSAGEBIRD_ACCESS_KEY", "key"), ("SMS_MESSAGEBIRD_ORIGINATOR", "Studio")],
            "/messages",
            json!({"id": "1", "recipients": {"totalDeliveryFailedCount": 0}}),
        ),
        (
            "textlocal",
            &[("SMS_TEXTLOCAL_API_KEY", "key"), ("SMS_TEXTLOCAL_SENDER", "Studio")],
            "/send",
            json!({"status": "success", "messages": [{"id": 1}]}),
        ),
        (
            "vonage",
            &[
                ("SMS_VONAGE_API_KEY", "key"),
                ("SMS_VONAGE_API_SECRET", "secret"),
                ("SMS_VONAGE_FROM", "Studio"),
            ],
            "/sms/json",
            json!({"messages": [{"status": "0", "message-id": "1"}]}),
        ),
    ];
    for (name, credentials, path, reply) in carriers {
        let carrier = StandIn::start(Reply::json(200, &reply)).await;
        let url = format!("SMS_{}_URL", name.to_uppercase());
        let mut settings = vec![
            ("EXTERNAL_PHONE_ENABLED", "true"),
            ("SMS_PROVIDER", name),
            (url.as_str(), carrier.base.as_str()),
        ];
        settings.extend(credentials);
        let service = TestService::start_from(&settings).await;
        service.post("/otp", json!({"phone": NUMBER})).await.ok();
        let asked = carrier.last();
        assert_eq!(asked.path, path, "{name}");
        let sent = format!("{:?}{:?}", asked.form, asked.headers);
        for (setting, value) in credentials {
            assert!(sent.contains(value), "{setting}: {sent}");
        }
    }
}

#[tokio::test]
async fn phones_need_no_confirmation_if_configured() {
    let service =
        TestService::start_from(&[("EXTERNAL_PHONE_ENABLED", "true"), ("SMS_AUTOCONFIRM", "true")])
            .await;
    let body = json!({"phone": NUMBER, "password": "correct horse"});
    let session = service.post("/signup", body).await.ok();
    assert_eq!(session.body["user"]["phone"], "41791234567");
    let settings = crate::service::Answer::of(service.request(reqwest::Method::GET, "/settings"));
    let settings = settings.await.ok().body;
    assert_eq!(
        (&settings["phone_autoconfirm"], &settings["external"]["phone"]),
        (&json!(true), &json!(true))
    );
}
