//! Scripts for new frames in edits.

use limber_client::motion::{
    Change, JobId, LoopChange, MotionClient, MotionEdit, Source, Span, TextToMotion, VariantId,
};
use serde_json::{Value, json};

use super::{NAME, made, parameters, script, scripted, stored_script, succeeded, wave};
use crate::studio::Studio;

fn nod() -> Value {
    script(&[json!({ "do": "nod", "prop": "hat" })])
}

fn whole(job: &JobId) -> Source {
    Source::whole(job.clone(), VariantId::FIRST)
}

/// Makes four seconds of a script whose title has no meaning.
async fn source(client: &MotionClient) -> JobId {
    let request = TextToMotion { duration_s: Some(4.0), ..scripted(NAME, wave()) };
    made(client, &request).await
}

async fn edited(client: &MotionClient, edit: &MotionEdit) -> JobId {
    let submitted = client.edit(edit, None).await.expect("a job");
    succeeded(client, &submitted.job).await;
    submitted.job
}

#[tokio::test]
async fn edits_perform_scripts_in_their_new_frames() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = source(&client).await;
    let spans = vec![Span { start: 40, end: 100 }];
    for change in [
        Change::Inpaint { prompt: String::new(), spans },
        Change::Merge { second: whole(&source), prompt: None, blend_s: 2.0 },
        Change::Loop(LoopChange { blend_s: Some(2.0), ..LoopChange::default() }),
        Change::Refine { prompt: Some(NAME.to_owned()), creativity: 0.5 },
    ] {
        let edit =
            MotionEdit { script: Some(nod()), ..MotionEdit::new(whole(&source), change.clone()) };
        let told = client.dry_run(&edit.to_process_request()).await.expect("an answer");
        assert_eq!(told.motion_script, Some(nod()), "{change:?}");
        let left: Vec<&str> = told.left_out.iter().map(|left| left.field.as_str()).collect();
        assert_eq!(left, ["prop"], "{change:?}");
        let job = edited(&client, &edit).await;
        assert_eq!(stored_script(&studio, &job).await, Some(nod()), "{change:?}");
        assert_eq!(parameters(&studio, &job).await["script"], "v2 nod prop:hat", "{change:?}");
    }
}

#[tokio::test]
async fn a_scripts_clip_is_regenerated_from_the_script_not_its_title() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = source(&client).await;
    let refine =
        |job: &JobId| MotionEdit::new(whole(job), Change::Refine { prompt: None, creativity: 1.0 });
    let refined = edited(&client, &refine(&source)).await;
    assert_eq!(stored_script(&studio, &refined).await, Some(wave()));
    let looped = MotionEdit::new(whole(&refined), Change::Loop(LoopChange::default()));
    let looped = edited(&client, &looped).await;
    edited(&client, &refine(&looped)).await;
    let merge = Change::Merge { second: whole(&source), prompt: None, blend_s: 0.5 };
    let merged = edited(&client, &MotionEdit::new(whole(&source), merge)).await;
    assert_eq!(stored_script(&studio, &merged).await, None, "it is more than its first part");
    let before = studio.rows_of("jobs").await;
    let refused =
        client.edit(&refine(&merged), None).await.expect_err("a title alone is not enough");
    assert_eq!((refused.status(), refused.code()), (Some(422), Some(502)), "{refused}");
    assert_eq!(studio.rows_of("jobs").await, before);
}

#[tokio::test]
async fn errors_in_an_edits_script_are_reported_with_their_place() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = format!("t2m_rid={}", source(&client).await);
    let jobs = studio.rows_of("jobs").await;
    let bad = script(&[json!({ "do": "nod", "count": 0 })]);
    let nothing = script(&[json!({ "do": "qwertyuiop" })]);
    let paint = |script: &Value| {
        let intervals = json!([{ "start": 40, "end": 80 }]);
        let object = json!({ "intervals": intervals, "unit": "frames", "script": script });
        format!("inPaintingRequest={object}")
    };
    let cases = [
        (vec![paint(&bad)], "inPaintingRequest", "script.events[0].count: 0 is below 1"),
        // as a string inside the object
        (
            vec![paint(&bad.to_string().into())],
            "inPaintingRequest",
            "events[0].count: 0 is below 1",
        ),
        (
            vec!["loopRequest={}".to_owned(), format!("script={bad}")],
            "script",
            "script.events[0].count: 0 is below 1",
        ),
        (vec![paint(&nothing)], "inPaintingRequest", "cannot perform \"qwertyuiop\" yet"),
        (
            vec!["loopRequest={}".to_owned(), format!("script={nothing}")],
            "script",
            "cannot perform \"qwertyuiop\" yet",
        ),
        (vec![paint(&nod()), format!("script={}", wave())], "inPaintingRequest", "contradict"),
    ];
    for (params, param, expected) in cases {
        let params: Vec<&str> =
            std::iter::once(source.as_str()).chain(params.iter().map(String::as_str)).collect();
        let (status, body) = studio.process(&params).await;
        assert_eq!((status, &body["param"]), (422, &param.into()), "{params:?}: {body}");
        let told = body["message"].as_str().expect("a sentence");
        assert!(told.contains(expected), "{params:?}: {told}");
    }
    assert_eq!(studio.rows_of("jobs").await, jobs);
    let nod = format!("script={}", nod());
    let (status, body) = studio.process(&[&source, "rerunRequest={}", &nod]).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(body["warnings"], json!(["script has no effect together with rerunRequest"]));
}
