//! Render jobs as they are stored for workers.

use limber_api::motion::{JobId, VariantId};
use limber_pipeline::video::VideoRequest;
use serde::{Deserialize, Serialize};

use super::JobSpec;

/// A render job, stored as JSON. `schema` changes when older versions cannot process the job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RenderSpec {
    pub(crate) schema: u32,
    /// The job whose clip is rendered.
    pub(crate) rid: JobId,
    pub(crate) variant: VariantId,
    /// Content id of the canonical clip.
    pub(crate) clip: String,
    /// Content id of the clip's GLB; without it, the worker exports one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) glb: Option<String>,
    /// The spec that the clip was made from.
    pub(crate) motion: JobSpec,
    #[serde(rename = "film")]
    pub(crate) video: VideoRequest,
}

impl RenderSpec {
    /// Schema that all versions can process.
    const FIRST_SCHEMA: u32 = 1;
    /// Schema of videos with corrections, which older versions would ignore.
    const CORRECTED_SCHEMA: u32 = 2;

    /// Returns the schema for a video of this motion.
    pub(crate) fn schema_for(motion: &JobSpec) -> u32 {
        if motion.corrections.is_empty() { Self::FIRST_SCHEMA } else { Self::CORRECTED_SCHEMA }
    }

    /// Parses the stored form; fails with the message of code 494.
    pub(crate) fn read(stored: serde_json::Value) -> Result<Self, String> {
        let wrong = || "the stored job cannot be read by this version; submit it again".to_owned();
        let spec: Self = serde_json::from_value(stored).map_err(|_| wrong())?;
        let known = (Self::FIRST_SCHEMA..=Self::CORRECTED_SCHEMA).contains(&spec.schema);
        if known { Ok(spec) } else { Err(wrong()) }
    }

    /// Returns `rid/variant` of the rendered clip.
    pub(crate) fn source(&self) -> String {
        format!("{}/{}", self.rid, self.variant)
    }

    /// Returns the name of the video file.
    pub(crate) fn file_name(&self) -> String {
        let Self { motion, variant, video, .. } = self;
        format!("{}_v{variant}.{}", motion.name, video.container.extension())
    }
}
