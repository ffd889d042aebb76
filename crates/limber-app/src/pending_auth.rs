//! Pending authentication flows that left the app and may return through a redirect: in a browser,
//! or from an email.
//!
//! Each flow is stored with its `state`, which the redirect must repeat, and its PKCE verifier,
//! without which the code in the redirect is useless. Flows are stored as secrets, so that a
//! redirect can also be what starts the program.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use limber_client::identity::{RedirectTarget, Verifier};
use limber_domain::environment::SecureRandom;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

/// Redirect URL of all flows. Operators allow it as `limber://auth/callback*`.
pub(crate) const CALLBACK: &str = "limber://auth/callback";
/// Lifetime of a flow in a browser.
const BROWSER: TimeDelta = TimeDelta::minutes(10);
/// Lifetime of a flow by email: the identity service's default for emailed links.
const MAIL: TimeDelta = TimeDelta::hours(24);
/// Maximum number of flows; the oldest is dropped, because keychain entries are small.
const MOST: usize = 8;

/// The purpose of a flow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Purpose {
    /// Confirm the address of a new account.
    SignUp,
    /// Sign in with a magic link.
    Link,
    /// Reset a forgotten password.
    Recovery,
    /// Confirm a new email address.
    EmailChange,
    /// Sign in with an identity provider.
    Provider(String),
    /// Link an identity provider to the account.
    Identity(String),
}

impl Purpose {
    /// Returns whether the flow runs in a browser that the app opened.
    pub(crate) fn is_browser(&self) -> bool {
        matches!(self, Self::Provider(_) | Self::Identity(_))
    }

    fn life(&self) -> TimeDelta {
        if self.is_browser() { BROWSER } else { MAIL }
    }
}

/// A pending flow.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct PendingAuth {
    state: String,
    verifier: String,
    pub(crate) purpose: Purpose,
    at: DateTime<Utc>,
}

impl PendingAuth {
    fn new(purpose: Purpose, now: DateTime<Utc>, random: &dyn SecureRandom) -> Self {
        let draw = || {
            let mut bytes = [0; 32];
            random.fill(&mut bytes);
            bytes
        };
        Self {
            state: URL_SAFE_NO_PAD.encode(draw()),
            verifier: Verifier::from_random(draw()).secret().expose_secret().to_owned(),
            purpose,
            at: now,
        }
    }

    /// Returns the PKCE verifier, which never leaves the app before the code exchange.
    pub(crate) fn verifier(&self) -> Verifier {
        Verifier::from_stored(self.verifier.clone().into())
    }

    /// Returns the redirect URL and PKCE challenge for the service.
    pub(crate) fn redirect_target(&self) -> RedirectTarget {
        RedirectTarget {
            redirect_to: format!("{CALLBACK}?state={}", self.state),
            challenge: Some(self.verifier().challenge()),
        }
    }

    fn is_alive(&self, now: DateTime<Utc>) -> bool {
        // if the clock was set back, the flow must still expire
        let age = now - self.at;
        age < self.purpose.life() && age > -self.purpose.life()
    }
}

/// All pending flows, oldest first.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct PendingAuths(Vec<PendingAuth>);

impl PendingAuths {
    /// Reads the stored flows; unreadable data is discarded.
    pub(crate) fn read(kept: Option<&SecretString>, now: DateTime<Utc>) -> Self {
        let read = kept.and_then(|kept| serde_json::from_str(kept.expose_secret()).ok());
        let mut all: Self = read.unwrap_or_default();
        all.0.retain(|pending| pending.is_alive(now));
        all
    }

    /// Serialises the flows for storage.
    pub(crate) fn write(&self) -> SecretString {
        serde_json::to_string(self).unwrap_or_default().into()
    }

    /// Starts a flow. Only one browser flow can be pending: a repeated request for the same purpose
    /// reuses it, and one for another purpose replaces it.
    pub(crate) fn begin(
        &mut self,
        purpose: Purpose,
        now: DateTime<Utc>,
        random: &dyn SecureRandom,
    ) -> RedirectTarget {
        if purpose.is_browser() {
            let known = self.0.iter_mut().find(|known| known.purpose == purpose);
            if let Some(known) = known {
                known.at = now;
                return known.redirect_target();
            }
            self.forget_browser();
        }
        let pending = PendingAuth::new(purpose, now, random);
        let back = pending.redirect_target();
        self.0.push(pending);
        let surplus = self.0.len().saturating_sub(MOST);
        self.0.drain(..surplus);
        back
    }

    /// Returns the flow with this state.
    pub(crate) fn find(&self, state: &str) -> Option<PendingAuth> {
        self.0.iter().find(|pending| pending.state == state).cloned()
    }

    /// Removes and returns the flow with this state, so that its redirect works only once.
    pub(crate) fn take(&mut self, state: &str) -> Option<PendingAuth> {
        let at = self.0.iter().position(|pending| pending.state == state)?;
        Some(self.0.remove(at))
    }

    /// Puts back a flow whose redirect could not be processed, so that it can be repeated.
    pub(crate) fn expect_again(&mut self, pending: PendingAuth) {
        self.0.push(pending);
    }

    /// Drops the pending browser flow.
    pub(crate) fn forget_browser(&mut self) {
        self.0.retain(|known| !known.purpose.is_browser());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{CountingRandom, noon};

    fn state_of(back: &RedirectTarget) -> String {
        let url = url::Url::parse(&back.redirect_to).expect("an address");
        let state = url.query_pairs().find(|(name, _)| name == "state").expect("a state");
        state.1.into_owned()
    }

    #[test]
    fn pending_sign_ins_survive_a_restart_and_match_by_state() {
        let random = CountingRandom::default();
        let mut all = PendingAuths::default();
        let back = all.begin(Purpose::Recovery, noon(), &random);
        let again = PendingAuths::read(Some(&all.write()), noon() + TimeDelta::hours(23));
        let found = again.find(&state_of(&back)).expect("it is still expected");
        assert_eq!(found.purpose, Purpose::Recovery);
        assert_eq!(Some(found.verifier().challenge()), back.challenge);
        let altered = state_of(&back).replace(|c: char| c.is_ascii_uppercase(), "x");
        for wrong in ["", "x", altered.as_str()] {
            assert!(again.find(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn browser_sign_ins_expire_after_ten_minutes_and_email_ones_after_a_day() {
        let random = CountingRandom::default();
        let mut all = PendingAuths::default();
        let browser = state_of(&all.begin(Purpose::Provider("github".into()), noon(), &random));
        let mail = state_of(&all.begin(Purpose::Link, noon(), &random));
        let kept = all.write();
        let later = PendingAuths::read(Some(&kept), noon() + TimeDelta::minutes(10));
        assert!(later.find(&browser).is_none() && later.find(&mail).is_some());
        let tomorrow = PendingAuths::read(Some(&kept), noon() + TimeDelta::hours(24));
        assert!(tomorrow.find(&mail).is_none());
        let clock_set_back = PendingAuths::read(Some(&kept), noon() - TimeDelta::hours(1));
        assert!(clock_set_back.find(&browser).is_none());
    }

    #[test]
    fn reopening_the_browser_keeps_the_redirect_and_another_provider_replaces_it() {
        let random = CountingRandom::default();
        let mut all = PendingAuths::default();
        let github = Purpose::Provider("github".into());
        let first = all.begin(github.clone(), noon(), &random);
        let again = all.begin(github, noon() + TimeDelta::minutes(9), &random);
        assert_eq!(first.redirect_to, again.redirect_to);
        let other = all.begin(Purpose::Provider("google".into()), noon(), &random);
        assert!(all.find(&state_of(&first)).is_none() && all.find(&state_of(&other)).is_some());
        all.forget_browser();
        assert!(all.find(&state_of(&other)).is_none());
    }

    #[test]
    fn a_redirect_is_accepted_once_and_old_ones_are_dropped() {
        let random = CountingRandom::default();
        let mut all = PendingAuths::default();
        let first = state_of(&all.begin(Purpose::Link, noon(), &random));
        assert!(all.take(&first).is_some() && all.take(&first).is_none());
        let states: Vec<_> =
            (0..20).map(|_| state_of(&all.begin(Purpose::Link, noon(), &random))).collect();
        assert_eq!(states.iter().filter(|state| all.find(state).is_some()).count(), MOST);
        assert!(all.find(&states[19]).is_some());
    }

    #[test]
    fn unreadable_pending_sign_ins_are_dropped() {
        for kept in ["", "null", "[{}]", "{\"x\":1}"] {
            let all = PendingAuths::read(Some(&kept.to_owned().into()), noon());
            assert!(all.find("").is_none());
        }
    }
}
