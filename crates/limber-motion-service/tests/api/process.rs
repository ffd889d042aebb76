//! `POST /job/v1/process/{processor}`.

use serde_json::json;

use crate::studio::{Studio, read, walk};

#[tokio::test]
async fn a_quoted_prompt_and_the_default_model_make_a_job() {
    let studio = Studio::open().await;
    let (status, body) =
        studio.process(&["prompt=\"A person walks forward\"", "model=default", "left=over"]).await;
    assert_eq!(status, 200, "{body}");
    let rid = body["rid"].as_str().expect("an id");
    assert!((16..=40).contains(&rid.len()), "{rid}");
    let warnings = body["warnings"].to_string();
    assert!(warnings.contains("unknown parameter: left"), "{warnings}");
    let (_, list) = studio.get("/job/v1/list").await;
    assert_eq!(list["list"][0]["rid"], rid);
    assert_eq!(list["list"][0]["parameters"]["prompt"], "A person walks forward");
    assert!(list["list"][0]["parameters"]["seed"].is_string());
    assert_eq!(list["list"][0]["parameters"]["script"], "walk dir:forward");
}

#[tokio::test]
async fn all_wrong_values_are_listed_and_the_first_is_the_main_error() {
    let studio = Studio::open().await;
    let (status, body) = studio
        .process(&[
            "prompt=walks",
            "model=default",
            "numVariant=9",
            "dis=x",
            "poseFilteringStrength=2",
            "fps=1",
        ])
        .await;
    assert_eq!((status, &body["type"]), (422, &"invalid_parameter".into()));
    assert_eq!((&body["param"], &body["code"]), (&"numVariant".into(), &502.into()));
    let errors = body["details"]["errors"].as_array().expect("a list");
    let codes: Vec<_> =
        errors.iter().map(|error| error["code"].as_u64().expect("a code")).collect();
    assert_eq!(codes, [502, 603, 703, 803]);
}

#[tokio::test]
async fn nonsense_prompts_are_rejected_with_similar_actions() {
    let studio = Studio::open().await;
    for prompt in ["asdf", "💃💃💃", "مرحبا بالعالم"] {
        let (status, body) = studio.process(&[&format!("prompt={prompt}"), "model=default"]).await;
        assert_eq!((status, &body["code"]), (422, &502.into()), "{prompt}: {body}");
        assert_eq!(body["param"], "prompt");
        assert!(body["details"]["nearest"].is_array(), "{body}");
    }
    assert_eq!(studio.get("/job/v1/list").await.1["count"], 0);
}

#[tokio::test]
async fn long_empty_and_odd_prompts_get_an_error_message() {
    let studio = Studio::open().await;
    for prompt in
        [String::new(), "   ".into(), "\"\"".into(), "\u{0}\u{7}".into(), "walk ".repeat(400)]
    {
        let (status, body) = studio.process(&[&format!("prompt={prompt}"), "model=default"]).await;
        assert_eq!(
            (status, &body["code"], &body["param"]),
            (422, &502.into(), &"prompt".into()),
            "{body}"
        );
    }
    let (status, body) =
        studio.process(&["prompt=a person\u{0} walks", "model=default", "x\u{0}=\u{0}"]).await;
    assert_eq!(status, 200, "{body}");
}

#[tokio::test]
async fn an_unknown_model_is_404_and_a_missing_one_is_422() {
    let studio = Studio::open().await;
    let (status, body) = studio.process(&["prompt=", "model=nobody"]).await;
    assert_eq!(
        (status, &body["type"]),
        (404, &"model_not_found".into()),
        "existence is checked first"
    );
    let (status, body) = studio.process(&["prompt=a person walks"]).await;
    assert_eq!((status, &body["param"], &body["code"]), (422, &"model".into(), &502.into()));
}

#[tokio::test]
async fn malformed_bodies_get_a_specific_error() {
    let studio = Studio::open().await;
    let cookie = studio.cookie().await;
    let post = |body: &str, kind: &'static str| {
        let request = studio.http.post(studio.url("/job/v1/process/text2motion"));
        read(request.header("cookie", &cookie).header("content-type", kind).body(body.to_owned()))
    };
    for body in [
        "",
        "{",
        "[]",
        "{}",
        r#"{"params":"prompt=x"}"#,
        r#"{"params":["prompt"]}"#,
        r#"{"params":[1]}"#,
    ] {
        let (status, answer) = post(body, "application/json").await;
        assert_eq!((status, &answer["type"]), (400, &"malformed_request".into()), "{body}");
    }
    for kind in ["application/x-www-form-urlencoded", "application/json; charset=iso-8859-1"] {
        let (status, answer) = post(r#"{"params":[]}"#, kind).await;
        assert_eq!((status, &answer["type"]), (415, &"unsupported_media_type".into()), "{kind}");
    }
    let long = format!("{{\"params\":[\"prompt={}\"]}}", "x".repeat(1 << 20));
    let (status, answer) = post(&long, "application/json").await;
    assert_eq!((status, &answer["type"]), (413, &"payload_too_large".into()));
    let request =
        studio.http.post(studio.url("/job/v1/process/text2motion")).header("cookie", &cookie);
    let body = r#"{"params":["prompt=a person walks","model=default"]}"#;
    assert_eq!(read(request.body(body)).await.0, 200, "an absent content type is read as JSON");
}

#[tokio::test]
async fn unknown_processors_are_rejected_by_name() {
    let studio = Studio::open().await;
    let cookie = studio.cookie().await;
    for processor in ["Render", "cook"] {
        let url = studio.url(&format!("/job/v1/process/{processor}"));
        let request =
            studio.http.post(url).header("cookie", &cookie).json(&json!({"params": ["a=b"]}));
        let (status, body) = read(request).await;
        assert_eq!(
            (status, &body["type"], &body["code"]),
            (422, &"unknown_processor".into(), &494.into())
        );
    }
}

#[tokio::test]
async fn the_plan_limits_variants() {
    let studio = Studio::open_with(|config| config.max_variants = 2).await;
    let (status, body) =
        studio.process(&["prompt=a person walks", "model=default", "numVariant=3"]).await;
    assert_eq!(
        (status, &body["type"], &body["details"]["limit"]),
        (403, &"feature_limit".into(), &2.into())
    );
}

#[tokio::test]
async fn an_idempotency_key_makes_one_job_and_rejects_other_requests() {
    let studio = Studio::open().await;
    let client = studio.client();
    let first = client.submit(&walk(), Some("key-1")).await.expect("a job");
    let again = client.submit(&walk(), Some("key-1")).await.expect("the same job");
    assert_eq!(first.job, again.job);
    let mut other = walk();
    other.variants = 2;
    let refused = client.submit(&other, Some("key-1")).await.expect_err("a different request");
    assert_eq!(refused.kind(), Some("invalid_state"));
    let same = walk();
    let both =
        tokio::join!(client.submit(&same, Some("key-2")), client.submit(&same, Some("key-2")));
    assert_eq!(both.0.expect("a job").job, both.1.expect("the same job").job);
}

#[tokio::test]
async fn a_full_queue_rejects_jobs() {
    let studio = Studio::open_with(|config| config.max_queued = 2).await;
    let client = studio.client();
    for _ in 0..2 {
        client.submit(&walk(), None).await.expect("the disk has space");
    }
    let (status, body) = studio.process(&["prompt=a person walks", "model=default"]).await;
    assert_eq!((status, &body["type"]), (503, &"unavailable".into()));
}
