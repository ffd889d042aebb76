//! The minimum interval between two messages to one address.
//!
//! Timers are kept per address and caller, so that requesting messages for somebody else's address
//! does not block its owner. A higher limit per address covers all callers, so that many of them
//! cannot flood a mailbox. Timers run whether or not an account has the address, so that "too soon"
//! reveals nothing, and they live in the database, so that they are shared between instances and
//! survive a restart. A timer is started in the transaction that queues the message; if that fails,
//! the timer never ran.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::guesses::{self, Target};
use crate::instance::{Instance, RequestContext};
use crate::refusal::{Outcome, Refusal, refuse};
use crate::store;

/// The purpose of a message. Each purpose has its own timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Confirmation,
    /// Password recovery and magic links.
    Recovery,
    EmailChange,
    Reauthentication,
    PhoneChange,
}

impl Purpose {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Confirmation => "confirmation",
            Self::Recovery => "recovery",
            Self::EmailChange => "email_change",
            Self::Reauthentication => "reauthentication",
            Self::PhoneChange => "phone_change",
        }
    }
}

/// Starts the timer for an email address. Refuses while an earlier one is running.
pub(crate) async fn start(
    instance: &Instance,
    conn: &mut PgConnection,
    purpose: Purpose,
    to: (&str, Duration),
    context: &RequestContext,
) -> Outcome<()> {
    match try_start(instance, conn, purpose, to, context).await? {
        None => Ok(()),
        Some(seconds) => refuse(Refusal::too_soon(seconds)),
    }
}

/// Starts a timer, or returns the remaining whole seconds if it is too soon.
pub(crate) async fn try_start(
    instance: &Instance,
    conn: &mut PgConnection,
    purpose: Purpose,
    (address, gap): (&str, Duration),
    context: &RequestContext,
) -> Outcome<Option<u64>> {
    let now = instance.now();
    let hash = instance.code_key.of_timer(address, &context.network);
    let latest = if gap.is_zero() {
        // Another instance's clock may be slightly ahead, and a zero gap must never refuse.
        now + chrono::Duration::days(1)
    } else {
        chrono::Duration::from_std(gap).map_or(now, |gap| now - gap)
    };
    if store::send_timers::restart(conn, &hash, purpose.as_str(), now, latest).await? {
        let all = [Target::messages(instance, purpose.as_str(), address, gap)];
        return guesses::count_quietly(instance, conn, &all).await;
    }
    let started = store::send_timers::started_at(conn, &hash, purpose.as_str()).await?;
    Ok(Some(started.and_then(|started| seconds_left(started, gap, now)).unwrap_or(1)))
}

/// Stops the timer once its purpose is fulfilled, so that the next request starts afresh.
pub(crate) async fn stop(
    instance: &Instance,
    conn: &mut PgConnection,
    purpose: Purpose,
    address: &str,
    context: &RequestContext,
) -> Outcome<()> {
    let hash = instance.code_key.of_timer(address, &context.network);
    Ok(store::send_timers::stop(conn, &hash, purpose.as_str()).await?)
}

/// Returns the whole seconds until `gap` after `last`, rounded up, or `None` once that has passed.
pub(crate) fn seconds_left(last: DateTime<Utc>, gap: Duration, now: DateTime<Utc>) -> Option<u64> {
    let until = last + chrono::Duration::from_std(gap).ok()?;
    let left_ms = (until - now).num_milliseconds();
    (left_ms > 0).then(|| u64::try_from(left_ms).unwrap_or(0).div_ceil(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remaining_wait_is_rounded_up_to_whole_seconds() {
        let start = DateTime::from_timestamp(1_800_000_000, 0).expect("a valid time");
        let minute = Duration::from_secs(60);
        let left = |ms| seconds_left(start, minute, start + chrono::Duration::milliseconds(ms));
        assert_eq!((left(0), left(17_500), left(59_999)), (Some(60), Some(43), Some(1)));
        assert_eq!(left(60_000), None);
    }
}
