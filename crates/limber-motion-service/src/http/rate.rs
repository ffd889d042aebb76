//! Rate limits by token bucket: requests and wrong secrets. The numbers are in "Limits" in
//! `docs/src/motion-specification.md`.
//!
//! Wrong secrets are counted for each caller and, across all callers, for each client. The limit
//! per client does not apply to callers from which that client has signed in before, and takes ten
//! callers to reach. Someone who only knows a client's id can therefore not lock the client out.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard},
};

use limber_domain::{environment::Clock, lock};

use super::ApiError;

/// Maximum number of tracked callers; the ones idle longest are dropped first.
const MOST_CALLERS: usize = 50_000;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Counted {
    /// All requests: 10 per second, bursts of 60.
    Any,
    /// Status and list: 5 per second, bursts of 30.
    Reading,
    /// Attempts to sign in, per caller: 10 per second, bursts of 60.
    SignIn,
    /// Wrong secrets, per caller: 10 per minute.
    WrongSecret,
    /// Wrong secrets, per client id: 100 per minute, so at least ten callers are needed to reach
    /// it.
    WrongSecretOfClient,
}

impl Counted {
    /// Returns the bucket's capacity, and its refill rate in tokens per millisecond.
    const fn rate(self) -> (f64, f64) {
        match self {
            Self::Any | Self::SignIn => (60.0, 10.0 / 1000.0),
            Self::Reading => (30.0, 5.0 / 1000.0),
            Self::WrongSecret => (10.0, 10.0 / 60_000.0),
            Self::WrongSecretOfClient => (100.0, 100.0 / 60_000.0),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    at_ms: i64,
}

/// A client id, and a caller that has signed in with it.
type Acquaintance = (String, String);

#[derive(Debug, Default)]
struct Remembered {
    buckets: HashMap<(Counted, String), Bucket>,
    /// Time of the last successful sign-in.
    acquaintances: HashMap<Acquaintance, i64>,
}

/// Counts requests; if `on` is false, it allows all of them.
#[derive(Debug)]
pub(crate) struct RateLimiter {
    on: bool,
    clock: Arc<dyn Clock>,
    remembered: Mutex<Remembered>,
}

impl RateLimiter {
    pub(crate) fn new(on: bool, clock: Arc<dyn Clock>) -> Self {
        Self { on, clock, remembered: Mutex::default() }
    }

    /// Takes one token, or returns an error that says when the next one is available.
    pub(super) fn count(&self, what: Counted, who: &str) -> Result<(), ApiError> {
        if !self.on {
            return Ok(());
        }
        let now_ms = self.clock.now_ms();
        let (burst, per_ms) = what.rate();
        let buckets = &mut self.lock().buckets;
        make_room(buckets, |bucket| bucket.at_ms);
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

    /// Counts the secret as wrong before it is checked, so that concurrent attempts cannot exceed
    /// the limit. [`Attempt`] refunds the tokens.
    pub(super) fn try_secret(&self, caller: &str, client: &str) -> Result<Attempt<'_>, ApiError> {
        self.count(Counted::WrongSecret, caller)?;
        let acquaintance = (client.to_owned(), caller.to_owned());
        let is_known = self.lock().acquaintances.contains_key(&acquaintance);
        let attempt = Attempt { limiter: self, acquaintance, counts_for_client: !is_known };
        if attempt.counts_for_client
            && let Err(refusal) = self.count(Counted::WrongSecretOfClient, client)
        {
            // the secret is not checked, so this is not a wrong guess by the caller
            self.give_back(Counted::WrongSecret, caller);
            return Err(refusal);
        }
        Ok(attempt)
    }

    fn give_back(&self, what: Counted, who: &str) {
        let (burst, _) = what.rate();
        if let Some(bucket) = self.lock().buckets.get_mut(&(what, who.to_owned())) {
            bucket.tokens = (bucket.tokens + 1.0).min(burst);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Remembered> {
        lock(&self.remembered)
    }
}

/// An attempt to sign in, which counts as a wrong secret until one of its methods is called.
#[derive(Debug)]
#[must_use = "if dropped, it counts as a wrong secret"]
pub(super) struct Attempt<'a> {
    limiter: &'a RateLimiter,
    acquaintance: Acquaintance,
    counts_for_client: bool,
}

impl Attempt<'_> {
    /// The secret was right; remembers that the client signs in from this caller.
    pub(super) fn was_right(self) {
        let limiter = self.limiter;
        if limiter.on {
            let now_ms = limiter.clock.now_ms();
            let acquaintances = &mut limiter.lock().acquaintances;
            make_room(acquaintances, |at_ms| *at_ms);
            acquaintances.insert(self.acquaintance.clone(), now_ms);
        }
        self.was_not_looked_at();
    }

    /// The secret was not checked; refunds the tokens.
    pub(super) fn was_not_looked_at(self) {
        let (client, caller) = &self.acquaintance;
        self.limiter.give_back(Counted::WrongSecret, caller);
        if self.counts_for_client {
            self.limiter.give_back(Counted::WrongSecretOfClient, client);
        }
    }
}

/// If there are too many entries, drops the quarter that has been idle longest, and any entries as
/// old as those.
fn make_room<Who: Eq + Hash, What>(entries: &mut HashMap<Who, What>, at_ms: impl Fn(&What) -> i64) {
    if entries.len() < MOST_CALLERS {
        return;
    }
    let mut times: Vec<i64> = entries.values().map(&at_ms).collect();
    let (_, &mut limit_ms, _) = times.select_nth_unstable(MOST_CALLERS / 4);
    entries.retain(|_, entry| at_ms(entry) > limit_ms);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use chrono::{DateTime, Utc};

    use super::*;

    #[derive(Debug)]
    struct Hand(AtomicI64);

    impl Clock for Hand {
        fn now(&self) -> DateTime<Utc> {
            DateTime::from_timestamp_millis(self.0.load(Ordering::Relaxed)).expect("a time")
        }
    }

    fn limiter() -> (RateLimiter, Arc<Hand>) {
        let clock = Arc::new(Hand(AtomicI64::new(0)));
        (RateLimiter::new(true, Arc::clone(&clock) as Arc<dyn Clock>), clock)
    }

    /// Tries a wrong secret; an error holds the seconds to wait.
    fn guess(limiter: &RateLimiter, caller: &str, client: &str) -> Result<(), Option<u64>> {
        let tried = limiter.try_secret(caller, client).map(drop);
        tried.map_err(|refusal| refusal.retry_after_s)
    }

    #[test]
    fn a_burst_passes_then_the_rate_applies() {
        let (limiter, clock) = limiter();
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

    #[test]
    fn ten_wrong_secrets_block_only_their_caller() {
        let (limiter, clock) = limiter();
        for _ in 0..10 {
            assert_eq!(guess(&limiter, "stranger", "studio"), Ok(()));
        }
        assert_eq!(guess(&limiter, "stranger", "studio"), Err(Some(6)));
        assert_eq!(guess(&limiter, "stranger", "another"), Err(Some(6)), "for any client");
        limiter.try_secret("owner", "studio").expect("others are not affected").was_right();
        clock.0.store(6_100, Ordering::Relaxed);
        assert_eq!(guess(&limiter, "stranger", "studio"), Ok(()));
    }

    #[test]
    fn right_secrets_are_not_counted() {
        let (limiter, _) = limiter();
        for _ in 0..500 {
            limiter.try_secret("owner", "studio").expect("it is right").was_right();
        }
        for _ in 0..500 {
            limiter.try_secret("other", "studio").expect("it may be right").was_not_looked_at();
        }
        for _ in 0..10 {
            assert_eq!(guess(&limiter, "owner", "studio"), Ok(()));
        }
        assert!(guess(&limiter, "owner", "studio").is_err(), "no caller is exempt from the limit");
    }

    #[test]
    fn many_callers_together_block_all_but_known_callers() {
        let (limiter, _) = limiter();
        limiter.try_secret("owner", "studio").expect("no guesses so far").was_right();
        for number in 0..100 {
            assert_eq!(guess(&limiter, &format!("stranger {number}"), "studio"), Ok(()));
        }
        assert!(guess(&limiter, "one more", "studio").is_err());
        assert_eq!(
            guess(&limiter, "one more", "another"),
            Ok(()),
            "other clients are not affected"
        );
        limiter.try_secret("owner", "studio").expect("the owner can sign in").was_right();
    }

    #[test]
    fn the_number_of_remembered_callers_is_limited() {
        let (limiter, clock) = limiter();
        for number in 0..2 * MOST_CALLERS {
            clock.0.store(i64::try_from(number).expect("small"), Ordering::Relaxed);
            assert!(limiter.count(Counted::Any, &number.to_string()).is_ok());
        }
        assert!(limiter.lock().buckets.len() <= MOST_CALLERS);
        let last = (Counted::Any, (2 * MOST_CALLERS - 1).to_string());
        assert!(limiter.lock().buckets.contains_key(&last), "the latest are remembered");
    }
}
