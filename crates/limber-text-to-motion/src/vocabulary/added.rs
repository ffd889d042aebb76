//! Custom actions, known only to the engine that was given them.

use std::{
    collections::HashSet,
    hash::{Hash, Hasher},
};

use limber_script::ActionName;

use super::{Action, ActionKind, Entry, Texts, rows, vocabulary};
use crate::{
    ActionFault, Body,
    composer::{self, Score},
    fault::RowPlace,
};

/// A custom action. Equality is by identity, because two folders may use the same name.
#[derive(Debug)]
pub(crate) struct Added {
    entry: Entry,
    /// `None` for a synonym of a built-in action.
    score: Option<Score>,
}

impl Added {
    pub(crate) const fn new(entry: Entry, score: Option<Score>) -> Self {
        Self { entry, score }
    }

    pub(super) const fn entry(&self) -> &Entry {
        &self.entry
    }

    pub(super) const fn score(&self) -> Option<&Score> {
        self.score.as_ref()
    }
}

impl PartialEq for Added {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Added {}

impl Hash for Added {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.entry.name.hash(state);
    }
}

/// The actions that an engine performs: built-in and custom.
#[derive(Debug, Clone, Default)]
pub(crate) struct Repertoire {
    added: Vec<Action>,
}

impl Repertoire {
    /// The built-in actions and these.
    pub(crate) const fn with(added: Vec<Action>) -> Self {
        Self { added }
    }

    /// The custom actions.
    pub(crate) fn added(&self) -> &[Action] {
        &self.added
    }

    /// All actions, built-in first.
    pub(crate) fn all(&self) -> impl Iterator<Item = Action> {
        Action::all().chain(self.added.iter().copied())
    }

    /// The action with this name.
    pub(crate) fn named(&self, name: &str) -> Option<Action> {
        let added = || self.added.iter().copied().find(|action| action.name() == name);
        Action::named(name).or_else(added)
    }
}

/// Reads custom actions from files, each with its location.
pub(crate) fn added_rows(
    files: &Texts<'_>,
    faults: &mut Vec<ActionFault>,
) -> Vec<(RowPlace, Entry)> {
    let told = rows::read(files, faults);
    let mut names = HashSet::new();
    for row in &told {
        if !names.insert(&row.row.action) {
            faults.push(row.place.fault("is defined twice", "Keep one of the rows."));
        }
        faults.extend(wrong_beside_ours(row));
    }
    let ours = Action::all().flat_map(|action| {
        let senses = action.senses().iter().flat_map(|sense| &sense.phrases);
        action.phrases().iter().chain(senses).map(move |phrase| (phrase.as_str(), action.name()))
    });
    faults.extend(rows::claimed_twice(&told, ours));
    let by_name = &vocabulary().by_name;
    let mut entries = Vec::new();
    for row in told {
        let place = row.place.clone();
        let entry = Entry::from_row(row, by_name, faults);
        if entry.synonym_of.is_some_and(|other| other.kind() != ActionKind::Score) {
            let what = "`synonym_of` names an action that is not done by a score";
            faults.push(place.fault(what, "Name another, or write a score."));
        }
        entries.push((place, entry));
    }
    entries
}

/// Checks the additional rules for custom actions.
fn wrong_beside_ours(told: &rows::LocatedRow) -> Vec<ActionFault> {
    let rows::LocatedRow { place, row, .. } = told;
    let mut faults = Vec::new();
    let mut fault = |what: String, advice: &str| faults.push(place.fault(what, advice));
    if row.action.parse::<ActionName>().is_err() {
        let most = ActionName::MAX_CHARS;
        let advice = format!("Write small letters, digits and hyphens, at most {most} characters.");
        fault("is not a valid action name".to_owned(), &advice);
    }
    if Action::named(&row.action).is_some() {
        let advice = "Choose another name, for example with your studio's in front.";
        fault("is the name of an action that comes with Limber".to_owned(), advice);
    }
    if row.way != ActionKind::Score {
        let advice = "Leave `way` out and write a score.";
        fault("`way` names a performer that is part of Limber".to_owned(), advice);
    }
    if row.body == Body::Locomotion {
        let advice =
            "Choose \"whole\", \"upper\" or \"head\"; `onward` in a key moves the whole body.";
        fault("`body` is \"locomotion\", which no score does".to_owned(), advice);
    }
    for (field, posture) in [("posture", &row.posture), ("begins", &row.begins)] {
        if let Some(name) = posture
            && !composer::has_posture(name)
        {
            let advice = "Choose one that an action of Limber leads to, or leave it out.";
            fault(format!("there is no posture \"{name}\" for `{field}`"), advice);
        }
    }
    if row.nearest.is_empty() {
        let advice = "Name one or two actions of Limber that look most like it.";
        fault("`nearest` is empty".to_owned(), advice);
    }
    if row.all_phrases().next().is_none() {
        fault(
            "has no phrases".to_owned(),
            "Write how people say it, for example [\"ping ~ drone\"].",
        );
    }
    faults
}
