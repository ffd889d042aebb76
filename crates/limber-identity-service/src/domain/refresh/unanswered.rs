//! Exchanges of which nobody was told how they ended.
//!
//! A database that stands still or is killed may have taken the last word of a transaction and not
//! have answered it. The old token is then retired, and the new one never left: whoever asks again
//! with the old one has lost an answer of ours, however late it is, and is no thief. The reuse
//! interval, which is seconds, is for answers that got lost on the way to the caller; an outage takes
//! as long as it takes.
//!
//! What is noted here is not kept over a restart: then the interval alone counts.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};

/// What [`RefreshToken::hash`](crate::tokens::refresh::RefreshToken::hash) makes.
type Hash = [u8; 32];

/// For so long a token is remembered; a client that comes back later signs in anew.
const KEPT: chrono::Duration = chrono::Duration::days(30);
/// Each takes some hundred bytes.
const MOST: usize = 100_000;

/// Presented tokens by their hash, and when they were presented.
#[derive(Default)]
pub(crate) struct Unanswered(Mutex<HashMap<Hash, DateTime<Utc>>>);

impl Unanswered {
    /// To be called before the last word, and [`answered`](Self::answered) after the answer to it:
    /// whatever ends the request in between leaves the note behind.
    pub(super) fn note(&self, token: Hash, now: DateTime<Utc>) {
        let mut noted = self.noted();
        if noted.len() >= MOST {
            noted.retain(|_, since| now - *since < KEPT);
        }
        // in a flood of them those that are there are as good as the new
        if noted.len() < MOST {
            noted.insert(token, now);
        }
    }

    pub(super) fn answered(&self, token: &Hash) {
        self.noted().remove(token);
    }

    /// Whether the answer to an exchange of this token never left.
    pub(super) fn has(&self, token: &Hash, now: DateTime<Utc>) -> bool {
        self.noted().get(token).is_some_and(|since| now - *since < KEPT)
    }

    fn noted(&self) -> MutexGuard<'_, HashMap<Hash, DateTime<Utc>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_not_answered_is_remembered_and_not_for_ever() {
        let unanswered = Unanswered::default();
        let now = DateTime::from_timestamp(0, 0).expect("the epoch");
        unanswered.note([1; 32], now);
        unanswered.note([2; 32], now);
        unanswered.answered(&[1; 32]);
        let later = now + chrono::Duration::days(29);
        assert!(!unanswered.has(&[1; 32], now) && unanswered.has(&[2; 32], later));
        assert!(!unanswered.has(&[2; 32], now + KEPT));
    }

    #[test]
    fn a_flood_has_an_end() {
        let unanswered = Unanswered::default();
        let now = DateTime::from_timestamp(0, 0).expect("the epoch");
        for number in 0..MOST + 10 {
            let mut token = [0; 32];
            token[..8].copy_from_slice(&number.to_le_bytes());
            unanswered.note(token, now);
        }
        assert_eq!(unanswered.noted().len(), MOST);
        unanswered.note([9; 32], now + KEPT);
        assert_eq!(unanswered.noted().len(), 1, "those that are too old make room");
    }
}
