//! Render jobs that are rejected when submitted.

use limber_client::motion::{JobId, JobStatus};
use serde_json::{Value, json};

use super::walked;
use crate::studio::{Studio, finished, read, walk};

async fn asked(studio: &Studio, params: &[&str]) -> (u16, Value) {
    let request = studio.http.post(studio.url("/job/v1/process/render"));
    let request = request.header("cookie", studio.cookie().await);
    read(request.json(&json!({ "params": params }))).await
}

#[tokio::test]
async fn a_missing_source_job_is_reported_first() {
    let studio = Studio::open().await;
    for rid in ["t2m_rid=0123456789abcdef", "t2m_rid=nobody"] {
        let (status, body) = asked(&studio, &[rid, "fps=1"]).await;
        assert_eq!((status, &body["code"]), (404, &json!(494)), "{body}");
    }
    let (status, body) = asked(&studio, &["fps=30"]).await;
    assert_eq!((status, &body["code"], &body["param"]), (422, &json!(494), &json!("t2m_rid")));
    let client = studio.client();
    let waiting = client.submit(&walk(), None).await.expect("a job").job;
    let source = format!("t2m_rid={waiting}");
    let (status, body) = asked(&studio, &[&source]).await;
    assert_eq!((status, &body["type"]), (409, &json!("invalid_state")), "{body}");
    let stranger = studio.stranger().await;
    let render =
        limber_client::motion::Render::new(waiting, limber_client::motion::VariantId::FIRST);
    let refused = stranger.render(&render, None).await.expect_err("another account's");
    assert!(refused.to_string().contains("no such job"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_values_are_reported_together_and_minor_ones_as_warnings() {
    let studio = Studio::open().await;
    let client = studio.client();
    let worker = studio.worker("cpu-0");
    let walked = walked(&client).await;
    drop(worker);
    let source = format!("t2m_rid={walked}");
    let wrong =
        [&source, "bgColor=1,2", "camMode=7", "backdrop=Moonbase", "width=129", "variant_id=1"];
    let (status, body) = asked(&studio, &wrong).await;
    assert_eq!(status, 422);
    let told = |name: &str| {
        let errors = body["details"]["errors"].as_array().expect("a list");
        errors.iter().find(|error| error["param"] == name).map(|error| error["code"].clone())
    };
    assert_eq!(told("bgColor"), Some(json!(1102)));
    assert_eq!(told("camMode"), Some(json!(1102)));
    assert_eq!(told("width"), Some(json!(1102)));
    assert_eq!(told("backdrop"), Some(json!(1107)));
    assert_eq!(body["param"], "bgColor", "the first in the order of the specification");
    let (status, body) = asked(&studio, &[&source, "bgColor="]).await;
    assert_eq!((status, &body["param"], &body["code"]), (422, &json!("bgColor"), &json!(1102)));
    let (status, body) = asked(&studio, &[&source, "variant_id=9"]).await;
    assert_eq!((status, &body["code"]), (404, &json!(494)), "{body}");
    let nothing = r#"editRequest={"numTrimLeft":50,"numTrimRight":10}"#;
    let (status, body) = asked(&studio, &[&source, nothing]).await;
    assert_eq!((status, &body["code"]), (422, &json!(1102)), "{body}");
    assert_eq!(body["param"], "editRequest", "{body}");
    let flat = [&source, "backdrop=\"sakura_dreamscape\"", "shadow=1", "colour=red"];
    let (status, body) = asked(&studio, &flat).await;
    assert_eq!(status, 200, "{body}");
    let warnings = body["warnings"].as_array().expect("warnings");
    assert!(warnings[0].as_str().is_some_and(|text| text.contains("shadow")), "{body}");
    assert_eq!(warnings[1], "unknown parameter: colour");
    // a video cannot be rendered from another video
    let render = body["rid"].as_str().expect("a job").to_owned();
    let (status, _) = asked(&studio, &[&format!("t2m_rid={render}")]).await;
    assert_eq!(status, 404);
    let render = JobId::parse(&render).expect("an id");
    client.cancel(&render).await.expect("it waits");
    assert_eq!(finished(&client, &render).await, JobStatus::Cancelled);
    studio.sql("update jobs set purged_ms = 1 where processor = 'text2motion'").await;
    let (status, body) = asked(&studio, &[&source]).await;
    assert_eq!((status, &body["type"]), (410, &json!("gone")), "{body}");
}
