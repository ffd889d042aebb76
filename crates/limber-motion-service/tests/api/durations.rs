//! `requestedAnimationDuration`: what is accepted is made, and what cannot be made is refused at
//! once.

use limber_client::motion::{JobId, JobStatus, ListFilter};
use serde_json::{Value, json};

use crate::studio::{Studio, finished, read};

const SHORT: &str = "requestedAnimationDuration=0.3";

#[tokio::test]
async fn clips_of_at_least_three_tenths_of_a_second_are_made() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let round = r#"script={"version":2,"events":[{"do":"walk","seconds":0.05}],"loop":true}"#;
    let spun = r#"script={"version":2,"events":[{"do":"cartwheel","seconds":0.3}],"loop":true}"#;
    let wave = r#"script={"version":2,"events":[{"do":"wave","seconds":3}]}"#;
    let cases: &[(&[&str], u32)] = &[
        (&["prompt=a person sits down", SHORT], 9),
        (&["prompt=a person does a cartwheel", SHORT, "numVariant=2"], 9),
        (&["prompt=a person walks forward", SHORT, "loop=true"], 9),
        (&["prompt=a person runs", SHORT, "start=action", "end=action"], 9),
        (&["prompt=a person bows", SHORT, "end=hold", "fps=60"], 18),
        (&[wave, SHORT], 9),
        // the suggested time of a cyclic act
        (&[round], 3),
        (&[spun], 9),
        (&["prompt=a person nods", "requestedAnimationDuration=0.5"], 15),
        (&["prompt=a person jumps twice, then waves", "requestedAnimationDuration=0.8"], 24),
    ];
    let mut jobs = Vec::new();
    for (params, frames) in cases {
        let (status, body) = studio.process(&[*params, &["model=default"]].concat()).await;
        assert_eq!(status, 200, "{params:?}: {body}");
        let job = JobId::parse(body["rid"].as_str().expect("a job")).expect("an id");
        jobs.push((job, params, *frames));
    }
    for (job, params, _) in &jobs {
        let end = finished(&client, job).await;
        assert!(matches!(end, JobStatus::Succeeded { .. }), "{params:?}: {end:?}");
    }
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    for (job, params, frames) in &jobs {
        let entry = listed.iter().find(|entry| entry.rid == *job).expect("it is listed");
        for variant in entry.variants.as_ref().expect("variants").values() {
            assert_eq!(variant.frames, *frames, "{params:?}");
        }
    }
}

#[tokio::test]
async fn too_short_clips_are_rejected_with_the_minimum_length() {
    let studio = Studio::open().await;
    let cookie = studio.cookie().await;
    let asked = async |query: &str, params: &[&str]| -> (u16, Value) {
        let url = studio.url(&format!("/job/v1/process/text2motion{query}"));
        let request = studio.http.post(url).header("cookie", &cookie);
        read(request.json(&json!({ "params": params }))).await
    };
    let walks = "prompt=a person walks forward";
    let cases: &[(&[&str], &str)] = &[
        (&[walks, "requestedAnimationDuration=0.29"], "0.3"),
        (&[walks, "requestedAnimationDuration=0.0001", "loop=true"], "0.3"),
        (&[walks, "requestedAnimationDuration=-1"], "0.3"),
    ];
    for (params, least) in cases {
        let params = [*params, &["model=default"]].concat();
        let ((status, job), (_, dry)) =
            (asked("", &params).await, asked("?dryRun=1", &params).await);
        assert_eq!((status, &job["code"]), (422, &502.into()), "{params:?}: {job}");
        assert!(job["message"].to_string().contains(least), "{params:?}: {job}");
        for member in ["code", "type", "param", "message"] {
            assert_eq!(job[member], dry[member], "{params:?}: {member}");
        }
    }
    assert_eq!(studio.rows_of("jobs").await, 0);
}
