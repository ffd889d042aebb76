//! Scripts with mistakes, and malicious ones.

use serde_json::json;

use super::{answers, script};
use crate::studio::Studio;

#[tokio::test]
async fn script_errors_are_reported_with_their_place_and_make_no_job() {
    let studio = Studio::open().await;
    let of = |events: &[serde_json::Value]| script(events).to_string();
    let walk = || json!({ "do": "walk" });
    let deep = format!(r#"{{"version":2,"events":{}"#, "[".repeat(5_000));
    let deep_object = format!(r#"{{"version":2,"events":{}"#, r#"{"do":"#.repeat(5_000));
    let heavy = format!(r#"{{"version":2,"events":[{{"do":"walk"}}{}]}}"#, " ".repeat(70 << 10));
    let long_name = format!(r#"{{"version":2,"events":[],"{}":1}}"#, "x".repeat(60_000));
    for (said, expected) in [
        (
            of(&[walk(), walk(), json!({ "do": "jump", "count": 0 })]),
            "script.events[2].count: 0 is below 1",
        ),
        (
            of(&[json!({ "do": "jump", "count": 1000 })]),
            "script.events[0].count: 1000 is above 200",
        ),
        (
            of(&[json!({ "do": "turn", "degrees": 10_000 })]),
            "script.events[0].degrees: 10000 is above 3600",
        ),
        (
            of(&[json!({ "do": "walk", "colour": "red" })]),
            "script.events[0].colour: unknown field `colour`",
        ),
        (
            json!({ "version": 3, "events": [walk()] }).to_string(),
            "script.version: version 3 is unknown; this program reads version 2",
        ),
        (of(&[json!({ "do": "walk", "while": 0 })]), "script.events[0].while: 0 is not an earlier"),
        (
            of(&[json!({ "do": "walk", "while": 1 }), json!({ "do": "wave", "while": 0 })]),
            "script.events[0].while: 1 is not an earlier event",
        ),
        (of(&vec![walk(); 61]), "script.events: 61 are more than 60"),
        (of(&[]), "script.events: there are none"),
        (of(&[json!({})]), "script.events[0]: there is no action"),
        (deep, "script: recursion limit exceeded"),
        (deep_object, "script: recursion limit exceeded"),
        (heavy, "script has 71"),
        (long_name, "script."),
        ("walk > wave".to_owned(), "script: "),
        ("[]".to_owned(), "script: "),
        ("null".to_owned(), "script: "),
        (r#"{"version":2,"events":[{"do":"walk"}]} {}"#.to_owned(), "script: trailing"),
        ("{“version”:2}".to_owned(), "script"),
    ] {
        let element = format!("script={said}");
        let beginning: String = said.chars().take(60).collect();
        for (status, body) in answers(&studio, &[&element]).await {
            assert_eq!((status, &body["code"]), (422, &502.into()), "{beginning}: {body}");
            assert_eq!(body["param"], "script", "{beginning}: {body}");
            let told = body["message"].as_str().expect("a sentence");
            assert!(told.starts_with(expected), "{beginning}: {told}");
            assert!(told.chars().count() < 500, "{beginning}: {told}");
            let listed = body["details"]["errors"].as_array().expect("a list").len();
            assert_eq!(listed, 1, "a script needs no prompt: {body}");
        }
    }
    assert_eq!(studio.rows_of("jobs").await, 0);
}

#[tokio::test]
async fn a_prompt_or_script_is_required_and_may_be_given_once() {
    let studio = Studio::open().await;
    for blank in ["script=", "script=\"\"", "prompt="] {
        for (status, body) in answers(&studio, &[blank]).await {
            let refused = (status, body["param"].as_str());
            let param = if blank == "script=\"\"" { "script" } else { "prompt" };
            assert_eq!(refused, (422, Some(param)), "{blank}: {body}");
        }
    }
    let [one, other] = ["walk", "wave"].map(|action| {
        let script = script(&[json!({ "do": action })]);
        format!("script={script}")
    });
    for (status, body) in answers(&studio, &[&one, &other]).await {
        assert_eq!((status, &body["param"]), (422, &"script".into()), "{body}");
    }
    assert_eq!(studio.rows_of("jobs").await, 0);
    let long = format!("prompt={}", "x".repeat(2_000));
    for (status, body) in answers(&studio, &[&one, &long]).await {
        assert_eq!(
            (status, &body["param"]),
            (422, &"prompt".into()),
            "a name has its limit: {body}"
        );
    }
}

#[tokio::test]
async fn a_ten_megabyte_script_is_rejected() {
    let studio = Studio::open().await;
    let body = json!({ "params": [format!("script={}", "[".repeat(10 << 20))] }).to_string();
    let request = studio.http.post(studio.url("/job/v1/process/text2motion"));
    let request = request.header("cookie", studio.cookie().await);
    let request = request.header("content-type", "application/json").body(body);
    match request.send().await {
        Ok(answer) => assert_eq!(answer.status(), 413),
        // the server may close the connection before all of the body is sent
        Err(error) => assert!(error.is_request() || error.is_body(), "{error:?}"),
    }
    assert_eq!(studio.rows_of("jobs").await, 0);
    assert_eq!(studio.get("/job/v1/list").await.0, 200, "others are served on");
}
