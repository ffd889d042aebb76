//! Edits with very short intervals, and of very short clips: whatever is accepted can be made.

use limber_client::motion::{Change, JobStatus, LoopChange, Message, Source, Span, TextToMotion};
use serde_json::json;

use super::{edit, edited, made, wave, whole};
use crate::studio::{Studio, finished, walk};

const WAVE: &str = "a person waves with the right hand";

#[tokio::test]
async fn a_merge_with_a_prompt_works_at_the_default_half_second() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let (first, second) =
        (made(&client, "a person walks forward").await, made(&client, "a person bows").await);
    for prompt in [WAVE, "a person turns left, then sits down"] {
        let prompt = Some(prompt.to_owned());
        let change = Change::Merge { second: whole(&second), prompt, blend_s: 0.5 };
        let merged = edited(&client, &edit(whole(&first), change)).await;
        let (a, both) = (studio.kept_clip(&first, 1).await, studio.kept_clip(&merged, 1).await);
        assert_eq!(both.len(), 120 + 15 + 120);
        assert_eq!(both.frames()[..120], *a.frames());
        for seam in [120, 135] {
            let ratio = limber_cleanup::seam(&both, seam).ratio;
            assert!(ratio <= 1.2, "{ratio} at {seam}");
        }
    }
}

#[tokio::test]
async fn short_intervals_and_loop_ends_are_generated_with_warnings() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = made(&client, "a person walks forward").await;
    for frames in [4, 21, 30] {
        let span = Span { start: 50, end: 50 + frames };
        let change = Change::Inpaint { prompt: "a person jumps".to_owned(), spans: vec![span] };
        edited(&client, &edit(whole(&source), change)).await;
    }
    let prompt = Some(WAVE.to_owned());
    let round = LoopChange { prompt, blend_s: Some(0.4), ..LoopChange::default() };
    let looped = edited(&client, &edit(whole(&source), Change::Loop(round))).await;
    assert_eq!(studio.kept_clip(&looped, 1).await.len(), 120 + 12);
    let prompt = "a person sits down, then stands up, then waves".to_owned();
    let span = Span { start: 50, end: 60 };
    let painting = edit(whole(&source), Change::Inpaint { prompt, spans: vec![span] });
    let submitted = client.edit(&painting, None).await.expect("a job");
    let told = |message: &Message| matches!(message, Message::OnlyBeginning { .. });
    assert!(submitted.messages.iter().any(told), "{:?}", submitted.messages);
    finished(&client, &submitted.job).await;
}

#[tokio::test]
async fn whole_seconds_are_recognised_and_can_be_specified() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let source = made(&client, "a person walks forward").await;
    let before = studio.kept_clip(&source, 1).await;
    let rid = format!("t2m_rid={source}");
    let painted = async |start: u32, end: u32, more: &[&str]| {
        let intervals = json!([{ "start": start, "end": end }]);
        let object = json!({ "prompt": WAVE, "intervals": intervals });
        let object = format!("inPaintingRequest={object}");
        let (status, body) = studio.process(&[&[&rid[..], &object[..]][..], more].concat()).await;
        assert_eq!(status, 200, "{body}");
        let warnings = body["warnings"].to_string();
        let job = limber_client::motion::JobId::parse(body["rid"].as_str().expect("a job"));
        let job = job.expect("an id");
        finished(&client, &job).await;
        let after = studio.kept_clip(&job, 1).await;
        let changed = |frame: &usize| before.frames()[*frame] != after.frames()[*frame];
        let changed: Vec<usize> = (0..before.len()).filter(changed).collect();
        (changed[0], changed[changed.len() - 1], warnings)
    };
    // a client that cannot write 1.0
    let (first, last, said) = painted(1, 2, &[]).await;
    assert!(first >= 30 && last < 60 && said.contains("read as seconds"), "{first} {last} {said}");
    let (first, last, _) = painted(1, 4, &["unit=seconds"]).await;
    assert!(first >= 30 && last > 60, "{first} {last}");
    let (first, last, said) = painted(30, 60, &["unit=frames"]).await;
    assert!(first >= 30 && last < 60 && !said.contains("read as"), "{first} {last} {said}");
}

#[tokio::test]
async fn clips_of_one_frame_and_of_nine_can_be_edited() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let request = TextToMotion { duration_s: Some(0.3), ..walk() };
    let nine = client.submit(&request, None).await.expect("a job").job;
    assert!(matches!(finished(&client, &nine).await, JobStatus::Succeeded { .. }));
    let nine = whole(&nine);
    let one = Source { trim_left: 4, trim_right: 4, ..nine.clone() };
    let mut edits = vec![(edit(nine.clone(), wave(0, 9)), 9)];
    for (source, frames) in [(&one, 1), (&nine, 9)] {
        let prompt = || Some(WAVE.to_owned());
        for (change, wanted) in [
            (Change::Rerun, frames),
            (Change::Refine { prompt: None, creativity: 0.3 }, frames),
            (Change::Refine { prompt: prompt(), creativity: 1.0 }, frames),
            (Change::Loop(LoopChange { prompt: prompt(), ..LoopChange::default() }), frames + 15),
            (
                Change::Merge { second: one.clone(), prompt: prompt(), blend_s: 0.5 },
                frames + 15 + 1,
            ),
        ] {
            edits.push((edit(source.clone(), change), wanted));
        }
    }
    let mut jobs = Vec::new();
    for (edit, wanted) in &edits {
        jobs.push((client.edit(edit, None).await.expect("a job").job, edit, *wanted));
    }
    for (job, edit, wanted) in &jobs {
        let end = finished(&client, job).await;
        assert!(matches!(end, JobStatus::Succeeded { .. }), "{edit:?}: {end:?}");
        assert_eq!(studio.kept_clip(job, 1).await.len(), *wanted, "{edit:?}");
    }
}
