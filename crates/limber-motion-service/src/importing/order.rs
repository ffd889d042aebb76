//! What the service and a reader say to each other.

use std::{collections::BTreeMap, path::PathBuf};

use limber_formats::humanoid::Overrides;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a reader can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Task {
    /// A stranger's file to our GLB.
    Read,
    /// Our GLB to a picture.
    Draw,
    /// A stranger's picture to one of ours.
    Fit,
}

/// What a reader is to do: one line on its standard input.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) task: Task,
    pub(super) input: PathBuf,
    pub(super) choices: Choices,
    /// Where the converted file goes.
    pub(super) output: PathBuf,
    /// Where the [`Outcome`] goes.
    pub(super) outcome: PathBuf,
    /// Beyond what the program needs to stand there.
    pub(super) memory_mib: u64,
    pub(super) cpu_s: u64,
}

/// What a person decided about bones.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Choices {
    /// About this character; nothing leaves it to what is remembered.
    pub(crate) own: Option<Overrides>,
    /// About characters whose joints are called as [`ReadModel::joints`] says.
    pub(crate) remembered: BTreeMap<String, Overrides>,
}

/// What became of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Read(ReadModel),
    Fitted,
    Refused { code: u16, message: String },
}

/// What is known of a character that was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReadModel {
    /// The naming convention of its skeleton.
    pub(crate) rig_id: String,
    /// What its joints are called, as a hash.
    pub(crate) joints: String,
    /// What a person decided about its bones.
    pub(crate) overrides: Overrides,
    /// 0 none, 1 partial, 2 complete.
    pub(crate) face: u8,
    /// 0 none, 1 partial, 2 complete.
    pub(crate) hand: u8,
    /// For the client and for later.
    pub(crate) report: Value,
}
