//! The library of scores by action, read once.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    notation::File,
    postures::{self, PostureDef},
    reading::{self, PostureKeys, Score, TransitionKeys},
    timing,
    transitions::{self, PostureTransition},
};
use crate::{
    Action, ActionFault, ActionKind, data_file,
    fault::RowPlace,
    vocabulary::{Texts, scores},
};

/// Maximum usual duration of a custom score, seconds.
const LONGEST_S: f32 = 30.0;
/// Advice for a faulty key.
const KEYS: &str = "Correct the key; \"Writing actions\" in the book lists what it can contain.";

#[derive(Debug, Default)]
struct Library {
    scores: HashMap<Action, Score>,
    postures: Vec<PostureDef>,
    ways: Vec<PostureTransition>,
}

fn library() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| read(scores()).0);
    &LIBRARY
}

/// Faults of the scores in use.
pub(in crate::composer) fn faults() -> Vec<ActionFault> {
    read(scores()).1
}

/// The score of an action, or that of the action of which it is a synonym.
pub(super) fn score_of(action: Action) -> Option<&'static Score> {
    let scores = &library().scores;
    let own = action.added_score().or_else(|| scores.get(&action));
    own.or_else(|| action.synonym_of().and_then(|other| scores.get(&other)))
}

/// A posture by its index.
pub(super) fn posture(place: u8) -> Option<&'static PostureDef> {
    library().postures.get(usize::from(place))
}

/// All postures, in the order of their indices.
pub(super) fn postures() -> &'static [PostureDef] {
    &library().postures
}

/// All direct transitions between postures.
pub(super) fn ways() -> &'static [PostureTransition] {
    &library().ways
}

/// The transition with this index.
pub(super) fn way(number: usize) -> Option<&'static PostureTransition> {
    library().ways.get(number)
}

/// The index of the posture with this name.
pub(super) fn posture_named(name: &str) -> Option<u8> {
    place_in(&library().postures, name)
}

fn place_in(postures: &[PostureDef], name: &str) -> Option<u8> {
    postures.iter().position(|posture| posture.name == name).map(|place| place as u8)
}

/// The contents of a file of scores, with their locations.
#[derive(Debug, Default)]
struct ScoreFile {
    scores: Vec<(RowPlace, Score)>,
    postures: Vec<(RowPlace, PostureKeys)>,
    ways: Vec<(RowPlace, TransitionKeys)>,
}

fn read_file(family: &str, text: &str, faults: &mut Vec<ActionFault>) -> ScoreFile {
    let file = format!("scores/{family}.toml");
    let mut told = ScoreFile::default();
    for part in data_file::parts::<File>(&file, text, &["score", "posture", "way"], faults) {
        let line = part.line;
        let place = |action: String| RowPlace { file: file.clone(), line, action };
        let read = reading::read(part.holds);
        faults.extend(read.faults.into_iter().map(|(name, what)| place(name).fault(what, KEYS)));
        told.scores.extend(read.scores.into_iter().map(|(name, score)| (place(name), score)));
        let postures = read.postures.into_iter();
        told.postures.extend(postures.map(|posture| (place(posture.name.clone()), posture)));
        let ways = read.ways.into_iter();
        told.ways.extend(ways.map(|way| (place(format!("{} to {}", way.from, way.to)), way)));
    }
    told
}

/// Reads all files. Returns what is valid, and the faults.
fn read(files: &Texts<'_>) -> (Library, Vec<ActionFault>) {
    let mut library = Library::default();
    let mut faults = Vec::new();
    let (mut postures, mut ways) = (Vec::new(), Vec::new());
    for (family, text) in files {
        let told = read_file(family, text, &mut faults);
        for (place, score) in told.scores {
            let wrong = match Action::named(&place.action) {
                None => Some(("is not an action", "Give it a row in assets/lexicon/actions.")),
                Some(action) if action.kind() != ActionKind::Score => {
                    Some(("is not done by a score", "Remove the score."))
                }
                Some(action) if library.scores.insert(action, score).is_some() => {
                    Some(("has two scores", "Keep one of them."))
                }
                Some(_) => None,
            };
            faults.extend(wrong.map(|(what, advice)| place.fault(what, advice)));
        }
        postures.extend(told.postures.into_iter().map(|(_, keys)| keys));
        ways.extend(told.ways.into_iter().map(|(_, keys)| keys));
    }
    let mut lost = Vec::new();
    library.postures = postures::tree(postures, &mut lost);
    library.ways = self::transitions::across(ways, &library.postures, &mut lost);
    lost.extend(misplaced(&library));
    let advice = "Correct the row of the action or the posture.";
    faults.extend(lost.into_iter().map(|what| ActionFault::of_file("scores", what, advice)));
    (library, faults)
}

/// Reads the scores of custom actions, with their locations.
pub(crate) fn added_scores(
    files: &Texts<'_>,
    faults: &mut Vec<ActionFault>,
) -> Vec<(RowPlace, Score)> {
    let mut scores = Vec::new();
    for (family, text) in files {
        let told = read_file(family, text, faults);
        for (place, score) in &told.scores {
            let usual_s = timing::usual_s(score);
            if usual_s > LONGEST_S {
                let what = format!("takes {usual_s:.0} seconds, more than {LONGEST_S:.0}");
                faults.push(place.fault(what, "Shorten it, or split it into two actions."));
            }
        }
        for (place, _) in told.postures {
            let advice = "Remove it; an action can be done in one of Limber's postures.";
            faults.push(place.fault("is a posture, and only actions can be added", advice));
        }
        for (place, _) in told.ways {
            faults.push(place.fault(
                "is a transition between postures, and only actions can be added",
                "Remove it.",
            ));
        }
        scores.extend(told.scores);
    }
    scores
}

/// Finds actions whose posture does not exist, and postures that no action leads to.
fn misplaced(library: &Library) -> Vec<String> {
    let mut faults = Vec::new();
    for action in Action::all() {
        match action.posture() {
            Some(postures::CHAIR) if action.kind() == ActionKind::Score => {}
            Some(name) if place_in(&library.postures, name).is_none() => {
                faults.push(format!("{action:?}: there is no posture \"{name}\""));
            }
            None if action.kind() == ActionKind::Posture => {
                faults.push(format!("{action:?} has no posture to go to"));
            }
            _ => {}
        }
    }
    for held in &library.postures {
        let leads = |action: &Action| {
            action.kind() == ActionKind::Posture && action.posture() == Some(held.name.as_str())
        };
        if !Action::all().any(|action| leads(&action)) {
            faults.push(format!("no action leads to the posture \"{}\"", held.name));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_file_is_valid() {
        let faults: Vec<String> = faults().iter().map(ActionFault::to_string).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn every_scored_action_has_a_score() {
        let lacking: Vec<&str> = Action::all()
            .filter(|action| action.kind() == ActionKind::Score && score_of(*action).is_none())
            .map(Action::name)
            .collect();
        assert!(lacking.is_empty(), "without a score in assets/scores: {lacking:?}");
    }

    #[test]
    fn errors_are_reported_in_plain_words() {
        let text = r#"
            [[score]]
            action = "moult"
            [[score.begin]]
            takes = 0.5
            lead = { at = "moon", palm = "sideways", shape = "paw" }
            other = { offset = [0, 0, 900] }
            lead_foot = { step = [0, 10], home = true }
            pelvis = { down = 900 }
            [[score]]
            action = "walk"
            [[score.again]]
            takes = 0.01
        "#;
        let told: Vec<String> =
            read(&[("air", text)]).1.iter().map(ActionFault::to_string).collect();
        let told = told.join("\n");
        for fault in [
            "\"moon\" is not a place on the body",
            "\"sideways\" is not a direction",
            "\"paw\" is not a hand shape",
            "an `offset` is too far",
            "the other hand is moved before it has `at` or `way`",
            "a foot needs one of `step`, `lift`, `heel` and `home`",
            "PelvisDown is too far",
            "scores/air.toml:2: moult: is not an action",
            "walk: is not done by a score",
            "scores/air.toml:10: walk: `again` key 1: `takes` 0.01",
        ] {
            assert!(told.contains(fault), "{fault} is missing in:\n{told}");
        }
    }
}
