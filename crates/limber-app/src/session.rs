//! The current session: its tokens, and when they are refreshed.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use limber_api::identity::{Account, Factor, FactorKind, FactorStatus};
use limber_client::identity::{Assurance, Session};

use serde::{Deserialize, Serialize};

use crate::{
    journal::rfc3339,
    views::{FactorKindView, FactorView, SessionState, Who},
};

/// Share of a session's lifetime after which it is refreshed.
const RENEW_AT: f64 = 0.7;
/// An access token that expires within this time is refreshed before it is used.
const TOO_CLOSE: TimeDelta = TimeDelta::seconds(30);

/// A session with the time it was received by this computer's clock, because the server's clock may
/// differ.
#[derive(Debug, Clone)]
pub(crate) struct StoredSession {
    pub session: Session,
    pub since: DateTime<Utc>,
    /// Whether a forgotten password has to be replaced first.
    pub new_password: bool,
}

impl StoredSession {
    /// Returns whether the access token may expire during a request.
    pub(crate) fn is_stale(&self, now: DateTime<Utc>) -> bool {
        now + TOO_CLOSE >= self.since + TimeDelta::seconds(self.session.expires_in.max(0))
    }

    /// Returns how long to wait before refreshing.
    pub(crate) fn renew_in(&self) -> Duration {
        #[expect(clippy::cast_precision_loss, reason = "seconds of a session fit an f64")]
        let life_s = self.session.expires_in.clamp(1, 7 * 24 * 3600) as f64;
        Duration::from_secs_f64((life_s * RENEW_AT).max(1.0))
    }

    pub(crate) fn who(&self) -> Who {
        who(&self.session.account)
    }

    /// Returns whether a second factor is required before anything else.
    pub(crate) fn needs_code(&self) -> bool {
        self.session.assurance() == Assurance::One
            && self.session.account.factors.iter().any(counts)
    }

    /// Returns the session state for the interface.
    pub(crate) fn state(&self, remembered: bool) -> SessionState {
        let who = self.who();
        if self.needs_code() {
            SessionState::NeedsCode { who, factors: factors(&self.session.account) }
        } else if self.new_password {
            SessionState::NeedsPassword { who }
        } else {
            SessionState::SignedIn { who, remembered }
        }
    }
}

pub(crate) fn who(account: &Account) -> Who {
    Who {
        email: (!account.email.is_empty()).then(|| account.email.clone()),
        phone: number(&account.phone),
        anonymous: account.is_anonymous,
    }
}

/// Returns the verified second factors.
pub(crate) fn factors(account: &Account) -> Vec<FactorView> {
    account.factors.iter().filter(|factor| counts(factor)).map(factor_shown).collect()
}

/// Returns whether a factor is in force; unverified ones are not.
pub(crate) fn counts(factor: &Factor) -> bool {
    factor.status == FactorStatus::Verified
}

/// Returns the default name of a factor; later ones of the same kind are numbered.
pub(crate) fn factor_name(kind: FactorKind) -> &'static str {
    match kind {
        FactorKind::Totp => "Authenticator",
        FactorKind::Phone => "Phone",
        FactorKind::Webauthn => "Security key",
    }
}

fn factor_shown(factor: &Factor) -> FactorView {
    let name = match factor.friendly_name.trim() {
        "" => factor_name(factor.factor_type),
        name => name,
    };
    FactorView {
        id: factor.id.as_uuid().to_string(),
        name: name.to_owned(),
        kind: match factor.factor_type {
            FactorKind::Totp => FactorKindView::App,
            FactorKind::Phone => FactorKindView::Phone,
            FactorKind::Webauthn => FactorKindView::Other,
        },
        ends: ending(factor.phone.as_deref().unwrap_or_default()),
        added_at: rfc3339(factor.created_at),
    }
}

/// Returns the last three digits of a number: enough for its owner to recognise it. Anyone who
/// knows the password sees them.
fn ending(number: &str) -> String {
    let digits: Vec<char> = number.chars().filter(char::is_ascii_digit).collect();
    digits[digits.len().saturating_sub(3)..].iter().collect()
}

/// The session's user as stored in the keychain, for offline starts.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredUser {
    email: Option<String>,
    phone: Option<String>,
    anonymous: bool,
}

impl From<Who> for StoredUser {
    fn from(who: Who) -> Self {
        Self { email: who.email, phone: who.phone, anonymous: who.anonymous }
    }
}

impl From<StoredUser> for Who {
    fn from(user: StoredUser) -> Self {
        Self { email: user.email, phone: user.phone, anonymous: user.anonymous }
    }
}

/// Adds the `+` that the service omits.
pub(crate) fn number(digits: &str) -> Option<String> {
    (!digits.is_empty()).then(|| format!("+{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_session_is_renewed_well_before_it_expires() {
        let since = DateTime::from_timestamp(1000, 0).expect("a time");
        let stored =
            StoredSession { session: testing::session("a@b.c", 3600), since, new_password: false };
        assert_eq!(stored.renew_in(), Duration::from_secs(2520));
        assert!(!stored.is_stale(since + TimeDelta::seconds(3500)));
        assert!(stored.is_stale(since + TimeDelta::seconds(3580)));
    }

    #[test]
    fn an_absurd_lifetime_neither_loops_nor_panics() {
        let since = DateTime::from_timestamp(1000, 0).expect("a time");
        for expires_in in [i64::MIN, -1, 0, 1, i64::MAX] {
            let session = testing::session("a@b.c", expires_in);
            let stored = StoredSession { session, since, new_password: false };
            assert!(stored.renew_in() >= Duration::from_secs(1));
        }
    }

    #[test]
    fn the_second_factor_and_a_new_password_come_before_sign_in() {
        let since = testing::noon();
        let mut stored =
            StoredSession { session: testing::session("a@b.c", 60), since, new_password: true };
        let word = |stored: &StoredSession| match stored.state(true) {
            SessionState::NeedsCode { .. } => "code",
            SessionState::NeedsPassword { .. } => "password",
            SessionState::SignedIn { .. } => "in",
            SessionState::Unknown | SessionState::SignedOut | SessionState::Invited { .. } => "out",
        };
        stored.session.account.factors = vec![testing::factor("unverified")];
        assert_eq!(word(&stored), "password", "an unverified factor requires nothing");
        stored.session.account.factors = vec![testing::factor("verified")];
        assert_eq!(word(&stored), "code");
        stored.session.access_token = testing::token("aal1");
        assert_eq!(word(&stored), "code");
        stored.session.access_token = testing::token("aal2");
        assert_eq!(word(&stored), "password");
        stored.new_password = false;
        assert_eq!(word(&stored), "in");
    }

    #[test]
    fn available_factors_are_listed_with_only_the_end_of_a_number() {
        let mut session = testing::session("a@b.c", 60);
        session.account.factors = vec![
            testing::factor("verified"),
            testing::phone_factor("491701234567"),
            testing::factor("unverified"),
        ];
        let stored = StoredSession { session, since: testing::noon(), new_password: false };
        let SessionState::NeedsCode { factors, .. } = stored.state(true) else {
            panic!("a second factor is asked for")
        };
        let told: Vec<_> =
            factors.iter().map(|f| (f.name.as_str(), f.kind, f.ends.as_str())).collect();
        let app = ("Authenticator", FactorKindView::App, "");
        assert_eq!(told, [app, ("Phone", FactorKindView::Phone, "567")]);
    }
}
