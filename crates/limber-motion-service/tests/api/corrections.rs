//! Manual corrections: sent with edits and videos, and applied to their files.

use limber_client::motion::{
    Change, Container, FetchLimits, JobId, JobStatus, LoopChange, MotionClient, MotionEdit, Render,
    Source, Span, TextToMotion, VariantId,
};
use limber_formats::bvh::{self, Bvh};
use serde_json::{Value, json};

use crate::studio::{Studio, finished, read, walk};

const FIRST: VariantId = VariantId::FIRST;

/// Returns corrections that pull the left hand up at a frame.
fn higher(frame: u32) -> Value {
    let what = json!({ "pull": { "limb": "leftHand", "offset": [0.05, 0.25, 0.15] } });
    let key = json!({ "frame": frame, "what": what, "before": 10, "after": 10 });
    json!({ "layers": [{ "name": "Higher", "keys": [key] }] })
}

fn whole(job: &JobId) -> Source {
    Source::whole(job.clone(), FIRST)
}

fn corrected(job: &JobId, corrections: &Value) -> Source {
    Source { corrections: Some(corrections.clone()), ..whole(job) }
}

/// Makes a walk of four seconds.
async fn walked(client: &MotionClient) -> JobId {
    let request = TextToMotion { duration_s: Some(4.0), ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    succeeded(client, &job).await;
    job
}

async fn edited(client: &MotionClient, source: Source, change: Change) -> JobId {
    let edit = MotionEdit { seed: Some(11), ..MotionEdit::new(source, change) };
    let job = client.edit(&edit, None).await.expect("a job").job;
    succeeded(client, &job).await;
    job
}

async fn succeeded(client: &MotionClient, job: &JobId) {
    let end = finished(client, job).await;
    assert!(matches!(end, JobStatus::Succeeded { .. }), "{end:?}");
}

async fn bvh_of(studio: &Studio, client: &MotionClient, job: &JobId) -> Bvh {
    let entry = client.links(job, FIRST).await.expect("links");
    let text = studio.http.get(entry.url("bvh").expect("a link")).send().await.expect("an answer");
    bvh::read(&text.text().await.expect("text")).expect("a BVH")
}

/// Returns the distance in metres between the left hands in two files.
fn apart(one: &Bvh, other: &Bvh, frame: usize) -> f64 {
    let hand = one.joints.iter().position(|joint| joint.name.to_lowercase() == "lefthand");
    let hand = hand.expect("it has hands");
    one.world_positions(frame)[hand].distance(other.world_positions(frame)[hand]) / 100.0
}

/// Returns the keyframe numbers of the corrections that a job's files carry.
async fn carried(studio: &Studio, job: &JobId) -> Vec<u64> {
    let (_, found) = studio.get(&format!("/job/v1/download/{job}")).await;
    let parameters = &found["links"][0]["parameters"];
    assert!(parameters.get("corrections").is_none(), "the submitted corrections are not repeated");
    let layers = parameters["resultCorrections"]["layers"].as_array().cloned();
    let keys = layers.into_iter().flatten().flat_map(|layer| {
        layer["keys"]
            .as_array()
            .expect("keys")
            .iter()
            .map(|key| key["frame"].clone())
            .collect::<Vec<_>>()
    });
    keys.map(|frame| frame.as_u64().expect("a number")).collect()
}

#[tokio::test]
async fn the_schema_is_public() {
    let studio = Studio::open().await;
    let answer = studio.http.get(studio.url("/job/v1/corrections-schema")).send().await;
    let answer = answer.expect("an answer");
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], "application/schema+json");
    assert!(answer.headers().contains_key("etag"));
    let schema: Value = answer.json().await.expect("JSON");
    assert_eq!(&schema, limber_pipeline::corrections::schema().as_value());
}

#[tokio::test]
async fn corrections_apply_to_files_but_not_to_the_stored_clip() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = walked(&client).await;
    let rerun = edited(&client, corrected(&source, &higher(60)), Change::Rerun).await;
    let [before, after] = [studio.kept_clip(&source, 1).await, studio.kept_clip(&rerun, 1).await];
    assert_eq!(before, after, "the kept clip stays as it was made");
    let (plain, seen) =
        (bvh_of(&studio, &client, &source).await, bvh_of(&studio, &client, &rerun).await);
    assert!(apart(&plain, &seen, 60) > 0.2, "{} m", apart(&plain, &seen, 60));
    for frame in [0, 45, 75, 119] {
        assert!(apart(&plain, &seen, frame) < 1e-3, "frame {frame}");
    }
    assert_eq!(carried(&studio, &rerun).await, [60]);
    assert!(carried(&studio, &source).await.is_empty());
    // leaving out corrections keeps them, sending empty ones removes them
    let kept = edited(&client, whole(&rerun), Change::Rerun).await;
    assert!(apart(&seen, &bvh_of(&studio, &client, &kept).await, 60) < 1e-6);
    let none = corrected(&rerun, &json!({ "layers": [] }));
    let none = edited(&client, none, Change::Rerun).await;
    assert!(apart(&plain, &bvh_of(&studio, &client, &none).await, 60) < 1e-6);
}

#[tokio::test]
async fn job_lists_omit_corrections() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = walked(&client).await;
    let turn = |number: u32| {
        let rotation = [0.1 + f64::from(number) * 1e-5, 0.0123456789, 0.0, 1.0];
        let joint = ["head", "neck", "spine", "chest", "hips"][number as usize % 5];
        let what = json!({ "rotate": { "joint": joint, "rotation": rotation } });
        json!({ "frame": number / 5, "what": what, "before": 3, "after": 3 })
    };
    let keys: Vec<Value> = (0..500).map(turn).collect();
    let many = json!({ "layers": [{ "name": "Many", "keys": keys }] });
    let merge =
        Change::Merge { second: corrected(&source, &higher(40)), prompt: None, blend_s: 0.5 };
    edited(&client, corrected(&source, &higher(30)), merge).await;
    let rerun = edited(&client, corrected(&source, &many), Change::Rerun).await;
    assert_eq!(carried(&studio, &rerun).await.len(), 500);
    let (_, listed) = studio.get("/job/v1/list").await;
    let jobs = listed["list"].as_array().expect("a list");
    assert_eq!(jobs.len(), 3);
    for job in jobs {
        let parameters = job["parameters"].to_string();
        assert!(parameters.len() < 1000, "{parameters}");
        assert!(!parameters.contains("layers"), "{parameters}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn edits_keep_corrections_and_videos_show_them() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = walked(&client).await;
    let rerun = edited(&client, corrected(&source, &higher(30)), Change::Rerun).await;
    let seen = bvh_of(&studio, &client, &rerun).await;

    let prompt = "a person waves with the right hand".to_owned();
    let paint =
        || Change::Inpaint { prompt: prompt.clone(), spans: vec![Span { start: 60, end: 100 }] };
    let painted = edited(&client, whole(&rerun), paint()).await;
    let painted = bvh_of(&studio, &client, &painted).await;
    for frame in [0, 20, 30, 40, 59, 100, 119] {
        assert!(apart(&seen, &painted, frame) < 1e-3, "frame {frame}");
    }
    let cut = Source { trim_left: 12, ..corrected(&source, &higher(30)) };
    let cut = edited(&client, cut, paint()).await;
    assert_eq!(carried(&studio, &cut).await, [18]);
    let merge =
        Change::Merge { second: corrected(&source, &higher(40)), prompt: None, blend_s: 0.5 };
    let merged = edited(&client, whole(&rerun), merge).await;
    assert_eq!(carried(&studio, &merged).await, [30, 120 + 15 + 40]);
    let round = LoopChange { repetitions: 2, blend_s: Some(0.5), ..LoopChange::default() };
    let looped = edited(&client, whole(&rerun), Change::Loop(round)).await;
    assert_eq!(carried(&studio, &looped).await, [30, 135 + 30]);

    let video = async |source: Source| {
        let render = Render {
            source,
            width: 256,
            height: 256,
            container: Container::Gif,
            ..Render::new(rerun.clone(), FIRST)
        };
        let job = client.render(&render, None).await.expect("a job").job;
        succeeded(&client, &job).await;
        let entry = client.links(&job, FIRST).await.expect("links");
        let to = studio.files.path().join(format!("{job}.video"));
        let link = entry.url("gif").expect("a link");
        client.fetch(link, &to, FetchLimits::default()).await.expect("a file");
        std::fs::read(to).expect("it exists")
    };
    let of = |source: Source| Source { trim_left: 28, trim_right: 88, ..source };
    let plain = video(of(whole(&source))).await;
    let as_made = video(of(whole(&rerun))).await;
    assert_ne!(plain, as_made, "the video of a corrected clip shows the corrections");
    assert_eq!(video(of(corrected(&source, &higher(30)))).await, as_made);
    assert_eq!(video(of(corrected(&rerun, &json!({ "layers": [] })))).await, plain);
}

#[tokio::test]
async fn invalid_corrections_are_reported_with_their_place_and_make_no_job() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let job = walked(&client).await;
    let source = format!("t2m_rid={job}");
    let jobs = studio.rows_of("jobs").await;
    let merge = |corrections: &Value| {
        format!("mergingRequest={}", json!({ "t2m_rid": job, "corrections": corrections }))
    };
    let late = higher(400);
    let cases = [
        (
            vec!["rerunRequest={}".to_owned(), format!("corrections={late}")],
            "corrections",
            703,
            "corrections.layers[0].keys[0].frame: 400 is past the clip's last frame 119",
        ),
        (
            vec!["rerunRequest={}".to_owned(), "corrections={\"layers\":3}".to_owned()],
            "corrections",
            703,
            "corrections.layers",
        ),
        (
            vec![merge(&late)],
            "mergingRequest",
            703,
            "mergingRequest.corrections.layers[0].keys[0].frame: 400 is past",
        ),
        (vec![merge(&json!({ "layer": [] }))], "mergingRequest", 703, "mergingRequest.corrections"),
    ];
    for (params, param, code, expected) in cases {
        let params: Vec<&str> =
            std::iter::once(source.as_str()).chain(params.iter().map(String::as_str)).collect();
        let (status, body) = studio.process(&params).await;
        assert_eq!((status, &body["param"]), (422, &param.into()), "{params:?}: {body}");
        assert_eq!(body["code"], code, "{body}");
        let told = body["message"].as_str().expect("a sentence");
        assert!(told.contains(expected), "{params:?}: {told}");
    }
    let late = format!("corrections={late}");
    let request = studio.http.post(studio.url("/job/v1/process/render"));
    let request = request.header("cookie", studio.cookie().await);
    let (status, body) = read(request.json(&json!({ "params": [source, late] }))).await;
    assert_eq!((status, &body["code"], &body["param"]), (422, &json!(1102), &"corrections".into()));
    assert_eq!(studio.rows_of("jobs").await, jobs);
}

#[tokio::test]
async fn corrections_of_missing_joints_are_reported() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let job = walked(&client).await;
    let what = json!({ "rotate": { "joint": "tail", "rotation": [0.1, 0.0, 0.0, 1.0] } });
    let corrections = json!({ "layers": [{ "keys": [{ "frame": 3, "what": what }] }] });
    let edit = MotionEdit::new(corrected(&job, &corrections), Change::Rerun);
    let submitted = client.edit(&edit, None).await.expect("a job");
    let told: Vec<String> = submitted.messages.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["the character has no joint \"tail\", so its correction has no effect"]);
    succeeded(&client, &submitted.job).await;
}
