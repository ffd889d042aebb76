//! `processingInfo`: what the time of finished jobs went to.

use std::time::Duration;

use limber_api::motion::ProcessingInfo;
use limber_client::motion::{
    Change, JobId, JobStatus, ListFilter, LoopChange, MotionClient, MotionEdit, Render, Source,
    Span, VariantId,
};
use limber_text_to_motion::Seed;

use crate::{
    studio::{Studio, finished, in_work, until, walk},
    within::{Endless, work, work_with},
};

/// A heartbeat that never comes, so that only the beginning and the end of an attempt are reported.
const NO_HEARTBEAT: Duration = Duration::from_secs(24 * 3600);

async fn info_of(client: &MotionClient, job: &JobId) -> ProcessingInfo {
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let entry = listed.into_iter().find(|entry| entry.rid == *job).expect("it is listed");
    entry.processing_info
}

/// Checks that periods follow each other without gaps, and that those of the last attempt are at
/// least 95 % of its time. Returns that time.
fn check(info: &ProcessingInfo) -> i64 {
    let (started, finished) =
        (info.started_at.expect("it ran"), info.finished_at.expect("it ended"));
    let attempts: Vec<_> = info.stages.chunk_by(|one, next| one.attempt == next.attempt).collect();
    for attempt in &attempts {
        for pair in attempt.windows(2) {
            let end = pair[0].started_at + pair[0].duration_ms;
            assert_eq!(end, pair[1].started_at, "{info:?}");
        }
    }
    let numbers: Vec<u32> = attempts.iter().map(|stages| stages[0].attempt).collect();
    assert_eq!(numbers, (1..=info.attempts).collect::<Vec<_>>(), "{info:?}");
    let last = attempts.last().expect("an attempt");
    assert_eq!(last[0].started_at, started, "{info:?}");
    let (told, took) =
        (last.iter().map(|stage| stage.duration_ms).sum::<i64>(), finished - started);
    assert!(told * 20 >= took * 19 && told <= took, "{told} of {took} ms: {info:?}");
    took
}

fn source(job: &JobId) -> Source {
    Source::whole(job.clone(), VariantId::FIRST)
}

#[tokio::test]
async fn processing_time_of_every_job_kind_is_accounted_for() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let first = client.submit(&walk(), None).await.expect("a job").job;
    let script = r#"{"version":2,"events":[{"do":"wave"}]}"#;
    let (status, body) =
        studio.process(&[&format!("script={script}"), "model=default", "numVariant=2"]).await;
    assert_eq!(status, 200, "{body}");
    let scripted = serde_json::from_value(body["rid"].clone()).expect("an id");
    let mut jobs = vec![first.clone(), scripted];
    for job in &jobs {
        let end = finished(&client, job).await;
        assert!(matches!(end, JobStatus::Succeeded { .. }), "{end:?}");
    }
    let prompt = || Some("a person waves".to_owned());
    let spans = vec![Span { start: 20, end: 40 }];
    let changes = [
        Change::Inpaint { prompt: "a person waves".to_owned(), spans },
        Change::Merge { second: source(&first), prompt: prompt(), blend_s: 0.5 },
        Change::Overlap { second: source(&first), frames: 10 },
        Change::Loop(LoopChange::default()),
        Change::Refine { prompt: None, creativity: 0.5 },
        Change::Rerun,
    ];
    for change in changes {
        let edit = MotionEdit { seed: Some(11), ..MotionEdit::new(source(&first), change) };
        jobs.push(client.edit(&edit, None).await.expect("a job").job);
    }
    let render = Render::new(first.clone(), VariantId::FIRST);
    let render = Render { width: 128, height: 128, ..render };
    jobs.push(client.render(&render, None).await.expect("a job").job);
    for job in &jobs {
        let end = finished(&client, job).await;
        assert!(matches!(end, JobStatus::Succeeded { .. }), "{end:?}");
        check(&info_of(&client, job).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_recording_of_the_end_counts_as_processing_time() {
    let studio = Studio::open().await;
    let client = studio.client();
    let clip = studio.hold_notes_of("clip").await;
    let _working = work(&studio, |config| config.work.heartbeat = NO_HEARTBEAT);
    let job = client.submit(&walk(), None).await.expect("a job").job;
    studio.until_waiting(1).await;
    let end = studio.hold("select 1 from jobs for no key update").await;
    clip.let_go().await;
    until("all files are noted", async || {
        (studio.rows_of("artifacts where kind = 'json'").await == 1).then_some(())
    })
    .await;
    studio.until_waiting(1).await;
    studio.sql("create table seen as select now_ms() - started_ms as ms from jobs").await;
    until("the same time has passed again", async || {
        let passed = "jobs, seen where now_ms() - started_ms > 2 * ms";
        (studio.rows_of(passed).await == 1).then_some(())
    })
    .await;
    end.let_go().await;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    check(&info_of(&client, &job).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn failed_cancelled_and_lost_jobs_account_for_their_time() {
    let studio = Studio::open().await;
    let client = studio.client();
    let unreadable = client.submit(&walk(), None).await.expect("a job").job;
    studio.sql("update jobs set spec = '{\"schema\": 99}'").await;
    let working = work_with(&studio, Endless(Seed(7)), |config| {
        config.work.heartbeat = NO_HEARTBEAT;
    });
    assert!(matches!(finished(&client, &unreadable).await, JobStatus::Failed(_)));
    check(&info_of(&client, &unreadable).await);
    let passed = async |ms: i64| {
        let running = format!("jobs where state = 'running' and now_ms() - started_ms > {ms}");
        until("it has run for a while", async || {
            (studio.rows_of(&running).await == 1).then_some(())
        })
        .await;
    };
    let cancelled = client.submit(&walk(), None).await.expect("a job").job;
    in_work(&client, &cancelled).await;
    passed(50).await;
    client.cancel(&cancelled).await.expect("it runs");
    assert!(check(&info_of(&client, &cancelled).await) >= 50);
    working.end().await;
    // killed before it has reported much
    let doomed = studio.endless_worker("doomed", Seed(7));
    let inherited = client.submit(&walk(), None).await.expect("a job").job;
    in_work(&client, &inherited).await;
    passed(50).await;
    doomed.kill();
    let _heir = studio.worker("heir");
    assert!(matches!(finished(&client, &inherited).await, JobStatus::Succeeded { .. }));
    let info = info_of(&client, &inherited).await;
    assert_eq!(info.attempts, 2, "{info:?}");
    check(&info);
    assert!(info.stages[0].duration_ms >= 50, "{info:?}");
}
