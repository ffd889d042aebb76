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
async fn purged_files_are_removed_once_no_other_job_uses_them() {
    let studio = Studio::open().await;
    let client = studio.client();
    let _worker = studio.worker("cpu-0");
    let (first, second) = (made(&client).await, made(&client).await);
    let links = (link(&client, &first).await, link(&client, &second).await);
    let content = |link: &str| link.split("/files/v1/").nth(1).map(|rest| rest[..64].to_owned());
    assert_eq!(content(&links.0), content(&links.1), "the same prompt and seed give the same file");

    client.purge(&first).await.expect("it has ended");
    let purged = client.links(&first, VariantId::FIRST).await.expect("an entry");
    assert!(purged.purged && purged.urls.is_none());
    assert_eq!(status_of(&studio, &links.1).await, 200, "the other job still has it");
    client.purge(&first).await.expect("a repetition is fine");
    assert_eq!(status_of(&studio, &links.1).await, 200);

    client.purge(&second).await.expect("it has ended");
    assert_eq!(status_of(&studio, &links.1).await, 410);
    let statuses = client.statuses(&[first, second]).await.expect("both are still known");
    assert!(statuses.iter().all(|(_, status)| matches!(status, JobStatus::Succeeded { .. })));
}

#[tokio::test]
async fn a_queued_job_keeps_its_purged_source_and_later_jobs_do_not() {
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
    client.purge(&source).await.expect("it has ended");
    let refused = client.edit(&again, None).await.expect_err("its files are gone");
    assert_eq!((refused.status(), refused.kind()), (Some(410), Some("gone")));
    let _worker = studio.worker("cpu-1");
    assert!(matches!(finished(&client, &waiting).await, JobStatus::Succeeded { .. }));
    assert_eq!(status_of(&studio, &link(&client, &waiting).await).await, 200);
}

#[tokio::test]
async fn only_ended_jobs_can_be_purged() {
    let studio = Studio::open().await;
    let client = studio.client();
    let waiting = client.submit(&walk(), None).await.expect("a job").job;
    let refused = client.purge(&waiting).await.expect_err("it waits");
    assert_eq!((refused.status(), refused.kind()), (Some(409), Some("invalid_state")));
    assert!(refused.to_string().contains("is waiting in the queue; cancel it first"), "{refused}");
    client.cancel(&waiting).await.expect("it waits");
    client.purge(&waiting).await.expect("it has ended");
    assert_eq!(client.status(&waiting).await.expect("known"), JobStatus::Cancelled);
    let unknown = JobId::parse("unknownunknown00").expect("an id");
    let refused = client.purge(&unknown).await.expect_err("there is none");
    assert_eq!((refused.status(), refused.kind()), (Some(404), Some("job_not_found")));
}
