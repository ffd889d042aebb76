//! Responses padded to a constant time, against timing attacks.

use std::time::Duration;

/// Minimum response time. Longer than sending a code takes on a lightly loaded server.
const MIN_RESPONSE_TIME: Duration = Duration::from_millis(25);

/// Runs `work` and returns no sooner than after [`MIN_RESPONSE_TIME`]. Known and unknown addresses
/// run the same statements, but existing and missing rows still differ by a few tenths of a
/// millisecond, which a patient attacker could measure.
pub(super) async fn pad_response_time<T>(work: impl Future<Output = T>) -> T {
    tokio::join!(work, tokio::time::sleep(MIN_RESPONSE_TIME)).0
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[expect(clippy::disallowed_methods, reason = "this test measures how long a response takes")]
    fn now() -> Instant {
        Instant::now()
    }

    #[tokio::test]
    async fn fast_responses_are_delayed_to_the_minimum_time() {
        let begun = now();
        assert_eq!(pad_response_time(std::future::ready(7)).await, 7);
        assert!(begun.elapsed() >= MIN_RESPONSE_TIME, "{:?}", begun.elapsed());
    }
}
