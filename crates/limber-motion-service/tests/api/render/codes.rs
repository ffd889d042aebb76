//! Error codes of failed videos, each triggered by its real cause.

use std::time::Duration;

use limber_client::motion::{FailureCause, JobId, JobStatus, MotionClient, Render};

use super::{small, walked};
use crate::{
    studio::{Studio, finished},
    within::work,
};

async fn failed(client: &MotionClient, job: &JobId) -> FailureCause {
    match finished(client, job).await {
        JobStatus::Failed(cause) => cause,
        other => panic!("{other:?}"),
    }
}

async fn submitted(client: &MotionClient, walked: &JobId) -> JobId {
    client.render(&small(walked), None).await.expect("a job").job
}

#[tokio::test(flavor = "multi_thread")]
async fn every_video_failure_has_its_code() {
    let studio = Studio::open().await;
    let client = studio.client();
    let working = work(&studio, |_| {});
    let walked = walked(&client).await;
    working.end().await;
    // as if stored by a version that allowed more
    for (change, code) in [
        ("jsonb_set(spec, '{film,width}', '100000')", 1102),
        ("jsonb_set(spec, '{film,backdrop}', '\"Moonbase\"')", 1107),
        ("jsonb_set(spec, '{schema}', '99')", 494),
    ] {
        let job = submitted(&client, &walked).await;
        studio.sql(&format!("update jobs set spec = {change} where rid = '{job}'")).await;
        let working = work(&studio, |_| {});
        assert_eq!(failed(&client, &job).await.codes, [code]);
        working.end().await;
    }
    // a GLB without animation: the stock character itself, which is in the file store
    let job = submitted(&client, &walked).await;
    let character = stock_character(&studio);
    let change = format!("jsonb_set(spec, '{{glb}}', '\"{character}\"')");
    studio.sql(&format!("update jobs set spec = {change} where rid = '{job}'")).await;
    let working = work(&studio, |_| {});
    assert_eq!(failed(&client, &job).await.codes, [1106]);
    working.end().await;
    let job = submitted(&client, &walked).await;
    spoil(&studio, |path| {
        let mut bytes = std::fs::read(path).expect("it exists");
        *bytes.last_mut().expect("a byte") ^= 1;
        std::fs::write(path, bytes).expect("written");
    })
    .await;
    let working = work(&studio, |_| {});
    let cause = failed(&client, &job).await;
    assert_eq!(cause.codes, [1105], "{cause:?}");
    working.end().await;
    let job = submitted(&client, &walked).await;
    spoil(&studio, |path| std::fs::remove_file(path).expect("removed")).await;
    let working = work(&studio, |_| {});
    assert_eq!(failed(&client, &job).await.codes, [494], "removed while it waited");
    working.end().await;
}

/// Returns the content id of a GLB in the store that has no animation.
fn stock_character(studio: &Studio) -> String {
    let folders = std::fs::read_dir(studio.files.path().join("files/objects")).expect("a folder");
    let files = folders.flatten().flat_map(|folder| std::fs::read_dir(folder.path()).expect("one"));
    let still = |path: &std::path::Path| {
        let bytes = std::fs::read(path).expect("a file");
        bytes.starts_with(b"glTF")
            && limber_formats::glb::read(&bytes).is_ok_and(|file| file.clips.is_empty())
    };
    let found = files.flatten().map(|file| file.path()).find(|path| still(path));
    let found = found.expect("stock characters are in the store");
    found.file_name().expect("a name").to_str().expect("letters").to_owned()
}

/// Modifies the GLB that a queued video will be made from.
async fn spoil(studio: &Studio, change: impl FnOnce(&std::path::Path)) {
    let pool = sqlx::PgPool::connect(studio.database.url()).await.expect("the database");
    let content: String = sqlx::query_scalar("select content_id from artifacts where kind = 'glb'")
        .fetch_one(&pool)
        .await
        .expect("the walk left a GLB");
    pool.close().await;
    let objects = studio.files.path().join("files/objects");
    change(&objects.join(&content[..2]).join(&content));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crashing_or_hanging_renderer_costs_a_job_but_no_worker() {
    let studio = Studio::open().await;
    let client = studio.client();
    let healthy = work(&studio, |_| {});
    let walked = walked(&client).await;
    healthy.end().await;
    let shell = |script: &str| {
        let arguments = vec!["-c".to_owned(), script.to_owned()];
        limber_motion_service::ReaderProgram { path: "/bin/sh".into(), arguments }
    };
    let dying = shell("read order; kill -SEGV $$");
    let working = work(&studio, |config| config.reader = dying);
    let job = submitted(&client, &walked).await;
    let cause = failed(&client, &job).await;
    assert_eq!(cause.codes, [1101], "{cause:?}");
    let (_, list) = studio.get("/job/v1/list?limit=1").await;
    assert_eq!(list["list"][0]["processingInfo"]["attempts"], 3, "it was retried");
    working.end().await;
    let hanging = shell("read order; while :; do sleep 1; done");
    let working = work(&studio, |config| {
        config.reader = hanging;
        config.work.stage_limit_scale = 0.01;
        config.work.heartbeat = Duration::from_millis(100);
    });
    let job = submitted(&client, &walked).await;
    let cause = failed(&client, &job).await;
    assert_eq!(
        (cause.codes.as_slice(), cause.text.contains("exceeded its time limit")),
        (&[1101][..], true)
    );
    // the worker continues with other jobs
    let render = Render { width: 128, height: 128, ..small(&walked) };
    working.end().await;
    let working = work(&studio, |_| {});
    let job = client.render(&render, None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    working.end().await;
}
