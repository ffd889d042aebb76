//! Order of the queue, and retries.

use limber_client::motion::{JobStatus, ListFilter};

use crate::{
    studio::{Studio, finished, retrying, walk},
    within::{UNTIL_HASTENED, work},
};

#[tokio::test]
async fn jobs_of_an_account_run_in_order_and_accounts_take_turns() {
    let studio = Studio::open().await;
    let (mine, theirs) = (studio.client(), studio.stranger().await);
    let mut own = Vec::new();
    for _ in 0..3 {
        own.push(mine.submit(&walk(), None).await.expect("a job").job);
    }
    let mut others = Vec::new();
    for _ in 0..2 {
        others.push(theirs.submit(&walk(), None).await.expect("a job").job);
    }
    let _worker = studio.worker("cpu-0");
    for job in &own {
        finished(&mine, job).await;
    }
    for job in &others {
        finished(&theirs, job).await;
    }
    let mut started = Vec::new();
    for (who, client) in [("mine", &mine), ("theirs", &theirs)] {
        for job in client.list(&ListFilter::default()).await.expect("a list") {
            started.push((job.processing_info.started_at.expect("it ran"), who, job.rid));
        }
    }
    started.sort();
    let order: Vec<&str> = started.iter().map(|(_, who, _)| *who).collect();
    let turns = [
        ["mine", "theirs", "mine", "theirs", "mine"],
        ["theirs", "mine", "theirs", "mine", "mine"],
    ];
    assert!(turns.iter().any(|turn| *turn == order[..]), "{order:?}");
    let of = |who| {
        started
            .iter()
            .filter(|(_, w, _)| *w == who)
            .map(|(_, _, rid)| rid.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("mine"), own);
    assert_eq!(of("theirs"), others);
}

#[tokio::test]
async fn two_workers_never_take_the_same_job() {
    let studio = Studio::open().await;
    let client = studio.client();
    let mut jobs = Vec::new();
    for _ in 0..6 {
        jobs.push(client.submit(&walk(), None).await.expect("a job").job);
    }
    let _workers = [studio.worker("cpu-0"), studio.worker("cpu-1")];
    for job in &jobs {
        assert!(matches!(finished(&client, job).await, JobStatus::Succeeded { .. }));
    }
    for job in client.list(&ListFilter::default()).await.expect("a list") {
        assert_eq!(job.processing_info.attempts, 1, "{job:?}");
    }
}

#[tokio::test]
async fn a_silent_worker_is_given_up_with_1101_and_the_job_retried() {
    let studio = Studio::open().await;
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    // as if a worker had claimed the job ten minutes ago and sent no heartbeat since
    studio
        .sql(
            "update jobs set state = 'running', lease = 'x', worker = 1, attempts = 1,
             heartbeat_ms = now_ms() - 600000",
        )
        .await;
    let _working = work(&studio, |config| config.work.retry_delays = UNTIL_HASTENED);
    let cause = retrying(&client, &job).await;
    assert_eq!((cause.codes, cause.kind.as_str()), (vec![1101], "InternalError"));
    studio.hasten_retries().await;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
}

#[tokio::test]
async fn an_unreadable_job_fails_with_494() {
    let studio = Studio::open().await;
    let client = studio.client();
    let job = client.submit(&walk(), None).await.expect("a job").job;
    studio.sql("update jobs set spec = '{\"schema\": 99}'").await;
    let _worker = studio.worker("cpu-0");
    let JobStatus::Failed(cause) = finished(&client, &job).await else { panic!("it fails") };
    assert_eq!((cause.codes, cause.kind.as_str()), (vec![494], "InputError"));
}
