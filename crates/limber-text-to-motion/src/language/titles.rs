//! Titles before a colon: an action with its stages (*Discus: wind up, two turns, throw*), the
//! manner of everything that follows (*Tired: sits down, yawns*), or only the name of a list
//! (*Drill: jab, cross, duck*).

mod whole;

use std::ops::Range;

use limber_reader::{EventWords, Field, Reading};
use limber_script::{Event, EventIndex, Intensity, Manner, Script, Timing};

use super::{
    chunks::{Break, chunks},
    lexicon::lexicon,
    speaking,
    stages::{named, taken_in},
};
use crate::{Action, Prompt};

/// Maximum number of words in a title.
const TITLE: usize = 4;

/// Names of lists: the items below them are performed, they themselves are not.
const LISTS: [&str; 30] = [
    "bout",
    "boxing",
    "choreography",
    "circuit",
    "combination",
    "combo",
    "cool down",
    "dance",
    "drill",
    "exercise",
    "fight",
    "flow",
    "gymnastics",
    "kata",
    "karate",
    "kick boxing",
    "kickboxing",
    "practice",
    "routine",
    "sequence",
    "set",
    "shadow boxing",
    "shadowboxing",
    "sparring",
    "training",
    "warm up",
    "warmup",
    "work out",
    "workout",
    "yoga",
];

/// What people number when they describe several clips, even if the word is an action as well:
/// *Shot 14: leans in the doorway*.
const NUMBERED: [&str; 10] =
    ["animation", "beat", "clip", "cut", "frame", "panel", "part", "scene", "shot", "take"];

/// Reads a prompt and interprets the words before its first colon.
pub(super) fn read(text: &str, read: impl Fn(&str) -> Reading) -> Reading {
    let Some(end) = end_of_title(text) else { return taken_in(read(text)) };
    if is_number(&text[..end]) {
        let title = 0..end;
        let mut below = read(&blanked(text, std::slice::from_ref(&title)));
        below.pass_over([title]);
        return taken_in(below);
    }
    if let Some(list) = list(&text[..end]) {
        let mut below = read(&blanked(text, &list.words));
        if is_a_list(&below, &list) {
            // every item of a list is performed, even if it is a stage of another
            let items = items_below(text);
            below.pass_over(list.words);
            return in_rounds(below, list.rounds, items);
        }
    }
    if let Some(manner) = manner(&text[..end]) {
        let title = 0..end;
        let below = read(&blanked(text, std::slice::from_ref(&title)));
        return taken_in(everywhere(below, manner, Intensity::CLEARLY, &title));
    }
    let reading = read(text);
    match whole::titled(text, end, &reading) {
        Some(titled) if titled.is_repeated_in(&reading) => without_title(reading, end),
        Some(titled) => taken_in(titled.above(text, reading)),
        None => taken_in(as_the_first(reading, end)),
    }
}

/// End of the title, if there is one.
fn end_of_title(text: &str) -> Option<usize> {
    let end = text.find(':')?;
    let title = &text[..end];
    let is_short = (1..=TITLE).contains(&title.split_whitespace().count());
    let is_one = !title.contains([',', '.', ';', '!', '?']);
    let is_above = text[end..].contains(char::is_alphabetic);
    (is_short && is_one && is_above).then_some(end)
}

/// Whether a title only numbers the clip: *Shot 14*, *Scene 3b*.
fn is_number(title: &str) -> bool {
    let words = words_of(title);
    let [(name, _), (number, _)] = &words[..] else { return false };
    NUMBERED.contains(&name.as_str()) && number.starts_with(|sign: char| sign.is_ascii_digit())
}

/// Removes the event that the title names, whose action the items below name themselves.
fn without_title(mut reading: Reading, end: usize) -> Reading {
    reading.not_understood.retain(|words| words.place.start >= end);
    if reading.events.first().is_some_and(|words| words.deed.end <= end) {
        let taken = reading.take_out(&[(EventIndex(0), EventIndex(1))].into());
        reading.pass_over(taken.iter().flat_map(EventWords::places).cloned());
    }
    reading
}

/// The text with these ranges replaced by spaces, so that all positions stay the same.
fn blanked(text: &str, places: &[Range<usize>]) -> String {
    let is_blank = |at: usize| places.iter().any(|place| place.contains(&at));
    let mut blanked: String = (text.char_indices())
        .flat_map(|(at, sign)| {
            let (sign, count) = if is_blank(at) { (' ', sign.len_utf8()) } else { (sign, 1) };
            std::iter::repeat_n(sign, count)
        })
        .collect();
    if blanked.trim_start().starts_with(':') {
        blanked = blanked.replacen(':', " ", 1);
    }
    blanked
}

/// A title that only names a list.
struct List {
    /// Its words: the name and the number of rounds.
    words: Vec<Range<usize>>,
    rounds: usize,
    /// The action that the name would mean by itself.
    action: Option<Action>,
}

/// The list that the last one or two words of a title name, not counting *x3*.
fn list(title: &str) -> Option<List> {
    let mut words = words_of(title);
    let mut places = Vec::new();
    let mut rounds = 1;
    if let Some((last, place)) = words.last()
        && let Some(times) = last.strip_prefix('x').or_else(|| last.strip_suffix('x'))
        && let Ok(times) = times.parse()
    {
        rounds = times;
        places.push(place.clone());
        words.pop();
    }
    let name = (1..=words.len().min(2)).rev().find_map(|count| {
        let name = &words[words.len() - count..];
        let said: Vec<&str> = name.iter().map(|(word, _)| word.as_str()).collect();
        let said = said.join(" ");
        let single = said.strip_suffix('s').unwrap_or(&said);
        let is_list = LISTS.contains(&said.as_str()) || LISTS.contains(&single);
        is_list.then(|| (said, name[0].1.start..name[count - 1].1.end))
    });
    let (said, place) = name?;
    places.push(place);
    let prompt = Prompt::parse(&said).ok()?;
    let action = super::by_phrases(lexicon(), &prompt).ok();
    let action = action.and_then(|read| Some(read.script.steps.first()?.main.action));
    Some(List { words: places, rounds, action })
}

/// Words in lower case; hyphens separate words.
fn words_of(title: &str) -> Vec<(String, Range<usize>)> {
    let mut found: Vec<(String, Range<usize>)> = Vec::new();
    let mut is_open = false;
    for (at, sign) in title.char_indices() {
        let is_letter = sign.is_alphanumeric();
        if is_letter && !is_open {
            found.push((String::new(), at..at));
        }
        if let Some((word, place)) = found.last_mut().filter(|_| is_letter) {
            word.extend(sign.to_lowercase());
            place.end = at + sign.len_utf8();
        }
        is_open = is_letter;
    }
    found
}

/// Whether the text below contains several actions that are not stages of the list's name.
fn is_a_list(below: &Reading, list: &List) -> bool {
    let Some(script) = &below.script else { return false };
    let stages = list.action.map(Action::stages).unwrap_or_default();
    let is_stage = |event: &Event| named(&event.deed).is_some_and(|deed| stages.contains(&deed));
    in_turn(script) > 1 && !script.events().iter().all(is_stage)
}

/// Number of items in the first sentence below a title.
fn items_below(text: &str) -> usize {
    let chunks = chunks(text);
    let below = chunks.iter().skip_while(|chunk| chunk.begins != Break::Colon);
    let listed = below.enumerate().take_while(|(at, chunk)| *at == 0 || chunk.begins < Break::Stop);
    listed.filter(|(_, chunk)| chunk.begins != Break::With).count()
}

/// Number of events that follow each other.
fn in_turn(script: &Script) -> usize {
    script.events().iter().filter(|event| event.timing == Timing::Then).count()
}

/// *Circuit x3* with three items does each of them once; with any other number of items, it does
/// all of them three times.
fn in_rounds(mut reading: Reading, rounds: usize, items: usize) -> Reading {
    let Some(script) = &reading.script else { return reading };
    let round = script.events().len();
    let is_each_once = rounds == items;
    let rounds = rounds.min(Script::MOST_EVENTS / round);
    if rounds < 2 || is_each_once {
        return reading;
    }
    let events = (0..rounds).flat_map(|done| {
        let again = move |event: &Event| speaking::of(event.clone(), |place| place + done * round);
        script.events().iter().map(again)
    });
    let Some(script) = speaking::with_events(script, events.collect()) else { return reading };
    reading.script = Some(script);
    reading.events = vec![reading.events; rounds].concat();
    reading
}

/// The manner that a title names, even if it is also an action: *Robot: …*.
fn manner(title: &str) -> Option<Manner> {
    title.trim().to_lowercase().parse().ok()
}

/// Applies the manner that the title gives the first event to all events: *Tired: sits down,
/// yawns*.
fn as_the_first(reading: Reading, end: usize) -> Reading {
    let is_above = |place: &Range<usize>| place.end <= end;
    if reading.events.iter().any(|words| is_above(&words.deed)) {
        return reading;
    }
    let Some(first) = reading.script.as_ref().map(|script| &script.events()[0]) else {
        return reading;
    };
    let said = reading.events[0].fields.iter();
    let said = said.filter(|(field, _)| field.as_str() == "manners");
    let Some((_, place)) = said.clone().find(|(_, place)| is_above(place)) else { return reading };
    let place = place.clone();
    first.manners.clone().into_iter().fold(reading, |reading, (manner, intensity)| {
        everywhere(reading, manner, intensity, &place)
    })
}

/// Applies a manner to every event that has none.
fn everywhere(
    mut reading: Reading,
    manner: Manner,
    intensity: Intensity,
    place: &Range<usize>,
) -> Reading {
    let Some(script) = &reading.script else { return reading };
    let mut events = script.events().to_vec();
    for (event, words) in events.iter_mut().zip(&mut reading.events) {
        if event.manners.is_empty() {
            event.manners.insert(manner, intensity);
            words.fields.push((Field::from("manners"), place.clone()));
            words.fields.sort_by_key(|(_, place)| place.start);
        }
    }
    if let Some(script) = speaking::with_events(script, events) {
        reading.script = Some(script);
    }
    reading
}

#[cfg(test)]
mod tests {
    use limber_reader::EventWords;

    use super::*;

    /// A reading whose events have these words, with the words of their fields.
    fn reading(text: &str, script: &str, words: &[(&str, &[(&'static str, &str)])]) -> Reading {
        let place = |words: &str| {
            let start = text.find(words).unwrap();
            start..start + words.len()
        };
        let event = |(deed, said): &(&str, &[(&'static str, &str)])| {
            let fields = said.iter().map(|(name, said)| (Field::from(*name), place(said)));
            EventWords { deed: place(deed), fields: fields.collect(), certainty: 0.9 }
        };
        let events = words.iter().map(event).collect();
        Reading { script: Some(script.parse().unwrap()), events, ..Reading::default() }
    }

    fn script(reading: &Reading) -> String {
        let script = reading.script.as_ref().unwrap();
        assert_eq!(script.events().len(), reading.events.len());
        script.to_string()
    }

    #[test]
    fn a_title_is_short_and_has_something_below_it() {
        for text in ["Sneaky: walks", "Two fast laps: run"] {
            assert!(end_of_title(text).is_some(), "{text}");
        }
        for text in
            ["walks: ", "He bows, then says: stop", "what the old man with the hat did: walks"]
        {
            assert!(end_of_title(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_numbered_shot_is_not_performed() {
        let text = "Shot 14b: leans, nods";
        let read = |below: &str| {
            assert_eq!(below, "          leans, nods");
            reading(text, "v2 lean-shoulder-on-wall > nod", &[("leans", &[]), ("nods", &[])])
        };
        let read = super::read(text, read);
        assert_eq!(script(&read), "v2 lean-shoulder-on-wall > nod");
        assert_eq!(read.scenery.as_slice(), std::slice::from_ref(&(0..8)));
        assert!(!is_number("Shot") && !is_number("Two shots") && is_number("Scene 3"));
    }

    #[test]
    fn what_a_title_says_applies_to_all_events() {
        let text = "Grumpy: sits down, yawns, nods";
        let read = |_: &str| {
            let words: &[(&str, &[(&'static str, &str)])] =
                &[("sits down", &[("manners", "Grumpy")]), ("yawns", &[]), ("nods", &[])];
            reading(text, "v2 sit-down manners:angry=1.0 > yawn > nod manners:happy=1.0", words)
        };
        assert_eq!(
            script(&super::read(text, read)),
            "v2 sit-down manners:angry=1.0 > yawn manners:angry=1.0 > nod manners:happy=1.0"
        );
    }

    #[test]
    fn a_manner_named_like_an_action_is_a_manner_in_a_title() {
        let text = "Zombie: rises, bows";
        let read = |below: &str| {
            assert_eq!(below, "        rises, bows");
            reading(text, "v2 stand-up > bow", &[("rises", &[]), ("bows", &[])])
        };
        assert_eq!(
            script(&super::read(text, read)),
            "v2 stand-up manners:zombie=1.0 > bow manners:zombie=1.0"
        );
    }

    #[test]
    fn the_name_of_a_list_is_not_performed_but_its_count_applies() {
        for (text, done) in [
            ("Drill: nod, wave", "v2 nod > wave while:0 > bow"),
            ("Drill x3: nod with a wave, bow, bow", "v2 nod > wave while:0 > bow"),
            (
                "Banner circuit x3: nod, wave",
                "v2 nod > wave while:0 > bow > nod > wave while:3 > bow > nod > wave while:6 > bow",
            ),
        ] {
            let read = |below: &str| {
                assert!(!below.to_lowercase().contains("drill") && !below.contains("circuit"));
                assert_eq!(below.len(), text.len());
                let words: &[(&str, &[(&'static str, &str)])] =
                    &[("nod", &[]), ("wave", &[]), ("wave", &[])];
                reading(text, "v2 nod > wave while:0 > bow", words)
            };
            assert_eq!(script(&super::read(text, read)), done, "{text}");
        }
    }

    #[test]
    fn stages_of_a_title_belong_to_it_and_general_details_apply_to_it() {
        let words: &[(&str, &[(&'static str, &str)])] =
            &[("Cartwheel", &[("speed", "slow")]), ("jump", &[]), ("nod", &[])];
        for (text, done) in [
            ("Cartwheel: slow legs, jump, nod", "v2 cartwheel"),
            ("Cartwheel: jump, slow legs, then nod", "v2 cartwheel > nod"),
            ("Cartwheel: jump, slow legs. Nod", "v2 cartwheel > nod"),
            ("Cartwheel: jump, nod. Slow and easy, five reps.", "v2 cartwheel count:5 speed:0.6"),
            ("Cartwheel: jump. Slow legs, nod. Five repetitions.", "v2 cartwheel count:5"),
            (
                "Cartwheel: jump, slow legs, hold it for two seconds, nod",
                "v2 cartwheel seconds:2.0",
            ),
            (
                "Cartwheel: jump, slow legs, nod. Seven reps, hold two seconds",
                "v2 cartwheel count:7",
            ),
        ] {
            let lower = text.to_lowercase();
            let read = |_: &str| {
                let words: Vec<_> = words.iter().map(|(deed, said)| (*deed, *said)).collect();
                let script = "v2 cartwheel speed:0.6 > jump > nod";
                reading(&lower.replacen("cartwheel", "Cartwheel", 1), script, &words)
            };
            assert_eq!(script(&super::read(text, read)), done, "{text}");
        }
    }

    #[test]
    fn a_title_known_only_as_a_phrase_comes_first() {
        let text = "Dead bug: lower one arm";
        let read = |_: &str| reading(text, "v2 lower.arm | loop:true", &[("lower", &[])]);
        assert_eq!(script(&super::read(text, read)), "v2 dead-bug | loop:true");
        let plan = "The plan: walk";
        let read = |_: &str| reading(plan, "v2 walk", &[("walk", &[])]);
        assert_eq!(script(&super::read(plan, read)), "v2 walk");
    }
}
