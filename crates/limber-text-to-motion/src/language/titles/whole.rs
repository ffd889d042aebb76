//! Titles that name an action: the items below are its stages, and descriptions of the whole apply
//! to it.

use std::{collections::BTreeMap, ops::Range};

use limber_reader::{EventWords, Field, Reading};
use limber_script::{Count, Duration, Event, EventIndex, Posture, Script};

use super::super::{
    chunks::{Break, Chunk, chunks},
    lexicon::{Meaning, lexicon},
    modifiers,
    reading::{self, Item},
    stages::named,
};
use crate::{Act, ActionKind, Amount, Prompt, performable::event_of};

/// Minimum certainty of the learned reader for an action in a title.
const SURE: f32 = 0.4;
/// Minimum certainty at which the learned reader wins over the phrases.
const VERY_SURE: f32 = 0.7;

/// Words that may accompany a quantity of the whole: *twelve reps in all*, *hold it for three
/// seconds*.
const BESIDE_A_MEASURE: [&str; 24] = [
    "balance",
    "breath",
    "breaths",
    "controlled",
    "each",
    "freeze",
    "give",
    "hold",
    "holding",
    "holds",
    "me",
    "more",
    "nice",
    "easy",
    "pause",
    "reps",
    "rep",
    "round",
    "rounds",
    "set",
    "sets",
    "stay",
    "stays",
    "total",
];

/// Words that mark a count as that of the whole, however much precedes it.
const IN_ALL: [&str; 14] = [
    "all",
    "each",
    "give",
    "me",
    "more",
    "rep",
    "repetition",
    "repetitions",
    "reps",
    "round",
    "rounds",
    "set",
    "total",
    "those",
];

/// Fields that belong to a stage unless they come outside the list.
const OF_A_STAGE: [&str; 13] = [
    "count",
    "degrees",
    "direction",
    "force",
    "height",
    "manners",
    "meters",
    "path",
    "seconds",
    "size",
    "speed",
    "steps",
    "target",
];

/// An action in a title.
pub(super) struct Titled {
    event: Event,
    words: EventWords,
    /// End of the title in the prompt.
    end: usize,
}

/// The action that the title names, according to the phrases of the lexicon or to the learned
/// reader.
pub(super) fn titled(text: &str, end: usize, reading: &Reading) -> Option<Titled> {
    let by_reader = by_reader(end, reading);
    let by_phrases = by_phrases(&text[..end]);
    let is_whole = |(_, words): &(Event, EventWords), least: f32| {
        words.certainty >= least && is_all_of_it(text, end, words)
    };
    let (event, words) = match (by_reader, by_phrases) {
        (Some(read), Some(named)) if read.0.deed == named.0.deed => read,
        (Some(read), _) if is_whole(&read, VERY_SURE) => read,
        (_, Some(named)) => named,
        (Some(read), None) if is_whole(&read, SURE) => read,
        _ => return None,
    };
    // walking or kneeling, for example, accompany other actions and have no stages
    let has_stages = matches!(
        named(&event.deed)?.kind(),
        ActionKind::Score
            | ActionKind::Bow
            | ActionKind::Cartwheel
            | ActionKind::Kick
            | ActionKind::Pirouette
            | ActionKind::Roll
            | ActionKind::Flip(_)
    );
    has_stages.then_some(Titled { event, words, end })
}

/// The action of a title that names exactly one and says nothing else.
fn by_phrases(title: &str) -> Option<(Event, EventWords)> {
    let prompt = Prompt::parse(title).ok()?;
    let items = reading::read_text(lexicon(), title);
    if items.iter().any(super::super::is_left_over) {
        return None;
    }
    let understood = super::super::by_items(lexicon(), &prompt, &items).ok()?;
    let words = understood.reading.events.into_iter().next()?;
    let meaning = understood.meaning?;
    let [event] = meaning.events() else { return None };
    Some((event.clone(), words))
}

/// The first event, if its words are in the title.
fn by_reader(end: usize, reading: &Reading) -> Option<(Event, EventWords)> {
    let (event, words) = (reading.script.as_ref()?.events().first()?, reading.events.first()?);
    (words.deed.end <= end).then(|| (event.clone(), words.clone()))
}

/// Whether an event uses all words of the title.
fn is_all_of_it(text: &str, end: usize, words: &EventWords) -> bool {
    let fields = words.fields.iter().map(|(_, place)| place);
    let said: Vec<&Range<usize>> = std::iter::once(&words.deed).chain(fields).collect();
    let mut letters = text[..end].char_indices().filter(|(_, sign)| sign.is_alphabetic());
    letters.all(|(at, _)| said.iter().any(|place| place.contains(&at)))
}

impl Titled {
    /// Whether items below name the title's action again: *Neck rolls: look down, roll right, roll
    /// left* is a list, not one action with its stages. The last stage may be called like the whole:
    /// *Discus: wind up, two turns, throw*.
    pub(super) fn is_repeated_in(&self, reading: &Reading) -> bool {
        let Some(script) = &reading.script else { return false };
        let is_again = |(event, words): &(&Event, &EventWords)| {
            event.deed == self.event.deed && words.deed.start > self.end && words.certainty >= SURE
        };
        let mut events = script.events().iter().zip(&reading.events);
        let again = events.clone().filter(is_again).count();
        again > 1 || again == 1 && !events.next_back().is_some_and(|last| is_again(&last))
    }

    /// The title's event with the descriptions of the whole, followed by the remaining events.
    pub(super) fn above(mut self, text: &str, reading: Reading) -> Reading {
        let Some(script) = reading.script.clone() else { return reading };
        let chunks = chunks(text);
        let below: Vec<&Chunk> =
            chunks.iter().filter(|chunk| chunk.place.start > self.end).collect();
        let end = end_of_stages(text, &below);
        let (stages, behind) = below.split_at(below.partition_point(|c| c.place.start < end));
        let remarks: Vec<(Range<usize>, Vec<Meaning>)> = (stages.iter())
            .filter_map(|chunk| Some((chunk.place.clone(), remark(text, chunk)?)))
            .chain(behind.iter().map_while(|c| Some((c.place.clone(), remark(text, c)?))))
            .collect();
        let is_remark = |at: usize| remarks.iter().any(|(place, _)| place.contains(&at));
        let is_below = |words: &EventWords| words.deed.start < end || is_remark(words.deed.start);
        let held: Vec<usize> =
            (0..script.events().len()).filter(|index| is_below(&reading.events[*index])).collect();
        self.forget_stages(end);
        for (place, said) in &remarks {
            self.hear(place, said);
        }
        let last = held.iter().rev().map(|index| &script.events()[*index]).next();
        let ends_in = last.and_then(|last| last.posture_after);
        let ends_in = ends_in.filter(|posture| *posture != Posture::Standing);
        self.event.posture_after = self.event.posture_after.or(ends_in);
        self.instead_of(&held, end, script, reading)
    }

    /// Removes fields that were read from the description of a stage.
    fn forget_stages(&mut self, end: usize) {
        let below = self.end..end;
        let Self { event, words, .. } = self;
        for field in OF_A_STAGE {
            let is_named = |name: &Field| name.as_str().starts_with(field);
            let mut said = words.fields.iter().filter(|(name, _)| is_named(name));
            if said.all(|(_, place)| below.contains(&place.start)) {
                forget(event, field);
                words.fields.retain(|(name, _)| !is_named(name));
            }
        }
    }

    /// Applies descriptions of the whole that the title does not contain itself.
    fn hear(&mut self, place: &Range<usize>, said: &[Meaning]) {
        let Some(action) = named(&self.event.deed) else { return };
        let mut act = Act::new(action);
        let mut heard: Vec<&'static str> = Vec::new();
        for meaning in said {
            match *meaning {
                Meaning::Count(count) => self.counts(count, &mut heard),
                Meaning::Number(number) => self.counts(number.round() as u32, &mut heard),
                Meaning::Amount(Amount::Seconds(seconds)) if self.event.seconds.is_none() => {
                    self.event.seconds = Duration::new(f64::from(seconds)).ok();
                    heard.push("seconds");
                }
                _ => modifiers::apply(&mut act, meaning),
            }
        }
        let told = event_of(&act);
        if self.event.speed.is_none() && told.speed.is_some() {
            self.event.speed = told.speed;
            heard.push("speed");
        }
        if self.event.manners.is_empty() && !told.manners.is_empty() {
            self.event.manners = told.manners;
            heard.push("manners");
        }
        // the seconds of a hold are those of one repetition
        if self.event.count.is_some_and(|count| count.get() > 1) {
            self.event.seconds = None;
            self.words.fields.retain(|(field, _)| field.as_str() != "seconds");
            heard.retain(|field| *field != "seconds");
        }
        self.words
            .fields
            .extend(heard.into_iter().map(|field| (Field::from(field), place.clone())));
    }

    fn counts(&mut self, count: u32, heard: &mut Vec<&'static str>) {
        if self.event.count.is_none() {
            self.event.count = Count::new(count).ok();
            heard.push("count");
        }
    }

    /// Puts the title's event in place of the stages below it.
    fn instead_of(
        mut self,
        held: &[usize],
        end: usize,
        script: Script,
        mut reading: Reading,
    ) -> Reading {
        let Ok(longer) = script.preceded_by(self.event) else { return reading };
        let held: BTreeMap<EventIndex, EventIndex> =
            held.iter().map(|index| (EventIndex(index + 1), EventIndex(0))).collect();
        if longer.clone().without(&held).is_err() {
            return reading;
        }
        reading.script = Some(longer);
        self.words.fields.sort_by_key(|(_, place)| place.start);
        let title = 0..self.end;
        reading.events.insert(0, self.words);
        let taken = reading.take_out(&held);
        let mut passed: Vec<_> = taken.iter().flat_map(EventWords::places).cloned().collect();
        // stages are implied, whatever their words
        let unread = reading.not_understood.extract_if(.., |words| words.place.start < end);
        passed.extend(unread.map(|words| words.place));
        let is_said = |place: &Range<usize>| {
            let fields = reading.events[0].fields.iter().map(|(_, place)| place);
            let overlaps =
                |other: &Range<usize>| place.start < other.end && other.start < place.end;
            overlaps(&title) || fields.into_iter().any(overlaps)
        };
        passed.append(&mut reading.scenery);
        passed.retain(|place| !is_said(place));
        reading.pass_over(passed);
        reading.scenery.dedup();
        reading
    }
}

fn forget(event: &mut Event, field: &str) {
    match field {
        "count" => event.count = None,
        "degrees" => event.degrees = None,
        "direction" => event.direction = None,
        "force" => event.force = None,
        "height" => event.height = None,
        "manners" => event.manners.clear(),
        "meters" => event.meters = None,
        "path" => event.path = None,
        "seconds" => event.seconds = None,
        "size" => event.size = None,
        "speed" => event.speed = None,
        "steps" => event.steps = None,
        "target" => event.aim = None,
        _ => {}
    }
}

/// End of the stages: the end of the sentence, a *then*, or a later count of the whole.
fn end_of_stages(text: &str, below: &[&Chunk]) -> usize {
    let ends = |chunk: &&&Chunk| matches!(chunk.begins, Break::Stop | Break::Then);
    let until_then = below.iter().take_while(|chunk| chunk.begins != Break::Then);
    let mut sentence = None;
    let mut in_all = None;
    for chunk in until_then {
        if chunk.begins == Break::Stop {
            sentence = Some(chunk.place.start);
        }
        let says = remark(text, chunk);
        if says.is_some() && sentence.is_some() && is_in_all(text, chunk) {
            in_all = sentence;
        } else if says.is_none() {
            sentence = None;
        }
    }
    let first = below.iter().find(ends).map(|chunk| chunk.place.start);
    in_all.or(first).unwrap_or(text.len())
}

fn is_in_all(text: &str, chunk: &Chunk) -> bool {
    let said = text[chunk.place.clone()].to_lowercase();
    said.split(|sign: char| !sign.is_alphanumeric()).any(|word| IN_ALL.contains(&word))
}

/// The description of the whole that a chunk contains: count, duration, speed, manner; `None` if it
/// contains anything else.
fn remark(text: &str, chunk: &Chunk) -> Option<Vec<Meaning>> {
    let mut said = Vec::new();
    for Item { meaning, text, .. } in chunk.items(text) {
        use Meaning as M;
        match meaning {
            Some(
                M::Count(_)
                | M::Number(_)
                | M::Tempo(_)
                | M::Manner(..)
                | M::Amount(Amount::Seconds(_)),
            ) => said.extend(meaning),
            Some(M::Determiner | M::Subject | M::Filler | M::Preposition | M::Degree(_)) => {}
            Some(M::Join(_)) => {}
            _ if text.split(' ').all(|word| BESIDE_A_MEASURE.contains(&word)) => {}
            _ => return None,
        }
    }
    (!said.is_empty()).then_some(said)
}
