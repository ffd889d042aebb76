//! Messages between the service and a reader.

use std::{collections::BTreeMap, path::PathBuf};

use limber_formats::humanoid::Overrides;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The tasks of a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Task {
    /// Converts an untrusted file to our GLB.
    Read,
    /// Renders an image of a converted GLB.
    Draw,
    /// Converts an untrusted image to our PNG.
    Fit,
}

/// The order that a reader receives as one line on its standard input.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) task: Task,
    pub(super) input: PathBuf,
    pub(super) bone_overrides: BoneOverrides,
    /// Path that the converted file is written to.
    pub(super) output: PathBuf,
    /// Path that the [`Outcome`] is written to.
    pub(super) outcome: PathBuf,
    /// Memory limit on top of what the program needs to start.
    pub(super) memory_mib: u64,
    pub(super) cpu_s: u64,
}

/// Bones that the user assigned to joints by hand.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct BoneOverrides {
    /// For this character; `None` uses `remembered`.
    pub(crate) own: Option<Overrides>,
    /// For characters with the same joint names, by the hash [`ReadModel::joints`].
    pub(crate) remembered: BTreeMap<String, Overrides>,
}

/// The result of a task.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Read(ReadModel),
    Fitted,
    Refused { code: u16, message: String },
}

/// Properties of a parsed character.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReadModel {
    /// Naming convention of the skeleton; see `rig::slug`.
    pub(crate) rig_id: String,
    /// Hash of the joint names.
    pub(crate) joints: String,
    /// Bones that the user assigned by hand.
    pub(crate) overrides: Overrides,
    /// Face blend shapes: 0 none, 1 partial, 2 complete.
    pub(crate) face: u8,
    /// Finger chains: 0 none, 1 partial, 2 complete.
    pub(crate) hand: u8,
    /// Import report, shown to clients and stored.
    pub(crate) report: Value,
}
