//! Chunks: the parts of a prompt between commas, full stops, colons and *then*. *Jab, cross, then
//! duck* has three. A chunk that is exactly a phrase of the lexicon means that action, unless the
//! learned reader is very sure of another.

use std::ops::Range;

use limber_reader::{EventWords, Reader, Reading};
use limber_script::{Event, EventAction, EventIndex, Script, Timing};

use super::{
    lexicon::{Join, Meaning, lexicon},
    reading::{self, Item},
    speaking,
    stages::named,
    words::{self, Token},
};

/// If the learned reader is less sure than this of another action, a phrase of one word wins:
/// *duck* is not *cower*. The threshold is low because the surrounding sentence often tells better
/// what a word means, and only the learned reader takes it into account.
const UNSURE: f32 = 0.36;
/// The same for phrases of several words: *star jump* is not *jump*.
const UNSURE_OF_SEVERAL: f32 = 0.75;

/// Maximum number of words of a chunk in a list, not counting articles and possessives.
const MOST_WORDS: usize = 5;

/// What precedes a chunk, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Break {
    Start,
    With,
    Comma,
    Then,
    Stop,
    Colon,
}

/// The words between two breaks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chunk {
    pub(super) begins: Break,
    /// Byte range in the prompt.
    pub(super) place: Range<usize>,
    words: usize,
}

impl Chunk {
    /// The phrases of the lexicon in the chunk, with their positions in the prompt.
    pub(super) fn items(&self, text: &str) -> Vec<Item> {
        let mut items = reading::read_text(lexicon(), &text[self.place.clone()]);
        for item in &mut items {
            item.place = item.place.start + self.place.start..item.place.end + self.place.start;
        }
        items
    }

    pub(super) fn holds(&self, place: &Range<usize>) -> bool {
        self.place.start <= place.start && place.start < self.place.end
    }
}

/// All chunks of a prompt, in order.
pub(super) fn chunks(text: &str) -> Vec<Chunk> {
    let mut found: Vec<Chunk> = Vec::new();
    let mut begins = Break::Start;
    let mut is_open = false;
    for (token, place) in words::tokens(text) {
        let breaks = match &token {
            Token::Comma => Some(match &text[place.clone()] {
                "," | "،" | "、" => Break::Comma,
                ":" => Break::Colon,
                _ => Break::Stop,
            }),
            Token::Word(word) if word == "then" => Some(Break::Then),
            Token::Word(word) if word == "with" => Some(Break::With),
            Token::Word(_) => None,
        };
        if let Some(breaks) = breaks {
            begins = if is_open { breaks } else { begins.max(breaks) };
            is_open = false;
            continue;
        }
        let is_small = matches!(&token, Token::Word(word) if is_determiner(word));
        match found.last_mut().filter(|_| is_open) {
            Some(chunk) => {
                chunk.place.end = place.end;
                chunk.words += usize::from(!is_small);
            }
            // "and" before the last item of a list is ignored
            None if matches!(&token, Token::Word(word) if word == "and") => {}
            None => {
                found.push(Chunk { begins, place, words: usize::from(!is_small) });
                is_open = true;
            }
        }
    }
    found
}

fn is_determiner(word: &str) -> bool {
    ["a", "an", "the", "his", "her", "their", "its", "my", "your", "our"].contains(&word)
}

/// Replaces chunks that are exactly a phrase by that action, where the learned reader has nothing
/// or is not sure.
pub(super) fn as_phrases(text: &str, mut reading: Reading) -> Reading {
    let chunks = chunks(text);
    for (index, chunk) in chunks.iter().enumerate() {
        let mut next = chunks[index + 1..].iter().skip_while(|next| next.begins == Break::With);
        let is_title = next.next().is_some_and(|next| next.begins == Break::Colon);
        if is_title || chunk.words > MOST_WORDS {
            continue;
        }
        let Some((event, deed)) = only_action(text, chunk) else { continue };
        let is_there = |words: &EventWords| chunk.holds(&words.deed) || overlap(&words.deed, &deed);
        let there: Vec<usize> =
            (0..reading.events.len()).filter(|at| is_there(&reading.events[*at])).collect();
        let is_unsure = |at: &usize| is_unsure(text, &reading, *at, &event, &deed);
        match there[..] {
            [] if is_passed_over(&reading, &deed)
                && !is_a_thing(text, chunk)
                && !is_told_beside(&reading, &event, &deed) =>
            {
                let goes_with = chunks.get(index + 1).filter(|next| next.begins == Break::With);
                insert(&mut reading, event, deed, goes_with);
            }
            [at] if is_unsure(&at) => replace(&mut reading, at, event, deed),
            // "arm circles" is one action, neither that of "arm" nor that of "circles"
            [at, other] if words_in(text, &deed) > 1 && there.iter().any(is_unsure) => {
                replace(&mut reading, at, event, deed);
                reading.take_out(&[(EventIndex(other), EventIndex(at))].into());
            }
            _ => {}
        }
    }
    for chunk in &chunks {
        inner_phrases(text, chunk, &mut reading);
    }
    reading
}

/// Whether the event before or behind these words is the same action: the reader left out one of
/// two names for it, as in *touching the stove, she burns her hand*.
fn is_told_beside(reading: &Reading, event: &Event, deed: &Range<usize>) -> bool {
    let Some(script) = &reading.script else { return false };
    let told = || script.events().iter().zip(&reading.events);
    let before = told().rfind(|(_, words)| words.deed.end <= deed.start);
    let behind = told().find(|(_, words)| words.deed.start >= deed.end);
    [before, behind].into_iter().flatten().any(|(other, _)| other.deed == event.deed)
}

/// Phrases of several words win in longer chunks, too, where they begin with the words that the
/// learned reader is not sure of: *tips his hat to the lady*.
fn inner_phrases(text: &str, chunk: &Chunk, reading: &mut Reading) {
    for item in chunk.items(text) {
        let words = words_in(text, &item.place);
        if !matches!(item.meaning, Some(Meaning::Act(_))) || words < 2 {
            continue;
        }
        let phrase = Chunk { begins: Break::Start, place: item.place, words };
        let mut there = reading
            .events
            .iter()
            .enumerate()
            .filter(|(_, event)| overlap(&event.deed, &phrase.place));
        let (Some((at, words)), None) = (there.next(), there.next()) else { continue };
        let begins = words.deed.start == phrase.place.start;
        // "wipes an eye" need not mean crying
        let is_aimed = reading.script.as_ref().is_some_and(|told| told.events()[at].aim.is_some());
        if !begins || is_aimed || words.certainty >= UNSURE_OF_SEVERAL {
            continue;
        }
        if let Some((event, deed)) = only_action(text, &phrase) {
            replace(reading, at, event, deed);
        }
    }
}

/// The single action that a chunk means according to the lexicon, and the words that name it.
fn only_action(text: &str, chunk: &Chunk) -> Option<(Event, Range<usize>)> {
    let items = chunk.items(text);
    let mut acts = items.iter().filter(|item| matches!(item.meaning, Some(Meaning::Act(_))));
    let (Some(act), None) = (acts.next(), acts.next()) else { return None };
    let is_said = |item: &Item| {
        use Meaning as M;
        matches!(
            &item.meaning,
            Some(
                M::Act(_)
                    | M::Determiner
                    | M::Subject
                    | M::Join(Join::And | Join::Comma)
                    | M::Count(_)
                    | M::Number(_)
                    | M::Tempo(_)
                    | M::Lateral(_)
                    | M::Toward(_)
            )
        )
    };
    if !items.iter().all(is_said) {
        return None;
    }
    let (clauses, mut warnings) = super::clauses::clauses(&items);
    let (steps, _) = super::assembly::assemble(clauses, &mut warnings);
    let script = crate::script_of(&crate::MotionScript { steps }).ok()?;
    let [event] = script.events() else { return None };
    warnings.is_empty().then(|| (event.clone(), act.place.clone()))
}

/// Whether the phrase in these words wins over the learned reader's action. It does if the reader
/// cannot know the phrase's action.
fn is_unsure(text: &str, reading: &Reading, at: usize, event: &Event, deed: &Range<usize>) -> bool {
    let Some(script) = &reading.script else { return false };
    let certainty = reading.events[at].certainty;
    // "wipes an eye" need not mean crying
    let is_aimed = script.events()[at].aim.is_some();
    let (phrase, read) = (named(&event.deed), named(&script.events()[at].deed));
    // "slash down" is more specific than "slash"
    let is_finer = phrase.zip(read).is_some_and(|(phrase, read)| {
        phrase.stages().contains(&read) || phrase.synonym_of() == Some(read)
    });
    let is_untrained = matches!(&event.deed, EventAction::Action(action)
        if !Reader::shared().is_trained_on(action.as_str()));
    match words_in(text, deed) {
        _ if is_untrained => true,
        ..2 => certainty < UNSURE || is_finer && deed.len() > reading.events[at].deed.len(),
        _ => is_finer || certainty < UNSURE_OF_SEVERAL && !is_aimed,
    }
}

/// Number of words that name an action, not counting directions such as *up* and *down*.
fn words_in(text: &str, deed: &Range<usize>) -> usize {
    let ways = [
        "up", "down", "in", "out", "on", "off", "over", "back", "away", "around", "straight",
        "forward", "backward",
    ];
    let said = text[deed.clone()].to_lowercase();
    let words = said.split(|sign: char| !sign.is_alphanumeric());
    words.filter(|word| !word.is_empty() && !ways.contains(word) && !is_determiner(word)).count()
}

/// Whether the chunk is an object rather than an action: *marches off with the drum*.
fn is_a_thing(text: &str, chunk: &Chunk) -> bool {
    let first = text[chunk.place.clone()].split(' ').next().unwrap_or_default().to_lowercase();
    is_determiner(&first) && !["a", "an"].contains(&first.as_str())
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Whether these words were ignored in a reading.
fn is_passed_over(reading: &Reading, deed: &Range<usize>) -> bool {
    let said = reading.events.iter().flat_map(|words| &words.fields);
    let mut passed = reading.scenery.iter().chain(reading.not_understood.iter().map(|w| &w.place));
    said.clone().all(|(_, place)| !overlap(place, deed)) && passed.any(|place| overlap(place, deed))
}

/// Inserts an event in order of its words. What follows a *with* happens at the same time.
fn insert(reading: &mut Reading, event: Event, deed: Range<usize>, goes_with: Option<&Chunk>) {
    let before = reading.events.iter().rposition(|words| words.deed.start < deed.start);
    let at = before.map_or(0, |before| before + 1);
    let Some(script) = with_inserted(reading.script.as_ref(), at, event) else { return };
    let script = match goes_with {
        Some(chunk) if reading.events.get(at).is_some_and(|words| chunk.holds(&words.deed)) => {
            going_along(script, at)
        }
        _ => script,
    };
    reading.script = Some(script);
    reading.scenery.retain(|place| !overlap(place, &deed));
    reading.not_understood.retain(|words| !overlap(&words.place, &deed));
    reading.events.insert(at, EventWords { deed, fields: Vec::new(), certainty: 1.0 });
}

fn with_inserted(script: Option<&Script>, at: usize, event: Event) -> Option<Script> {
    let Some(script) = script else { return Script::new(vec![event]).ok() };
    let place = |other: usize| if other < at { other } else { other + 1 };
    let mut events: Vec<Event> =
        script.events().iter().map(|event| speaking::of(event.clone(), place)).collect();
    events.insert(at, event);
    speaking::with_events(script, events)
}

/// Makes the next event happen at the same time as this one.
fn going_along(script: Script, at: usize) -> Script {
    let mut events = script.events().to_vec();
    if let Some(next) = events.get_mut(at + 1).filter(|next| next.timing == Timing::Then) {
        next.timing = Timing::While(EventIndex(at));
    }
    speaking::with_events(&script, events).unwrap_or(script)
}

/// Replaces the action of an event and keeps what was said about it.
fn replace(reading: &mut Reading, at: usize, event: Event, deed: Range<usize>) {
    let Some(script) = &reading.script else { return };
    let mut events = script.events().to_vec();
    let old = &events[at];
    if old.deed == event.deed {
        return;
    }
    events[at] = Event {
        deed: event.deed,
        side: old.side.or(event.side),
        direction: old.direction.or(event.direction),
        count: old.count.or(event.count),
        speed: old.speed.or(event.speed),
        degrees: old.degrees.or(event.degrees),
        ..old.clone()
    };
    let Some(script) = speaking::with_events(script, events) else { return };
    reading.script = Some(script);
    reading.events[at].deed = deed;
}

#[cfg(test)]
mod tests {
    use limber_reader::{NotUnderstood, Reading};

    use super::*;

    fn reading(text: &str, script: &str, words: &[(&str, f32)], passed_over: &[&str]) -> Reading {
        let place = |words: &str| {
            let start = text.find(words).unwrap();
            start..start + words.len()
        };
        let event = |(deed, certainty): &(&str, f32)| EventWords {
            deed: place(deed),
            fields: Vec::new(),
            certainty: *certainty,
        };
        let not = |words: &&str| NotUnderstood { place: place(words), nearest: Vec::new() };
        Reading {
            script: Some(script.parse().unwrap()),
            events: words.iter().map(event).collect(),
            not_understood: passed_over.iter().map(not).collect(),
            ..Reading::default()
        }
    }

    fn mended(text: &str, script: &str, words: &[(&str, f32)], passed_over: &[&str]) -> String {
        let mended = as_phrases(text, reading(text, script, words, passed_over));
        let script = mended.script.unwrap();
        assert_eq!(script.events().len(), mended.events.len());
        script.to_string()
    }

    #[test]
    fn a_prompt_is_split_into_chunks_at_punctuation() {
        let text = "Run, then stop. And wave with the left, 1.5 m off";
        let found: Vec<(Break, &str)> =
            chunks(text).into_iter().map(|chunk| (chunk.begins, &text[chunk.place])).collect();
        assert_eq!(
            found,
            [
                (Break::Start, "Run"),
                (Break::Then, "stop"),
                (Break::Stop, "wave"),
                (Break::With, "the left"),
                (Break::Comma, "1.5 m off"),
            ]
        );
    }

    #[test]
    fn a_missed_phrase_is_inserted_at_its_position() {
        assert_eq!(
            mended(
                "waves, squats, nods",
                "v2 wave > nod",
                &[("waves", 0.9), ("nods", 0.9)],
                &["squats"]
            ),
            "v2 wave > crouch > nod"
        );
        assert_eq!(
            mended("Cartwheels with a nod", "v2 nod", &[("nod", 0.9)], &["Cartwheels"]),
            "v2 cartwheel > nod while:0"
        );
        // words that describe another event are kept
        let mut known =
            reading("waves, kneeling", "v2 wave posture:kneeling-on-one", &[("waves", 0.9)], &[]);
        known.events[0].fields.push(("posture".into(), 7..15));
        assert_eq!(as_phrases("waves, kneeling", known.clone()), known);
    }

    #[test]
    fn a_phrase_outweighs_a_guess_but_not_a_confident_reading() {
        let text = "waves, ducks twice";
        for (certainty, script) in [(0.3, "v2 wave > duck count:2"), (0.9, "v2 wave > bow count:2")]
        {
            let words = [("waves", 0.9), ("ducks", certainty)];
            assert_eq!(mended(text, "v2 wave > bow count:2", &words, &[]), script);
        }
        let text = "star jump, then waves";
        for (certainty, script) in [(0.7, "v2 jumping-jack > wave"), (0.9, "v2 jump > wave")] {
            let words = [("star jump", certainty), ("waves", 0.9)];
            assert_eq!(mended(text, "v2 jump > wave", &words, &[]), script);
        }
    }

    #[test]
    fn a_phrase_within_a_longer_chunk_outweighs_a_guess() {
        let text = "tips his hat to the lady in the first row";
        for (certainty, script) in [(0.6, "v2 tip-hat"), (0.9, "v2 tilt.hand")] {
            assert_eq!(mended(text, "v2 tilt.hand", &[("tips", certainty)], &[]), script);
        }
        let text = "the runner goes straight to the finish";
        let words = [("goes straight", 0.6)];
        assert_eq!(mended(text, "v2 run", &words, &[]), "v2 run");
    }

    #[test]
    fn events_aimed_at_a_body_part_stay() {
        let script = "v2 rub.hand target_part:eyes > nod";
        let words = [("wipes his eyes", 0.5), ("nods", 0.9)];
        assert_eq!(mended("wipes his eyes, nods", script, &words, &[]), script);
    }

    #[test]
    fn a_phrase_that_the_reader_splits_in_two_is_one_action() {
        let words = [("nods", 0.9), ("arm", 0.4), ("circles", 0.8), ("bows", 0.9)];
        assert_eq!(
            mended("nods, arm circles, bows", "v2 nod > raise.arm > turn > bow", &words, &[]),
            "v2 nod > arm-circles > bow"
        );
    }

    #[test]
    fn a_mentioned_instrument_is_not_played() {
        let words = [("marches", 0.9)];
        let text = "marches off with the drum";
        assert_eq!(mended(text, "v2 march", &words, &["drum"]), "v2 march");
    }
}
