//! Groups meanings into clauses: assigns descriptions to actions.

use limber_animation::maths::powf;
use limber_script::Message;

use super::{
    description::{Description, Words},
    lexicon::{Join, Meaning},
    modifiers,
    reading::Item,
    unknown,
};
use crate::{Act, Action, ActionKind, Body, performable::contradictions};

/// The part of a prompt between two joins.
#[derive(Debug, Default)]
pub(super) struct Clause {
    /// How it is connected to the previous clause; `None` only while it is being filled.
    pub(super) join: Option<Join>,
    pub(super) acts: Vec<Spoken>,
    /// Descriptions in a clause without an action.
    pub(super) loose: Vec<Description>,
    /// Whether it contains "at the same time".
    pub(super) together: bool,
}

/// An action with its words.
#[derive(Debug)]
pub(super) struct Spoken {
    pub(super) act: Act,
    pub(super) words: Words,
    /// Whether it accompanies another action: an -ing form ("walks, waving") or after "with"
    /// ("walks with the arms crossed").
    pub(super) beside: bool,
}

impl Spoken {
    /// Adds a description.
    pub(super) fn apply(&mut self, said: Description, warnings: &mut Vec<Message>) {
        self.words.apply(&mut self.act, said, warnings);
    }
}

/// Groups items into clauses in order, and returns warnings about what was left out.
pub(super) fn clauses(items: &[Item]) -> (Vec<Clause>, Vec<Message>) {
    let mut filling = Filling::new();
    for (place, item) in items.iter().enumerate() {
        let Some(meaning) = &item.meaning else { continue };
        match meaning {
            Meaning::Join(join) => filling.join(*join),
            Meaning::Together => filling.clause.together = true,
            Meaning::Negation => filling.negated = true,
            Meaning::Act(act) => filling.act(act, item, is_with(items, place)),
            Meaning::Standing => filling.stands(Description::new(item, Meaning::Standing)),
            Meaning::Degree(power) => filling.degree = *power,
            Meaning::Number(value) if *value >= 2.0 && next_is(items, place, &Meaning::Subject) => {
                filling.warnings.push(Message::OnePerson);
            }
            // "with one hand", "one person" are not repetitions
            Meaning::Number(_)
                if next_is(items, place, &Meaning::BodyPart)
                    || next_is(items, place, &Meaning::Subject) => {}
            Meaning::Manner(..) if belongs_to_the_person(items, place) => {
                let weighed = filling.weighed(meaning);
                filling.everywhere.push(Description::new(item, weighed));
            }
            Meaning::OnTheSpot => filling.on_the_spot(),
            nothing if modifiers::is_nothing(nothing) => {
                let words = unknown::shortened(&item.text);
                filling.warnings.push(Message::NumberOutOfRange { words });
            }
            described if modifiers::describes(described) => {
                let weighed = filling.weighed(described);
                filling.describe(Description::new(item, weighed));
            }
            _ => {}
        }
    }
    filling.finish()
}

fn next_is(items: &[Item], place: usize, wanted: &Meaning) -> bool {
    items.get(place + 1).and_then(|item| item.meaning.as_ref()) == Some(wanted)
}

/// Whether the action follows "with": "walks with the arms crossed".
fn is_with(items: &[Item], place: usize) -> bool {
    let before = items[..place].iter().rev();
    let mut before = before.skip_while(|item| matches!(item.meaning, Some(Meaning::Determiner)));
    before
        .next()
        .is_some_and(|item| item.meaning == Some(Meaning::Preposition) && item.text == "with")
}

/// Whether it describes the person, and so applies to all their actions: "a tired man walks".
fn belongs_to_the_person(items: &[Item], place: usize) -> bool {
    let kind = |at: usize| items[at].meaning.as_ref();
    let first_clause = items[..place]
        .iter()
        .all(|item| !matches!(item.meaning, Some(Meaning::Join(Join::Then) | Meaning::Act(_))));
    let mut before = place;
    while before > 0
        && matches!(
            kind(before - 1),
            Some(Meaning::Manner(..) | Meaning::Degree(_) | Meaning::Join(Join::And | Join::Comma))
        )
    {
        before -= 1;
    }
    let article = before > 0 && kind(before - 1) == Some(&Meaning::Determiner);
    let in_phrase = before > 1 && kind(before - 2) == Some(&Meaning::Preposition);
    let is_joined = matches!(
        items.get(place + 1).and_then(|item| item.meaning.as_ref()),
        Some(Meaning::Act(_))
    );
    first_clause && article && !in_phrase && !is_joined
}

struct Filling {
    done: Vec<Clause>,
    clause: Clause,
    /// Descriptions that precede their action.
    ahead: Vec<Description>,
    /// Descriptions of the person.
    everywhere: Vec<Description>,
    /// That the person stands, mentioned before the action.
    standing: Option<Description>,
    negated: bool,
    degree: f32,
    warnings: Vec<Message>,
}

impl Filling {
    fn new() -> Self {
        Self {
            done: Vec::new(),
            clause: Clause { join: Some(Join::Start), ..Clause::default() },
            ahead: Vec::new(),
            everywhere: Vec::new(),
            standing: None,
            negated: false,
            degree: 1.0,
            warnings: Vec::new(),
        }
    }

    /// Ends the clause. Of several consecutive joins (", and then") the strongest applies.
    fn join(&mut self, join: Join) {
        self.negated = self.negated && join == Join::And;
        if join == Join::Then {
            self.standing = None;
        }
        if self.clause.acts.is_empty() && self.ahead.is_empty() {
            let together = self.clause.together;
            if together && let Some(last) = self.done.last_mut() {
                last.together = true;
                self.clause.together = false;
            }
            self.clause.join = self.clause.join.max(Some(join));
            return;
        }
        self.close();
        self.clause.join = Some(join);
    }

    fn close(&mut self) {
        let mut clause = std::mem::take(&mut self.clause);
        clause.loose = std::mem::take(&mut self.ahead);
        self.done.push(clause);
    }

    fn act(&mut self, act: &Act, item: &Item, with: bool) {
        let text = item.text.as_str();
        if self.negated {
            self.negated = false;
            self.warnings.push(Message::Negated { action: text.to_owned() });
            return;
        }
        let mut act = act.clone();
        if act.action.kind() == ActionKind::Idle && ["stand", "stands", "stood"].contains(&text) {
            act.action = self.standing_or_up();
        }
        let words = Words::new(Description::new(item, Meaning::Act(act.clone())));
        let participle = text.split(' ').next().is_some_and(|word| word.ends_with("ing"));
        let mut spoken = Spoken { act, words, beside: participle || with };
        for said in self.ahead.drain(..) {
            spoken.apply(said, &mut self.warnings);
        }
        if contradictions::gets_about(&spoken.act)
            && let Some(standing) = self.standing.take()
        {
            self.warnings.push(spoken.words.contradiction_message(&standing));
        }
        self.clause.acts.push(spoken);
    }

    /// Handles standing together with locomotion, of which only one can be done: "runs while
    /// standing still", "while standing, he runs".
    fn stands(&mut self, said: Description) {
        let last = self.clause.acts.last();
        let travels = last.filter(|spoken| contradictions::gets_about(&spoken.act));
        match travels.map(|spoken| spoken.words.contradiction_message(&said)) {
            Some(told) => self.warnings.push(told),
            None => self.standing = Some(said),
        }
    }

    /// "sits, then stands": a person who sits must get up first.
    fn standing_or_up(&self) -> Action {
        let before = self.done.iter().chain([&self.clause]).flat_map(|clause| &clause.acts).last();
        match before.map(|spoken| spoken.act.action.kind()) {
            Some(ActionKind::SitDown) => Action::done(ActionKind::StandUp),
            _ => Action::idle(),
        }
    }

    /// Applies a degree adverb: "very slowly" is slower than "slowly".
    fn weighed(&mut self, meaning: &Meaning) -> Meaning {
        let power = std::mem::replace(&mut self.degree, 1.0);
        match *meaning {
            Meaning::Tempo(factor) => Meaning::Tempo(powf(factor, power)),
            Meaning::Manner(manner, factor) => Meaning::Manner(manner, powf(factor, power)),
            _ => meaning.clone(),
        }
    }

    fn describe(&mut self, said: Description) {
        match self.clause.acts.last_mut() {
            Some(spoken) => spoken.apply(said, &mut self.warnings),
            None => self.ahead.push(said),
        }
    }

    fn on_the_spot(&mut self) {
        let travels = |spoken: &Spoken| spoken.act.action.body() == Body::Locomotion;
        if self.clause.acts.iter().any(travels) {
            self.warnings.push(Message::OnTheSpot);
        }
    }

    fn finish(mut self) -> (Vec<Clause>, Vec<Message>) {
        self.close();
        for spoken in self.done.iter_mut().flat_map(|clause| &mut clause.acts) {
            for said in &self.everywhere {
                spoken.apply(said.clone(), &mut self.warnings);
            }
        }
        (self.done, self.warnings)
    }
}
