//! Counts in memory how often callers ask and how much mail leaves.
//!
//! Per process: several instances each count for themselves.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Timelike, Utc};

use crate::config::{Allowance, MessageLimit, RateLimits};
use crate::refusal::{Refusal, TOO_MANY_EMAILS, TOO_MANY_TEXTS};

/// Callers remembered. The fullest buckets are forgotten first: these hold up nobody, or whom they
/// hold up last. Whoever calls from thousands of places makes nobody's empty bucket full again.
const MAX_CALLERS: usize = 20_000;

/// What is counted separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Gate {
    Token,
    Authorize,
    Verify,
    SignUp,
    Recover,
    Resend,
    MagicLink,
    Otp,
    UpdateAccount,
    Anonymous,
    FactorChallenge,
    FactorVerify,
    FactorChange,
    EndSessions,
    Unlink,
}

#[derive(Debug)]
pub(crate) struct Counters {
    limits: RateLimits,
    callers: Mutex<HashMap<(Gate, String), Bucket>>,
    emails: Mutex<Bucket>,
    texts: Mutex<Bucket>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: DateTime<Utc>,
}

impl Counters {
    pub(crate) fn new(limits: RateLimits, now: DateTime<Utc>) -> Self {
        let full = |limit| {
            let (MessageLimit::PerHour(count) | MessageLimit::Bucket(count, _)) = limit;
            Mutex::new(Bucket { left: f64::from(count), at: now })
        };
        let (emails, texts) = (full(limits.emails), full(limits.texts));
        Self { limits, callers: Mutex::default(), emails, texts }
    }

    /// Lets a caller through a gate, or says how long to wait.
    pub(crate) fn pass(&self, gate: Gate, caller: &str, now: DateTime<Utc>) -> Result<(), Refusal> {
        let allowance = self.allowance(gate);
        let mut callers = lock(&self.callers);
        if callers.len() >= MAX_CALLERS {
            self.make_room(&mut callers, now);
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

    fn allowance(&self, gate: Gate) -> Allowance {
        match gate {
            Gate::Token | Gate::Authorize | Gate::EndSessions | Gate::Unlink => self.limits.token,
            Gate::Verify => self.limits.verify,
            Gate::SignUp
            | Gate::Recover
            | Gate::Resend
            | Gate::MagicLink
            | Gate::Otp
            | Gate::UpdateAccount => self.limits.otp,
            Gate::Anonymous => self.limits.anonymous,
            Gate::FactorChallenge | Gate::FactorVerify | Gate::FactorChange => self.limits.factors,
        }
    }

    /// Forgets the fuller half of the buckets.
    fn make_room(&self, callers: &mut HashMap<(Gate, String), Bucket>, now: DateTime<Utc>) {
        let fullness = |gate: Gate, bucket: Bucket| {
            let allowance = self.allowance(gate);
            refilled(bucket, allowance, now) / allowance.burst
        };
        let mut all: Vec<f64> =
            callers.iter().map(|((gate, _), bucket)| fullness(*gate, *bucket)).collect();
        let middle = all.len() / 2;
        let (_, middle, fuller) = all.select_nth_unstable_by(middle, f64::total_cmp);
        let (middle, mut surplus) = (*middle, fuller.len() + 1);
        callers.retain(|(gate, _), bucket| {
            let goes = surplus > 0 && fullness(*gate, *bucket) >= middle;
            surplus -= usize::from(goes);
            !goes
        });
    }

    /// Takes one mail from what the instance may send.
    pub(crate) fn count_email(&self, now: DateTime<Utc>) -> Result<(), Refusal> {
        let mut bucket = lock(&self.emails);
        need_message(&mut bucket, self.limits.emails, now, TOO_MANY_EMAILS)?;
        bucket.left -= 1.0;
        Ok(())
    }

    /// Refuses as [`count_email`](Self::count_email) would, and takes nothing.
    pub(crate) fn may_email(&self, now: DateTime<Utc>) -> Result<(), Refusal> {
        need_message(&mut lock(&self.emails), self.limits.emails, now, TOO_MANY_EMAILS)
    }

    /// Takes one text message from what the instance may send.
    pub(crate) fn count_text(&self, now: DateTime<Utc>) -> Result<(), Refusal> {
        let mut bucket = lock(&self.texts);
        need_message(&mut bucket, self.limits.texts, now, TOO_MANY_TEXTS)?;
        bucket.left -= 1.0;
        Ok(())
    }

    /// Refuses as [`count_text`](Self::count_text) would, and takes nothing.
    pub(crate) fn may_text(&self, now: DateTime<Utc>) -> Result<(), Refusal> {
        need_message(&mut lock(&self.texts), self.limits.texts, now, TOO_MANY_TEXTS)
    }
}

/// Refuses with `refusal` when the bucket is empty, and says when it will not be.
fn need_message(
    bucket: &mut Bucket,
    limit: MessageLimit,
    now: DateTime<Utc>,
    refusal: Refusal,
) -> Result<(), Refusal> {
    *bucket = refilled_messages(*bucket, limit, now);
    if bucket.left >= 1.0 {
        return Ok(());
    }
    let wait_s = match limit {
        MessageLimit::PerHour(_) => f64::from(3600 - now.minute() * 60 - now.second()),
        MessageLimit::Bucket(_, each) => (1.0 - bucket.left) * each.as_secs_f64(),
    };
    Err(Refusal { retry_after_s: Some(wait_s.ceil().max(1.0) as u64), ..refusal })
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
    fn a_flood_of_callers_fills_nobodys_bucket() {
        let counters = Counters::new(RateLimits::default(), time(0));
        while counters.pass(Gate::Otp, "1.2.3.4", time(0)).is_ok() {}
        for number in 0..MAX_CALLERS * 2 {
            let caller = number.to_string();
            counters.pass(Gate::Token, &caller, time(0)).expect("everybody calls once");
        }
        assert!(lock(&counters.callers).len() <= MAX_CALLERS);
        assert!(counters.pass(Gate::Otp, "1.2.3.4", time(0)).is_err(), "the bucket is empty still");
    }

    #[test]
    fn mail_is_counted_by_the_full_hour() {
        let limits = RateLimits { emails: MessageLimit::PerHour(2), ..RateLimits::default() };
        let counters = Counters::new(limits, time(0));
        counters.count_email(time(0)).expect("first");
        counters.count_email(time(1)).expect("second");
        let refused = Refusal { retry_after_s: Some(3598), ..TOO_MANY_EMAILS };
        assert_eq!(counters.count_email(time(2)), Err(refused));
        assert!(counters.may_email(time(2)).is_err());
        counters.count_email(time(3600)).expect("the next hour");
    }

    #[test]
    fn zero_means_never() {
        let limits = RateLimits { emails: MessageLimit::PerHour(0), ..RateLimits::default() };
        assert!(Counters::new(limits, time(0)).count_email(time(0)).is_err());
    }
}
