//! Files that are lost between being written and being recorded, or soon after. A job that succeeds
//! still has all of its files.

use std::time::Duration;

use limber_client::motion::{JobStatus, TextToMotion};
use limber_text_to_motion::Seed;

use crate::studio::{Studio, finished, until, walk};

impl Studio {
    /// Terminates the connections that protect contents from removal.
    async fn break_off_savers(&self) {
        self.sql(
            "select pg_terminate_backend(pid) from pg_locks
             where locktype = 'advisory' and mode = 'ShareLock' and granted and objsubid = 1
                 and (classid::bigint << 32) + objid::bigint = x'6c696d626572'::bigint
                 and database = (select oid from pg_database where datname = current_database())",
        )
        .await;
    }
}

#[tokio::test]
async fn files_removed_before_they_were_recorded_are_made_again() {
    let studio = Studio::open().await;
    let client = studio.client();
    // the metrics are recorded last
    let held = studio.hold_notes_of("json").await;
    let _worker = studio.worker("cpu-0");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    studio.until_waiting(1).await;
    // all files are written but not protected any more, and somebody removes them
    studio.break_off_savers().await;
    studio.lose_contents();
    held.let_go().await;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    studio.check_files(&client, &job, 1).await;
}

#[tokio::test]
async fn lost_files_of_a_killed_worker_are_made_again() {
    let studio = Studio::open().await;
    let client = studio.client();
    let worker = studio.endless_worker("doomed", Seed(7).for_variant(2));
    let request = TextToMotion { variants: 2, seed: Some(7), ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    until("the first of two variants is noted", async || {
        let noted = studio.rows_of("artifacts where number = 1 and kind = 'json'").await;
        (noted == 1).then_some(())
    })
    .await;
    worker.kill();
    studio.lose_contents();
    let _heir = studio.worker("heir");
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    for variant in [1, 2] {
        studio.check_files(&client, &job, variant).await;
    }
}

#[tokio::test]
async fn a_store_that_lost_its_id_is_the_same_store() {
    let studio =
        Studio::open_with(|config| config.uploads.upkeep = Duration::from_millis(300)).await;
    let client = studio.client();
    let worker = studio.worker("cpu-0");
    until("the worker is ready", async || (studio.rows_of("workers").await == 1).then_some(()))
        .await;
    studio.sql("create table first_mark as select id from file_store").await;
    std::fs::remove_file(studio.files.path().join("files/store-mark")).expect("it exists");
    until("the server has noted another", async || {
        let another = "file_store where id not in (select id from first_mark)";
        (studio.rows_of(another).await == 1).then_some(())
    })
    .await;
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    assert!(worker.stop().success());
    let _fresh = studio.worker("cpu-1");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
}

#[tokio::test]
async fn a_worker_with_another_file_store_removes_nothing() {
    let mut studio = Studio::open().await;
    let client = studio.client();
    let worker = studio.worker("cpu-0");
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    assert!(worker.stop().success());
    studio.sql("update jobs set finished_ms = now_ms() - 91::bigint * 86400000").await;
    let noted = studio.rows_of("artifacts").await;
    assert!(noted > 0);
    let other = studio.files.path().join("other").to_string_lossy().into_owned();
    studio.set("MOTIONSVC_STORE", &other);
    let astray = studio.worker("lost-sheep");
    // a starting worker would remove old contents before it reports being astray
    until("it has detected the difference", async || {
        (studio.rows_of("workers where state = 'astray'").await == 1).then_some(())
    })
    .await;
    assert_eq!(studio.rows_of("artifacts").await, noted);
    assert!(astray.stop().success());
    let right = studio.files.path().join("files").to_string_lossy().into_owned();
    studio.set("MOTIONSVC_STORE", &right);
    let _right = studio.worker("cpu-0");
    until("they are removed", async || (studio.rows_of("artifacts").await == 0).then_some(()))
        .await;
}
