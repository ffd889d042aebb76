//! The format of the files in `assets/lexicon/actions`, and the entries made from their rows.

use std::collections::{BTreeMap, HashMap};

use limber_animation::Side;
use limber_script::{BodyPart, Target, Verb};
use serde::Deserialize;

use super::{Action, ActionKind, Argument, Texts};
use crate::{
    Act, ActionFault, Amount, Body, Direction, Intensity, Manner, Path, SideChoice, Tempo,
    body_language, data_file, fault::RowPlace,
};

/// The meaning of a bare "left" for an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Lateral {
    #[default]
    Side,
    Direction,
}

/// A target of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// An object in the world.
    Thing(Target),
    /// A part of somebody's body.
    Part(BodyPart),
}

impl Place {
    fn named(told: &str) -> Option<Self> {
        let part = || told.parse().ok().map(Self::Part);
        told.parse().ok().map(Self::Thing).or_else(part)
    }
}

/// One action as defined in its file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) action: String,
    /// The name as people would type it, if the action's name alone would not be understood.
    said: Option<String>,
    #[serde(default = "by_score")]
    pub(super) way: ActionKind,
    pub(super) body: Body,
    #[serde(default)]
    lateral: Lateral,
    #[serde(default = "usual_arguments")]
    takes: Vec<Argument>,
    #[serde(default)]
    directions: Vec<String>,
    #[serde(default)]
    toward: BTreeMap<String, String>,
    #[serde(default)]
    at: BTreeMap<String, String>,
    running: Option<String>,
    pub(super) nearest: Vec<String>,
    #[serde(default)]
    stages: Vec<String>,
    #[serde(default)]
    stance: bool,
    #[serde(default)]
    afoot: bool,
    synonym_of: Option<String>,
    pub(super) posture: Option<String>,
    pub(super) begins: Option<String>,
    #[serde(default)]
    phrases: Vec<String>,
    #[serde(default)]
    sense: Vec<Sense>,
}

impl Row {
    /// Its own phrases and those of its senses.
    pub(super) fn all_phrases(&self) -> impl Iterator<Item = &str> {
        let senses = self.sense.iter().flat_map(|sense| &sense.phrases);
        self.phrases.iter().chain(senses).map(String::as_str)
    }
}

fn by_score() -> ActionKind {
    ActionKind::Score
}

fn usual_arguments() -> Vec<Argument> {
    vec![Argument::Count, Argument::Side]
}

/// Phrases that mean more than the action itself.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sense {
    pub(crate) phrases: Vec<String>,
    tempo: Option<f32>,
    manner: Option<Manner>,
    direction: Option<String>,
    side: Option<String>,
    angle_deg: Option<f32>,
    count: Option<u32>,
    path: Option<String>,
    steps: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    action: Vec<Row>,
}

/// A row with its location and family.
#[derive(Debug)]
pub(super) struct LocatedRow {
    pub(super) place: RowPlace,
    family: String,
    pub(super) row: Row,
}

/// Reads the rows of all files, in order.
pub(super) fn read(files: &Texts<'_>, faults: &mut Vec<ActionFault>) -> Vec<LocatedRow> {
    let mut told = Vec::new();
    for (family, text) in files {
        let file = format!("actions/{family}.toml");
        for part in data_file::parts::<File>(&file, text, &["action"], faults) {
            told.extend(part.holds.action.into_iter().map(|row| {
                let (action, line) = (row.action.clone(), part.line);
                let place = RowPlace { file: file.clone(), line, action };
                LocatedRow { place, family: (*family).to_owned(), row }
            }));
        }
    }
    told
}

/// Finds phrases used by two actions. `taken` lists phrases that are already used, with the names
/// of their actions.
pub(super) fn claimed_twice<'a>(
    told: &'a [LocatedRow],
    taken: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Vec<ActionFault> {
    let mut owners: HashMap<&str, &str> = taken.into_iter().collect();
    let mut faults = Vec::new();
    for LocatedRow { place, row, .. } in told {
        for phrase in row.all_phrases() {
            if let Some(other) = owners.insert(phrase, &row.action)
                && other != row.action
            {
                let what = format!("\"{phrase}\" is claimed by {other} and by {}", row.action);
                let advice = "A phrase belongs to one action: say it in other or in more words.";
                faults.push(place.fault(what, advice));
            }
        }
    }
    faults
}

/// An action with its references to other actions resolved.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(super) name: String,
    pub(super) said: Option<String>,
    pub(super) family: String,
    pub(super) way: ActionKind,
    pub(super) body: Body,
    pub(super) lateral: Lateral,
    pub(super) takes: Vec<Argument>,
    pub(super) directions: Vec<Direction>,
    pub(super) toward: Vec<(Direction, Action)>,
    pub(super) at: Vec<(Place, Action)>,
    pub(super) running: Option<Action>,
    pub(super) nearest: Vec<Action>,
    pub(super) stages: Vec<Action>,
    pub(super) stance: bool,
    pub(super) afoot: bool,
    pub(super) synonym_of: Option<Action>,
    pub(super) posture: Option<String>,
    pub(super) begins: Option<String>,
    pub(super) phrases: Vec<String>,
    pub(super) senses: Vec<Sense>,
}

impl Entry {
    /// The entry of a body-part movement, which has no phrases.
    pub(super) fn of_movement(verb: Verb, part: BodyPart) -> Self {
        Self {
            name: format!("{verb}.{part}"),
            said: Some(format!("{verb} the {}", part.name().replace('-', " "))),
            family: "body".to_owned(),
            way: ActionKind::Body,
            body: body_language::body(verb, part),
            lateral: Lateral::Side,
            takes: usual_arguments(),
            directions: Vec::new(),
            toward: Vec::new(),
            at: Vec::new(),
            running: None,
            nearest: Vec::new(),
            stages: Vec::new(),
            stance: false,
            afoot: false,
            synonym_of: None,
            posture: None,
            begins: None,
            phrases: Vec::new(),
            senses: Vec::new(),
        }
    }

    /// Whether it is a synonym of another action.
    pub(crate) const fn is_synonym(&self) -> bool {
        self.synonym_of.is_some()
    }

    pub(super) fn from_row(
        told: LocatedRow,
        by_name: &HashMap<String, Action>,
        faults: &mut Vec<ActionFault>,
    ) -> Self {
        let LocatedRow { place, family, row } = told;
        let name = row.action;
        let mut fault = |what: String, advice: &str| faults.push(place.fault(what, advice));
        let mut look_up = |other: &String, field: &str| {
            if *other == name {
                fault(format!("names itself in `{field}`"), "Name another action.");
            }
            let found = by_name.get(other).copied();
            if found.is_none() {
                let what = format!("\"{other}\" in `{field}` is not an action");
                fault(what, "Name one of the actions that come with Limber.");
            }
            found
        };
        let nearest = row.nearest.iter().filter_map(|other| look_up(other, "nearest")).collect();
        let stages = row.stages.iter().filter_map(|other| look_up(other, "stages")).collect();
        let running = row.running.as_ref().and_then(|other| look_up(other, "running"));
        let synonym_of = row.synonym_of.as_ref().and_then(|other| look_up(other, "synonym_of"));
        let toward = row.toward.iter();
        let toward: Vec<_> =
            toward.map(|(told, other)| (direction(told), look_up(other, "toward"))).collect();
        let at: Vec<(Option<Place>, Option<Action>)> = (row.at.iter())
            .map(|(told, other)| {
                // an action may refer to itself for an object that it is done with anyway
                let own = by_name.get(other).copied().filter(|_| *other == name);
                (Place::named(told), own.or_else(|| look_up(other, "at")))
            })
            .collect();
        for told in row.at.keys().filter(|told| Place::named(told).is_none()) {
            let advice =
                "The schema of motion scripts lists what `target` and `target_part` may be.";
            fault(format!("\"{told}\" in `at` is no target and no part of the body"), advice);
        }
        let mut directions = Vec::new();
        for told in row.toward.keys().filter(|told| direction(told).is_none()) {
            let advice = "There are forward, backward, left, right, up and down.";
            fault(format!("\"{told}\" in `toward` is not a direction"), advice);
        }
        for told in &row.directions {
            match direction(told) {
                Some(direction) => directions.push(direction),
                None => {
                    let advice = "There are forward, backward, left, right, up and down.";
                    fault(format!("\"{told}\" is not a direction"), advice);
                }
            }
        }
        for what in row.sense.iter().flat_map(Sense::faults) {
            fault(what, "Choose one of them.");
        }
        for phrase in row.phrases.iter().chain(row.sense.iter().flat_map(|sense| &sense.phrases)) {
            if let Some((wrong, advice)) = wrong_with(phrase) {
                fault(format!("\"{phrase}\" {wrong}"), advice);
            }
        }
        Self {
            said: row.said,
            family,
            way: row.way,
            body: row.body,
            lateral: row.lateral,
            takes: row.takes,
            directions,
            toward: toward.into_iter().filter_map(|(told, other)| Some((told?, other?))).collect(),
            at: at.into_iter().filter_map(|(told, other)| Some((told?, other?))).collect(),
            running,
            nearest,
            stages,
            stance: row.stance,
            afoot: row.afoot,
            synonym_of,
            posture: row.posture,
            begins: row.begins,
            phrases: row.phrases,
            senses: row.sense,
            name,
        }
    }
}

/// What is wrong with a phrase, and how to fix it.
fn wrong_with(phrase: &str) -> Option<(&'static str, &'static str)> {
    if phrase.trim().is_empty() {
        Some(("says nothing", "Take it out, or write words."))
    } else if phrase.starts_with('~') {
        Some(("begins with a gap", "Begin with a word."))
    } else if phrase.chars().any(char::is_uppercase) {
        Some(("is not in lower case", "Write it in lower case."))
    } else if phrase.chars().any(|c| !c.is_alphanumeric() && !matches!(c, ' ' | '~' | '\'')) {
        Some(("holds something else than words and gaps", "Hyphens become spaces."))
    } else {
        None
    }
}

impl Sense {
    fn faults(&self) -> Vec<String> {
        let told = [
            (
                self.direction.as_deref(),
                &["forward", "backward", "left", "right", "up", "down"][..],
            ),
            (self.side.as_deref(), &["left", "right", "both"]),
            (self.path.as_deref(), &["circle", "back-and-forth"]),
        ];
        told.into_iter()
            .filter_map(|(value, known)| Some((value?, known)))
            .filter(|(value, known)| !known.contains(value))
            .map(|(value, known)| format!("\"{value}\" in a sense is none of {known:?}"))
            .collect()
    }

    /// The act that its phrases mean.
    pub(crate) fn act(&self, action: Action) -> Act {
        let mut act = Act::new(action);
        act.tempo = Tempo(self.tempo.unwrap_or(1.0));
        act.manners.extend(self.manner.map(|manner| (manner, Intensity::CLEARLY)));
        act.angle_rad = self.angle_deg.map(f32::to_radians);
        act.count = self.count;
        act.amount = self.steps.map(Amount::Steps);
        act.side = self.side.as_deref().map(|side| match side {
            "left" => SideChoice::Left,
            "both" => SideChoice::Both,
            _ => SideChoice::Right,
        });
        act.direction = self.direction.as_deref().and_then(direction);
        act.path = match self.path.as_deref() {
            Some("circle") => Path::Circle { side: Side::Left, turns: 1.0 },
            Some(_) => Path::BackAndForth,
            None => Path::Straight,
        };
        act
    }
}

/// The direction with this name in the data.
pub(crate) fn direction(name: &str) -> Option<Direction> {
    Some(match name {
        "forward" => Direction::Forward,
        "backward" => Direction::Backward,
        "left" => Direction::Left,
        "right" => Direction::Right,
        "up" => Direction::Up,
        "down" => Direction::Down,
        _ => return None,
    })
}
