//! How a clip starts and ends, given in addition to prompt or script: `start=`, `end=`, `loop=`.

use limber_client::motion::{
    Change, ClipEnds, End, LeftOut, Message, MotionEdit, Source, Start, TextToMotion, VariantId,
};
use serde_json::{Value, json};

use super::{answers, made, parameters, script, scripted, stored, succeeded, text, text_of};
use crate::studio::{Studio, walk};

const OPEN: ClipEnds = ClipEnds { start: None, end: None, is_loop: None };

fn walks() -> Value {
    script(&[json!({ "do": "walk", "direction": "forward" })])
}

#[tokio::test]
async fn a_dry_run_reports_the_ends_and_which_are_impossible() {
    let studio = Studio::open().await;
    let client = studio.client();
    let dry = async |request: &TextToMotion| {
        client.dry_run(&request.to_process_request()).await.expect("an answer")
    };
    let ends = ClipEnds { is_loop: Some(true), ..OPEN };
    let told = dry(&TextToMotion { ends, ..walk() }).await;
    assert_eq!(told.script.as_deref(), Some("walk dir:forward loop:true"));
    let mut looped = walks();
    looped["loop"] = true.into();
    assert_eq!(told.motion_script.as_ref(), Some(&looped));
    assert_eq!((told.left_out, told.warnings), (Vec::new(), Vec::<String>::new()));

    let ends = ClipEnds { end: Some(End::Idle), ..OPEN };
    let told = dry(&TextToMotion { ends, ..scripted("", looped) }).await;
    assert_eq!(
        told.script.as_deref(),
        Some("v2 walk direction:forward"),
        "an idle end excludes a loop"
    );
    assert_eq!(told.motion_script, Some(walks()));

    let ends = ClipEnds { start: Some(Start::Action), ..OPEN };
    let prompt = "a person jumps".to_owned();
    let told = dry(&TextToMotion { prompt, ends, duration_s: None, ..walk() }).await;
    let field = "start".to_owned();
    assert_eq!(told.left_out, [LeftOut { event: None, field: field.clone() }]);
    assert_eq!(told.messages, [Message::LeftOut { event: None, field, action: None }]);
    assert_eq!(studio.rows_of("jobs").await, 0);
}

#[tokio::test]
async fn ends_are_stored_with_the_job_and_apply_to_every_variant() {
    let studio = Studio::open().await;
    let client = studio.client();
    let ends = ClipEnds { is_loop: Some(true), ..OPEN };
    let said = TextToMotion { ends, variants: 2, duration_s: None, ..walk() };
    let said = client.submit(&said, None).await.expect("a job").job;
    let scripted = TextToMotion { ends, ..scripted("", walks()) };
    let scripted = client.submit(&scripted, None).await.expect("a job").job;
    assert_eq!(stored(&studio, &said, "ends").await, Some(json!({ "loop": true })));
    let shown = parameters(&studio, &said).await;
    assert_eq!((&shown["loop"], &shown["end"]), (&json!("true"), &Value::Null));
    assert_eq!(shown["script"], "walk dir:forward loop:true");
    let shown = parameters(&studio, &scripted).await;
    assert_eq!(shown["script"], "v2 walk direction:forward | loop:true");

    let _worker = studio.worker("cpu-0");
    succeeded(&client, &said).await;
    succeeded(&client, &scripted).await;
    for number in [1, 2] {
        let variant = VariantId::new(number).expect("it counts from 1");
        let metrics = text_of(&studio, &said, variant, "json").await;
        let metrics: Value = serde_json::from_str(&metrics).expect("JSON");
        assert_eq!(metrics["script"], "walk dir:forward loop:true", "variant {number}");
    }
    assert_eq!(text(&studio, &said, "bvh").await, text(&studio, &scripted, "bvh").await);
}

#[tokio::test]
async fn a_regenerated_clip_keeps_its_ends_by_default() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let ends = ClipEnds { end: Some(End::Hold), ..OPEN };
    let prompt = "a person salutes".to_owned();
    let source = made(&client, &TextToMotion { prompt, ends, ..walk() }).await;
    for (prompt, kept) in [(None, Some(json!({ "end": "hold" }))), (Some("a person bows"), None)] {
        let change = Change::Refine { prompt: prompt.map(str::to_owned), creativity: 1.0 };
        let edit = MotionEdit::new(Source::whole(source.clone(), VariantId::FIRST), change);
        let job = client.edit(&edit, None).await.expect("a job").job;
        assert_eq!(stored(&studio, &job, "ends").await, kept, "{prompt:?}");
        succeeded(&client, &job).await;
    }
    let rid = format!("t2m_rid={source}");
    let (status, body) = studio.process(&[&rid, "refineRequest={}", "end=idle"]).await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(body["warnings"], json!(["end has no effect together with refineRequest"]));
}

#[tokio::test]
async fn invalid_ends_are_rejected_with_the_valid_ones() {
    let studio = Studio::open().await;
    for (elements, param, expected) in [
        (&["start=hold"][..], "start", "start must be idle or action"),
        (&["end=stop"][..], "end", "end must be idle, hold or action"),
        (&["loop=forever"][..], "loop", "loop must be true or false"),
        (&["loop=true", "start=idle"][..], "start", "`loop` and `start: idle` contradict"),
        (&["loop=true", "end=idle"][..], "end", "`loop` and `end: idle` contradict"),
    ] {
        let elements = [elements, &["prompt=a person walks"][..]].concat();
        for (status, body) in answers(&studio, &elements).await {
            assert_eq!((status, &body["code"]), (422, &502.into()), "{elements:?}: {body}");
            assert_eq!(body["param"], param, "{elements:?}: {body}");
            let told = body["message"].as_str().expect("a sentence");
            assert!(told.starts_with(expected), "{elements:?}: {told}");
        }
    }
    assert_eq!(studio.rows_of("jobs").await, 0);
}
