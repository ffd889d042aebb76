//! Motion scripts: submitted instead of a prompt, reported by dry runs, and their schema.

mod edits;
mod ends;
mod hostile;

use limber_client::motion::{
    JobId, JobStatus, LeftOut, Message, MotionClient, TextToMotion, VariantId, message::Kept,
};
use serde_json::{Value, json};

use crate::studio::{Studio, finished, read, walk};

/// A title that no reader of prompts understands.
const NAME: &str = "xqzt seven";

fn script(events: &[Value]) -> Value {
    json!({ "version": 2, "events": events })
}

fn wave() -> Value {
    script(&[json!({ "do": "wave", "side": "left", "count": 2, "prop": "flag" })])
}

/// Returns a request without a fixed duration.
fn scripted(prompt: &str, script: Value) -> TextToMotion {
    TextToMotion { prompt: prompt.to_owned(), script: Some(script), duration_s: None, ..walk() }
}

async fn made(client: &MotionClient, request: &TextToMotion) -> JobId {
    let job = client.submit(request, None).await.expect("a job").job;
    succeeded(client, &job).await;
    job
}

async fn succeeded(client: &MotionClient, job: &JobId) {
    let end = finished(client, job).await;
    assert!(matches!(end, JobStatus::Succeeded { .. }), "{end:?}");
}

/// Downloads a text file of the first variant.
async fn text(studio: &Studio, job: &JobId, kind: &str) -> String {
    text_of(studio, job, VariantId::FIRST, kind).await
}

async fn text_of(studio: &Studio, job: &JobId, variant: VariantId, kind: &str) -> String {
    let entry = studio.client().links(job, variant).await.expect("links");
    let link = entry.url(kind).unwrap_or_else(|| panic!("{kind} exists"));
    studio.http.get(link).send().await.expect("an answer").text().await.expect("text")
}

async fn stored_script(studio: &Studio, job: &JobId) -> Option<Value> {
    stored(studio, job, "script").await
}

/// Returns a field of the stored spec of a job.
async fn stored(studio: &Studio, job: &JobId, field: &str) -> Option<Value> {
    let pool = sqlx::PgPool::connect(studio.database.url()).await.expect("the database");
    let stored = sqlx::query_scalar("select spec -> $2::text from jobs where rid = $1")
        .bind(job.as_str())
        .bind(field)
        .fetch_one(&pool)
        .await;
    pool.close().await;
    stored.expect("the job exists")
}

async fn parameters(studio: &Studio, job: &JobId) -> Value {
    let (_, listed) = studio.get("/job/v1/list").await;
    let jobs = listed["list"].as_array().expect("a list");
    let own = jobs.iter().find(|entry| entry["rid"] == job.as_str());
    own.expect("the job is listed")["parameters"].clone()
}

#[tokio::test]
async fn the_schema_is_public_and_cacheable() {
    let studio = Studio::open().await;
    let url = studio.url("/job/v1/script-schema");
    let answer = studio.http.get(&url).send().await.expect("an answer");
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "application/schema+json");
    let caching = answer.headers()["cache-control"].to_str().expect("text").to_owned();
    assert!(caching.contains("max-age"), "{caching}");
    let tag = answer.headers()["etag"].clone();
    let schema: Value = answer.json().await.expect("JSON");
    assert_eq!(&schema, limber_pipeline::script_schema().as_value());
    let ask = async |known: &str| {
        let request = studio.http.get(&url).header("if-none-match", known);
        request.send().await.expect("an answer")
    };
    let again = ask(tag.to_str().expect("text")).await;
    assert_eq!((again.status().as_u16(), &again.headers()["etag"]), (304, &tag));
    assert!(again.bytes().await.expect("a body").is_empty());
    assert_eq!(ask("\"another\"").await.status(), 200);
    let heard = studio.client().script_schema().await.expect("a schema");
    assert_eq!(heard, schema);
}

#[tokio::test]
async fn a_script_is_stored_and_performed_like_the_same_prompt() {
    let studio = Studio::open().await;
    let client = studio.client();
    let submitted = client.submit(&scripted("", wave()), None).await.expect("a job");
    let (field, action) = ("prop".to_owned(), Some("wave".to_owned()));
    assert_eq!(submitted.messages, [Message::LeftOut { event: Some(0), field, action }]);
    let job = submitted.job;
    assert_eq!(stored_script(&studio, &job).await, Some(wave()));
    let shown = parameters(&studio, &job).await;
    assert_eq!(shown["script"], "v2 wave count:2 prop:flag side:left");
    assert_eq!(shown["prompt"], "wave", "a script without a title is named after its actions");

    let _worker = studio.worker("cpu-0");
    succeeded(&client, &job).await;
    let metrics: Value = serde_json::from_str(&text(&studio, &job, "json").await).expect("JSON");
    assert_eq!(metrics["script"], "wave x2 side:left");
    let prompt = "a person waves twice with the left hand".to_owned();
    let said = made(&client, &TextToMotion { prompt, duration_s: None, ..walk() }).await;
    assert_eq!(stored_script(&studio, &said).await, None);
    assert_eq!(text(&studio, &job, "bvh").await, text(&studio, &said, "bvh").await);
}

#[tokio::test]
async fn a_prompt_with_a_script_is_the_title_of_the_clip() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let job = made(&client, &scripted(NAME, wave())).await;
    assert_eq!(parameters(&studio, &job).await["prompt"], NAME);
    let entry = client.links(&job, VariantId::FIRST).await.expect("links");
    assert_eq!(entry.urls.expect("groups")[0].name, "xqzt_seven_v1");
    let metrics: Value = serde_json::from_str(&text(&studio, &job, "json").await).expect("JSON");
    assert_eq!(metrics["script"], "wave x2 side:left");
}

#[tokio::test]
async fn a_dry_run_returns_a_script_that_can_be_submitted() {
    let studio = Studio::open().await;
    let client = studio.client();
    let told = client.dry_run(&walk().to_process_request()).await.expect("an answer");
    let walks = script(&[json!({ "do": "walk", "direction": "forward" })]);
    assert_eq!(told.motion_script, Some(walks.clone()));
    assert_eq!((told.script.as_deref(), told.left_out.len()), (Some("walk dir:forward"), 0));
    let words = serde_json::to_value(&told.words).expect("JSON");
    let forward = json!({ "field": "direction", "words": "forward" });
    assert_eq!(words["events"], json!([{ "deed": "walks", "fields": [forward] }]));
    let again = scripted("", walks.clone()).to_process_request();
    let again = client.dry_run(&again).await.expect("an answer");
    assert_eq!((again.motion_script, again.warnings), (Some(walks), Vec::new()));
    assert_eq!(again.script.as_deref(), Some("v2 walk direction:forward"));
    assert_eq!(studio.rows_of("jobs").await, 0);
}

#[tokio::test]
async fn unsupported_actions_are_reported_before_a_job_is_created() {
    let studio = Studio::open().await;
    let client = studio.client();
    let mut partly =
        script(&[json!({ "do": "wave", "prop": "flag" }), json!({ "do": "headspin" })]);
    partly["end"] = "action".into();
    let told = client.dry_run(&scripted("", partly).to_process_request()).await;
    let told = told.expect("it waves");
    let left = |event, field: &str| LeftOut { event, field: field.to_owned() };
    let all = [left(Some(0), "prop"), left(Some(1), "do"), left(None, "end")];
    assert_eq!((&told.left_out[..], told.warnings.len()), (&all[..], 3));
    assert_eq!(told.skipped, ["headspin"]);
    let codes: Vec<String> = told.messages.iter().map(|message| message.parts().0).collect();
    assert_eq!(codes, ["left-out", "event-not-performed-yet", "left-out"]);
    let (field, action) = ("end".to_owned(), None);
    assert_eq!(told.messages[2], Message::LeftOut { event: None, field, action });
    assert_eq!(told.warnings[2], "`end` is left out; Limber does not support it yet.");

    let nothing =
        script(&[json!({ "do": "qwertyuiop" }), json!({ "move": "close", "part": "knee" })]);
    let nothing = scripted("", nothing);
    let dry = client.dry_run(&nothing.to_process_request()).await.expect_err("nothing is left");
    let submitted = client.submit(&nothing, None).await.expect_err("nothing is left");
    for refused in [dry, submitted] {
        assert_eq!((refused.status(), refused.code()), (Some(422), Some(502)), "{refused}");
        let said = refused.to_string();
        assert!(said.contains("events[0]: Limber cannot perform \"qwertyuiop\" yet."), "{said}");
        assert!(
            said.contains("events[1]: \"close knee\" is not a movement of that body part."),
            "{said}"
        );
    }
    let hours = vec![json!({ "do": "idle", "seconds": 600 }); 60];
    let refused = client.submit(&scripted("", script(&hours)), None).await;
    assert!(refused.expect_err("ten hours").to_string().contains("at most 120"));
    assert_eq!(studio.rows_of("jobs").await, 0);
}

#[tokio::test]
async fn contradictions_are_reported_with_what_is_performed_instead() {
    let studio = Studio::open().await;
    let client = studio.client();
    let contradiction = |event, first: &str, second: &str, kept| Message::Contradiction {
        event,
        first: first.to_owned(),
        second: second.to_owned(),
        kept,
    };
    let mut both = script(&[
        json!({ "do": "march" }),
        json!({ "do": "kneel", "while": 0 }),
        json!({ "do": "nod", "avoid": ["nod"] }),
    ]);
    both["loop"] = true.into();
    both["end"] = "hold".into();
    let asked = scripted("", both);
    let told = client.dry_run(&asked.to_process_request()).await.expect("it marches");
    let messages = [
        contradiction(Some(1), "march", "kneel", Kept::First),
        contradiction(Some(2), "nod", "avoid:nod", Kept::First),
        contradiction(None, "loop", "hold", Kept::First),
    ];
    assert_eq!(told.messages, messages);
    assert_eq!(
        told.warnings[0],
        "events[1]: \"march\" and \"kneel\" contradict each other; only \"march\" is done."
    );
    let left = |event, field: &str| LeftOut { event, field: field.to_owned() };
    assert_eq!(told.left_out, [left(Some(1), "do"), left(Some(2), "avoid"), left(None, "end")]);
    assert_eq!(client.submit(&asked, None).await.expect("a job").messages, messages);

    let prompt = "a woman strides while sitting down".to_owned();
    let sentence = TextToMotion { prompt, duration_s: None, ..walk() }.to_process_request();
    let told = client.dry_run(&sentence).await.expect("it walks, then sits");
    let follows = contradiction(None, "strides", "sitting down", Kept::InTurn);
    assert_eq!(told.messages, [follows]);
    assert_eq!(told.script.as_deref(), Some("walk > sit-down"));
}

/// Sends a request with these elements as a dry run and for real; returns status and body of both.
async fn answers(studio: &Studio, elements: &[&str]) -> [(u16, Value); 2] {
    let cookie = studio.cookie().await;
    let params = [elements, &["model=default"]].concat();
    let ask = async |query: &str| {
        let url = studio.url(&format!("/job/v1/process/text2motion{query}"));
        let request = studio.http.post(url).header("cookie", &cookie);
        read(request.json(&json!({ "params": params }))).await
    };
    [ask("?dryRun=1").await, ask("").await]
}
