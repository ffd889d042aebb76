//! The shape of the files in `assets/lexicon/actions`, and what becomes of a row.

use std::collections::{BTreeMap, HashMap};

use limber_animation::Side;
use limber_script::{BodyPart, Verb};
use serde::Deserialize;

use super::{Action, Argument, Way};
use crate::{
    Act, Amount, Body, Direction, Intensity, Manner, Path, SideChoice, Tempo, body_language,
};

/// What a bare "left" means for an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Lateral {
    #[default]
    Side,
    Direction,
}

/// One action as it stands in its file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) action: String,
    /// As people would type it, where the name alone would not be understood.
    said: Option<String>,
    #[serde(default = "by_score")]
    way: Way,
    body: Body,
    #[serde(default)]
    lateral: Lateral,
    #[serde(default = "usual_arguments")]
    takes: Vec<Argument>,
    #[serde(default)]
    directions: Vec<String>,
    #[serde(default)]
    toward: BTreeMap<String, String>,
    nearest: Vec<String>,
    #[serde(default)]
    afoot: bool,
    synonym_of: Option<String>,
    posture: Option<String>,
    begins: Option<String>,
    #[serde(default)]
    phrases: Vec<String>,
    #[serde(default)]
    sense: Vec<Sense>,
}

fn by_score() -> Way {
    Way::Score
}

fn usual_arguments() -> Vec<Argument> {
    vec![Argument::Count, Argument::Side]
}

/// Phrases that say more than the action itself.
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
    action: Vec<Row>,
}

pub(super) fn read(text: &str) -> Result<Vec<Row>, toml::de::Error> {
    toml::from_str::<File>(text).map(|file| file.action)
}

/// One action with its relatives looked up.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(super) name: String,
    pub(super) said: Option<String>,
    pub(super) family: &'static str,
    pub(super) way: Way,
    pub(super) body: Body,
    pub(super) lateral: Lateral,
    pub(super) takes: Vec<Argument>,
    pub(super) directions: Vec<Direction>,
    pub(super) toward: Vec<(Direction, Action)>,
    pub(super) nearest: Vec<Action>,
    pub(super) afoot: bool,
    pub(super) synonym_of: Option<Action>,
    pub(super) posture: Option<String>,
    pub(super) begins: Option<String>,
    pub(super) phrases: Vec<String>,
    pub(super) senses: Vec<Sense>,
}

impl Entry {
    /// A movement told by a part of the body: nobody types it as one phrase.
    pub(super) fn of_movement(verb: Verb, part: BodyPart) -> Self {
        Self {
            name: format!("{verb}.{part}"),
            said: Some(format!("{verb} the {}", part.name().replace('-', " "))),
            family: "body",
            way: Way::Body,
            body: body_language::body(verb, part),
            lateral: Lateral::Side,
            takes: usual_arguments(),
            directions: Vec::new(),
            toward: Vec::new(),
            nearest: Vec::new(),
            afoot: false,
            synonym_of: None,
            posture: None,
            begins: None,
            phrases: Vec::new(),
            senses: Vec::new(),
        }
    }

    pub(super) fn from_row(
        family: &'static str,
        row: Row,
        by_name: &HashMap<String, Action>,
        faults: &mut Vec<String>,
    ) -> Self {
        let name = row.action;
        let mut fault = |text: String| faults.push(format!("{family}.toml: {name}{text}"));
        let mut look_up = |other: &String, field: &str| {
            if *other == name {
                fault(format!(" names itself in `{field}`"));
            }
            let found = by_name.get(other).copied();
            if found.is_none() {
                fault(format!(": \"{other}\" in `{field}` is no action"));
            }
            found
        };
        let nearest = row.nearest.iter().filter_map(|other| look_up(other, "nearest")).collect();
        let synonym_of = row.synonym_of.as_ref().and_then(|other| look_up(other, "synonym_of"));
        let toward = row.toward.iter();
        let toward: Vec<_> =
            toward.map(|(told, other)| (direction(told), look_up(other, "toward"))).collect();
        let mut directions = Vec::new();
        for told in row.toward.keys().filter(|told| direction(told).is_none()) {
            fault(format!(": \"{told}\" in `toward` is no direction"));
        }
        for told in &row.directions {
            match direction(told) {
                Some(direction) => directions.push(direction),
                None => fault(format!(": \"{told}\" is no direction")),
            }
        }
        for sense in &row.sense {
            sense.faults().into_iter().for_each(&mut fault);
        }
        for phrase in row.phrases.iter().chain(row.sense.iter().flat_map(|sense| &sense.phrases)) {
            if let Some(wrong) = wrong_with(phrase) {
                fault(format!(": \"{phrase}\" {wrong}"));
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
            nearest,
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

fn wrong_with(phrase: &str) -> Option<&'static str> {
    if phrase.trim().is_empty() {
        Some("says nothing")
    } else if phrase.starts_with('~') {
        Some("begins with a gap; begin with a word")
    } else if phrase.chars().any(char::is_uppercase) {
        Some("is not in lower case")
    } else if phrase.chars().any(|c| !c.is_alphanumeric() && !matches!(c, ' ' | '~' | '\'')) {
        Some("holds something else than words and gaps; hyphens become spaces")
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
            .map(|(value, known)| format!(": \"{value}\" in a sense is none of {known:?}"))
            .collect()
    }

    /// The act its phrases mean.
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
