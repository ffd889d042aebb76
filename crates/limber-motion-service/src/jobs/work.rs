//! A job of any kind.

use serde_json::Value;

use super::{Edit, JobSpec, RenderSpec, Source};

/// A job of one of the processors.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly all jobs are the large kind")]
pub(crate) enum Work {
    /// A clip and its files.
    Motion(JobSpec),
    /// A video of a clip.
    Render(Box<RenderSpec>),
}

impl Work {
    const MOTION: &'static str = "text2motion";
    const RENDER: &'static str = "render";

    /// Parses the stored form of a processor's job; fails with the message of code 494.
    pub(crate) fn read(processor: &str, stored: Value) -> Result<Self, String> {
        match processor {
            Self::RENDER => RenderSpec::read(stored).map(|spec| Self::Render(Box::new(spec))),
            _ => JobSpec::read(stored).map(Self::Motion),
        }
    }

    pub(crate) fn to_value(&self) -> serde_json::Result<Value> {
        match self {
            Self::Motion(spec) => serde_json::to_value(spec),
            Self::Render(spec) => serde_json::to_value(spec),
        }
    }

    /// Returns the processor's name.
    pub(crate) const fn processor(&self) -> &'static str {
        match self {
            Self::Motion(_) => Self::MOTION,
            Self::Render(_) => Self::RENDER,
        }
    }

    /// Returns the number of results.
    pub(crate) const fn variants(&self) -> u32 {
        match self {
            Self::Motion(spec) => spec.variants,
            Self::Render(_) => 1,
        }
    }

    /// Returns `rid/variant` of the source clips.
    pub(crate) fn sources(&self) -> Vec<String> {
        match self {
            Self::Motion(spec) => {
                spec.edit.iter().flat_map(Edit::sources).map(Source::name).collect()
            }
            Self::Render(spec) => vec![spec.source()],
        }
    }
}
