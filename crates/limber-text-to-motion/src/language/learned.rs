//! What the learned reader finds in a prompt, as steps that the composer performs, and what there is to say
//! of the rest.

use std::{collections::HashMap, sync::LazyLock};

use limber_reader::{EventWords, Reader, Reading};
use limber_script::{Deed, Message, Script};
use serde::Deserialize;

use super::{MOST_WARNINGS, Understood, assembly, unknown};
use crate::{
    Action, EngineError, LeftOut, MotionScript, Prompt,
    performable::performable_with,
    vocabulary::{self, Repertoire},
};

/// Fields that change nothing to be seen where the action itself goes with them: *sits on a chair*.
const OF_THE_SCENE: [&str; 5] = ["target", "prop", "posture_after", "continues", "until"];

/// Reads a prompt for who can perform these actions.
///
/// # Errors
/// [`EngineError::UnknownAction`] when it holds nothing that can be performed.
pub(super) fn understand(
    repertoire: &Repertoire,
    prompt: &Prompt,
) -> Result<Understood, EngineError> {
    let text = prompt.as_str();
    let reading = Reader::shared().read(text);
    let mut warnings: Vec<Message> = (reading.corrected.iter())
        .map(|slip| Message::Corrected {
            typed: unknown::shortened(&text[slip.place.clone()]),
            meant: slip.read_as.clone(),
        })
        .collect();
    warnings.extend(reading.out_of_range.iter().map(|(_, place)| Message::NumberOutOfRange {
        words: unknown::shortened(&text[place.clone()]),
    }));
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

/// What is said of what the body cannot do yet.
fn told(text: &str, script: &Script, reading: &Reading, left_out: &[LeftOut]) -> Vec<Message> {
    let mut found = Vec::new();
    let mut unshown: Vec<String> = Vec::new();
    for left in left_out {
        let Some(index) = left.event else { continue };
        let (event, words) = (&script.events()[index], &reading.events[index]);
        if matches!(left.field, "do" | "move") {
            let action = unknown::shortened(&text[words.deed.clone()]);
            found.push(Message::NotPerformedYet { action, nearest: nearest_of(&event.deed) });
        } else if !OF_THE_SCENE.contains(&left.field) {
            unshown.extend(words_of(text, words, left.field));
        }
    }
    unshown.dedup();
    if !unshown.is_empty() {
        unshown.truncate(MOST_WARNINGS);
        found.push(Message::WordsNotPerformedYet { words: unshown });
    }
    found
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
    reading.not_understood.iter().take(MOST_WARNINGS).map(|part| Message::UnknownWord {
        word: unknown::shortened(&text[part.place.clone()]),
        nearest: part.nearest.iter().flat_map(|sense| nearest_of_sense(sense)).collect(),
    })
}

/// A prompt in which nothing is done.
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

/// What can be performed and looks most like it, as people would type it.
fn nearest_of(deed: &Deed) -> Vec<String> {
    match deed {
        Deed::Action(name) => nearest_of_sense(name.as_str()),
        Deed::Body { .. } => Vec::new(),
    }
}

fn nearest_of_sense(sense: &str) -> Vec<String> {
    let nearest = Action::named(sense).or_else(|| SENSES.get(sense).copied());
    nearest.map(Action::phrase).into_iter().collect()
}

/// Names of actions that are understood and cannot be performed yet, in the order of the alphabet.
#[must_use]
pub fn names_not_performed_yet() -> Vec<&'static str> {
    let mut names: Vec<&str> = SENSES.keys().map(String::as_str).collect();
    names.retain(|name| Action::named(name).is_none());
    names.sort_unstable();
    names
}

/// Actions that are understood and cannot be performed, with what looks most like them.
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
    use super::*;

    #[test]
    fn a_number_that_nobody_can_do_is_told() {
        let prompt = Prompt::parse("the man jumps ten thousand times").unwrap();
        let understood = understand(&Repertoire::default(), &prompt).unwrap();
        let words = "ten thousand times".to_owned();
        let told = Message::NumberOutOfRange { words };
        assert!(understood.warnings.contains(&told), "{:?}", understood.warnings);
        assert_eq!(understood.script.steps[0].main.count, None);
    }
}
