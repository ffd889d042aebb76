//! All scores by their actions, read once.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    postures::{self, Held},
    reading::{self, Score},
    ways::{self, Way},
};
use crate::{
    Action, Way as By,
    vocabulary::{Texts, scores},
};

#[derive(Debug, Default)]
struct Library {
    scores: HashMap<Action, Score>,
    postures: Vec<Held>,
    ways: Vec<Way>,
}

fn library() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| read(scores()).0);
    &LIBRARY
}

/// What is wrong with the scores in use, in sentences.
pub(in crate::composer) fn faults() -> Vec<String> {
    read(scores()).1
}

/// The score of an action, or that of the one whose synonym it is.
pub(super) fn score_of(action: Action) -> Option<&'static Score> {
    let scores = &library().scores;
    let own = scores.get(&action);
    own.or_else(|| action.synonym_of().and_then(|other| scores.get(&other)))
}

/// A posture by its place.
pub(super) fn posture(place: u8) -> Option<&'static Held> {
    library().postures.get(usize::from(place))
}

/// All postures, in the order of their places.
pub(super) fn postures() -> &'static [Held] {
    &library().postures
}

/// All ways straight from posture to posture.
pub(super) fn ways() -> &'static [Way] {
    &library().ways
}

/// The way at this place.
pub(super) fn way(number: usize) -> Option<&'static Way> {
    library().ways.get(number)
}

/// The place of the posture with this name.
pub(super) fn posture_named(name: &str) -> Option<u8> {
    place_in(&library().postures, name)
}

fn place_in(postures: &[Held], name: &str) -> Option<u8> {
    postures.iter().position(|posture| posture.name == name).map(|place| place as u8)
}

/// Reads all files: what is sound, and what is wrong, in sentences.
fn read(files: &Texts) -> (Library, Vec<String>) {
    let mut library = Library::default();
    let mut faults = Vec::new();
    let (mut postures, mut ways) = (Vec::new(), Vec::new());
    for (family, text) in files {
        let found = reading::read(text);
        let mut fault = |text: String| faults.push(format!("scores/{family}.toml: {text}"));
        found.faults.into_iter().for_each(&mut fault);
        for (name, score) in found.scores {
            let wrong = match Action::named(&name) {
                None => Some("is no action; give it a row in assets/lexicon/actions"),
                Some(action) if action.way() != By::Score => Some("is not done by a score"),
                Some(action) if library.scores.insert(action, score).is_some() => {
                    Some("has two scores")
                }
                Some(_) => None,
            };
            if let Some(wrong) = wrong {
                fault(format!("{name} {wrong}"));
            }
        }
        postures.extend(found.postures);
        ways.extend(found.ways);
    }
    library.postures = postures::tree(postures, &mut faults);
    library.ways = self::ways::across(ways, &library.postures, &mut faults);
    faults.extend(misplaced(&library));
    (library, faults)
}

/// Actions whose posture is not there, and postures no action leads to.
fn misplaced(library: &Library) -> Vec<String> {
    let mut faults = Vec::new();
    for action in Action::all() {
        match action.posture() {
            Some(postures::CHAIR) if action.way() == By::Score => {}
            Some(name) if place_in(&library.postures, name).is_none() => {
                faults.push(format!("{action:?}: there is no posture \"{name}\""));
            }
            None if action.way() == By::Posture => {
                faults.push(format!("{action:?} is told no posture to go to"));
            }
            _ => {}
        }
    }
    for held in &library.postures {
        let leads = |action: &Action| {
            action.way() == By::Posture && action.posture() == Some(held.name.as_str())
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
    fn every_file_of_scores_is_sound() {
        let faults = faults();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn every_action_done_by_a_score_has_one() {
        let lacking: Vec<&str> = Action::all()
            .filter(|action| action.way() == By::Score && score_of(*action).is_none())
            .map(Action::name)
            .collect();
        assert!(lacking.is_empty(), "without a score in assets/scores: {lacking:?}");
    }

    #[test]
    fn faults_are_told_in_plain_words() {
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
        let told = read(&[("air", text)]).1.join("\n");
        for fault in [
            "\"moon\" is no place of the body",
            "\"sideways\" is no direction",
            "\"paw\" is no shape of a hand",
            "an `offset` is too far",
            "the other hand is moved before it has `at` or `way`",
            "a foot needs one of `step`, `lift`, `heel` and `home`",
            "PelvisDown is too far",
            "moult is no action",
            "walk is not done by a score",
            "`again` key 1: `takes` 0.01",
        ] {
            assert!(told.contains(fault), "{fault} is missing in:\n{told}");
        }
    }
}
