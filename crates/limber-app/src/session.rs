//! The session's rules: who holds the tokens, and when they are renewed.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use limber_client::identity::Session;

use crate::shown::Who;

/// A session is renewed when this share of its life is over.
const RENEW_AT: f64 = 0.7;
/// A token this close to its end is renewed before it is used.
const TOO_CLOSE: TimeDelta = TimeDelta::seconds(30);

/// A session together with when it came, by this computer's clock: the server's may differ.
#[derive(Debug, Clone)]
pub(crate) struct Held {
    pub session: Session,
    pub since: DateTime<Utc>,
}

impl Held {
    /// Whether the access token may run out while a request is under way.
    pub(crate) fn is_stale(&self, now: DateTime<Utc>) -> bool {
        now + TOO_CLOSE >= self.since + TimeDelta::seconds(self.session.expires_in.max(0))
    }

    /// How long to wait before renewing.
    pub(crate) fn renew_in(&self) -> Duration {
        #[expect(clippy::cast_precision_loss, reason = "seconds of a session fit an f64")]
        let life_s = self.session.expires_in.clamp(1, 7 * 24 * 3600) as f64;
        Duration::from_secs_f64((life_s * RENEW_AT).max(1.0))
    }

    pub(crate) fn who(&self) -> Who {
        let account = &self.session.account;
        Who {
            email: (!account.email.is_empty()).then(|| account.email.clone()),
            anonymous: account.is_anonymous,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_session_is_renewed_well_before_it_runs_out() {
        let since = DateTime::from_timestamp(1000, 0).expect("a time");
        let held = Held { session: testing::session("a@b.c", 3600), since };
        assert_eq!(held.renew_in(), Duration::from_secs(2520));
        assert!(!held.is_stale(since + TimeDelta::seconds(3500)));
        assert!(held.is_stale(since + TimeDelta::seconds(3580)));
    }

    #[test]
    fn a_nonsensical_lifetime_neither_spins_nor_panics() {
        let since = DateTime::from_timestamp(1000, 0).expect("a time");
        for expires_in in [i64::MIN, -1, 0, 1, i64::MAX] {
            let held = Held { session: testing::session("a@b.c", expires_in), since };
            assert!(held.renew_in() >= Duration::from_secs(1));
        }
    }
}
