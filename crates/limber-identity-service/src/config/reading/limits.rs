//! Reads the rate limit settings.

use std::time::Duration;

use crate::config::environment::Environment;
use crate::config::limits::{BURST, FIVE_MINUTES, HOUR, MINUTE};
use crate::config::{Allowance, Config, MessageLimit};

pub(super) fn read(env: &mut Environment, config: &mut Config) {
    let limits = &mut config.limits;
    limits.header = env.text("RATE_LIMIT_HEADER");
    limits.by_ip = env.flag("RATE_LIMIT_BY_IP");
    limits.token = allowance(env, "RATE_LIMIT_TOKEN_REFRESH", FIVE_MINUTES);
    limits.verify = allowance(env, "RATE_LIMIT_VERIFY", FIVE_MINUTES);
    limits.otp = allowance(env, "RATE_LIMIT_OTP", FIVE_MINUTES);
    limits.anonymous = allowance(env, "RATE_LIMIT_ANONYMOUS_USERS", HOUR);
    limits.factors = allowance(env, "MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", MINUTE);
    limits.emails = messages(env, "RATE_LIMIT_EMAIL_SENT").unwrap_or(limits.emails);
    limits.texts = messages(env, "RATE_LIMIT_SMS_SENT").unwrap_or(limits.texts);
}

fn allowance(env: &mut Environment, name: &str, time: Duration) -> Allowance {
    let count: f64 = env.number(name);
    if !count.is_finite() || count < 0.0 {
        env.problem(format!("AUTHSVC_{name} must not be negative"));
    }
    Allowance::new(count, time, BURST)
}

fn messages(env: &mut Environment, name: &str) -> Option<MessageLimit> {
    let limit = MessageLimit::parse(&env.text(name)?);
    if limit.is_none() {
        env.problem(format!("AUTHSVC_{name} must be a number or a form such as 100/24h"));
    }
    limit
}
