//! Animated previews, which are rendered after a job is done.

use limber_client::motion::{JobId, JobStatus, ListFilter, MotionClient, TextToMotion, VariantId};
use limber_motion_service::ReaderProgram;

use crate::{
    studio::{Studio, finished, until, walk},
    within::work,
};

/// Returns the URLs of the previews of a job's variants.
async fn pictures(client: &MotionClient, job: &JobId) -> Vec<Option<String>> {
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let entry = listed.into_iter().find(|entry| entry.rid == *job).expect("it is listed");
    let variants = entry.variants.expect("it has variants");
    variants.into_values().map(|variant| variant.thumb).collect()
}

/// Waits until all variants have a preview, and checks that each is a PNG.
async fn all_pictures(studio: &Studio, client: &MotionClient, job: &JobId) {
    let there = until("the previews exist", async || {
        pictures(client, job).await.into_iter().collect::<Option<Vec<String>>>()
    })
    .await;
    for address in there {
        let png = studio.http.get(&address).send().await.expect("an answer");
        assert_eq!(png.status(), 200);
        assert!(png.bytes().await.expect("bytes").starts_with(b"\x89PNG"));
    }
}

#[tokio::test]
async fn previews_follow_after_a_job_is_done() {
    let studio = Studio::open_with(|config| config.pictures = true).await;
    let client = studio.client();
    let held = studio.hold_notes_of("png").await;
    let _worker = studio.worker("cpu-0");
    let request = TextToMotion { variants: 2, ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    let JobStatus::Succeeded { files } = finished(&client, &job).await else {
        panic!("it succeeds without its pictures")
    };
    assert!(files.iter().any(|name| name.ends_with("_v2.glb")), "{files:?}");
    assert_eq!(pictures(&client, &job).await, [None, None]);
    assert!(client.links(&job, VariantId::FIRST).await.expect("links").url("png").is_none());
    // rendering a preview does not keep jobs waiting
    studio.until_waiting(1).await;
    let next = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &next).await, JobStatus::Succeeded { .. }));
    held.let_go().await;
    all_pictures(&studio, &client, &job).await;
    all_pictures(&studio, &client, &next).await;
    assert!(client.links(&job, VariantId::FIRST).await.expect("links").url("png").is_some());
    let status = client.status(&job).await.expect("known");
    let JobStatus::Succeeded { files } = status else { panic!("it stays so: {status:?}") };
    assert!(files.iter().any(|name| name.ends_with("_v2.png")), "{files:?}");
}

#[tokio::test]
async fn a_killed_workers_preview_is_rendered_by_another() {
    let studio = Studio::open_with(|config| config.pictures = true).await;
    let client = studio.client();
    let held = studio.hold_notes_of("png").await;
    let worker = studio.worker("doomed");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    studio.until_waiting(1).await;
    worker.kill();
    held.let_go().await;
    // as if it had been silent long enough to be given up
    studio.sql("update workers set seen_ms = 0").await;
    let _heir = studio.worker("heir");
    all_pictures(&studio, &client, &job).await;
    assert_eq!(studio.rows_of("pictures_due").await, 0);
}

#[tokio::test]
async fn orderly_worker_stops_do_not_count_against_a_preview() {
    let studio = Studio::open_with(|config| config.pictures = true).await;
    let client = studio.client();
    let held = studio.hold_notes_of("png").await;
    let worker = studio.worker("cpu-0");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    studio.until_waiting(1).await;
    assert!(worker.stop().success());
    // more often than crashes are tolerated
    for number in 1..=3 {
        until("no worker owns it", async || {
            let nobodys = "pictures_due where worker is null";
            (studio.rows_of(nobodys).await == 1).then_some(())
        })
        .await;
        let worker = studio.worker("another");
        until("it is rendered again", async || {
            let somebodys = "pictures_due where worker is not null";
            (studio.rows_of(somebodys).await == 1).then_some(())
        })
        .await;
        assert!(worker.stop().success(), "number {number}");
    }
    held.let_go().await;
    let _heir = studio.worker("heir");
    all_pictures(&studio, &client, &job).await;
}

#[tokio::test]
async fn previews_of_removed_files_are_not_rendered() {
    let mut studio = Studio::open().await;
    let client = studio.client();
    let worker = studio.worker("without pictures");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    assert!(worker.stop().success());
    assert_eq!(studio.rows_of("pictures_due").await, 0);
    // queued by the test, as if the job had been purged before its preview was rendered
    studio.sql("insert into pictures_due (rid, number) select rid, 1 from jobs").await;
    client.purge(&job).await.expect("it has ended");
    studio.set("MOTIONSVC_PICTURES", "on");
    let _worker = studio.worker("cpu-0");
    until("nothing is due", async || (studio.rows_of("pictures_due").await == 0).then_some(()))
        .await;
    assert_eq!(studio.rows_of("artifacts").await, 0);
}

#[tokio::test]
async fn workers_do_not_load_a_graphics_driver_for_previews() {
    let studio = Studio::open_with(|config| config.pictures = true).await;
    let client = studio.client();
    let worker = studio.worker("cpu-0");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    all_pictures(&studio, &client, &job).await;
    let Ok(loaded) = std::fs::read_to_string(format!("/proc/{}/maps", worker.id())) else {
        println!("skipped: this system does not report what a process has loaded");
        return;
    };
    let drivers: Vec<&str> = loaded.lines().filter(|line| line.contains("libEGL")).collect();
    assert!(drivers.is_empty(), "{drivers:?}");
}

#[tokio::test]
async fn accounts_take_turns_with_previews() {
    let studio = Studio::open().await;
    let (greedy, modest) = (studio.client(), studio.stranger().await);
    let making = work(&studio, |_| {});
    let request = TextToMotion { variants: 4, ..walk() };
    let many = greedy.submit(&request, None).await.expect("a job").job;
    let few = modest.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&greedy, &many).await, JobStatus::Succeeded { .. }));
    assert!(matches!(finished(&modest, &few).await, JobStatus::Succeeded { .. }));
    making.end().await;
    studio.sql("create table gone (place bigserial, rid text)").await;
    studio
        .sql(
            "create function note_gone() returns trigger language plpgsql as
             $$ begin insert into gone (rid) values (old.rid); return null; end $$",
        )
        .await;
    studio
        .sql(
            "create trigger note_gone after delete on pictures_due
             for each row execute function note_gone()",
        )
        .await;
    // one account's have waited longer
    studio
        .sql(&format!(
            "insert into pictures_due (rid, number, due_ms)
             select rid, number, case when rid = '{many}' then 0 else 1 end from variants"
        ))
        .await;
    // a preview that cannot be rendered is given up, which takes less time than rendering it
    let _working = work(&studio, |config| {
        config.pictures = true;
        let arguments = vec!["-c".to_owned(), "kill -SEGV $$".to_owned()];
        config.reader = ReaderProgram { path: "/bin/sh".into(), arguments };
    });
    until("nothing is due", async || (studio.rows_of("pictures_due").await == 0).then_some(()))
        .await;
    assert_eq!(studio.rows_of("gone").await, 5);
    let before = format!(
        "gone where rid = '{many}' and place < (select place from gone where rid = '{few}')"
    );
    assert_eq!(studio.rows_of(&before).await, 1, "one of each account in turn");
}

#[tokio::test]
async fn a_crashing_driver_costs_a_preview_and_not_the_worker() {
    let studio = Studio::open_with(|config| {
        config.pictures = true;
        let arguments = vec!["-c".to_owned(), "kill -SEGV $$".to_owned()];
        config.reader = ReaderProgram { path: "/bin/sh".into(), arguments };
    })
    .await;
    let client = studio.client();
    let _working = work(&studio, |_| {});
    for _ in 0..2 {
        let job = client.submit(&walk(), None).await.expect("a job").job;
        assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
        until("the picture is given up", async || {
            (studio.rows_of("pictures_due").await == 0).then_some(())
        })
        .await;
        assert_eq!(pictures(&client, &job).await, [None]);
    }
    let left = std::fs::read_dir(studio.config.scratch.join("pictures")).expect("a folder");
    assert_eq!(left.count(), 0, "nothing is left of them");
}
