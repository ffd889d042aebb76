//! Billing: what jobs reserve and cost, and what downloads cost.

mod chaos;
mod lost_answers;
mod operator;
mod unlocks;

use std::sync::{Arc, atomic::AtomicU32};

use limber_client::motion::{
    CreditBalance, JobId, JobStatus, ListFilter, MotionClient, TextToMotion,
};
use limber_motion_service::{Billing, grant_credits};
use limber_text_to_motion::Seed;

use crate::{
    studio::{HandClock, Studio, finished, walk},
    within::{Faulty, work_with},
};

/// Opens a studio with billing, and an account with this many tenths of a credit.
pub(crate) async fn studio_with(tenths: i64) -> Studio {
    let studio = Studio::open_with(|config| config.billing = Some(Billing::default())).await;
    grant(&studio, tenths).await;
    studio
}

async fn grant(studio: &Studio, tenths: i64) {
    let left = grant_credits(&studio.config, &studio.id, tenths).await.expect("the database");
    left.expect("the account exists");
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

async fn balance(client: &MotionClient) -> CreditBalance {
    client.balance().await.expect("a balance")
}

/// Returns the charge of a job, according to the list.
async fn charged(client: &MotionClient, job: &JobId) -> f64 {
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    listed.iter().find(|listed| listed.rid == *job).expect("it is listed").charged_amount
}

impl Studio {
    /// Checks invariants that must hold at any time: every wallet equals the sum of its postings,
    /// every entry adds up to zero, every ended job was settled exactly once (except those whose
    /// credits the operator removed), and no credits are reserved for ended jobs.
    async fn audit(&self) {
        audit(self.database.url()).await;
    }
}

/// Checks the invariants of the ledger in a database.
pub(crate) async fn audit(database: &str) {
    let pool = sqlx::PgPool::connect(database).await.expect("the database");
    let wrong: [(&str, &str); 4] = [
        (
            "wallets that are not what their postings add up to",
            "select count(*) from wallets w where
                 (w.plan, w.bought, w.held_plan, w.held_bought) is distinct from (
                 select (coalesce(sum(tenths) filter (where book = 'plan'), 0)::bigint,
                         coalesce(sum(tenths) filter (where book = 'bought'), 0)::bigint,
                         coalesce(sum(tenths) filter (where book = 'held_plan'), 0)::bigint,
                         coalesce(sum(tenths) filter (where book = 'held_bought'), 0)::bigint)
                 from postings p join ledger l on l.id = p.entry_id
                 where l.account_id = w.account_id)",
        ),
        (
            "entries that do not add up to zero",
            "select count(*) from (select entry_id from postings group by entry_id
                 having sum(tenths) <> 0) e",
        ),
        (
            "ended jobs whose reservation is not charged and released",
            "select count(*) from (
                 select l.rid from ledger l join jobs j on j.rid = l.rid
                     join postings p on p.entry_id = l.id
                 where j.state in ('success', 'failure', 'cancelled')
                     and coalesce(not j.cause @> '{\"codes\": [101]}', true)
                     and p.book in ('held_plan', 'held_bought')
                 group by l.rid having sum(p.tenths) <> 0
                     or count(distinct l.id) filter (where l.kind = 'release') > 1
                     or count(distinct l.id) filter (where l.kind = 'reserve') > 1) x",
        ),
        (
            "wallets with reservations for no job",
            "select count(*) from wallets w where w.held_plan + w.held_bought <> (
                 select coalesce(sum(r.plan + r.bought), 0) from reservations r
                 where r.account_id = w.account_id and r.settled_ms is null)",
        ),
    ];
    for (what, count) in wrong {
        let found: i64 = sqlx::query_scalar(count).fetch_one(&pool).await.expect(what);
        assert_eq!(found, 0, "{what}");
    }
    pool.close().await;
}

#[tokio::test]
async fn a_job_reserves_its_price_and_is_charged_for_its_results() {
    let studio = studio_with(50).await;
    let client = studio.client();
    // a job without a duration is assumed to take ten seconds
    let request = TextToMotion { duration_s: None, variants: 2, ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    let during = balance(&client).await;
    assert!(near(during.credits, 3.0) && near(during.reserved, 2.0), "{during:?}");
    let _worker = studio.worker("cpu-0");
    finished(&client, &job).await;
    let listed = client.list(&ListFilter::default()).await.expect("a list");
    let variants = listed[0].variants.as_ref().expect("variants");
    let seconds = variants.values().map(|variant| variant.duration_s);
    let cost: f64 = seconds.map(|seconds| (seconds - 1e-6).ceil() / 10.0).sum();
    assert!(cost > 0.0 && cost < 2.0 && near(listed[0].charged_amount, cost), "{listed:?}");
    let after = balance(&client).await;
    assert!(near(after.credits, 5.0 - cost) && near(after.reserved, 0.0), "{after:?}");
    studio.audit().await;
}

#[tokio::test]
async fn a_job_that_cannot_be_paid_for_is_rejected() {
    let studio = studio_with(1).await;
    let client = studio.client();
    let refused = client.submit(&walk(), Some("key")).await.expect_err("2 tenths are needed");
    assert_eq!((refused.status(), refused.code()), (Some(402), Some(101)));
    assert_eq!(refused.kind(), Some("insufficient_credits"));
    let params = ["prompt=a person walks", "model=default", "requestedAnimationDuration=2"];
    let (_, body) = studio.process(&params).await;
    assert_eq!(body["details"], serde_json::json!({ "required": 0.2, "available": 0.1 }));
    assert_eq!(studio.rows_of("jobs").await, 0);
    let priced = client.dry_run(&walk().to_process_request()).await.expect("peeking is free");
    assert!(near(priced.price, 0.2), "{priced:?}");
    grant(&studio, 1).await;
    client.submit(&walk(), Some("key")).await.expect("now there is enough");
    client.submit(&walk(), Some("key")).await.expect("the same job again");
    assert!(near(balance(&client).await.credits, 0.0));
    studio.audit().await;
}

#[tokio::test]
async fn cancelled_and_failed_jobs_are_refunded_once() {
    let studio = studio_with(10).await;
    let client = studio.client();
    let cancelled = client.submit(&walk(), None).await.expect("a job").job;
    client.cancel(&cancelled).await.expect("it waits");
    client.cancel(&cancelled).await.expect("a repetition is fine");
    assert!(near(balance(&client).await.credits, 1.0));
    let failing = client.submit(&walk(), None).await.expect("a job").job;
    studio.sql("update jobs set spec = '{\"schema\": 99}' where state = 'queued'").await;
    let _worker = studio.worker("cpu-0");
    assert!(matches!(finished(&client, &failing).await, JobStatus::Failed(_)));
    let after = balance(&client).await;
    assert!(near(after.credits, 1.0) && near(after.reserved, 0.0), "{after:?}");
    for job in [&cancelled, &failing] {
        assert!(near(charged(&client, job).await, 0.0));
    }
    studio.audit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variant_with_another_seed_is_charged_normally() {
    let studio = studio_with(100).await;
    let client = studio.client();
    let bad = vec![Seed(7).for_variant(2)];
    let _working = work_with(&studio, Faulty { failures: AtomicU32::new(0), bad }, |_| {});
    let request = TextToMotion { variants: 3, ..walk() };
    let job = client.submit(&request, None).await.expect("a job").job;
    assert!(matches!(finished(&client, &job).await, JobStatus::Succeeded { .. }));
    assert!(near(charged(&client, &job).await, 0.6), "three, two seconds each");
    studio.audit().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_jobs_cannot_overspend() {
    let studio = studio_with(6).await;
    let client = Arc::new(studio.client());
    client.sign_in().await.expect("signed in");
    let submits = (0..20).map(|_| {
        let client = Arc::clone(&client);
        tokio::spawn(async move { client.submit(&walk(), None).await.is_ok() })
    });
    let mut passed = 0;
    for submit in submits.collect::<Vec<_>>() {
        passed += u32::from(submit.await.expect("it answers"));
    }
    assert_eq!(passed, 3, "three of two tenths each");
    assert!(near(balance(&client).await.credits, 0.0));
    studio.audit().await;
}

#[tokio::test]
async fn plan_credits_renew_monthly_and_bought_credits_stay() {
    let clock = HandClock::now();
    let change = |config: &mut limber_motion_service::Config| {
        config.billing = Some(Billing::default());
    };
    let studio = Studio::open_at(&clock, change).await;
    let client = studio.client();
    grant(&studio, 30).await;
    let plan = ("Studio", 20, Some(3));
    limber_motion_service::set_plan(&studio.config, &studio.id, plan).await.expect("the database");
    let first = balance(&client).await;
    assert_eq!(first.subscription.name, "Studio");
    assert_eq!(first.subscription.feature_limits.max_variants_generation, 3);
    assert!(near(first.credits, 5.0) && near(first.subscription.credits, 2.0), "{first:?}");
    let four = TextToMotion { variants: 4, ..walk() };
    let refused = client.submit(&four, None).await.expect_err("three is the maximum");
    assert_eq!((refused.status(), refused.kind()), (Some(403), Some("feature_limit")));
    let dear = TextToMotion { variants: 3, duration_s: Some(10.0), ..walk() };
    let job = client.submit(&dear, None).await.expect("a job").job;
    assert!(
        near(balance(&client).await.credits, 2.0),
        "the plan's two and one bought are reserved"
    );
    clock.set(first.subscription.current_period.end + 24 * 3600 * 1000);
    let next = balance(&client).await;
    assert!(near(next.credits, 4.0), "two bought are left, two are new: {next:?}");
    assert_eq!(next.subscription.current_period.start, first.subscription.current_period.end);
    client.cancel(&job).await.expect("it waits");
    let after = balance(&client).await;
    assert!(near(after.credits, 5.0), "the bought one is back, the old plan's are not: {after:?}");
    studio.audit().await;
}
