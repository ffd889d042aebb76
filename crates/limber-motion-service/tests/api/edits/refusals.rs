//! Edits that are rejected, and the messages.

use limber_client::motion::{Change, JobStatus, LoopChange, MotionEdit, Source, Span, VariantId};
use serde_json::{Value, json};

use super::{edit, made, wave, whole};
use crate::{
    studio::{Studio, finished, read, retrying, walk},
    within::{UNTIL_HASTENED, work},
};

#[tokio::test]
async fn a_source_must_exist_be_owned_finished_and_not_purged() {
    let studio = Studio::open().await;
    let client = studio.client();
    let waiting = client.submit(&walk(), None).await.expect("a job").job;
    let refused = client.edit(&edit(whole(&waiting), wave(10, 30)), None).await;
    let refused = refused.expect_err("it waits");
    assert_eq!((refused.status(), refused.kind()), (Some(409), Some("invalid_state")));
    assert_eq!(refused.code(), Some(494));
    let stranger = studio.stranger().await;
    let refused = stranger.edit(&edit(whole(&waiting), wave(10, 30)), None).await;
    let refused = refused.expect_err("not theirs");
    assert_eq!((refused.status(), refused.kind()), (Some(404), Some("job_not_found")));
    let nobody = ["t2m_rid=unknownunknown00", "loopRequest={\"numReps\":-1}"];
    let (status, body) = studio.process(&nobody).await;
    assert_eq!((status, &body["param"]), (404, &"t2m_rid".into()), "existence is checked first");
    let second = format!("t2m_rid={waiting}");
    let (status, body) = studio.process(&[&second, "mergingRequest={\"t2m_rid\":\"x\"}"]).await;
    assert_eq!((status, &body["param"]), (404, &"mergingRequest".into()), "{body}");

    let _worker = studio.worker("cpu-0");
    finished(&client, &waiting).await;
    let third = Source { variant: VariantId::new(3).expect("not 0"), ..whole(&waiting) };
    let refused = client.edit(&edit(third, wave(10, 30)), None).await.expect_err("no variant");
    assert_eq!((refused.status(), refused.code()), (Some(404), Some(494)));
    studio.sql("update jobs set purged_ms = now_ms()").await;
    let refused = client.edit(&edit(whole(&waiting), wave(10, 30)), None).await;
    let refused = refused.expect_err("its files are gone");
    assert_eq!((refused.status(), refused.kind()), (Some(410), Some("gone")));
    assert_eq!(studio.rows_of("jobs").await, 1);
}

#[tokio::test]
async fn edits_that_do_not_fit_are_rejected_before_a_job_is_created() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = made(&client, "a person walks forward").await;
    let refusal = async |edit: MotionEdit| {
        let refused = client.edit(&edit, None).await.expect_err("it does not fit");
        assert_eq!((refused.status(), refused.code()), (Some(422), Some(502)), "{refused}");
        refused.to_string()
    };
    assert!(refusal(edit(whole(&source), wave(100, 121))).await.contains("beyond"));
    assert!(refusal(edit(whole(&source), wave(3, 5))).await.contains("did you mean seconds?"));
    let cut = Source { trim_left: 60, ..whole(&source) };
    assert!(refusal(edit(cut, wave(10, 40))).await.contains("trim less"));
    let nothing = Source { trim_left: 60, trim_right: 60, ..whole(&source) };
    assert!(refusal(edit(nothing, Change::Rerun)).await.contains("leaves nothing"));
    let long = Change::Loop(LoopChange { repetitions: 20, ..LoopChange::default() });
    assert!(refusal(edit(whole(&source), long)).await.contains("at most 60"));
    let nonsense = Change::Inpaint {
        prompt: "a person photosynthesises".to_owned(),
        spans: vec![Span { start: 10, end: 40 }],
    };
    assert!(refusal(edit(whole(&source), nonsense)).await.contains("does not know"));
    assert_eq!(studio.rows_of("jobs").await, 1);
}

#[tokio::test]
async fn too_short_edits_are_rejected_with_the_minimum_length() {
    let studio = Studio::open().await;
    let worker = studio.worker("cpu-0");
    let source = made(&studio.client(), "a person walks forward").await;
    drop(worker);
    let first = format!("t2m_rid={source}");
    let cookie = studio.cookie().await;
    let asked = async |query: &str, params: &[&str]| -> (u16, Value) {
        let url = studio.url(&format!("/job/v1/process/text2motion{query}"));
        let request = studio.http.post(url).header("cookie", &cookie);
        read(request.json(&json!({ "params": params }))).await
    };
    let painting = |interval: Value, unit: &str| {
        let prompt = "a person waves";
        let object = json!({ "prompt": prompt, "intervals": [interval], "unit": unit });
        format!("inPaintingRequest={object}")
    };
    let merging = |member: &str, value: Value| {
        format!("mergingRequest={}", json!({ "t2m_rid": source.as_str(), member: value }))
    };
    let all_but_one = r#"editRequest={"numTrimLeft":119}"#;
    let cases = [
        (painting(json!({ "start": 50, "end": 53 }), "frames"), "", "4 frames"),
        (painting(json!({ "start": 1.0, "end": 1.1 }), "seconds"), "", "4 frames"),
        (merging("blendDuration", json!(0.05)), "", "from 0.1"),
        (merging("blendFrames", json!(1)), "", "from 2"),
        (merging("overlapFrames", json!(1)), "", "from 2"),
        (merging("overlapFrames", json!(2)), all_but_one, "at least 2"),
        (r#"loopRequest={"blendDuration":0.05}"#.to_owned(), "", "from 0.1"),
    ];
    for (object, trim, least) in &cases {
        let params = [&first[..], object.as_str(), *trim];
        let params = if trim.is_empty() { &params[..2] } else { &params[..] };
        let ((status, job), (_, dry)) = (asked("", params).await, asked("?dryRun=1", params).await);
        assert_eq!((status, &job["code"]), (422, &502.into()), "{params:?}: {job}");
        assert!(job["message"].to_string().contains(least), "{params:?}: {job}");
        for member in ["code", "type", "param", "message"] {
            assert_eq!(job[member], dry[member], "{params:?}: {member}");
        }
    }
    assert_eq!(studio.rows_of("jobs").await, 1);
}

#[tokio::test]
async fn a_truncated_clip_cannot_be_edited() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = made(&client, "a person waves").await;
    studio.cut_clips();
    let refused = client.edit(&edit(whole(&source), wave(10, 40)), None).await;
    let refused = refused.expect_err("it is truncated");
    assert_eq!((refused.status(), refused.kind()), (Some(410), Some("gone")), "{refused}");
    assert_eq!(refused.code(), Some(604), "{refused}");
    let source = format!("t2m_rid={source}");
    let (status, body) = studio.process(&[&source, "rerunRequest={}"]).await;
    assert_eq!((status, &body["param"]), (410, &"t2m_rid".into()), "{body}");
}

#[tokio::test]
async fn every_malformed_request_object_has_its_own_error() {
    let studio = Studio::open().await;
    let client = studio.client();
    let waiting = client.submit(&walk(), None).await.expect("a job").job;
    let source = format!("t2m_rid={waiting}");
    let cases = [
        ("loopRequest={“numReps”:1}", "loopRequest", "typographic"),
        ("loopRequest=[]", "loopRequest", "object"),
        ("inPaintingRequest={\"prompt\":\"waves\"}", "inPaintingRequest", "list"),
        ("refineRequest={\"creativity\":\"high\"}", "refineRequest", "a number"),
        ("editRequest={\"numTrimLeft\":1.5}", "editRequest", "whole number"),
        ("mergingRequest={\"blendDuration\":9}", "mergingRequest", "t2m_rid"),
    ];
    for (param, name, word) in cases {
        let (status, body) = studio.process(&[&source, param, "fps=7"]).await;
        assert_eq!((status, &body["code"]), (422, &502.into()), "{param}: {body}");
        let said = body["details"]["errors"].as_array().expect("a list").iter();
        let own: Vec<&str> = said
            .filter(|error| error["param"] == name)
            .filter_map(|error| error["message"].as_str())
            .collect();
        assert!(own.iter().any(|message| message.contains(word)), "{param}: {body}");
        assert!(body.to_string().contains("803"), "other slips are listed too: {body}");
    }
    let two = [&source[..], "loopRequest={}", "refineRequest={}"];
    assert_eq!(studio.process(&two).await.0, 422);
}

#[tokio::test]
async fn a_source_lost_or_damaged_while_the_job_waits_has_a_code() {
    let studio = Studio::open().await;
    let client = studio.client();
    let worker = studio.worker("cpu-0");
    let source = made(&client, "a person waves").await;
    assert!(worker.stop().success());
    let change = || edit(whole(&source), Change::Rerun);
    let vanishing = client.edit(&change(), None).await.expect("a job").job;
    studio
        .sql(&format!(
            "update jobs set spec = jsonb_set(spec, '{{edit,first,content}}',
                 to_jsonb(repeat('0', 64))) where rid = '{vanishing}'"
        ))
        .await;
    let worker = studio.worker("cpu-1");
    let JobStatus::Failed(cause) = finished(&client, &vanishing).await else { panic!("it fails") };
    assert_eq!((cause.codes, cause.kind.as_str()), (vec![494], "InputError"));
    assert!(cause.text.contains(source.as_str()), "{}", cause.text);

    assert!(worker.stop().success());
    let breaking = client.edit(&change(), None).await.expect("a job").job;
    studio.damage_clips();
    let _working = work(&studio, |config| config.work.retry_delays = UNTIL_HASTENED);
    assert_eq!(retrying(&client, &breaking).await.codes, [604]);
}
