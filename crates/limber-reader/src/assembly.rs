//! Turns the scores of the heads into a valid script, with the words that each part of it came
//! from.
//!
//! Each trigger becomes a draft of an event. Rules for single constructions of English, one module
//! each, then correct the drafts before they are put in order of time.

mod asset_name;
mod clauses;
mod constructions;
mod cues;
mod echoes;
mod ellipsis;
mod idioms;
mod measures;
mod negation;
mod order;
mod others;
mod own_body;
mod receiving;
mod rounds;
mod scope;
mod stamps;
mod starting;
mod staying;
mod steps;
mod subject;
mod verbs;
mod ways;

pub(crate) use constructions::{PLACES, make_room};

use std::collections::BTreeMap;

use limber_script::{
    Angle, BeatsPerMinute, Count, Distance, Duration, Event, Intensity, OutOfRange, Script,
};
use ndarray::{Array1, Array2};
use serde_json::{Map, Value as Json, json};

use crate::{
    heads::{EventScores, Lists, best, rounded},
    numbers, postures,
    reading::{Corrected, EventWords, Field, NotUnderstood, Reading, WordRange},
    rules::{self, Relation},
    spelling::Familiarity,
    words::{Word, plain},
};

/// Least probability of the best action for an event to be kept.
const LEAST_CERTAINTY: f32 = 0.25;
/// The same for words outside the vocabulary, which may be nonsense.
const LEAST_CERTAINTY_OUT_OF_VOCABULARY: f32 = 0.8;
/// How many of the most probable actions are suggested for words that were not understood.
const OFFERS: usize = 3;
/// Margin by which the score of "no event" must exceed the scores of an event for an unused word to
/// count as scenery; below it, the word counts as not understood.
const DOUBT: f32 = 1.5;
/// Index of the sense for body language: a movement of a body part that is no named action.
const BODY: usize = 0;
/// Fields that are set only if words of the prompt mention them: otherwise the model's value is a
/// guess.
const ALWAYS_SAID: [&str; 3] = ["path", "rhythm", "speed_curve"];
/// Fields whose words say nothing else: if they set nothing, they are lost.
const AMOUNTS_AND_MANNERS: [&str; 14] = [
    "manners", "speed", "size", "force", "height", "height_m", "count", "steps", "seconds",
    "meters", "degrees", "path", "rhythm", "prop",
];
/// Fields that say when an event begins; an event has at most one of them.
const TIMINGS: [&str; 3] = ["while", "as_soon_as", "beat_of"];

/// An event under construction, before the order in time is known.
struct Draft {
    json: Map<String, Json>,
    words: EventWords,
    /// Fields that refer to other events, by the events' indices in the order of the text.
    references: BTreeMap<&'static str, usize>,
}

impl Draft {
    /// The text of a field; empty if it has none.
    fn text(&self, field: &str) -> &str {
        self.json.get(field).and_then(Json::as_str).unwrap_or_default()
    }
}

/// What the model and the tokenizer found in a prompt.
pub(crate) struct Assembly<'a> {
    pub(crate) lists: &'a Lists,
    pub(crate) prompt: &'a str,
    pub(crate) words: &'a [Word],
    /// For each word, how reliably it can be read.
    pub(crate) known: &'a [Familiarity],
    pub(crate) tags: &'a Array2<f32>,
    pub(crate) triggers: &'a Array2<f32>,
    /// Returns the probabilities of the senses for the words at these indices, in the context of
    /// the prompt.
    pub(crate) senses_of: &'a dyn Fn(&[usize]) -> Array1<f32>,
    /// The same, with the words encoded on their own, without the rest of the prompt.
    pub(crate) senses_alone: &'a dyn Fn(&[usize]) -> Array1<f32>,
}

impl Assembly<'_> {
    pub(crate) fn reading(
        &self,
        spans: &[Vec<usize>],
        events: &[EventScores],
        clip: &BTreeMap<&str, usize>,
        corrected: Vec<Corrected>,
    ) -> Reading {
        let mut reading = Reading { corrected, ..Reading::default() };
        let mut used = vec![false; self.words.len()];
        let mut drafts: Vec<Option<Draft>> = Vec::new();
        for (number, span) in spans.iter().enumerate() {
            span.iter().for_each(|word| used[*word] = true);
            if drafts.iter().flatten().count() == Script::MOST_EVENTS {
                reading.too_many.push(self.range(span));
                drafts.push(None);
                continue;
            }
            let sense = best(&events[number].senses);
            let least = match span.iter().map(|word| self.known[*word]).max() {
                Some(Familiarity::Foreign) => f32::INFINITY,
                Some(Familiarity::OutOfVocabulary) => LEAST_CERTAINTY_OUT_OF_VOCABULARY,
                Some(Familiarity::Known) | None => LEAST_CERTAINTY,
            };
            if events[number].senses[sense] < least {
                reading.not_understood.push(self.not_understood(span, &events[number].senses));
                drafts.push(None);
                continue;
            }
            let mut out_of_range = Vec::new();
            let draft = self.draft(number, span, events, &mut used, &mut out_of_range);
            reading.out_of_range.extend(out_of_range);
            drafts.push(Some(draft));
        }
        let read: Vec<WordRange> =
            drafts.iter().flatten().flat_map(|draft| draft.words.places()).cloned().collect();
        self.drop_echoes(spans, &mut drafts);
        self.apply_asset_name(&mut drafts);
        let (mut again, told) = self.apply_ellipsis(spans, &mut drafts, &mut used);
        let (opposed, both_ways) = self.apply_cues(&mut drafts, events, &told, &mut used);
        again.extend(both_ways);
        reading.opposed = opposed;
        self.apply_constructions(spans, &mut drafts);
        again.extend(self.apply_idioms(spans, &mut drafts));
        again.extend(self.going_on(&drafts, &mut used));
        let pauses = self.apply_staying(spans, &mut drafts, &mut used);
        let (rounds, too_many) = self.apply_rounds(spans, &mut drafts, &mut used, &pauses);
        again.extend(pauses);
        again.extend(rounds);
        reading.out_of_range.extend(too_many);
        reading.out_of_range.extend(self.apply_counts(&mut drafts, &mut used));
        again.extend(self.counted_together(spans, &mut drafts));
        self.apply_stamps(spans, &mut drafts);
        self.apply_receiving(spans, &mut drafts);
        self.apply_others(spans, &mut drafts);
        self.apply_denied(spans, &mut drafts);
        self.apply_measures(&mut drafts);
        self.apply_starting(spans, &mut drafts);
        again.extend(self.apply_ways(&mut drafts, &mut used));
        again.extend(self.apply_steps(spans, &mut drafts, &mut used));
        self.apply_verbs(&mut drafts);
        self.apply_own_body(&mut drafts);
        self.apply_the_other(&mut drafts);
        self.apply_one_and_the_other(&mut drafts);
        self.apply_sides_before(&mut drafts, &mut used);
        self.apply_sides_of_parts(&mut drafts);
        self.apply_manners_of_all(&mut drafts, &mut used);
        self.apply_subject(&mut drafts, &mut used);
        reading.several_people = self.several_people(&drafts, &mut used);
        for (number, draft) in drafts.iter_mut().enumerate().skip(1) {
            if let Some(draft) = draft
                && rules::relation(self.words, spans, number) == Some(Relation::Together)
            {
                draft.references.retain(|field, _| !TIMINGS.contains(field));
                draft.references.insert("while", number - 1);
            }
        }
        let swaps =
            |number: usize| rules::relation(self.words, spans, number) == Some(Relation::Swapped);
        let order = order::in_time(events, &drafts, swaps);
        let mut events = self.in_order(drafts, &order);
        constructions::put_in(&mut events, &order, again);
        (reading.script, reading.events) = self.script(events, clip);
        self.note_the_rest(&mut reading, &used, clip);
        note_what_is_left_out(&mut reading, read);
        reading
    }

    fn range(&self, words: &[usize]) -> WordRange {
        let (first, last) = (words[0], words[words.len() - 1]);
        self.words[first].place.start..self.words[last].place.end
    }

    fn not_understood(&self, span: &[usize], senses: &Array1<f32>) -> NotUnderstood {
        let mut known: Vec<usize> = (BODY + 1..senses.len()).collect();
        known.sort_by(|a, b| rounded(senses[*b]).total_cmp(&rounded(senses[*a])));
        // suggestions for letters outside the training data would be random
        let is_foreign = span.iter().any(|word| self.known[*word] == Familiarity::Foreign);
        let offers = if is_foreign { 0 } else { OFFERS };
        let nearest = known.into_iter().take(offers).map(|sense| self.lists.senses[sense].clone());
        NotUnderstood { place: self.range(span), nearest: nearest.collect() }
    }

    fn draft(
        &self,
        number: usize,
        span: &[usize],
        events: &[EventScores],
        used: &mut [bool],
        out_of_range: &mut Vec<(Field, WordRange)>,
    ) -> Draft {
        let scores = &events[number];
        let sense = best(&scores.senses);
        let mut words = EventWords {
            deed: self.range(span),
            fields: Vec::new(),
            certainty: rounded(scores.senses[sense]),
        };
        let mut json = Map::new();
        if sense == BODY {
            for field in ["move", "part"] {
                // body language always has both, so the first class, "not set", is left out
                let scores = scores.values[field].slice(ndarray::s![1..]).to_owned();
                json.insert(field.to_owned(), self.lists.values[field][best(&scores)].clone());
            }
        } else {
            json.insert("do".to_owned(), self.lists.senses[sense].clone().into());
        }
        for (field, scores) in &scores.values {
            let class = best(scores);
            let of_body = matches!(field.as_str(), "move" | "part");
            let guessed = ALWAYS_SAID.contains(&field.as_str())
                && (self.lists.tags.iter().position(|name| name == field))
                    .is_none_or(|tag| self.said(tag, number, events).is_empty());
            if class > 0 && !of_body && !guessed {
                json.insert(field.clone(), self.lists.values[field][class - 1].clone());
            }
        }
        let mut told = Vec::new();
        for (tag, field) in self.lists.tags.iter().enumerate() {
            let said = self.said(tag, number, events);
            if said.is_empty() {
                continue;
            }
            let text = &self.prompt[self.range(&said)];
            match self.number(field, text) {
                None => {}
                Some(Ok(value)) => _ = json.insert(field.clone(), value),
                Some(Err(_)) => out_of_range.push((Field(field.clone()), self.range(&said))),
            }
            if field == "avoid" {
                let denied = self.denied(&said);
                let avoided =
                    if denied.is_empty() { BODY } else { best(&(self.senses_alone)(&denied)) };
                if avoided != BODY {
                    json.insert(field.clone(), json!([self.lists.senses[avoided]]));
                }
            }
            let runs = said.chunk_by(|a, b| a + 1 == *b);
            words.fields.extend(runs.map(|run| (Field(field.clone()), self.range(run))));
            told.push((field.as_str(), said));
        }
        self.add_lists(&mut json, scores, &words);
        tidy(&mut json);
        // words that set nothing are told as not used
        for (field, said) in told {
            let is_too_much = out_of_range.iter().any(|(known, _)| known.as_str() == field);
            if json.contains_key(field) || is_too_much || !AMOUNTS_AND_MANNERS.contains(&field) {
                said.iter().for_each(|word| used[*word] = true);
            } else {
                words.fields.retain(|(own, _)| own.as_str() != field);
            }
        }
        Draft { json, words, references: order::references(scores) }
    }

    /// Returns the words that set a field of an event. A word that sets a field but is linked to no
    /// event goes to the event with the highest link score.
    fn said(&self, tag: usize, number: usize, events: &[EventScores]) -> Vec<usize> {
        let says = |word: &usize| {
            self.known[*word] == Familiarity::Known && rounded(self.tags[[*word, tag]]) > 0.0
        };
        let links = |event: &EventScores, word: usize| rounded(event.links[word]);
        let belongs = |word: &usize| {
            let own = links(&events[number], *word);
            own > 0.0 || events.iter().all(|other| links(other, *word) <= own)
        };
        let mut said: Vec<usize> = (0..self.words.len()).filter(says).filter(belongs).collect();
        if let Some(first) = said.first() {
            let is_measured = numbers::MEASURED.contains(&self.lists.tags[tag].as_str());
            let missed = numbers::before_the_unit(self.words, *first).filter(|_| is_measured);
            said.splice(0..0, missed);
        }
        let says_something = said.iter().any(|word| !rules::says_nothing(&self.words[*word].text));
        if says_something { said } else { Vec::new() }
    }

    /// Parses a numeric field from its words; `None` if the field is not numeric or no number is
    /// found.
    fn number(&self, field: &str, said: &str) -> Option<Result<Json, OutOfRange>> {
        let are_frames = field == "seconds" && numbers::are_frames(said, self.prompt);
        let said = if are_frames { &format!("{said} frames") } else { said };
        let value = numbers::read(field, said, numbers::frames_a_second(self.prompt));
        let whole = |value: f64| Count::new(value.clamp(0.0, 1e9) as u32).map(|count| json!(count));
        Some(match field {
            "count" | "steps" | "beat" => whole(value?),
            "seconds" => Duration::new(value?).map(|seconds| json!(seconds)),
            "meters" | "height_m" | "target_distance_m" => {
                Distance::new(value?).map(|metres| json!(metres))
            }
            "degrees" => Angle::new(value?).map(|degrees| json!(degrees)),
            "bpm" => BeatsPerMinute::new(value?).map(|bpm| json!(bpm)),
            _ => return None,
        })
    }

    fn add_lists(&self, json: &mut Map<String, Json>, scores: &EventScores, words: &EventWords) {
        for (field, scores) in &scores.lists {
            let known = &self.lists.lists[field];
            let chosen = known.iter().zip(scores).filter(|(_, score)| rounded(**score) > 0.0);
            let chosen: Vec<&String> = chosen.map(|(name, _)| name).collect();
            if chosen.is_empty() {
                continue;
            }
            let value = if field == "manners" {
                let much = self.intensity(words);
                chosen.into_iter().map(|name| (name.clone(), json!(much))).collect()
            } else {
                json!(chosen)
            };
            json.insert(field.clone(), value);
        }
    }

    /// Returns the intensity of a manner according to the words around it (*slightly*, *very*).
    fn intensity(&self, words: &EventWords) -> Intensity {
        let places = words.fields.iter().filter(|(field, _)| field.0 == "manners");
        let said: Vec<String> = (places
            .flat_map(|(_, place)| self.prompt[place.clone()].split(' ')))
        .map(plain)
        .collect();
        let holds = |known: &[&str]| said.iter().any(|word| known.contains(&word.as_str()));
        let much = if holds(&["little", "slightly", "bit", "slight", "somewhat", "half"]) {
            0.5
        } else if holds(&[
            "very",
            "extremely",
            "really",
            "super",
            "totally",
            "completely",
            "utterly",
        ]) {
            1.5
        } else {
            1.0
        };
        Intensity::new(much).expect("within the range")
    }

    fn script(
        &self,
        events: Vec<(Map<String, Json>, EventWords)>,
        clip: &BTreeMap<&str, usize>,
    ) -> (Option<Script>, Vec<EventWords>) {
        let (mut json, words): (Vec<_>, Vec<_>) = events.into_iter().unzip();
        postures::carry_over(json.iter_mut());
        let mut whole = Map::from_iter([("version".to_owned(), json!(2))]);
        for (field, option) in clip {
            whole.insert((*field).to_owned(), self.lists.clip[*field][*option].clone());
        }
        let end_is_open = clip.get("end").is_none_or(|option| *option == 0);
        if end_is_open && self.ends_held() {
            whole.insert("end".to_owned(), json!("hold"));
        } else if end_is_open && self.leaves_the_scene(&json, &words) {
            whole.insert("end".to_owned(), json!("action"));
        }
        let sound: Vec<Event> = json.into_iter().filter_map(sound).collect();
        if sound.len() != words.len() || sound.is_empty() {
            return (None, Vec::new());
        }
        whole.insert("events".to_owned(), json!(sound));
        match Script::from_value(&Json::Object(whole)) {
            Ok(script) => (Some(script), words),
            Err(_) => (None, Vec::new()),
        }
    }

    /// Sorts the words that no event used into scenery and words that were not understood.
    fn note_the_rest(&self, reading: &mut Reading, used: &[bool], clip: &BTreeMap<&str, usize>) {
        let mut scenery: Vec<usize> = Vec::new();
        for (number, word) in self.words.iter().enumerate() {
            let text = plain(&word.text);
            let is_of_clip =
                clip.get("loop").is_some_and(|option| *option > 0) && is_of_loop(&text);
            if used[number] || is_of_clip || is_small(&text) {
                continue;
            }
            let scores = self.triggers.row(number);
            let is_doubtful = rounded(scores[0]) - rounded(scores[1].max(scores[2])) < DOUBT;
            if is_doubtful || self.known[number] != Familiarity::Known {
                let senses = (self.senses_of)(&[number]);
                reading.not_understood.push(self.not_understood(&[number], &senses));
            } else {
                scenery.push(number);
            }
        }
        let runs = scenery.chunk_by(|a, b| {
            (a + 1..*b).all(|between| !used[between] && is_small(&plain(&self.words[between].text)))
        });
        reading.scenery = runs.map(|run| self.range(run)).collect();
        reading.not_understood.sort_by_key(|words| words.place.start);
    }
}

/// Adds words to the scenery that were first read as events and then dropped by a rule, such as
/// what the camera does.
fn note_what_is_left_out(reading: &mut Reading, read: Vec<WordRange>) {
    let told: Vec<WordRange> =
        reading.events.iter().flat_map(EventWords::places).cloned().collect();
    let overlaps =
        |one: &WordRange, other: &WordRange| one.start < other.end && other.start < one.end;
    for range in read {
        let is_told = told.iter().chain(&reading.scenery).any(|other| overlaps(&range, other));
        let is_flagged = reading.not_understood.iter().any(|words| overlaps(&range, &words.place));
        if !is_told && !is_flagged && reading.script.is_some() {
            reading.scenery.push(range);
        }
    }
    reading.scenery.sort_by_key(|range| range.start);
}

/// Removes fields that exclude each other within an event.
fn tidy(json: &mut Map<String, Json>) {
    let turns =
        json.get("do").and_then(Json::as_str).is_some_and(|action| rules::TURNS.contains(&action));
    let is_way = |side: &Json| side == "left" || side == "right";
    if turns && json.get("side").is_some_and(is_way) {
        let side = json.remove("side").unwrap_or_default();
        json.entry("direction").or_insert(side);
    }
    for (field, beside) in [("height", "height_m"), ("target", "target_part")] {
        if json.contains_key(beside) {
            json.remove(field);
        }
    }
    for (field, needed) in
        [("target_side", "target_part"), ("target_size", "target"), ("target_distance_m", "target")]
    {
        if !json.contains_key(needed) {
            json.remove(field);
        }
    }
}

/// Parses an event; if that fails, drops the fields that are invalid in combination with the
/// others.
fn sound(json: Map<String, Json>) -> Option<Event> {
    let read = |json: &Map<String, Json>| serde_json::from_value(Json::Object(json.clone())).ok();
    if let Some(event) = read(&json) {
        return Some(event);
    }
    let (mut kept, others): (Map<_, _>, Map<_, _>) =
        json.into_iter().partition(|(field, _)| matches!(field.as_str(), "do" | "move" | "part"));
    for (field, value) in others {
        kept.insert(field.clone(), value);
        if read(&kept).is_none() {
            kept.remove(&field);
        }
    }
    read(&kept)
}

/// Whether a word says that the clip is a loop.
pub(crate) fn is_of_loop(word: &str) -> bool {
    ["loop", "cycl", "seamless"].iter().any(|begin| word.starts_with(begin))
}

/// Whether a word is a stop word, a single letter or punctuation.
pub(crate) fn is_small(word: &str) -> bool {
    const SMALL: &str = " a an the this that these those some any each every all both and or but nor so then \
        than as if when while until till after before during since because to of in on at by for from with \
        without into onto over under out up down off through across along around about against toward towards \
        between behind beside near his her hers its their theirs my your our he she it they them him i you we \
        us me who whom whose which what where how why there here is are was were be been being am do does did \
        doing done has have had having will would can could should may might must let lets s t re ve ll d m \
        not no don very too just only also again still more most less least one person man woman guy girl boy \
        character someone somebody figure player actor npc people himself herself themself themselves itself \
        other another own same like make makes made get gets got getting go goes going gone went pls please ";
    !word.chars().any(char::is_alphabetic)
        || word.len() == 1
        || SMALL.split_ascii_whitespace().any(|small| small == word)
}
