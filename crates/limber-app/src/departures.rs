//! Sign-ins that left the app and may come back by a link: through a browser, or by mail.
//!
//! Each one is kept with its `state`, which the link must bring back, and its verifier, without
//! which the code in the link is worth nothing. They are kept like any secret, so that a link may
//! also be what starts the program.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use limber_client::identity::{Verifier, WayBack};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use crate::Chance;

/// Where links lead back to. Operators allow it as `limber://auth/callback*`.
pub(crate) const CALLBACK: &str = "limber://auth/callback";
/// How long a browser may take.
const BROWSER: TimeDelta = TimeDelta::minutes(10);
/// How long the identity service lets a mailed link live unless told otherwise.
const MAIL: TimeDelta = TimeDelta::hours(24);
/// The oldest leaves when there are more: keychains have little room.
const MOST: usize = 8;

/// What a way back is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Purpose {
    /// A new account's address is being confirmed.
    SignUp,
    /// A mailed link signs in.
    Link,
    /// A forgotten password is to be replaced.
    Recovery,
    /// Another address is being confirmed.
    EmailChange,
    /// Another service signs in.
    Provider(String),
    /// Another service is being linked to the account.
    Identity(String),
}

impl Purpose {
    /// Whether the way back leads through a browser that the app opened.
    pub(crate) fn is_browser(&self) -> bool {
        matches!(self, Self::Provider(_) | Self::Identity(_))
    }

    fn life(&self) -> TimeDelta {
        if self.is_browser() { BROWSER } else { MAIL }
    }
}

/// One that is expected back.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Departure {
    state: String,
    verifier: String,
    pub(crate) purpose: Purpose,
    at: DateTime<Utc>,
}

impl Departure {
    fn new(purpose: Purpose, now: DateTime<Utc>, chance: &dyn Chance) -> Self {
        let draw = || {
            let mut bytes = [0; 32];
            chance.fill(&mut bytes);
            bytes
        };
        Self {
            state: URL_SAFE_NO_PAD.encode(draw()),
            verifier: Verifier::from_random(draw()).secret().expose_secret().to_owned(),
            purpose,
            at: now,
        }
    }

    /// What only this app knows.
    pub(crate) fn verifier(&self) -> Verifier {
        Verifier::kept(self.verifier.clone().into())
    }

    /// What the service is told.
    pub(crate) fn way_back(&self) -> WayBack {
        WayBack {
            redirect_to: format!("{CALLBACK}?state={}", self.state),
            challenge: Some(self.verifier().challenge()),
        }
    }

    fn is_alive(&self, now: DateTime<Utc>) -> bool {
        // a clock that was set back must not make a way back eternal
        let age = now - self.at;
        age < self.purpose.life() && age > -self.purpose.life()
    }
}

/// Everything that is expected back, oldest first.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Departures(Vec<Departure>);

impl Departures {
    /// Reads what was kept; what cannot be read is forgotten.
    pub(crate) fn read(kept: Option<&SecretString>, now: DateTime<Utc>) -> Self {
        let read = kept.and_then(|kept| serde_json::from_str(kept.expose_secret()).ok());
        let mut all: Self = read.unwrap_or_default();
        all.0.retain(|departure| departure.is_alive(now));
        all
    }

    /// For keeping.
    pub(crate) fn write(&self) -> SecretString {
        serde_json::to_string(self).unwrap_or_default().into()
    }

    /// Begins one. A browser that was opened for the same purpose may be opened again: the way
    /// back stays the one that it already knows. A browser opened for anything else is not
    /// waited for any more.
    pub(crate) fn begin(
        &mut self,
        purpose: Purpose,
        now: DateTime<Utc>,
        chance: &dyn Chance,
    ) -> WayBack {
        if purpose.is_browser() {
            let known = self.0.iter_mut().find(|known| known.purpose == purpose);
            if let Some(known) = known {
                known.at = now;
                return known.way_back();
            }
            self.forget_browser();
        }
        let departure = Departure::new(purpose, now, chance);
        let back = departure.way_back();
        self.0.push(departure);
        let surplus = self.0.len().saturating_sub(MOST);
        self.0.drain(..surplus);
        back
    }

    /// The one that this state belongs to.
    pub(crate) fn find(&self, state: &str) -> Option<Departure> {
        self.0.iter().find(|departure| departure.state == state).cloned()
    }

    /// The same, which came back: its link leads nowhere from now on.
    pub(crate) fn take(&mut self, state: &str) -> Option<Departure> {
        let at = self.0.iter().position(|departure| departure.state == state)?;
        Some(self.0.remove(at))
    }

    /// It came back, and nobody could be asked about it: it may come back again.
    pub(crate) fn expect_again(&mut self, departure: Departure) {
        self.0.push(departure);
    }

    /// Nobody waits for a browser any more.
    pub(crate) fn forget_browser(&mut self) {
        self.0.retain(|known| !known.purpose.is_browser());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{CountingChance, noon};

    fn state_of(back: &WayBack) -> String {
        let url = url::Url::parse(&back.redirect_to).expect("an address");
        let state = url.query_pairs().find(|(name, _)| name == "state").expect("a state");
        state.1.into_owned()
    }

    #[test]
    fn what_left_is_found_after_a_restart_and_only_by_its_own_state() {
        let chance = CountingChance::default();
        let mut all = Departures::default();
        let back = all.begin(Purpose::Recovery, noon(), &chance);
        let again = Departures::read(Some(&all.write()), noon() + TimeDelta::hours(23));
        let found = again.find(&state_of(&back)).expect("it is still expected");
        assert_eq!(found.purpose, Purpose::Recovery);
        assert_eq!(Some(found.verifier().challenge()), back.challenge);
        let altered = state_of(&back).replace(|c: char| c.is_ascii_uppercase(), "x");
        for wrong in ["", "x", altered.as_str()] {
            assert!(again.find(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_browser_is_waited_for_ten_minutes_and_a_mail_for_a_day() {
        let chance = CountingChance::default();
        let mut all = Departures::default();
        let browser = state_of(&all.begin(Purpose::Provider("github".into()), noon(), &chance));
        let mail = state_of(&all.begin(Purpose::Link, noon(), &chance));
        let kept = all.write();
        let later = Departures::read(Some(&kept), noon() + TimeDelta::minutes(10));
        assert!(later.find(&browser).is_none() && later.find(&mail).is_some());
        let tomorrow = Departures::read(Some(&kept), noon() + TimeDelta::hours(24));
        assert!(tomorrow.find(&mail).is_none());
        let clock_set_back = Departures::read(Some(&kept), noon() - TimeDelta::hours(1));
        assert!(clock_set_back.find(&browser).is_none());
    }

    #[test]
    fn a_browser_can_be_opened_again_and_another_one_replaces_it() {
        let chance = CountingChance::default();
        let mut all = Departures::default();
        let github = Purpose::Provider("github".into());
        let first = all.begin(github.clone(), noon(), &chance);
        let again = all.begin(github, noon() + TimeDelta::minutes(9), &chance);
        assert_eq!(first.redirect_to, again.redirect_to);
        let other = all.begin(Purpose::Provider("google".into()), noon(), &chance);
        assert!(all.find(&state_of(&first)).is_none() && all.find(&state_of(&other)).is_some());
        all.forget_browser();
        assert!(all.find(&state_of(&other)).is_none());
    }

    #[test]
    fn a_way_back_counts_once_and_old_ones_make_room() {
        let chance = CountingChance::default();
        let mut all = Departures::default();
        let first = state_of(&all.begin(Purpose::Link, noon(), &chance));
        assert!(all.take(&first).is_some() && all.take(&first).is_none());
        let states: Vec<_> =
            (0..20).map(|_| state_of(&all.begin(Purpose::Link, noon(), &chance))).collect();
        assert_eq!(states.iter().filter(|state| all.find(state).is_some()).count(), MOST);
        assert!(all.find(&states[19]).is_some());
    }

    #[test]
    fn what_was_kept_and_cannot_be_read_is_forgotten() {
        for kept in ["", "null", "[{}]", "{\"x\":1}"] {
            let all = Departures::read(Some(&kept.to_owned().into()), noon());
            assert!(all.find("").is_none());
        }
    }
}
