//! In-memory rate limits per caller, and limits on sent messages.
//!
//! Limits apply per process: several instances each count for themselves.

use std::collections::HashMap;
use std::sync::Mutex;

use chrono::{DateTime, Timelike, Utc};
use limber_domain::lock;

use crate::config::{Allowance, MessageLimit, RateLimits};
use crate::refusal::{Refusal, TOO_MANY_EMAILS, TOO_MANY_TEXTS};

/// Maximum number of remembered buckets. When full, the fullest buckets are evicted first: they
/// hold up nobody, or would be the last to do so. An attacker with thousands of addresses can
/// therefore not refill anybody's empty bucket.
const MAX_CALLERS: usize = 20_000;

/// Endpoints that are counted separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Endpoint {
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
pub(crate) struct RateLimiter {
    limits: RateLimits,
    callers: Mutex<HashMap<(Endpoint, String), Bucket>>,
    emails: Mutex<Messages>,
    texts: Mutex<Messages>,
}

/// The remaining messages of one kind.
#[derive(Debug)]
struct Messages {
    of_all: Bucket,
    /// Per caller. Each caller may use at most half of the total, so that some are left for others.
    shares: HashMap<String, Bucket>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: DateTime<Utc>,
}

impl RateLimiter {
    pub(crate) fn new(limits: RateLimits, now: DateTime<Utc>) -> Self {
        let untouched =
            |limit| Mutex::new(Messages { of_all: full(limit, now), shares: HashMap::new() });
        let (emails, texts) = (untouched(limits.emails), untouched(limits.texts));
        Self { limits, callers: Mutex::default(), emails, texts }
    }

    /// Admits a call, or refuses with the time to wait.
    pub(crate) fn check(
        &self,
        endpoint: Endpoint,
        caller: &str,
        now: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        let allowance = self.allowance(endpoint);
        let mut callers = lock(&self.callers);
        if callers.len() >= MAX_CALLERS {
            self.make_room(&mut callers, now);
        }
        let bucket = callers
            .entry((endpoint, caller.to_owned()))
            .or_insert(Bucket { left: allowance.burst, at: now });
        let left = refilled(*bucket, allowance, now);
        *bucket = Bucket { left, at: now };
        if left < 1.0 {
            return Err(Refusal::too_many_requests(seconds_until(1.0 - left, allowance)));
        }
        bucket.left -= 1.0;
        Ok(())
    }

    /// Whether a caller has no calls left. Counts nothing.
    pub(crate) fn is_used_up(&self, endpoint: Endpoint, caller: &str, now: DateTime<Utc>) -> bool {
        let callers = lock(&self.callers);
        let bucket = callers.get(&(endpoint, caller.to_owned())).copied();
        bucket.is_some_and(|bucket| refilled(bucket, self.allowance(endpoint), now) < 1.0)
    }

    fn allowance(&self, endpoint: Endpoint) -> Allowance {
        match endpoint {
            Endpoint::Token | Endpoint::Authorize | Endpoint::EndSessions | Endpoint::Unlink => {
                self.limits.token
            }
            Endpoint::Verify => self.limits.verify,
            Endpoint::SignUp
            | Endpoint::Recover
            | Endpoint::Resend
            | Endpoint::MagicLink
            | Endpoint::Otp
            | Endpoint::UpdateAccount => self.limits.otp,
            Endpoint::Anonymous => self.limits.anonymous,
            Endpoint::FactorChallenge | Endpoint::FactorVerify | Endpoint::FactorChange => {
                self.limits.factors
            }
        }
    }

    /// Evicts the fuller half of the buckets.
    fn make_room(&self, callers: &mut HashMap<(Endpoint, String), Bucket>, now: DateTime<Utc>) {
        let fullness = |endpoint: Endpoint, bucket: Bucket| {
            let allowance = self.allowance(endpoint);
            refilled(bucket, allowance, now) / allowance.burst
        };
        let mut all: Vec<f64> =
            callers.iter().map(|((endpoint, _), bucket)| fullness(*endpoint, *bucket)).collect();
        let middle = all.len() / 2;
        let (_, middle, fuller) = all.select_nth_unstable_by(middle, f64::total_cmp);
        let (middle, mut surplus) = (*middle, fuller.len() + 1);
        callers.retain(|(endpoint, _), bucket| {
            let goes = surplus > 0 && fullness(*endpoint, *bucket) >= middle;
            surplus -= usize::from(goes);
            !goes
        });
    }

    /// Counts one email against the limit of the instance and the caller's share. Emails that are
    /// only pretended count too, or what is left would reveal which addresses have an account. Where
    /// sign-up is open they add no way to use up the limit, because emails to anybody's own address
    /// do that, too.
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

    /// Counts one text message against the limit of the instance and the caller's share.
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
}

impl Messages {
    /// Refuses if no message is left in total or for this caller; otherwise counts one against the
    /// caller's share.
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
            // With so many callers active, individual shares no longer matter.
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

/// Refuses with `refusal` if the bucket is empty, stating when it will not be.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn time(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a valid time")
    }

    #[test]
    fn a_caller_can_burst_and_then_waits_for_the_refill() {
        let limiter = RateLimiter::new(RateLimits::default(), time(0));
        for _ in 0..30 {
            limiter.check(Endpoint::Otp, "1.2.3.4", time(0)).expect("inside the burst");
        }
        let refusal = limiter.check(Endpoint::Otp, "1.2.3.4", time(0)).expect_err("over the burst");
        assert_eq!((refusal.status, refusal.retry_after_s), (429, Some(10)));
        limiter.check(Endpoint::Otp, "5.6.7.8", time(0)).expect("another caller is not affected");
        limiter
            .check(Endpoint::Token, "1.2.3.4", time(0))
            .expect("another endpoint has its own bucket");
        limiter.check(Endpoint::Otp, "1.2.3.4", time(10)).expect("one more after ten seconds");
    }

    #[test]
    fn many_callers_do_not_reset_an_empty_bucket() {
        let limiter = RateLimiter::new(RateLimits::default(), time(0));
        while limiter.check(Endpoint::Otp, "1.2.3.4", time(0)).is_ok() {}
        for number in 0..MAX_CALLERS * 2 {
            let caller = number.to_string();
            limiter.check(Endpoint::Token, &caller, time(0)).expect("each caller calls once");
        }
        assert!(lock(&limiter.callers).len() <= MAX_CALLERS);
        assert!(
            limiter.check(Endpoint::Otp, "1.2.3.4", time(0)).is_err(),
            "the bucket is still empty"
        );
    }

    #[test]
    fn emails_are_counted_per_full_hour() {
        let limits = RateLimits { emails: MessageLimit::PerHour(2), ..RateLimits::default() };
        let limiter = RateLimiter::new(limits, time(0));
        limiter.count_email(None, time(0)).expect("first");
        limiter.count_email(None, time(1)).expect("second");
        let refused = Refusal { retry_after_s: Some(3598), ..TOO_MANY_EMAILS };
        assert_eq!(limiter.count_email(None, time(2)), Err(refused));
        limiter.count_email(None, time(3600)).expect("the next hour");
    }

    #[test]
    fn one_caller_can_use_half_of_the_email_limit() {
        for limit in
            [MessageLimit::PerHour(4), MessageLimit::Bucket(4, std::time::Duration::from_secs(900))]
        {
            let limits = RateLimits { emails: limit, ..RateLimits::default() };
            let limiter = RateLimiter::new(limits, time(0));
            for _ in 0..2 {
                limiter.count_email(Some("a"), time(0)).expect("the caller's half");
            }
            let refused = limiter.count_email(Some("a"), time(0)).expect_err("over the half");
            assert!(refused.retry_after_s.is_some_and(|wait_s| wait_s > 0));
            for _ in 0..2 {
                limiter.count_email(Some("b"), time(0)).expect("another caller's half");
            }
            assert!(limiter.count_email(Some("c"), time(0)).is_err(), "nothing is left");
            limiter.count_email(Some("a"), time(3600)).expect("an hour later");
        }
    }

    #[test]
    fn zero_means_never() {
        let limits = RateLimits { emails: MessageLimit::PerHour(0), ..RateLimits::default() };
        assert!(RateLimiter::new(limits, time(0)).count_email(None, time(0)).is_err());
    }
}
