//! Text-to-motion jobs as they are stored for workers.

use limber_api::motion::{FileKind, FootLocking, ModelId};
use limber_pipeline::{ClipEnds, Script, corrections::Corrections};
use serde::{Deserialize, Serialize};

use super::Edit;

/// A text-to-motion job, stored as JSON. `schema` changes when older versions cannot process the
/// job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct JobSpec {
    pub(crate) schema: u32,
    /// What happens in the clip, or in its new frames.
    pub(crate) prompt: String,
    /// Performed instead of the prompt, which is then only a title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) script: Option<Script>,
    /// How the clip starts and ends, overriding prompt and script.
    #[serde(default, skip_serializing_if = "ClipEnds::is_open")]
    pub(crate) ends: ClipEnds,
    pub(crate) model: ModelId,
    /// Content id of the GLB of an account's own character; `None` for stock characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) character: Option<String>,
    /// Duration in seconds; `None` lets the actions determine it.
    pub(crate) duration_s: Option<f32>,
    pub(crate) variants: u32,
    pub(crate) seed: u64,
    /// Frames per second of the files; the canonical clip has 30.
    pub(crate) fps: u16,
    pub(crate) physics: bool,
    pub(crate) foot_locking: FootLocking,
    /// Strength of the pose filter, 0 to 1.
    pub(crate) filtering: f32,
    pub(crate) root_at_origin: bool,
    pub(crate) in_place: bool,
    /// Whether the job fails if the character's face cannot be animated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) require_face: bool,
    pub(crate) formats: Vec<FileKind>,
    /// Base name of the files.
    pub(crate) name: String,
    /// Name of the program whose joint names and keyframe conventions the files follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) preset: Option<String>,
    /// Manual corrections of the result, in frames of its files. The canonical clip is not changed.
    #[serde(default, skip_serializing_if = "Corrections::is_empty")]
    pub(crate) corrections: Corrections,
    /// Edit of earlier clips; `None` for jobs that generate a clip from the prompt alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) edit: Option<Edit>,
}

impl JobSpec {
    /// Schema that all versions can process.
    pub(crate) const FIRST_SCHEMA: u32 = 1;
    /// Schema of edits, which the first version would run as regular jobs.
    pub(crate) const EDIT_SCHEMA: u32 = 2;
    /// Schema of jobs with a script; older versions would perform the prompt instead.
    const SCRIPT_SCHEMA: u32 = 3;
    /// Schema of jobs with a given start or end; older versions would ignore them.
    const ENDS_SCHEMA: u32 = 4;
    /// Schema of jobs with corrections; older versions would ignore them.
    const CORRECTIONS_SCHEMA: u32 = 5;

    /// Returns the schema for a job with this script and these ends; `without` if it has neither.
    pub(crate) const fn schema_for(without: u32, script: Option<&Script>, ends: ClipEnds) -> u32 {
        if !ends.is_open() {
            Self::ENDS_SCHEMA
        } else if script.is_some() {
            Self::SCRIPT_SCHEMA
        } else {
            without
        }
    }

    /// Returns the job with these corrections.
    pub(crate) fn corrected(self, corrections: Corrections) -> Self {
        let without = if self.edit.is_some() { Self::EDIT_SCHEMA } else { Self::FIRST_SCHEMA };
        let schema = if corrections.is_empty() {
            Self::schema_for(without, self.script.as_ref(), self.ends)
        } else {
            Self::CORRECTIONS_SCHEMA
        };
        Self { schema, corrections, ..self }
    }

    /// Parses the stored form; fails with the message of code 494.
    pub(crate) fn read(stored: serde_json::Value) -> Result<Self, String> {
        let wrong = || "the stored job cannot be read by this version; submit it again".to_owned();
        let spec: Self = serde_json::from_value(stored).map_err(|_| wrong())?;
        let known = (Self::FIRST_SCHEMA..=Self::CORRECTIONS_SCHEMA).contains(&spec.schema);
        if known { Ok(spec) } else { Err(wrong()) }
    }
}
