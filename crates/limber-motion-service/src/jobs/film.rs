//! What a worker needs to know about a film, as it is stored.

use limber_api::motion::{JobId, VariantId};
use limber_pipeline::film::FilmRequest;
use serde::{Deserialize, Serialize};

use super::JobSpec;

/// A render job. Stored as JSON; `schema` changes when old rows cannot be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FilmSpec {
    pub(crate) schema: u32,
    /// The job whose clip is filmed.
    pub(crate) rid: JobId,
    pub(crate) variant: VariantId,
    /// Content id of its canonical clip.
    pub(crate) clip: String,
    /// Content id of its GLB; one is made where the job left none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) glb: Option<String>,
    /// What made the clip.
    pub(crate) motion: JobSpec,
    pub(crate) film: FilmRequest,
}

impl FilmSpec {
    /// Of films that every version can make.
    const FIRST_SCHEMA: u32 = 1;
    /// Of films of clips that earlier versions would leave uncorrected.
    const CORRECTED_SCHEMA: u32 = 2;

    /// What a film of this motion is stored as.
    pub(crate) fn schema_for(motion: &JobSpec) -> u32 {
        if motion.corrections.is_empty() { Self::FIRST_SCHEMA } else { Self::CORRECTED_SCHEMA }
    }

    /// The stored form, or 494's sentence.
    pub(crate) fn read(stored: serde_json::Value) -> Result<Self, String> {
        let wrong = || "the stored job cannot be read by this version; submit it again".to_owned();
        let spec: Self = serde_json::from_value(stored).map_err(|_| wrong())?;
        let known = (Self::FIRST_SCHEMA..=Self::CORRECTED_SCHEMA).contains(&spec.schema);
        if known { Ok(spec) } else { Err(wrong()) }
    }

    /// `rid/variant` of what is filmed.
    pub(crate) fn source(&self) -> String {
        format!("{}/{}", self.rid, self.variant)
    }

    /// What its file is called.
    pub(crate) fn file_name(&self) -> String {
        let Self { motion, variant, film, .. } = self;
        format!("{}_v{variant}.{}", motion.name, film.container.extension())
    }
}
