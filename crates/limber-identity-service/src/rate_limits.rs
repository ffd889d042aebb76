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
    emails: Mutex<Messages>,
    texts: Mutex<Messages>,
}

/// What is left of the messages of one kind.
#[derive(Debug)]
struct Messages {
    of_all: Bucket,
    /// By caller. One gets half of them, so that there are some left for everybody else.
    shares: HashMap<String, Bucket>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: DateTime<Utc>,
}

impl Counters {
    pub(crate) fn new(limits: RateLimits, now: DateTime<Utc>) -> Self {
        let untouched =
            |limit| Mutex::new(Messages { of_all: full(limit, now), shares: HashMap::new() });
        let (emails, texts) = (untouched(limits.emails), untouched(limits.texts));
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

    /// Takes one mail from what the instance may send, and from what the caller may of that.
    pub(crate) fn count_email(
        &self,
        caller: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        let mut emails = lock(&self.emails);
        emails.share(self.limits.emails, caller, now, TOO_MANY_EMAILS)?;
        emails.of_all.left -= 1.0;
        Ok(())
    }

    /// Refuses as [`count_email`](Self::count_email) would, and takes from the caller's share alone.
    pub(crate) fn may_email(
        &self,
        caller: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        lock(&self.emails).share(self.limits.emails, caller, now, TOO_MANY_EMAILS)
    }

    /// Takes one text message from what the instance may send, and from what the caller may of that.
    pub(crate) fn count_text(
        &self,
        caller: Option<&str>,
        now: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        let mut texts = lock(&self.texts);
        texts.share(self.limits.texts, caller, now, TOO_MANY_TEXTS)?;
        texts.of_all.left -= 1.0;
        Ok(())
    }

    /// Refuses as [`count_text`](Self::count_text) would, and takes from the caller's share alone.
    pub(crate) fn may_text(&self, caller: Option<&str>, now: DateTime<Utc>) -> Result<(), Refusal> {
        lock(&self.texts).share(self.limits.texts, caller, now, TOO_MANY_TEXTS)
    }
}

impl Messages {
    /// Refuses where none is left, in all or for this caller; else takes one from the caller's share.
    fn share(
        &mut self,
        limit: MessageLimit,
        caller: Option<&str>,
        now: DateTime<Utc>,
        refusal: Refusal,
    ) -> Result<(), Refusal> {
        need_message(&mut self.of_all, limit, now, refusal.clone())?;
        let Some(caller) = caller else { return Ok(()) };
        let share = half(limit);
        if self.shares.len() >= MAX_CALLERS {
            let whole = full(share, now).left;
            self.shares.retain(|_, bucket| refilled_messages(*bucket, share, now).left < whole);
        }
        if self.shares.len() >= MAX_CALLERS {
            // so many callers are nobody whom shares would hold up
            self.shares.clear();
        }
        let bucket = self.shares.entry(caller.to_owned()).or_insert(full(share, now));
        need_message(bucket, share, now, refusal)?;
        bucket.left -= 1.0;
        Ok(())
    }
}

fn full(limit: MessageLimit, now: DateTime<Utc>) -> Bucket {
    let (MessageLimit::PerHour(count) | MessageLimit::Bucket(count, _)) = limit;
    Bucket { left: f64::from(count), at: now }
}

fn half(limit: MessageLimit) -> MessageLimit {
    match limit {
        MessageLimit::PerHour(count) => MessageLimit::PerHour(count.div_ceil(2)),
        MessageLimit::Bucket(count, each) => MessageLimit::Bucket(count.div_ceil(2), each * 2),
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
        counters.count_email(None, time(0)).expect("first");
        counters.count_email(None, time(1)).expect("second");
        let refused = Refusal { retry_after_s: Some(3598), ..TOO_MANY_EMAILS };
        assert_eq!(counters.count_email(None, time(2)), Err(refused));
        assert!(counters.may_email(None, time(2)).is_err());
        counters.count_email(None, time(3600)).expect("the next hour");
    }

    #[test]
    fn one_caller_gets_half_of_the_mail() {
        for limit in
            [MessageLimit::PerHour(4), MessageLimit::Bucket(4, std::time::Duration::from_secs(900))]
        {
            let limits = RateLimits { emails: limit, ..RateLimits::default() };
            let counters = Counters::new(limits, time(0));
            counters.count_email(Some("a"), time(0)).expect("first");
            // what is only pretended counts for whoever asks, or it would tell who is here
            counters.may_email(Some("a"), time(0)).expect("second");
            let refused = counters.count_email(Some("a"), time(0)).expect_err("over the half");
            assert!(refused.retry_after_s.is_some_and(|wait_s| wait_s > 0));
            for _ in 0..2 {
                counters.count_email(Some("b"), time(0)).expect("another caller's half");
            }
            counters.count_email(Some("c"), time(0)).expect("the last");
            assert!(counters.count_email(Some("d"), time(0)).is_err(), "nothing is left");
            counters.count_email(Some("a"), time(3600)).expect("an hour later");
        }
    }

    #[test]
    fn zero_means_never() {
        let limits = RateLimits { emails: MessageLimit::PerHour(0), ..RateLimits::default() };
        assert!(Counters::new(limits, time(0)).count_email(None, time(0)).is_err());
    }
}
