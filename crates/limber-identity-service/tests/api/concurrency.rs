//! Many exchanges of one refresh token at once.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::json;

use crate::service::{PASSWORD, TestService};

const PARALLEL: usize = 20;
const ROUNDS: usize = 200;
/// A slow machine does fewer rounds, but never fewer than it can in this time.
const TIME: Duration = Duration::from_secs(25);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_exchanges_at_once_give_one_child_time_and_again() {
    let service = TestService::start_with(|config| config.mailer.autoconfirm = true).await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let mut token = service.post("/signup", body).await.ok().refresh();
    let mut rounds = 0;
    let enough = tokio::time::sleep(TIME);
    tokio::pin!(enough);
    while rounds < ROUNDS && !enough.is_elapsed() {
        let answers = (0..PARALLEL).map(|_| service.refresh(&token));
        let answers = futures_util::future::join_all(answers).await;
        let children: BTreeSet<String> = answers
            .into_iter()
            .map(|answer| {
                assert_eq!(answer.status, 200, "round {rounds}: {answer:?}");
                answer.refresh()
            })
            .collect();
        assert_eq!(children.len(), 1, "round {rounds}: the family forked");
        token = children.into_iter().next().expect("there is one");
        rounds += 1;
        tokio::select! { biased; () = &mut enough => {} () = std::future::ready(()) => {} }
    }
    let pool = sqlx::PgPool::connect(service.database.url()).await.expect("the test's database");
    let (links, active): (i64, i64) = sqlx::query_as(
        "SELECT count(*), count(*) FILTER (WHERE revoked_at IS NULL) FROM refresh_tokens",
    )
    .fetch_one(&pool)
    .await
    .expect("the table is there");
    assert_eq!((links, active), (i64::try_from(rounds).expect("few") + 1, 1), "one child each");
    println!("{rounds} rounds of {PARALLEL} exchanges");
    assert!(rounds >= 20, "only {rounds} rounds in {TIME:?}");
}
