//! Messages about unknown actions, with suggestions.

use limber_script::Message;

use super::{
    lexicon::{Lexicon, Meaning},
    reading::Item,
};
use crate::{Action, EngineError, Prompt};

/// Maximum number of suggestions.
const OFFERS: usize = 3;
/// Minimum similarity of two words to count as a misspelling.
const ALIKE: f64 = 0.75;
/// Suggestions if nothing is similar.
const POPULAR: [&str; OFFERS] = ["walk", "wave", "jump"];

/// The known actions nearest to an item, best first: those of its family, or with similar spelling.
pub(super) fn nearest(lexicon: &Lexicon, item: &Item) -> Vec<Action> {
    if let Some(Meaning::Neighbour(place)) = item.meaning {
        return lexicon.neighbours[place].clone();
    }
    let forms = lexicon.forms(&item.text);
    let mut alike: Vec<(f64, Action)> = Vec::new();
    for (action, phrase) in lexicon.spellings() {
        let likeness = forms
            .iter()
            .filter(|form| may_be_alike(form, phrase))
            .map(|form| strsim::normalized_damerau_levenshtein(form, phrase))
            .fold(0.0, f64::max);
        if likeness >= ALIKE {
            alike.push((likeness, action));
        }
    }
    alike.sort_by(|a, b| b.0.total_cmp(&a.0));
    let Some((_, best)) = alike.first().copied() else { return Vec::new() };
    let relatives = best.nearest().iter().copied();
    distinct(alike.into_iter().map(|(_, action)| action).chain(relatives))
}

/// Whether the lengths of two words allow them to be similar; a cheap test before the slow
/// comparison.
fn may_be_alike(one: &str, other: &str) -> bool {
    let (one, other) = (one.chars().count(), other.chars().count());
    one.abs_diff(other) as f64 <= (1.0 - ALIKE) * one.max(other) as f64
}

fn distinct(actions: impl Iterator<Item = Action>) -> Vec<Action> {
    let mut found = Vec::new();
    for action in actions {
        if !found.contains(&action) && found.len() < OFFERS {
            found.push(action);
        }
    }
    found
}

/// The message about ignored words in an otherwise understood prompt.
pub(super) fn warning(lexicon: &Lexicon, item: &Item) -> Message {
    let nearest = phrases(nearest(lexicon, item));
    Message::UnknownWord { word: shortened(&item.text), nearest }
}

/// The error for a prompt without any known action.
pub(super) fn error(
    lexicon: &Lexicon,
    prompt: &Prompt,
    items: &[Item],
    flagged: &[&Item],
) -> EngineError {
    let mut culprits: Vec<&Item> = flagged.iter().copied().take(OFFERS).collect();
    if culprits.is_empty() {
        culprits = items.iter().filter(|item| item.meaning.is_none()).take(OFFERS).collect();
    }
    if culprits.is_empty() {
        return EngineError::UnknownAction { messages: vec![no_movement(prompt.as_str())] };
    }
    let offers = distinct(culprits.iter().flat_map(|item| nearest(lexicon, item)));
    let nearest = phrases(if offers.is_empty() { popular() } else { offers });
    let words = culprits.iter().map(|item| shortened(&item.text)).collect();
    EngineError::UnknownAction { messages: vec![Message::NothingKnown { words, nearest }] }
}

/// The message about a prompt without any word that could be an action, or not in English.
pub(super) fn no_movement(prompt: &str) -> Message {
    Message::NoMovement { prompt: shortened(prompt), nearest: phrases(popular()) }
}

fn popular() -> Vec<Action> {
    POPULAR.into_iter().filter_map(Action::named).collect()
}

/// The actions as people would type them.
fn phrases(actions: Vec<Action>) -> Vec<String> {
    actions.into_iter().map(Action::phrase).collect()
}

/// Shortens long words, because messages are shown in narrow places.
pub(super) fn shortened(word: &str) -> String {
    const ROOM: usize = 40;
    if word.chars().count() <= ROOM {
        return word.to_owned();
    }
    word.chars().take(ROOM - 1).chain(['…']).collect()
}
