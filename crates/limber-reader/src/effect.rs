//! Which words of a prompt set something in the script, so that all others can be shown to the user.

use limber_script::{Event, Script};
use serde_json::{Map, Value as Json};

use crate::{
    assembly::{is_of_loop, is_small},
    numbers,
    reading::{EventWords, Reading, WordRange},
    words::{Word, plain, words},
};

/// Fields of the script in which the words of a field may end, besides the field itself: *turns
/// left* says a direction with the word for a side.
const MAY_SET: [(&str, &[&str]); 11] = [
    ("side", &["direction", "target_side"]),
    ("direction", &["side", "path", "target_side", "height"]),
    ("path", &["direction", "meters"]),
    ("posture", &["posture_after"]),
    ("posture_after", &["posture"]),
    ("size", &["target_size", "meters", "height", "force", "steps"]),
    ("height", &["height_m", "size"]),
    ("target", &["target_part"]),
    ("target_part", &["target"]),
    ("speed", &["speed_curve", "bpm"]),
    ("avoid", &["still"]),
];
/// Fields that order events in time, which the script may express otherwise.
const RELATIONS: [&str; 6] = ["while", "as_soon_as", "until", "continues", "beat_of", "beat"];
/// Fields with a number: of several numbers, one is used.
const NUMBERS: [&str; 7] =
    ["count", "steps", "seconds", "meters", "degrees", "height_m", "target_distance_m"];
/// Ratio within which a number is the one that the words say.
const SAME_NUMBER: f64 = 0.02;
/// Number of letters that two words share at least if one names the other: *shoulders*, *shoulder*.
const SAME_LETTERS: usize = 3;
/// Words for parts of the body, by limb: an event that moves one limb does not use the words for
/// another.
const LIMBS: [&[&str]; 3] = [
    &["head", "face", "eye", "chin", "neck", "mouth", "ear"],
    &[
        "arm",
        "elbow",
        "forearm",
        "upper-arm",
        "shoulder",
        "hand",
        "fist",
        "finger",
        "palm",
        "thumb",
        "wrist",
        "index-finger",
    ],
    &["leg", "knee", "thigh", "shin", "foot", "feet", "heel", "toe", "ankle"],
];
/// Small words that change a movement unless they belong to its verb: *a step back*.
const CHANGING: [&str; 9] =
    ["back", "up", "down", "away", "behind", "above", "each", "other", "opposite"];

impl Reading {
    /// Adds the words that set nothing in the script to the scenery, unless they are reported
    /// otherwise. The words that name an action count as used.
    pub fn pass_over_the_rest(&mut self, prompt: &str) {
        let Some(script) = &self.script else { return };
        let words = words(prompt);
        let mut told = self.told();
        for (event, own) in script.events().iter().zip(&self.events) {
            told.extend(Effect::of(prompt, &words, event, own).places());
        }
        let is_told = |word: &Word| told.iter().any(|told| overlap(told, &word.place));
        let lost = words.iter().enumerate().filter(|(place, word)| {
            let before = place.checked_sub(1).map(|before| &words[before]);
            !is_told(word)
                && says_something(prompt, word, before.is_some_and(is_told))
                && !is_of(script, word)
        });
        let lost: Vec<WordRange> = lost.map(|(_, word)| word.place.clone()).collect();
        self.pass_over(lost);
    }

    /// The words about which the user is told something.
    fn told(&self) -> Vec<WordRange> {
        let not_understood = self.not_understood.iter().map(|words| &words.place);
        let out_of_range = self.out_of_range.iter().map(|(_, place)| place);
        let opposed = self.opposed.iter().flat_map(|words| [&words.kept, &words.dropped]);
        let told = self.scenery.iter().chain(not_understood).chain(out_of_range).chain(opposed);
        told.chain(&self.too_many).chain(&self.several_people).cloned().collect()
    }
}

/// Whether a word may change a movement, either by itself or, unless it stands behind a verb that is
/// told, as a particle.
fn says_something(prompt: &str, word: &Word, is_behind_told: bool) -> bool {
    let text = plain(&word.text);
    // *attack_01* and *attack_2* are names, and *1.* begins a line of a list
    let is_number = text.starts_with(|first: char| ('1'..='9').contains(&first))
        && !prompt[..word.place.start].ends_with('_')
        && !prompt[word.place.end..].starts_with(['.', ')', ':']);
    let is_particle = CHANGING.contains(&text.as_str());
    is_number || (is_particle && !is_behind_told) || !is_small(&text)
}

/// Whether a word says something about the whole clip.
fn is_of(script: &Script, word: &Word) -> bool {
    script.is_loop() && is_of_loop(&plain(&word.text))
}

fn overlap(one: &WordRange, other: &WordRange) -> bool {
    one.start < other.end && other.start < one.end
}

/// Whether two words have the same stem.
fn are_alike(one: &str, other: &str) -> bool {
    one.len().min(other.len()) >= SAME_LETTERS && (one.starts_with(other) || other.starts_with(one))
}

/// What the words of an event set in it.
struct Effect<'a> {
    prompt: &'a str,
    prompt_words: &'a [Word],
    words: &'a EventWords,
    event: Map<String, Json>,
}

impl<'a> Effect<'a> {
    fn of(prompt: &'a str, prompt_words: &'a [Word], event: &Event, words: &'a EventWords) -> Self {
        let event = match serde_json::to_value(event) {
            Ok(Json::Object(event)) => event,
            _ => Map::new(),
        };
        Self { prompt, prompt_words, words, event }
    }

    /// Returns the words that set something.
    fn places(&self) -> Vec<WordRange> {
        let fields = self.words.fields.iter().map(|(field, place)| (field.as_str(), place));
        let (set, unset): (Vec<_>, Vec<_>) =
            fields.partition(|(field, place)| self.has_effect(field, place));
        let mut places: Vec<WordRange> = set.into_iter().map(|(_, place)| place.clone()).collect();
        let in_vain = |word: &Word, places: &[WordRange]| {
            let is_unset = unset.iter().any(|(_, place)| overlap(place, &word.place));
            let is_set = places.iter().any(|place| overlap(place, &word.place));
            is_unset && !is_set && !self.is_named(word)
        };
        let of_deed = self.words_in(&self.words.deed).filter(|word| !in_vain(word, &places));
        let of_deed: Vec<WordRange> = of_deed.map(|word| word.place.clone()).collect();
        places.extend(of_deed);
        let named = unset.iter().flat_map(|(_, place)| self.words_in(place));
        let named = named.filter(|word| self.is_named(word) || self.is_side_of(word, &places));
        let named: Vec<WordRange> = named.map(|word| word.place.clone()).collect();
        places.extend(named);
        places
    }

    fn words_in(&self, place: &WordRange) -> impl Iterator<Item = &'a Word> {
        let place = place.clone();
        self.prompt_words.iter().filter(move |word| overlap(&place, &word.place))
    }

    /// Whether the name of the action contains a word: *wipes her mouth*.
    fn is_named(&self, word: &Word) -> bool {
        let named = self.event.get("do").and_then(Json::as_str).unwrap_or_default();
        let word = plain(&word.text);
        named.split('-').any(|part| are_alike(part, &word))
    }

    /// Whether a word names the limb whose side has been read: *with his left arm*.
    fn is_side_of(&self, word: &Word, places: &[WordRange]) -> bool {
        let sides = self.words.fields.iter().filter(|(field, place)| {
            field.as_str() == "side" && places.contains(place) && place.end <= word.place.start
        });
        sides
            .map(|(_, place)| &self.prompt[place.end..word.place.start])
            .any(|between| between.trim().is_empty())
    }

    fn has_effect(&self, field: &str, place: &WordRange) -> bool {
        let others =
            MAY_SET.iter().find(|(own, _)| *own == field).map_or(&[][..], |(_, sets)| *sets);
        let sets = std::iter::once(field).chain(others.iter().copied());
        let is_set = RELATIONS.contains(&field)
            || sets.filter(|field| self.event.contains_key(*field)).count() > 0;
        let of_body = matches!(field, "part" | "side");
        is_set && !self.is_overruled(field, place) && !(of_body && self.is_of_another_limb(place))
    }

    /// Whether other words set the same field: *three steps, four*.
    fn is_overruled(&self, field: &str, place: &WordRange) -> bool {
        let runs = self.words.fields.iter().filter(|(own, _)| own.as_str() == field);
        !self.is_used(field, place)
            && runs.map(|(_, place)| place).any(|other| self.is_used(field, other))
    }

    /// Whether words of a field say its value, as far as can be told.
    fn is_used(&self, field: &str, place: &WordRange) -> bool {
        match self.event.get(field) {
            Some(Json::Number(value)) if NUMBERS.contains(&field) => {
                let frame_rate = numbers::frames_a_second(self.prompt);
                let said = numbers::read(field, &self.prompt[place.clone()], frame_rate);
                let value = value.as_f64().unwrap_or_default();
                said.is_some_and(|said| (said - value).abs() <= SAME_NUMBER * value.abs())
            }
            Some(Json::String(value)) if matches!(field, "side" | "direction" | "target_side") => {
                !self.says(place, opposite(value)) || self.says(place, &[value.as_str()])
            }
            Some(Json::String(value)) if field == "part" => self.says(place, &[value.as_str()]),
            _ => true,
        }
    }

    /// Whether words name only limbs that the event does not move: *swings the leg, arms wide*.
    fn is_of_another_limb(&self, place: &WordRange) -> bool {
        let Some(moved) = self.event.get("part").and_then(Json::as_str) else { return false };
        let limb = |word: &str| {
            LIMBS.iter().position(|names| names.iter().any(|name| are_alike(name, word)))
        };
        let mut named = self.words_in(place).filter_map(|word| limb(&plain(&word.text))).peekable();
        named.peek().is_some() && limb(moved).is_some_and(|moved| named.all(|named| named != moved))
    }

    fn says(&self, place: &WordRange, names: &[&str]) -> bool {
        self.words_in(place).map(|word| plain(&word.text)).any(|word| {
            names.iter().any(|name| *name == word || (name.len() > 1 && are_alike(name, &word)))
        })
    }
}

/// Words for the other side.
fn opposite(side: &str) -> &'static [&'static str] {
    match side {
        "left" => &["right", "r"],
        "right" => &["left", "l"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use crate::Reader;

    fn without_effect(prompt: &str) -> Vec<&str> {
        let mut reading = Reader::shared().read(prompt);
        reading.pass_over_the_rest(prompt);
        reading.scenery.into_iter().map(|place| &prompt[place]).collect()
    }

    #[test]
    fn words_that_set_nothing_are_named() {
        let named = without_effect("he marches two steps, five, and salutes");
        assert!(named.iter().any(|words| words.contains("five")), "{named:?}");
    }

    #[test]
    fn words_that_set_something_are_not_named() {
        for prompt in [
            "a person walks forward",
            "a woman kicks the ball twice with her left foot",
            "he turns left and slowly raises his right arm",
            "she crouches, then jumps high",
            "a seamless loop of a person walking",
            "stands with feet apart and arms crossed",
            "1. walks forward 2. waves",
        ] {
            assert_eq!(without_effect(prompt), Vec::<&str>::new(), "{prompt}");
        }
    }
}
