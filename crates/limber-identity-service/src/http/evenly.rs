//! Answers that take the same time for everybody.

use std::time::Duration;

/// Longer than sending a code takes on a server that has time to spare.
const EVEN: Duration = Duration::from_millis(25);

/// Does the work, but does not end before [`EVEN`] is over. Known and unknown addresses cost the
/// same statements; what the database does for a row that is there and for one that is not still
/// differs by a few tenths of a millisecond, which a patient stranger could measure.
pub(super) async fn evenly<T>(work: impl Future<Output = T>) -> T {
    tokio::join!(work, tokio::time::sleep(EVEN)).0
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "this test measures how long an answer takes")]
    fn now() -> Instant {
        Instant::now()
    }

    #[tokio::test]
    async fn quick_work_is_not_told_before_its_time() {
        let begun = now();
        assert_eq!(evenly(std::future::ready(7)).await, 7);
        assert!(begun.elapsed() >= EVEN, "{:?}", begun.elapsed());
    }
}
