//! Many jobs, some cancelled, some unpayable, while their worker is killed repeatedly.

use limber_client::motion::{JobStatus, ListFilter, MotionClient, TextToMotion};
use rand::{Rng, SeedableRng, rngs::SmallRng};

use super::{balance, near, studio_with};
use crate::studio::{finished, until, walk};

/// Fixed, so that a failure can be reproduced.
const SEED: u64 = 20_261_122;

async fn hand_in(
    client: &MotionClient,
    random: &mut SmallRng,
) -> Option<limber_client::motion::JobId> {
    let request = TextToMotion {
        variants: 1 + random.next_u32() % 2,
        duration_s: Some(1.0 + (random.next_u32() % 3) as f32),
        formats: vec![limber_client::motion::FileKind::Bvh],
        ..walk()
    };
    match client.submit(&request, None).await {
        Ok(submitted) => Some(submitted.job),
        Err(error) => {
            assert_eq!(error.status(), Some(402), "{error}");
            None
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ledger_balances_whatever_happens_to_jobs_and_workers() {
    let studio = studio_with(40).await;
    let client = studio.client();
    let mut random = SmallRng::seed_from_u64(SEED);
    let mut jobs = Vec::new();
    jobs.extend(hand_in(&client, &mut random).await);
    // before a worker exists
    client.cancel(&jobs[0]).await.expect("it waits");
    let over = async || {
        let listed = client.list(&ListFilter::default()).await.expect("a list");
        let over = listed.iter().filter(|job| job.processing_info.finished_at.is_some()).count();
        (over, listed.len())
    };
    for round in 0..4 {
        let worker = studio.worker("doomed");
        for _ in 0..5 {
            jobs.extend(hand_in(&client, &mut random).await);
        }
        if let Some(job) = jobs.get(1 + round * 3) {
            // the job may have ended already
            let _ = client.cancel(job).await;
        }
        let (before, _) = over().await;
        until("one more has ended, or all have", async || {
            let (now, all) = over().await;
            (now > before || now == all).then_some(())
        })
        .await;
        worker.kill();
        studio.audit().await;
    }
    let _heir = studio.worker("heir");
    let mut ended = [0, 0];
    for job in &jobs {
        match finished(&client, job).await {
            JobStatus::Succeeded { .. } => ended[0] += 1,
            _ => ended[1] += 1,
        }
    }
    assert!(ended[0] > 0 && ended[1] > 0, "some end well and some do not: {ended:?}");
    studio.audit().await;
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let charged: f64 = listed.iter().map(|job| job.charged_amount).sum();
    let left = balance(&client).await;
    assert!(near(left.credits + charged, 4.0) && near(left.reserved, 0.0), "{left:?}, {charged}");
}
