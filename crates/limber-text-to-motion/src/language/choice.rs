//! Which of two readings of a prompt counts, where both understand all of it: that of the phrases or the learned one. Phrases
//! miss what holds a sentence together: whom an adjective describes, what *three to the right* repeats.

use std::ops::Range;

use limber_reader::{EventWords, Field, Reading};
use limber_script::{Event, Message, Script};

use super::{Understood, chunks::overlap};

/// What is said in no more words than this has no grammar that phrases would miss, if it is one action.
const PLAIN: usize = 6;
/// What is said in more words than this has grammar.
const LONG: usize = 10;
/// The learned reader is this sure of every action where it counts for more than phrases that leave no word over.
const SURE: f32 = 0.6;
/// And this sure of one that phrases take for two.
const VERY_SURE: f32 = 0.9;
/// It need not be more sure than this of an action that phrases miss altogether.
const LIKELY: f32 = 0.4;

/// Whether a prompt is so short and simple that the phrases are right, whatever the learned reader says.
pub(super) fn is_plain(text: &str, phrases: &Understood) -> bool {
    phrases.reading.events.len() == 1 && text.split_whitespace().count() <= PLAIN
}

/// Whether the learned reading counts for more than that of the phrases.
pub(super) fn is_better(text: &str, learned: &Understood, phrases: &Understood) -> bool {
    // the learned reader reads so much at once and says nothing of the rest; the phrases say what they cut
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
    /// What the learned reader understands.
    script: &'a Script,
    /// What the phrases mean.
    other: &'a Script,
}

impl Both<'_> {
    fn is_sure(&self, least: f32) -> bool {
        self.learned.events.iter().all(|words| words.certainty >= least)
    }

    /// *A child claps his hands three times*: the same actions, and more is said of them.
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

    /// *Throws a knee strike*: one action, of which the phrases make two.
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

    /// *The cook lies down*: an action of the phrases is whoever does the others.
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

    /// The deeds of the phrases that these words name.
    fn deeds_at<'b>(&'b self, place: &'b Range<usize>) -> impl Iterator<Item = &'b Range<usize>> {
        let deeds = self.phrases.events.iter().map(|words| &words.deed);
        deeds.filter(move |deed| overlap(deed, place))
    }

    /// Whether the learned reader sees an action in these words.
    fn does(&self, place: &Range<usize>) -> bool {
        self.learned.events.iter().any(|words| overlap(&words.deed, place))
    }

    /// Whether these words begin the prompt behind an article, and the learned reader makes nothing of them.
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

/// All places that an event's words have.
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
            ("The cook lies down on the floor", "v2 lie-down"),
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
