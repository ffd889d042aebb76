//! Chooses between the phrase-based and the learned reading of a prompt if both explain all of it.
//! Phrases miss the relations within a sentence: whom an adjective describes, or what *three to the
//! right* repeats.

use std::ops::Range;

use limber_reader::{EventWords, Field, Reading};
use limber_script::{Event, Message, Script};

use super::{Understood, chunks::overlap};

/// Prompts of up to this many words with a single action have no grammar that phrases would miss.
const PLAIN: usize = 6;
/// Longer prompts have grammar.
const LONG: usize = 10;
/// Minimum certainty of the learned reader for every action, for it to win over phrases that
/// explain every word.
const SURE: f32 = 0.6;
/// Minimum certainty for an action that phrases read as two.
const VERY_SURE: f32 = 0.9;
/// Sufficient certainty for an action that phrases miss entirely.
const LIKELY: f32 = 0.4;

/// Whether a prompt is so short and simple that the phrase-based reading is right in any case.
pub(super) fn is_plain(text: &str, phrases: &Understood) -> bool {
    phrases.reading.events.len() == 1 && text.split_whitespace().count() <= PLAIN
}

/// Whether the learned reading is better than the phrase-based one.
pub(super) fn is_better(text: &str, learned: &Understood, phrases: &Understood) -> bool {
    // the learned reader stops at its limit without a message, while the phrases report what they
    // cut
    let is_cut = |message: &Message| matches!(message, Message::MostActions { .. });
    if phrases.warnings.iter().any(is_cut) {
        return false;
    }
    let is_long = text.split_whitespace().count() > LONG;
    let (learned, phrases) = (&learned.reading, &phrases.reading);
    let (Some(script), Some(other)) = (&learned.script, &phrases.script) else { return false };
    let both = Both { text, learned, phrases, script, other };
    is_long && is_clear(learned) && both.is_sure(SURE)
        || both.says_more_of_the_same()
        || both.joins_words()
        || both.sees_a_person()
        || both.sees_more()
}

fn is_clear(reading: &Reading) -> bool {
    reading.not_understood.is_empty() && reading.opposed.is_empty()
}

struct Both<'a> {
    text: &'a str,
    learned: &'a Reading,
    phrases: &'a Reading,
    /// The script of the learned reading.
    script: &'a Script,
    /// The script of the phrase-based reading.
    other: &'a Script,
}

impl Both<'_> {
    fn is_sure(&self, least: f32) -> bool {
        self.learned.events.iter().all(|words| words.certainty >= least)
    }

    /// *A child claps his hands three times*: the same actions, with more details.
    fn says_more_of_the_same(&self) -> bool {
        let deeds = |script: &Script| -> Vec<_> {
            script.events().iter().map(|event| event.deed.clone()).collect()
        };
        let used: Vec<&Range<usize>> = self.phrases.events.iter().flat_map(places).collect();
        let is_of_time =
            |field: &Field| ["while", "as_soon_as", "until", "continues"].contains(&field.as_str());
        let is_new = |(event, other, words): (&Event, &Event, &EventWords)| {
            let is_unused = |place: &Range<usize>| !used.iter().any(|used| overlap(used, place));
            let has_manner = !event.manners.is_empty() && other.manners.is_empty();
            let mut said = words.fields.iter().filter(|(field, _)| !is_of_time(field));
            has_manner || said.any(|(_, place)| is_unused(place))
        };
        let events = self.script.events().iter().zip(self.other.events());
        let mut pairs = events.zip(&self.learned.events).map(|((a, b), words)| (a, b, words));
        is_clear(self.learned)
            && self.is_sure(SURE)
            && deeds(self.script) == deeds(self.other)
            && self.loses_no_field()
            && pairs.any(is_new)
    }

    /// *Throws a knee strike*: one action, which the phrases read as two.
    fn joins_words(&self) -> bool {
        let is_joined = |words: &&EventWords| {
            let mut within: Vec<&Range<usize>> = self.deeds_at(&words.deed).collect();
            within.dedup();
            words.certainty >= VERY_SURE && within.len() > 1
        };
        self.is_sure(SURE)
            && self.learned.events.iter().any(|words| is_joined(&words))
            && self.phrases.events.iter().all(|words| self.does(&words.deed))
    }

    /// *The cook lies down*: an action of the phrases is the person who does the others.
    fn sees_a_person(&self) -> bool {
        let (mut done, mut named) = (true, false);
        for words in &self.phrases.events {
            let is_person = self.is_person(&words.deed);
            named |= is_person;
            done &= is_person || self.does(&words.deed);
        }
        named && done && self.is_sure(SURE)
    }

    /// *Three steps to the left, nod, three to the right*: all actions of the phrases, and more.
    fn sees_more(&self) -> bool {
        let events = self.script.events();
        let is_new = |index: usize| {
            let is_twice = index > 0 && events[index - 1].deed == events[index].deed
                || events.get(index + 1).is_some_and(|next| next.deed == events[index].deed);
            !is_twice && self.deeds_at(&self.learned.events[index].deed).next().is_none()
        };
        is_clear(self.learned)
            && self.is_sure(LIKELY)
            && events.len() > self.other.events().len()
            && self.phrases.events.iter().all(|words| self.does(&words.deed))
            && (0..events.len()).any(is_new)
    }

    /// The phrase-based actions within these words.
    fn deeds_at<'b>(&'b self, place: &'b Range<usize>) -> impl Iterator<Item = &'b Range<usize>> {
        let deeds = self.phrases.events.iter().map(|words| &words.deed);
        deeds.filter(move |deed| overlap(deed, place))
    }

    /// Whether the learned reader has an action in these words.
    fn does(&self, place: &Range<usize>) -> bool {
        self.learned.events.iter().any(|words| overlap(&words.deed, place))
    }

    /// Whether these words start the prompt after an article, and the learned reader ignores them.
    fn is_person(&self, place: &Range<usize>) -> bool {
        let before = self.text[..place.start].trim().to_lowercase();
        let is_scenery = self.learned.scenery.iter().any(|scenery| overlap(scenery, place));
        is_scenery && ["a", "an", "the"].contains(&before.as_str())
    }

    /// Whether the learned reader uses all words of the phrases' fields.
    fn loses_no_field(&self) -> bool {
        let is_used = |place: &Range<usize>| {
            self.learned.events.iter().flat_map(places).any(|used| overlap(used, place))
        };
        self.phrases.events.iter().flat_map(|words| &words.fields).all(|(_, place)| is_used(place))
    }
}

/// The byte ranges of all words of an event.
fn places(words: &EventWords) -> impl Iterator<Item = &Range<usize>> {
    std::iter::once(&words.deed).chain(words.fields.iter().map(|(_, place)| place))
}

#[cfg(test)]
mod tests {
    use super::super::understand;
    use crate::Prompt;

    fn read(text: &str) -> String {
        understand(&Prompt::parse(text).unwrap()).unwrap().meaning.unwrap().to_string()
    }

    #[test]
    fn the_learned_reading_counts_where_phrases_miss_what_holds_a_sentence_together() {
        for (text, script) in [
            ("a child claps his hands three times", "v2 clap count:3 manners:child=1.0"),
            ("a person throws a knee strike with the right knee", "v2 knee-strike side:right"),
            ("The cook lies down on the floor", "v2 lie-down target:floor"),
            (
                "Three steps to the left, nod, three to the right, nod",
                "v2 sidestep direction:left steps:3 > nod > sidestep direction:right steps:3 > nod",
            ),
        ] {
            assert_eq!(read(text), script, "{text}");
        }
    }

    #[test]
    fn phrases_count_where_the_learned_reading_says_no_more_or_guesses() {
        for (text, script) in [
            (
                "walk in a circle while waving",
                "v2 walk degrees:360.0 path:circle side:left > wave while:0",
            ),
            (
                "a tired woman stands up and waves",
                "v2 stand-up manners:tired=1.0 speed:0.75 > wave manners:tired=1.0 speed:0.75",
            ),
            ("kneel, pray, stand up, then bow", "v2 kneel > pray > stand-up > bow"),
        ] {
            assert_eq!(read(text), script, "{text}");
        }
    }
}
