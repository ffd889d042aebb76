//! What a worker needs to know about a job, as it is stored.

use limber_api::motion::{FileKind, FootLocking, ModelId};
use serde::{Deserialize, Serialize};

/// A regular text-to-motion job. Stored as JSON; `schema` changes when old rows cannot be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct JobSpec {
    pub(crate) schema: u32,
    pub(crate) prompt: String,
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
    pub(crate) formats: Vec<FileKind>,
    /// Base name of the files.
    pub(crate) name: String,
}

impl JobSpec {
    pub(crate) const SCHEMA: u32 = 1;

    /// The stored form, or 494's sentence.
    pub(crate) fn read(stored: serde_json::Value) -> Result<Self, String> {
        let wrong = || "the stored job cannot be read by this version; submit it again".to_owned();
        let spec: Self = serde_json::from_value(stored).map_err(|_| wrong())?;
        if spec.schema == Self::SCHEMA { Ok(spec) } else { Err(wrong()) }
    }
}
