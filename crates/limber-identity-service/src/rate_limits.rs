//! Counts in memory how often callers ask and how much mail leaves.
//!
//! Per process: several instances each count for themselves.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Timelike, Utc};

use crate::config::{Allowance, MessageLimit, RateLimits};
use crate::refusal::{Refusal, TOO_MANY_EMAILS};

/// Callers remembered per bucket; the fullest buckets are forgotten first, which harms nobody.
const MAX_CALLERS: usize = 20_000;

/// What is counted separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Gate {
    Token,
    Verify,
    Otp,
    Anonymous,
}

/// A message to one address, known here or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    Confirmation,
    Recovery,
    EmailChange,
}

#[derive(Debug)]
pub(crate) struct Counters {
    limits: RateLimits,
    callers: Mutex<HashMap<(Gate, String), Bucket>>,
    emails: Mutex<Bucket>,
    /// Last time somebody asked for mail to an address, so that an unknown one answers the same
    /// way as a known one.
    addresses: Mutex<HashMap<(Purpose, String), DateTime<Utc>>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: DateTime<Utc>,
}

impl Counters {
    pub(crate) fn new(limits: RateLimits, now: DateTime<Utc>) -> Self {
        let left = match limits.emails {
            MessageLimit::PerHour(count) | MessageLimit::Bucket(count, _) => f64::from(count),
        };
        Self {
            limits,
            callers: Mutex::default(),
            emails: Mutex::new(Bucket { left, at: now }),
            addresses: Mutex::default(),
        }
    }

    /// Lets a caller through a gate, or says how long to wait.
    pub(crate) fn pass(&self, gate: Gate, caller: &str, now: DateTime<Utc>) -> Result<(), Refusal> {
        let allowance = match gate {
            Gate::Token => self.limits.token,
            Gate::Verify => self.limits.verify,
            Gate::Otp => self.limits.otp,
            Gate::Anonymous => self.limits.anonymous,
        };
        let mut callers = lock(&self.callers);
        if callers.len() >= MAX_CALLERS {
            callers.retain(|_, bucket| refilled(*bucket, allowance, now) < allowance.burst);
        }
        if callers.len() >= MAX_CALLERS {
            callers.clear();
        }
        let bucket = callers
            .entry((gate, caller.to_owned()))
            .or_insert(Bucket { left: allowance.burst, at: now });
        let left = refilled(*bucket, allowance, now);
        *bucket = Bucket { left, at: now };
        if left < 1.0 {
            return Err(Refusal::too_many_requests(seconds_until(1.0 - left, allowance)));
        }
        bucket.left -= 1.0;
        Ok(())
    }

    /// Takes one mail from what the instance may send.
    pub(crate) fn count_email(&self, now: DateTime<Utc>) -> Result<(), Refusal> {
        let mut bucket = lock(&self.emails);
        *bucket = refilled_messages(*bucket, self.limits.emails, now);
        if bucket.left < 1.0 {
            return Err(TOO_MANY_EMAILS);
        }
        bucket.left -= 1.0;
        Ok(())
    }

    /// Notes that mail to `address` was asked for; refuses when that was less than `gap` ago.
    pub(crate) fn note_address(
        &self,
        purpose: Purpose,
        address: &str,
        gap: Duration,
        now: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        let mut addresses = lock(&self.addresses);
        if addresses.len() >= MAX_CALLERS {
            addresses.retain(|_, last| seconds_left(*last, gap, now).is_some());
        }
        if addresses.len() >= MAX_CALLERS {
            addresses.clear();
        }
        let last = addresses.get(&(purpose, address.to_owned()));
        if let Some(left) = last.and_then(|last| seconds_left(*last, gap, now)) {
            return Err(Refusal::too_soon(left));
        }
        addresses.insert((purpose, address.to_owned()), now);
        Ok(())
    }

    /// Forgets an address whose request came to nothing, or whose purpose is fulfilled.
    pub(crate) fn forget_address(&self, purpose: Purpose, address: &str) {
        lock(&self.addresses).remove(&(purpose, address.to_owned()));
    }
}

/// Whole seconds until `gap` after `last`; `None` once it is over.
pub(crate) fn seconds_left(last: DateTime<Utc>, gap: Duration, now: DateTime<Utc>) -> Option<u64> {
    let until = last + chrono::Duration::from_std(gap).ok()?;
    let left_ms = (until - now).num_milliseconds();
    (left_ms > 0).then(|| u64::try_from(left_ms).unwrap_or(0).div_ceil(1000))
}

fn refilled(bucket: Bucket, allowance: Allowance, now: DateTime<Utc>) -> f64 {
    let seconds = (now - bucket.at).as_seconds_f64().max(0.0);
    (bucket.left + seconds * allowance.per_second).min(allowance.burst)
}

fn refilled_messages(bucket: Bucket, limit: MessageLimit, now: DateTime<Utc>) -> Bucket {
    match limit {
        MessageLimit::PerHour(count) => {
            let hour = |t: DateTime<Utc>| (t.date_naive(), t.hour());
            let left = if hour(now) == hour(bucket.at) { bucket.left } else { f64::from(count) };
            Bucket { left, at: now }
        }
        MessageLimit::Bucket(count, each) => {
            let seconds = (now - bucket.at).as_seconds_f64().max(0.0);
            let left = bucket.left + seconds / each.as_secs_f64();
            Bucket { left: left.min(f64::from(count)), at: now }
        }
    }
}

fn seconds_until(missing: f64, allowance: Allowance) -> u64 {
    if allowance.per_second <= 0.0 {
        return 3600;
    }
    (missing / allowance.per_second).ceil().clamp(1.0, 86_400.0) as u64
}

/// A counter stays usable after a panic elsewhere.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a valid time")
    }

    #[test]
    fn a_caller_gets_the_burst_then_waits_for_the_refill() {
        let counters = Counters::new(RateLimits::default(), time(0));
        for _ in 0..30 {
            counters.pass(Gate::Otp, "1.2.3.4", time(0)).expect("inside the burst");
        }
        let refusal = counters.pass(Gate::Otp, "1.2.3.4", time(0)).expect_err("over the burst");
        assert_eq!((refusal.status, refusal.retry_after_s), (429, Some(10)));
        counters.pass(Gate::Otp, "5.6.7.8", time(0)).expect("another caller is not concerned");
        counters.pass(Gate::Token, "1.2.3.4", time(0)).expect("another gate has its own bucket");
        counters.pass(Gate::Otp, "1.2.3.4", time(10)).expect("one more after ten seconds");
    }

    #[test]
    fn mail_is_counted_by_the_full_hour() {
        let limits = RateLimits { emails: MessageLimit::PerHour(2), ..RateLimits::default() };
        let counters = Counters::new(limits, time(0));
        counters.count_email(time(0)).expect("first");
        counters.count_email(time(1)).expect("second");
        assert_eq!(counters.count_email(time(2)), Err(TOO_MANY_EMAILS));
        counters.count_email(time(3600)).expect("the next hour");
    }

    #[test]
    fn zero_means_never() {
        let limits = RateLimits { emails: MessageLimit::PerHour(0), ..RateLimits::default() };
        assert!(Counters::new(limits, time(0)).count_email(time(0)).is_err());
    }

    #[test]
    fn an_address_is_asked_for_once_per_gap() {
        let counters = Counters::new(RateLimits::default(), time(0));
        let gap = Duration::from_secs(60);
        counters.note_address(Purpose::Recovery, "a@b.co", gap, time(0)).expect("first");
        let refusal = counters
            .note_address(Purpose::Recovery, "a@b.co", gap, time(18))
            .expect_err("too soon");
        assert_eq!(
            refusal.message,
            "For security purposes, you can only request this after 42 seconds."
        );
        counters.note_address(Purpose::Recovery, "a@b.co", gap, time(60)).expect("later");
    }
}
