//! What a worker needs to know about a job, as it is stored.

use limber_api::motion::{FileKind, FootLocking, ModelId};
use limber_pipeline::{ClipEnds, Script, corrections::Corrections};
use serde::{Deserialize, Serialize};

use super::Edit;

/// A text-to-motion job. Stored as JSON; `schema` changes when old rows cannot be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct JobSpec {
    pub(crate) schema: u32,
    /// What happens in the clip, or in the new part of it.
    pub(crate) prompt: String,
    /// Performed instead of what the prompt means, which is then no more than a name for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) script: Option<Script>,
    /// How the clip begins and ends, whatever prompt or script say of it.
    #[serde(default, skip_serializing_if = "ClipEnds::is_open")]
    pub(crate) ends: ClipEnds,
    pub(crate) model: ModelId,
    /// Content id of the GLB of an account's own character; stock has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) character: Option<String>,
    /// `None`: the actions decide.
    pub(crate) duration_s: Option<f32>,
    pub(crate) variants: u32,
    pub(crate) seed: u64,
    /// Frames per second of the files; the canonical clip has 30.
    pub(crate) fps: u16,
    pub(crate) physics: bool,
    pub(crate) foot_locking: FootLocking,
    /// 0 to 1.
    pub(crate) filtering: f32,
    pub(crate) root_at_origin: bool,
    pub(crate) in_place: bool,
    /// Whether the job is to fail where no face can be moved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) require_face: bool,
    pub(crate) formats: Vec<FileKind>,
    /// Base name of the files.
    pub(crate) name: String,
    /// The word of the program whose joint names and keys the files have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) preset: Option<String>,
    /// What is changed by hand in the result, in frames of its files. The canonical clip stays as it was
    /// made.
    #[serde(default, skip_serializing_if = "Corrections::is_empty")]
    pub(crate) corrections: Corrections,
    /// What is changed about earlier clips; a regular job makes its clip from the prompt alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) edit: Option<Edit>,
}

impl JobSpec {
    /// Of jobs that every version can do.
    pub(crate) const FIRST_SCHEMA: u32 = 1;
    /// Of jobs that the first version would take for regular ones.
    pub(crate) const EDIT_SCHEMA: u32 = 2;
    /// Of jobs whose prompt earlier versions would take for what is to be done.
    const SCRIPT_SCHEMA: u32 = 3;
    /// Of jobs whose beginning and end earlier versions would leave to prompt or script.
    const ENDS_SCHEMA: u32 = 4;
    /// Of jobs that earlier versions would leave uncorrected.
    const CORRECTIONS_SCHEMA: u32 = 5;

    /// What a job has that is of this schema where neither script nor ends are asked for.
    pub(crate) const fn schema_for(without: u32, script: Option<&Script>, ends: ClipEnds) -> u32 {
        if !ends.is_open() {
            Self::ENDS_SCHEMA
        } else if script.is_some() {
            Self::SCRIPT_SCHEMA
        } else {
            without
        }
    }

    /// The same job with these corrections.
    pub(crate) fn corrected(self, corrections: Corrections) -> Self {
        let without = if self.edit.is_some() { Self::EDIT_SCHEMA } else { Self::FIRST_SCHEMA };
        let schema = if corrections.is_empty() {
            Self::schema_for(without, self.script.as_ref(), self.ends)
        } else {
            Self::CORRECTIONS_SCHEMA
        };
        Self { schema, corrections, ..self }
    }

    /// The stored form, or 494's sentence.
    pub(crate) fn read(stored: serde_json::Value) -> Result<Self, String> {
        let wrong = || "the stored job cannot be read by this version; submit it again".to_owned();
        let spec: Self = serde_json::from_value(stored).map_err(|_| wrong())?;
        let known = (Self::FIRST_SCHEMA..=Self::CORRECTIONS_SCHEMA).contains(&spec.schema);
        if known { Ok(spec) } else { Err(wrong()) }
    }
}
