//! The shapes of the files in `assets/lexicon`.

use std::collections::{BTreeMap, HashMap};

use limber_animation::Side;
use serde::Deserialize;

use crate::{Act, Action, Amount, Body, Direction, Manner, Path, SideChoice, Tempo};

/// What a bare "left" means for an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in crate::language) enum Lateral {
    Side,
    Direction,
}

/// One action's row.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::language) struct Entry {
    pub(in crate::language) action: Action,
    pub(super) body: Body,
    pub(in crate::language) lateral: Lateral,
    pub(in crate::language) nearest: Vec<Action>,
    pub(super) phrases: Vec<String>,
    #[serde(default)]
    pub(super) sense: Vec<Sense>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sense {
    pub(super) phrases: Vec<String>,
    pub(super) tempo: Option<f32>,
    pub(super) manner: Option<Manner>,
    pub(super) direction: Option<String>,
    pub(super) side: Option<String>,
    pub(super) angle_deg: Option<f32>,
    pub(super) count: Option<u32>,
    pub(super) path: Option<String>,
    pub(super) steps: Option<u32>,
}

#[derive(Deserialize)]
pub(super) struct ActionsFile {
    pub(super) action: Vec<Entry>,
}

#[derive(Deserialize)]
pub(super) struct MannersFile {
    pub(super) tempo: Vec<TempoRow>,
    pub(super) degree: Vec<DegreeRow>,
    pub(super) manner: Vec<MannerRow>,
}

#[derive(Deserialize)]
pub(super) struct TempoRow {
    pub(super) words: Vec<String>,
    pub(super) factor: f32,
}

#[derive(Deserialize)]
pub(super) struct DegreeRow {
    pub(super) words: Vec<String>,
    pub(super) power: f32,
}

#[derive(Deserialize)]
pub(super) struct MannerRow {
    pub(super) words: Vec<String>,
    pub(super) manner: Manner,
    pub(super) tempo: f32,
}

#[derive(Deserialize)]
pub(super) struct NeighboursFile {
    pub(super) neighbour: Vec<NeighbourRow>,
}

#[derive(Deserialize)]
pub(super) struct NeighbourRow {
    pub(super) words: Vec<String>,
    pub(super) nearest: Vec<Action>,
}

pub(super) type Lists = BTreeMap<String, Vec<String>>;

#[derive(Deserialize)]
pub(super) struct GrammarFile {
    pub(super) joins: Lists,
    pub(super) together: Lists,
    pub(super) directions: Lists,
    pub(super) paths: Lists,
    pub(super) sides: Lists,
    pub(super) counts: Lists,
    pub(super) numbers: HashMap<String, f32>,
    pub(super) units: BTreeMap<String, HashMap<String, f32>>,
    pub(super) words: Lists,
    pub(super) irregular: HashMap<String, String>,
}

impl Sense {
    pub(super) fn act(&self, action: Action) -> Act {
        let mut act = Act::new(action);
        act.tempo = Tempo(self.tempo.unwrap_or(1.0));
        act.manners.extend(self.manner);
        act.angle_rad = self.angle_deg.map(f32::to_radians);
        act.count = self.count;
        act.amount = self.steps.map(Amount::Steps);
        act.side = self.side.as_deref().map(|side| match side {
            "left" => SideChoice::Left,
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
pub(super) fn direction(name: &str) -> Option<Direction> {
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
