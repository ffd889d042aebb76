//! Token buckets: how many requests whom (motion-behaviour §8).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::ApiError;
use crate::surroundings::Clock;

/// Callers that are remembered; the longest silent are forgotten first.
const MOST_CALLERS: usize = 50_000;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Counted {
    /// Every request: 10 per second, bursts of 60.
    Any,
    /// Status and list: 5 per second, bursts of 30.
    Reading,
    /// Authentication: 10 per minute for each address and each client id.
    Auth,
}

impl Counted {
    /// Burst, and tokens per millisecond.
    const fn rate(self) -> (f64, f64) {
        match self {
            Self::Any => (60.0, 10.0 / 1000.0),
            Self::Reading => (30.0, 5.0 / 1000.0),
            Self::Auth => (10.0, 10.0 / 60_000.0),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    at_ms: i64,
}

/// Counts requests; without `on` it lets everything through.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    on: bool,
    clock: Arc<dyn Clock>,
    buckets: Mutex<HashMap<(Counted, String), Bucket>>,
}

impl RateLimiter {
    pub(crate) fn new(on: bool, clock: Arc<dyn Clock>) -> Self {
        Self { on, clock, buckets: Mutex::default() }
    }

    /// Takes one token, or says when there will be one.
    pub(super) fn count(&self, what: Counted, who: &str) -> Result<(), ApiError> {
        if !self.on {
            return Ok(());
        }
        let now_ms = self.clock.now_ms();
        let (burst, per_ms) = what.rate();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST_CALLERS {
            // whoever was silent for a minute has a full bucket anyway
            buckets.retain(|_, bucket| now_ms - bucket.at_ms < 60_000);
        }
        let bucket = buckets
            .entry((what, who.to_owned()))
            .or_insert(Bucket { tokens: burst, at_ms: now_ms });
        let waited_ms = (now_ms - bucket.at_ms).max(0) as f64;
        bucket.tokens = (bucket.tokens + waited_ms * per_ms).min(burst);
        bucket.at_ms = now_ms;
        if bucket.tokens >= 1.0 {
            bucket.tokens -= 1.0;
            return Ok(());
        }
        let wait_ms = (1.0 - bucket.tokens) / per_ms;
        Err(ApiError::rate_limited((wait_ms / 1000.0).ceil().max(1.0) as u64))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;

    #[derive(Debug)]
    struct Hand(AtomicI64);

    impl Clock for Hand {
        fn now_ms(&self) -> i64 {
            self.0.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn a_burst_passes_then_the_rate_holds() {
        let clock = Arc::new(Hand(AtomicI64::new(0)));
        let limiter = RateLimiter::new(true, Arc::clone(&clock) as Arc<dyn Clock>);
        for _ in 0..60 {
            assert!(limiter.count(Counted::Any, "a").is_ok());
        }
        let refusal = limiter.count(Counted::Any, "a").expect_err("the burst is used up");
        assert_eq!(refusal.retry_after_s, Some(1));
        assert!(limiter.count(Counted::Any, "b").is_ok(), "others are not affected");
        clock.0.store(100, Ordering::Relaxed);
        assert!(limiter.count(Counted::Any, "a").is_ok());
        assert!(limiter.count(Counted::Any, "a").is_err());
    }
}
