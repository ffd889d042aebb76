//! Rate limit settings.

use std::time::Duration;

/// A token bucket: its capacity and refill rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allowance {
    /// Bucket capacity: requests allowed at once.
    pub burst: f64,
    /// Requests refilled per second.
    pub per_second: f64,
}

impl Allowance {
    /// Returns a bucket that refills `count` requests per `time` and allows at most `burst` at
    /// once.
    #[must_use]
    pub fn new(count: f64, time: Duration, burst: f64) -> Self {
        Self { burst, per_second: count / time.as_secs_f64().max(0.001) }
    }
}

/// Rate limits per client, and limits on sent messages.
#[derive(Debug, Clone)]
pub struct RateLimits {
    /// `RATE_LIMIT_HEADER`: header that identifies the client; trusted only from `TRUSTED_PROXIES`.
    pub header: Option<String>,
    /// `RATE_LIMIT_BY_IP`: identify clients by IP address when no header does. Default true.
    pub by_ip: bool,
    /// `RATE_LIMIT_TOKEN_REFRESH`: `POST /token`, of which refreshes count only if they are refused;
    /// and the refreshes of each account. Default 150 per 5 minutes.
    pub token: Allowance,
    /// `RATE_LIMIT_VERIFY`: `/verify`. Default 30 per 5 minutes.
    pub verify: Allowance,
    /// `RATE_LIMIT_OTP`: endpoints that may send a message, each with a bucket of its own. Default
    /// 30 per 5 minutes.
    pub otp: Allowance,
    /// `RATE_LIMIT_ANONYMOUS_USERS`: anonymous sign-ups. Default 30 per hour.
    pub anonymous: Allowance,
    /// `MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY`: MFA challenges and verifications, each with a bucket
    /// of its own. Default 15 per minute.
    pub factors: Allowance,
    /// `RATE_LIMIT_EMAIL_SENT`: emails sent by the whole instance. Default 30 per hour.
    pub emails: MessageLimit,
    /// `RATE_LIMIT_SMS_SENT`: text messages sent by the whole instance. Default 30 per hour.
    pub texts: MessageLimit,
}

/// How many messages an instance may send.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MessageLimit {
    /// At most this many in each clock hour.
    PerHour(u32),
    /// A bucket of this capacity that refills by one each `Duration`.
    Bucket(u32, Duration),
}

impl MessageLimit {
    /// Parses `30` or `100/24h`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once('/') {
            None => text.trim().parse().ok().map(Self::PerHour),
            Some((count, each)) => {
                let each = super::parse_duration(each).filter(|d| !d.is_zero())?;
                Some(Self::Bucket(count.trim().parse().ok()?, each))
            }
        }
    }
}

/// Initial size of every bucket but one (identity behaviour, section 2.5).
pub(super) const BURST: f64 = 30.0;
pub(super) const MINUTE: Duration = Duration::from_secs(60);
pub(super) const FIVE_MINUTES: Duration = Duration::from_secs(300);
pub(super) const HOUR: Duration = Duration::from_secs(3600);

impl Default for RateLimits {
    fn default() -> Self {
        Self {
            header: None,
            by_ip: true,
            token: Allowance::new(150.0, FIVE_MINUTES, BURST),
            verify: Allowance::new(30.0, FIVE_MINUTES, BURST),
            otp: Allowance::new(30.0, FIVE_MINUTES, BURST),
            anonymous: Allowance::new(30.0, HOUR, BURST),
            factors: Allowance::new(15.0, MINUTE, BURST),
            emails: MessageLimit::PerHour(30),
            texts: MessageLimit::PerHour(30),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_limits_read_both_ways_of_writing() {
        assert_eq!(MessageLimit::parse("30"), Some(MessageLimit::PerHour(30)));
        let day = Duration::from_secs(86_400);
        assert_eq!(MessageLimit::parse("100/24h"), Some(MessageLimit::Bucket(100, day)));
        for bad in ["", "x", "5/", "/5s", "-1", "3/0s"] {
            assert_eq!(MessageLimit::parse(bad), None, "{bad}");
        }
    }
}
