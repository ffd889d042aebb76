//! The formats of the files in `assets/lexicon`, except for the actions.

use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use crate::Manner;

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
    #[serde(default)]
    pub(super) words: Vec<String>,
    pub(super) manner: Manner,
    #[serde(default = "unchanged")]
    pub(super) tempo: f32,
}

const fn unchanged() -> f32 {
    1.0
}

#[derive(Deserialize)]
pub(super) struct NeighboursFile {
    pub(super) neighbour: Vec<NeighbourRow>,
}

#[derive(Deserialize)]
pub(super) struct NeighbourRow {
    pub(super) words: Vec<String>,
    pub(super) nearest: Vec<String>,
}

/// A file of actions that are understood but cannot be performed yet. Names and descriptions are
/// only for the authors of the data.
#[derive(Deserialize)]
pub(super) struct SensesFile {
    pub(super) senses: Vec<SenseRow>,
}

#[derive(Deserialize)]
pub(super) struct SenseRow {
    pub(super) phrases: Vec<String>,
    pub(super) nearest: String,
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
