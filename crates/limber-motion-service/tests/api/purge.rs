//! `DELETE /job/v1/purge/{rid}`.

use limber_client::motion::{
    Change, JobId, JobStatus, MotionClient, MotionEdit, Source, VariantId,
};

use crate::studio::{Studio, finished, walk};

/// Makes a walk, always the same.
async fn made(client: &MotionClient) -> JobId {
    let job = client.submit(&walk(), None).await.expect("a job").job;
    assert!(matches!(finished(client, &job).await, JobStatus::Succeeded { .. }));
    job
}

/// Returns a link to a file of the job.
async fn link(client: &MotionClient, job: &JobId) -> String {
    let entry = client.links(job, VariantId::FIRST).await.expect("an entry");
    entry.url("bvh").expect("a link").to_owned()
}

async fn status_of(studio: &Studio, link: &str) -> u16 {
    studio.http.get(link).send().await.expect("an answer").status().as_u16()
}

#[tokio::test]
async fn files_go_before_their_time_once_no_other_job_has_them() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let (first, second) = (made(&client).await, made(&client).await);
    let links = (link(&client, &first).await, link(&client, &second).await);
    let content = |link: &str| link.split("/files/v1/").nth(1).map(|rest| rest[..64].to_owned());
    assert_eq!(content(&links.0), content(&links.1), "the same words and seed, the same file");

    client.purge(&first).await.expect("it is over");
    let purged = client.links(&first, VariantId::FIRST).await.expect("an entry");
    assert!(purged.purged && purged.urls.is_none());
    assert_eq!(status_of(&studio, &links.1).await, 200, "the other job has it still");
    client.purge(&first).await.expect("twice is fine");
    assert_eq!(status_of(&studio, &links.1).await, 200);

    client.purge(&second).await.expect("it is over");
    assert_eq!(status_of(&studio, &links.1).await, 410);
    let statuses = client.statuses(&[first, second]).await.expect("both are known still");
    assert!(statuses.iter().all(|(_, status)| matches!(status, JobStatus::Succeeded { .. })));
}

#[tokio::test]
async fn a_job_that_waits_for_its_source_still_gets_it_and_the_next_one_does_not() {
    let studio = Studio::open().await;
    let client = studio.client();
    let worker = studio.worker("cpu-0");
    let source = made(&client).await;
    assert!(worker.stop().success());
    let again = MotionEdit {
        seed: Some(11),
        ..MotionEdit::new(Source::whole(source.clone(), VariantId::FIRST), Change::Rerun)
    };
    let waiting = client.edit(&again, None).await.expect("a job").job;
    client.purge(&source).await.expect("it is over");
    let refused = client.edit(&again, None).await.expect_err("its files are gone");
    assert_eq!((refused.status(), refused.kind()), (Some(410), Some("gone")));
    let _worker = studio.worker("cpu-1");
    assert!(matches!(finished(&client, &waiting).await, JobStatus::Succeeded { .. }));
    assert_eq!(status_of(&studio, &link(&client, &waiting).await).await, 200);
}

#[tokio::test]
async fn only_a_job_that_is_over_loses_its_files() {
    let studio = Studio::open().await;
    let client = studio.client();
    let waiting = client.submit(&walk(), None).await.expect("a job").job;
    let refused = client.purge(&waiting).await.expect_err("it waits");
    assert_eq!((refused.status(), refused.kind()), (Some(409), Some("invalid_state")));
    assert!(refused.to_string().contains("waits in the queue; cancel it first"), "{refused}");
    client.cancel(&waiting).await.expect("it waits");
    client.purge(&waiting).await.expect("it is over");
    assert_eq!(client.status(&waiting).await.expect("known"), JobStatus::Cancelled);
    let unknown = JobId::parse("unknownunknown00").expect("an id");
    let refused = client.purge(&unknown).await.expect_err("there is none");
    assert_eq!((refused.status(), refused.kind()), (Some(404), Some("job_not_found")));
}
