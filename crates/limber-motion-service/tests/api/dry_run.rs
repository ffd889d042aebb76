//! `POST /job/v1/process/text2motion?dryRun=1`.

use limber_client::motion::{Message, TextToMotion};
use limber_motion_service::Billing;
use serde_json::json;

use crate::studio::{Studio, read, walk};

#[tokio::test]
async fn a_dry_run_reports_script_price_and_ignored_words_without_a_job() {
    let studio = Studio::open_with(|config| config.billing = Some(Billing::default())).await;
    let client = studio.client();
    let request = TextToMotion {
        prompt: "a person walks forward and then zwiffles".to_owned(),
        duration_s: Some(2.5),
        variants: 3,
        ..walk()
    };
    let told = client.dry_run(&request.to_process_request()).await.expect("an answer");
    assert_eq!(told.script.as_deref(), Some("walk dir:forward"));
    assert_eq!(told.skipped, ["zwiffles"]);
    assert!(!told.nearest.is_empty(), "{told:?}");
    assert!(told.warnings.iter().any(|warning| warning.contains("zwiffles")), "{told:?}");
    let is_named =
        |told: &Message| matches!(told, Message::UnknownWord { word, .. } if word == "zwiffles");
    assert!(told.messages.iter().any(is_named), "{told:?}");
    assert!((told.price - 0.9).abs() < 1e-9, "three variants of three begun tenths: {told:?}");
    let automatic = TextToMotion { duration_s: None, ..walk() };
    let told = client.dry_run(&automatic.to_process_request()).await.expect("an answer");
    assert!((told.price - 1.0).abs() < 1e-9, "ten seconds are reserved: {told:?}");
    assert_eq!(studio.rows_of("jobs").await, 0);
    let free = Studio::open().await;
    let told = free.client().dry_run(&automatic.to_process_request()).await.expect("an answer");
    assert!(told.price.abs() < 1e-9, "without billing everything is free: {told:?}");
}

#[tokio::test]
async fn a_dry_run_rejects_what_the_job_would_reject() {
    let studio = Studio::open().await;
    let cookie = studio.cookie().await;
    let dry = async |params: &[&str], query: &str| {
        let url = studio.url(&format!("/job/v1/process/text2motion?dryRun={query}"));
        let request = studio.http.post(url).header("cookie", &cookie);
        read(request.json(&json!({ "params": params }))).await
    };
    let (status, body) = dry(&["prompt=asdf", "model=default"], "1").await;
    assert_eq!((status, &body["code"], &body["param"]), (422, &502.into(), &"prompt".into()));
    assert!(body["details"]["nearest"].is_array(), "{body}");
    let told = &body["details"]["messages"][0];
    assert_eq!((&told["code"], &told["words"][0]), (&"nothing-known".into(), &"asdf".into()));
    assert_eq!(told["text"], body["message"], "{body}");
    let (status, body) = dry(&["prompt=a person walks", "model=nobody"], "true").await;
    assert_eq!((status, &body["type"]), (404, &"model_not_found".into()));
    let (status, body) = dry(&["prompt=a person walks", "model=default"], "maybe").await;
    assert_eq!((status, &body["param"]), (422, &"dryRun".into()));
    assert_eq!(studio.rows_of("jobs").await, 0);
    let (status, body) = dry(&["prompt=a person walks", "model=default"], "0").await;
    assert!(status == 200 && body["rid"].is_string(), "0 is not a dry run: {body}");
}
