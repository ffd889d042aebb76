//! `requireFace`: characters without an animatable face are rejected with a reason.

use limber_client::motion::{JobId, JobStatus, ModelId};
use serde_json::json;

use super::{
    cause_of,
    engines::{Changed, faceless},
};
use crate::{
    models::{hero, sent, store},
    studio::{Studio, finished},
    within::{work, work_with},
};

fn nova() -> &'static [u8] {
    limber_pipeline::stock::find("nova").expect("a character with a face").glb
}

async fn submitted(studio: &Studio, params: &[&str]) -> JobId {
    let (status, body) = studio.process(params).await;
    assert_eq!(status, 200, "{body}");
    JobId::parse(body["rid"].as_str().expect("an id")).expect("an id")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_requires_a_face_is_906_without_one() {
    let studio = Studio::open().await;
    let client = studio.client();
    let (status, body) =
        studio.process(&["prompt=laughs", "model=atlas", "requireFace=1", "fps=31"]).await;
    assert_eq!((status, &body["code"]), (422, &803.into()), "values are checked first: {body}");
    let (status, body) = studio.process(&["prompt=laughs", "model=atlas", "requireFace=1"]).await;
    assert_eq!((status, &body["code"]), (422, &906.into()), "{body}");
    let text = body.to_string();
    assert!(text.contains("0 of the 52 ARKit") && text.contains("at least 26"), "{text}");
    let (status, body) = studio.process(&["prompt=laughs", "model=nova", "requireFace=yes"]).await;
    assert_eq!((status, &body["code"]), (422, &906.into()), "{body}");
    assert_eq!(studio.rows_of("jobs").await, 0);
    let _working = work(&studio, |_| {});
    for params in [
        ["prompt=laughs", "model=nova", "requireFace=1"],
        ["prompt=laughs", "model=atlas", "requireFace=0"],
    ] {
        let job = submitted(&studio, &params).await;
        let end = finished(&client, &job).await;
        assert!(matches!(end, JobStatus::Succeeded { .. }), "{params:?}: {end:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_character_that_only_the_worker_can_check_is_906_in_the_job() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _working = work(&studio, |_| {});
    let url = sent(&studio, hero()).await;
    let (status, body) = store(&studio, json!({ "modelUrl": url })).await;
    assert_eq!(status, 200, "{body}");
    let model = body["modelId"].as_str().expect("an id");
    let (status, body) =
        studio.process(&["prompt=walks", &format!("model={model}"), "requireFace=1"]).await;
    assert_eq!((status, &body["code"]), (422, &906.into()), "{body}");
    let job = submitted(&studio, &["prompt=walks", &format!("model={model}")]).await;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    // jobs keep a deleted character, but its report is gone, so the worker has to check
    let deleted = client.delete_model(&ModelId::parse(model).expect("an id")).await;
    assert!(deleted.expect("an answer"));
    let source = format!("t2m_rid={job}");
    let again = submitted(&studio, &[&source, "rerunRequest={\"rerun\":1}", "requireFace=1"]).await;
    let cause = cause_of(&client, &again).await;
    assert_eq!((cause.codes, cause.kind.as_str()), (vec![906], "PipelineError"));
    assert!(cause.text.contains("0 of the 52 ARKit"), "{}", cause.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_motion_without_a_face_is_908_if_one_is_required() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _working = work_with(&studio, Changed(faceless), |_| {});
    let job = submitted(&studio, &["prompt=walks", "model=nova", "requireFace=1"]).await;
    let cause = cause_of(&client, &job).await;
    assert_eq!((cause.codes, cause.kind.as_str()), (vec![908], "PipelineError"));
    let job = submitted(&studio, &["prompt=walks", "model=nova"]).await;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
}

#[tokio::test]
async fn a_required_face_is_checked_when_a_character_is_stored() {
    let studio = Studio::open().await;
    let url = sent(&studio, hero()).await;
    let (status, body) = store(&studio, json!({ "modelUrl": url, "requireFace": 1 })).await;
    assert_eq!((status, &body["code"]), (422, &906.into()), "{body}");
    assert_eq!(body["param"], "requireFace", "{body}");
    assert_eq!(studio.rows_of("models").await, 0);
    let (status, plain) = store(&studio, json!({ "modelUrl": url })).await;
    assert_eq!((status, &plain["faceDataType"]), (200, &0.into()), "{plain}");
    let named = json!({ "modelId": plain["modelId"], "modelName": "Face", "requireFace": 1 });
    let (status, body) = store(&studio, named).await;
    assert_eq!((status, &body["code"]), (422, &906.into()), "{body}");
    let url = sent(&studio, nova()).await;
    let (status, body) = store(&studio, json!({ "modelUrl": url, "requireFace": 1 })).await;
    assert_eq!((status, &body["faceDataType"]), (200, &2.into()), "{body}");
}
