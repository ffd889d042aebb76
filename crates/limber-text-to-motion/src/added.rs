//! Custom actions: a user's folder of actions with the same file formats as the built-in ones.

use std::collections::HashMap;

use crate::{
    Act, Action, ActionFault, ActionKind, MotionScript, Prompt, composer,
    fault::RowPlace,
    language::{self, Lexicon},
    vocabulary::{self, Added, Repertoire},
};

/// Maximum number of custom actions.
const MOST_ACTIONS: usize = 1000;

/// One file of the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionFile {
    /// File name without `.toml`, which is the family of its actions.
    pub family: String,
    /// Contents of the file.
    pub text: String,
}

/// The files of a folder of custom actions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActionFiles {
    /// Action definitions, as in `assets/lexicon/actions`.
    pub actions: Vec<ActionFile>,
    /// Scores (keyframe scripts), as in `assets/scores`.
    pub scores: Vec<ActionFile>,
}

/// Custom actions with their phrases.
///
/// They stay in memory until the program ends, so read them only once, at start.
#[derive(Debug)]
pub struct AddedActions {
    lexicon: Lexicon,
    places: Vec<RowPlace>,
}

impl AddedActions {
    /// Reads a folder's files. Returns the valid actions, and what is wrong with the others.
    #[must_use]
    pub fn read(files: &ActionFiles) -> (Self, Vec<ActionFault>) {
        let mut faults = Vec::new();
        let rows = vocabulary::added_rows(&texts(&files.actions), &mut faults);
        let scores = composer::added_scores(&texts(&files.scores), &mut faults);
        if rows.is_empty() && faults.is_empty() {
            let advice = "Write a row and a score; \"Writing actions\" in the book has an example.";
            faults.push(ActionFault::of_file("actions", "contains no actions", advice));
        }
        if rows.len() > MOST_ACTIONS {
            let what = format!("contains {} actions, more than {MOST_ACTIONS}", rows.len());
            faults.push(ActionFault::of_file("actions", what, "Remove some."));
        }
        let mut by_name = HashMap::new();
        for (place, score) in scores {
            let has_row = rows.iter().any(|(row, _)| row.action == place.action);
            if !has_row {
                let advice = "Give it a row in `actions`, or remove the score.";
                faults.push(place.fault("has no row, so no prompt can use it", advice));
            } else if by_name.insert(place.action.clone(), score).is_some() {
                faults.push(place.fault("has two scores", "Keep one of them."));
            }
        }
        for (place, entry) in &rows {
            if !by_name.contains_key(&place.action) && !entry.is_synonym() {
                let advice = "Write one in `scores`, or name an action of Limber in `synonym_of`.";
                faults.push(place.fault("has no score", advice));
            }
        }
        let sound =
            |place: &RowPlace| faults.iter().all(|f| f.action.as_ref() != Some(&place.action));
        let (places, added): (Vec<RowPlace>, Vec<Action>) = rows
            .into_iter()
            .filter(|(place, _)| sound(place))
            .map(|(place, entry)| {
                let score = by_name.remove(&place.action);
                (place, Action::added(Added::new(entry, score)))
            })
            .unzip();
        let lexicon = Lexicon::of(Repertoire::with(added));
        let added = Self { lexicon, places };
        faults.extend(added.misread());
        (added, faults)
    }

    /// The custom actions.
    #[must_use]
    pub fn actions(&self) -> &[Action] {
        self.lexicon.repertoire().added()
    }

    /// A fault in one of these actions, located at its row.
    #[must_use]
    pub fn fault(&self, action: Action, what: String, advice: &str) -> Option<ActionFault> {
        let place = self.actions().iter().position(|other| *other == action)?;
        Some(self.places.get(place)?.fault(what, advice))
    }

    pub(crate) const fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// Finds phrases that the prompt reader understands as something else.
    fn misread(&self) -> Vec<ActionFault> {
        let each = self.actions().iter().zip(&self.places);
        each.flat_map(|(action, place)| self.misread_of(*action, place)).collect()
    }

    fn misread_of(&self, action: Action, place: &RowPlace) -> Vec<ActionFault> {
        let senses = action.senses().iter().flat_map(|sense| &sense.phrases);
        let phrases = action.phrases().iter().chain(senses).cloned();
        let mut faults = Vec::new();
        for phrase in phrases {
            if language::says_something_else(&without_gaps(&phrase)) {
                let what = format!("\"{phrase}\" already means something else");
                faults.push(place.fault(what, "Use more words."));
            } else if let Err(read) = self.reads(&phrase, action) {
                let advice = "Use more words, or words that mean nothing else.";
                faults.push(place.fault(format!("\"{phrase}\" is read as {read}"), advice));
            }
        }
        let offered = action.phrase();
        if let Err(read) = self.reads(&offered, action) {
            let what = format!("is offered to people as \"{offered}\", which is read as {read}");
            let advice = "Add that to `phrases`, or put one of the phrases in `said`.";
            faults.push(place.fault(what, advice));
        }
        faults
    }

    /// Checks that a phrase means this action and nothing else; the error says how it is read.
    fn reads(&self, phrase: &str, action: Action) -> Result<(), String> {
        let nothing = || "nothing".to_owned();
        let prompt = Prompt::parse(&format!("a person {}", without_gaps(phrase)));
        let prompt = prompt.map_err(|_| nothing())?;
        let read = language::by_phrases(&self.lexicon, &prompt).map_err(|_| nothing())?.script;
        // actions performed on foot imply walking
        let walks = |act: &Act| matches!(act.action.kind(), ActionKind::Gait(_));
        let fits = |act: &Act| act.action == action || action.is_done_afoot() && walks(act);
        let is_there = acts(&read).any(|act| act.action == action);
        if is_there && acts(&read).all(fits) { Ok(()) } else { Err(format!("`{read}`")) }
    }
}

/// A phrase as people type it, without its optional words.
fn without_gaps(phrase: &str) -> String {
    let words: Vec<&str> = phrase.split_whitespace().filter(|word| *word != "~").collect();
    words.join(" ")
}

fn acts(script: &MotionScript) -> impl Iterator<Item = &Act> {
    script.steps.iter().flat_map(|step| std::iter::once(&step.main).chain(&step.overlays))
}

fn texts(files: &[ActionFile]) -> Vec<(&str, &str)> {
    files.iter().map(|file| (file.family.as_str(), file.text.as_str())).collect()
}
