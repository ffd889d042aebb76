//! Reads captions with a list of words, without grammar: finds the actions in them and what is said
//! about each.

use std::{
    collections::{BTreeMap, HashMap},
    hash::Hash,
    sync::LazyLock,
};

use serde::Deserialize;

use crate::{Count, DetectedAction, Direction, Expected, Limb, Step};

/// The words of `data/captions.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Captions {
    deeds: Phrases<DetectedAction>,
    counts: BTreeMap<String, usize>,
    times: Words,
    limbs: Words,
    ways: Phrases<Direction>,
}

#[derive(Debug, Deserialize)]
struct Words {
    words: Vec<String>,
}

/// Phrases and their meanings, longest phrase first.
#[derive(Debug, Deserialize)]
#[serde(from = "HashMap<T, Vec<String>>", bound = "T: Deserialize<'de> + Eq + Hash + Copy")]
struct Phrases<T>(Vec<(Vec<String>, T)>);

impl<T: Copy> From<HashMap<T, Vec<String>>> for Phrases<T> {
    fn from(table: HashMap<T, Vec<String>>) -> Self {
        let mut phrases: Vec<(Vec<String>, T)> = table
            .into_iter()
            .flat_map(|(meaning, said)| said.into_iter().map(move |said| (words(&said), meaning)))
            .collect();
        phrases.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        Self(phrases)
    }
}

impl<T: Copy> Phrases<T> {
    /// The meaning of the longest phrase at the beginning of these words, and its number of words.
    fn at(&self, words: &[String]) -> Option<(T, usize)> {
        let found = self.0.iter().find(|(phrase, _)| words.starts_with(phrase));
        found.map(|(phrase, meaning)| (*meaning, phrase.len()))
    }
}

fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts.filter(|part| !part.is_empty()).map(str::to_lowercase).collect()
}

impl Captions {
    /// The built-in words.
    ///
    /// # Panics
    /// Never: a test parses the same text.
    #[must_use]
    pub fn built_in() -> &'static Self {
        static WORDS: LazyLock<Captions> = LazyLock::new(|| {
            toml::from_str(include_str!("../data/captions.toml"))
                .unwrap_or_else(|error| panic!("data/captions.toml: {error}"))
        });
        &WORDS
    }

    /// What must be seen according to a sentence; `None` if it names no action. The order of the
    /// steps matters only if the sentence contains `then`.
    #[must_use]
    pub fn read(&self, sentence: &str) -> Option<Expected> {
        let said = words(sentence);
        let mut steps: Vec<Step> = Vec::new();
        let mut place = 0;
        while place < said.len() {
            let rest = &said[place..];
            if let Some((deed, length)) = self.deeds.at(rest) {
                let mut step = Step::new(deed);
                // the side may be in the phrase itself or in the word before it, as in `left kick`
                self.limb(&said, place, length, &mut step);
                steps.push(step);
                place += length;
                continue;
            }
            if let Some(step) = steps.last_mut() {
                self.modify(rest, step);
            }
            place += 1;
        }
        if steps.is_empty() {
            return None;
        }
        let loose = !said.iter().any(|word| word == "then") || steps.len() < 2;
        Some(Expected { loose, ongoing: true, ..Expected::of(sentence.to_owned(), steps) })
    }

    fn limb(&self, said: &[String], place: usize, length: usize, step: &mut Step) {
        let before = place.checked_sub(1).map(|place| said[place].as_str());
        let inside = said[place..place + length].iter().map(String::as_str);
        for word in before.into_iter().chain(inside) {
            match word {
                "left" => step.side = Some(Limb::Left),
                "right" => step.side = Some(Limb::Right),
                _ => {}
            }
        }
    }

    /// Applies what the first of these words says to the last action.
    fn modify(&self, rest: &[String], step: &mut Step) {
        let next = rest.get(1).map(String::as_str);
        let word = rest[0].as_str();
        let travels = matches!(
            step.deed,
            DetectedAction::Walk
                | DetectedAction::Run
                | DetectedAction::Sneak
                | DetectedAction::Crawl
                | DetectedAction::Jump
                | DetectedAction::Turn
        );
        if let Some((way, _)) = self.ways.at(rest)
            && travels
            && step.way.is_none()
        {
            step.way = Some(way);
        }
        if word == "left" || word == "right" {
            let limb = next.is_some_and(|next| self.limbs.words.iter().any(|limb| limb == next));
            let left = word == "left";
            if limb {
                // an action with both sides has no side requirement
                let side = if left { Limb::Left } else { Limb::Right };
                step.side = match step.side {
                    Some(other) if other != side => None,
                    _ => Some(side),
                };
            } else if travels && !matches!(next, Some("and")) {
                step.way = Some(if left { Direction::Left } else { Direction::Right });
            }
        }
        let counted = matches!(word, "once" | "twice")
            || next.is_some_and(|next| self.times.words.iter().any(|times| times == next));
        let repeats = matches!(
            step.deed,
            DetectedAction::Jump
                | DetectedAction::Kick
                | DetectedAction::Punch
                | DetectedAction::Clap
                | DetectedAction::Nod
                | DetectedAction::Squat
                | DetectedAction::Wave
        );
        if let Some(count) = self.counts.get(word)
            && counted
            && repeats
        {
            step.count = Some(Count::Exactly(*count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sentence: &str) -> Expected {
        Captions::built_in().read(sentence).expect("the sentence names an action")
    }

    #[test]
    fn captions_give_actions_with_sides_counts_and_directions() {
        let kick = read("a person kicks twice with the left leg");
        assert_eq!(kick.see[0].deed, DetectedAction::Kick);
        assert_eq!(kick.see[0].side, Some(Limb::Left));
        assert_eq!(kick.see[0].count, Some(Count::Exactly(2)));
        let walk = read("a person walks backward");
        assert_eq!(walk.see[0].way, Some(Direction::Backward));
    }

    #[test]
    fn longer_phrases_win() {
        let seen: Vec<DetectedAction> =
            read("a person sits down on the floor").see.iter().map(|step| step.deed).collect();
        assert_eq!(seen, [DetectedAction::SitOnFloor]);
    }

    #[test]
    fn order_matters_only_if_the_caption_says_then() {
        assert!(!read("a person walks forward then turns around").loose);
        assert!(read("a person walks and waves").loose);
    }

    #[test]
    fn sentences_without_actions_give_no_expectation() {
        assert_eq!(Captions::built_in().read("a sunny day"), None);
    }
}
