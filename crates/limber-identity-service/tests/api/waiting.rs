//! Waiting for a condition, rather than for a fixed time.

use std::time::Duration;

/// Time limit, so long that only a condition that never holds exceeds it, however busy the
/// computer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);
/// Polling interval.
const PAUSE: Duration = Duration::from_millis(30);

/// Polls until there is an answer.
pub(crate) async fn until<T>(what: &str, mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let asking = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    let answer = tokio::time::timeout(PATIENCE, asking).await;
    answer.unwrap_or_else(|_| panic!("timed out waiting for: {what}"))
}

/// Polls until the condition holds.
pub(crate) async fn wait_for(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    until(what, async || holds().await.then_some(())).await;
}
