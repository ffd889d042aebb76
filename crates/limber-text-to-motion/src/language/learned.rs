//! Converts the learned reader's result to steps that the composer performs, with messages about
//! everything else.

use std::{collections::HashMap, sync::LazyLock};

use limber_reader::{EventWords, Opposed, Reader, Reading};
use limber_script::{EventAction, Message, Script, message::Kept};
use serde::Deserialize;

use super::{MOST_WARNINGS, Understood, assembly, chunks, stages, titles, unknown};
use crate::{
    Action, EngineError, LeftOut, MotionScript, OmissionReason, Prompt,
    performable::performable_with,
    vocabulary::{self, Repertoire},
};

/// Fields that make no visible difference if the action itself implies them: *sits on a chair*.
const OF_THE_SCENE: [&str; 5] = ["target", "prop", "posture_after", "continues", "until"];

/// Reads a prompt for an engine with these actions.
///
/// # Errors
/// [`EngineError::UnknownAction`] if it contains nothing that can be performed.
pub(super) fn understand(
    repertoire: &Repertoire,
    prompt: &Prompt,
) -> Result<Understood, EngineError> {
    let text = prompt.as_str();
    let reading = titles::read(text, |text| chunks::as_phrases(text, Reader::shared().read(text)));
    let mut reading = stages::wiping_oneself(stages::staying_in_a_stance(reading));
    reading.pass_over_the_rest(text);
    let mut warnings: Vec<Message> = (reading.corrected.iter())
        .map(|slip| Message::Corrected {
            typed: unknown::shortened(&text[slip.place.clone()]),
            meant: slip.read_as.clone(),
        })
        .collect();
    warnings.extend(reading.out_of_range.iter().map(|(_, place)| Message::NumberOutOfRange {
        words: unknown::shortened(&text[place.clone()]),
    }));
    warnings.extend(reading.opposed.iter().map(|words| opposed(text, words)));
    warnings.extend(reading.several_people.iter().map(|_| Message::OnePerson));
    if !reading.too_many.is_empty() {
        warnings.push(Message::MostActions { most: Script::MOST_EVENTS as u32 });
    }
    let Some(meaning) = &reading.script else { return Err(nothing(text, &reading, warnings)) };
    let (MotionScript { mut steps }, left_out) = performable_with(repertoire, meaning);
    warnings.extend(told(text, meaning, &reading, &left_out));
    warnings.extend(words_not_understood(text, &reading));
    if steps.is_empty() {
        return Err(EngineError::UnknownAction { messages: warnings });
    }
    assembly::settle(&mut steps, &mut warnings);
    warnings.truncate(2 * MOST_WARNINGS);
    let script = MotionScript { steps };
    Ok(Understood { script, meaning: reading.script.clone(), reading, left_out, warnings })
}

/// Messages about what is not performed: what Limber cannot do yet, and what no body can do.
fn told(text: &str, script: &Script, reading: &Reading, left_out: &[LeftOut]) -> Vec<Message> {
    let deed = |index: usize| unknown::shortened(&text[reading.events[index].deed.clone()]);
    let said = |index: usize, field: &str| {
        if field == "do" {
            return Some(deed(index));
        }
        let words: Vec<String> = words_of(text, &reading.events[index], field).collect();
        (!words.is_empty()).then(|| words.join(" "))
    };
    let mut found = Vec::new();
    let mut unshown: Vec<String> = Vec::new();
    for left in left_out {
        let Some(index) = left.event else {
            found.extend(
                matches!(left.why, OmissionReason::Contradicts(_)).then(|| left.clip_message()),
            );
            continue;
        };
        if let Some(message) = left.contradiction(script, None, &said) {
            found.push(message);
        } else if left.why == OmissionReason::SameBodyPart {
            let first = left.beside(script).map(deed).unwrap_or_default();
            found.push(Message::SameBodyPart { first, second: deed(index) });
        } else if matches!(left.field, "do" | "move") {
            let nearest = nearest_of(&script.events()[index].deed);
            found.push(Message::NotPerformedYet { action: deed(index), nearest });
        } else if !OF_THE_SCENE.contains(&left.field) {
            unshown.extend(words_of(text, &reading.events[index], left.field));
        }
    }
    unshown.dedup();
    if !unshown.is_empty() {
        unshown.truncate(MOST_WARNINGS);
        found.push(Message::WordsNotPerformedYet { words: unshown });
    }
    found
}

/// Message about contradictory words, of which an event keeps one.
fn opposed(text: &str, words: &Opposed) -> Message {
    let is_first = words.kept.start < words.dropped.start;
    let (first, second, kept) = if is_first {
        (&words.kept, &words.dropped, Kept::First)
    } else {
        (&words.dropped, &words.kept, Kept::Second)
    };
    let [first, second] = [first, second].map(|place| unknown::shortened(&text[place.clone()]));
    Message::Contradiction { event: None, first, second, kept }
}

fn words_of<'a>(
    text: &'a str,
    words: &'a EventWords,
    field: &'a str,
) -> impl Iterator<Item = String> + 'a {
    let said = words.fields.iter().filter(move |(name, _)| name.as_str() == field);
    said.map(|(_, place)| unknown::shortened(&text[place.clone()]))
}

fn words_not_understood(text: &str, reading: &Reading) -> impl Iterator<Item = Message> {
    let mut said: Vec<String> = Vec::new();
    let once = reading.not_understood.iter().filter_map(move |part| {
        let word = unknown::shortened(&text[part.place.clone()]);
        let is_new = !said.contains(&word);
        said.push(word.clone());
        let nearest = part.nearest.iter().flat_map(|sense| nearest_of_sense(sense)).collect();
        is_new.then_some(Message::UnknownWord { word, nearest })
    });
    once.take(MOST_WARNINGS)
}

/// The error for a prompt without any action.
fn nothing(text: &str, reading: &Reading, mut messages: Vec<Message>) -> EngineError {
    let words = reading.not_understood.iter().take(MOST_WARNINGS);
    let words: Vec<String> =
        words.map(|part| unknown::shortened(&text[part.place.clone()])).collect();
    if !words.is_empty() {
        let senses = reading.not_understood.iter().flat_map(|part| &part.nearest);
        let mut nearest: Vec<String> = senses.flat_map(|sense| nearest_of_sense(sense)).collect();
        nearest.dedup();
        nearest.truncate(MOST_WARNINGS);
        messages.push(Message::NothingKnown { words, nearest });
    }
    if messages.is_empty() {
        messages.push(unknown::no_movement(text));
    }
    EngineError::UnknownAction { messages }
}

/// The most similar actions that can be performed, as people would type them.
fn nearest_of(deed: &EventAction) -> Vec<String> {
    match deed {
        EventAction::Action(name) => nearest_of_sense(name.as_str()),
        EventAction::Body { .. } => Vec::new(),
    }
}

fn nearest_of_sense(sense: &str) -> Vec<String> {
    let nearest = Action::named(sense).or_else(|| SENSES.get(sense).copied());
    nearest.map(Action::phrase).into_iter().collect()
}

/// Names of actions that are understood but cannot be performed yet, in alphabetical order.
#[must_use]
pub fn names_not_performed_yet() -> Vec<&'static str> {
    let mut names: Vec<&str> = SENSES.keys().map(String::as_str).collect();
    names.retain(|name| Action::named(name).is_none());
    names.sort_unstable();
    names
}

/// Actions that are understood but cannot be performed yet, each with the most similar action.
static SENSES: LazyLock<HashMap<String, Action>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct File {
        senses: Vec<Row>,
    }
    #[derive(Deserialize)]
    struct Row {
        sense: String,
        nearest: String,
    }
    let rows = vocabulary::senses().iter().flat_map(|(_, text)| {
        toml::from_str::<File>(text).map(|file| file.senses).unwrap_or_default()
    });
    rows.filter_map(|row| Some((row.sense, Action::named(&row.nearest)?))).collect()
});

#[cfg(test)]
mod tests {
    use limber_reader::Field;

    use super::*;

    /// The messages for a script whose events were read from these words: for each event its
    /// action, then its fields.
    fn told_of(
        text: &str,
        script: &str,
        words: &[(&str, &[(&'static str, &str)])],
    ) -> Vec<Message> {
        let script: Script = script.parse().unwrap();
        let place = |words: &str| {
            let start = text.find(words).unwrap();
            start..start + words.len()
        };
        let event = |(deed, fields): &(&str, &[(&'static str, &str)])| EventWords {
            deed: place(deed),
            fields: fields.iter().map(|(name, said)| (Field::from(*name), place(said))).collect(),
            certainty: 1.0,
        };
        let events = words.iter().map(event).collect();
        let reading = Reading { events, ..Reading::default() };
        let (_, left_out) = crate::performable(&script);
        told(text, &script, &reading, &left_out)
    }

    fn contradiction(first: &str, second: &str, kept: Kept) -> Message {
        let (first, second) = (first.to_owned(), second.to_owned());
        Message::Contradiction { event: None, first, second, kept }
    }

    #[test]
    fn contradictions_are_reported_in_the_words_of_the_prompt() {
        let told = told_of(
            "the clerk sprints flat on his back",
            "v2 run posture:lying-on-back",
            &[("sprints", &[("posture", "flat on his back")])],
        );
        assert_eq!(told, [contradiction("sprints", "flat on his back", Kept::First)]);
        let told = told_of(
            "she strides on while kneeling",
            "v2 march > kneel while:0",
            &[("strides", &[]), ("kneeling", &[])],
        );
        assert_eq!(told, [contradiction("strides", "kneeling", Kept::InTurn)]);
        let told = told_of("dies in a loop", "v2 die | loop:true", &[("dies", &[])]);
        assert_eq!(told, [contradiction("die", "loop", Kept::First)]);
    }

    #[test]
    fn events_that_need_the_same_body_part_are_sequenced_with_a_message() {
        let told = told_of(
            "she leaps while kicking",
            "v2 jump > kick while:0",
            &[("leaps", &[]), ("kicking", &[])],
        );
        let (first, second) = ("leaps".to_owned(), "kicking".to_owned());
        assert_eq!(told, [Message::SameBodyPart { first, second }]);
    }

    #[test]
    fn opposite_words_are_reported_in_order_with_the_winner() {
        let text = "marches forward, no, backward";
        let (first, second) = (8..15, 21..29);
        let kept = Opposed { kept: first.clone(), dropped: second.clone() };
        assert_eq!(opposed(text, &kept), contradiction("forward", "backward", Kept::First));
        let kept = Opposed { kept: second, dropped: first };
        assert_eq!(opposed(text, &kept), contradiction("forward", "backward", Kept::Second));
    }

    #[test]
    fn an_impossible_number_is_reported() {
        let prompt = Prompt::parse("the man jumps ten thousand times").unwrap();
        let understood = understand(&Repertoire::default(), &prompt).unwrap();
        let words = "ten thousand times".to_owned();
        let told = Message::NumberOutOfRange { words };
        assert!(understood.warnings.contains(&told), "{:?}", understood.warnings);
        assert_eq!(understood.script.steps[0].main.count, None);
    }
}
