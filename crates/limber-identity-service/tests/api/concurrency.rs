//! Many concurrent exchanges of one refresh token.

use std::collections::BTreeSet;

use limber_identity_service::config::Allowance;
use serde_json::json;

use crate::service::{Answer, PASSWORD, TestService};
use crate::waiting::until;

const PARALLEL: usize = 20;
const ROUNDS: usize = 20;

/// Exchanges a token and retries on contention: on a busy computer, the other exchanges may take
/// longer than the five seconds for which each waits.
pub(crate) async fn exchange(service: &TestService, token: &str) -> Answer {
    until("every refresh gets its turn", async || {
        let answer = service.refresh(token).await;
        (answer.status != 503).then_some(answer)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_concurrent_refreshes_give_one_child_token() {
    let service = TestService::start_with(|config| {
        config.mailer.autoconfirm = true;
        // nobody refreshes one session that often
        config.limits.token = Allowance { burst: f64::from(u16::MAX), per_second: 1.0 };
    })
    .await;
    let body = json!({"email": "ann@b.co", "password": PASSWORD});
    let mut token = service.post("/signup", body).await.ok().refresh();
    for round in 0..ROUNDS {
        let answers = (0..PARALLEL).map(|_| exchange(&service, &token));
        let answers = futures_util::future::join_all(answers).await;
        let children: BTreeSet<String> = answers
            .into_iter()
            .map(|answer| {
                assert_eq!(answer.status, 200, "round {round}: {answer:?}");
                answer.refresh()
            })
            .collect();
        assert_eq!(children.len(), 1, "round {round}: the session has two refresh tokens");
        token = children.into_iter().next().expect("there is one row");
    }
    let pool = sqlx::PgPool::connect(service.database.url())
        .await
        .expect("the test database is reachable");
    let (links, active): (i64, i64) = sqlx::query_as(
        "SELECT count(*), count(*) FILTER (WHERE revoked_at IS NULL) FROM refresh_tokens",
    )
    .fetch_one(&pool)
    .await
    .expect("the statement succeeds");
    assert_eq!(
        (links, active),
        (i64::try_from(ROUNDS).expect("few") + 1, 1),
        "one child token per round"
    );
}
