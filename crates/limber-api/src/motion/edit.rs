//! Edits of earlier jobs, from a client's point of view.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{FileKind, FootLocking, JobId, ModelId, ProcessRequest, VariantId};

/// A clip that an edit starts from, or that a video shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The job that made the clip.
    pub job: JobId,
    /// Variant of the job.
    pub variant: VariantId,
    /// Frames to cut off at the beginning.
    pub trim_left: u32,
    /// Frames to cut off at the end.
    pub trim_right: u32,
    /// Manual corrections of the untrimmed clip, as JSON; `None` keeps those of its job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrections: Option<Value>,
}

impl Source {
    /// Returns the untrimmed clip.
    #[must_use]
    pub const fn whole(job: JobId, variant: VariantId) -> Self {
        Self { job, variant, trim_left: 0, trim_right: 0, corrections: None }
    }

    /// Returns the element `corrections=…`.
    pub(super) fn corrections_param(&self) -> Option<String> {
        self.corrections.as_ref().map(|corrections| format!("corrections={corrections}"))
    }

    /// Adds the corrections to a request object.
    fn put_corrections(&self, mut object: Value) -> Value {
        if let Some(corrections) = &self.corrections {
            object["corrections"] = corrections.clone();
        }
        object
    }

    /// Returns the value of `editRequest`.
    pub(super) fn trim(&self) -> Value {
        json!({ "numTrimLeft": self.trim_left, "numTrimRight": self.trim_right })
    }
}

/// Frames from `start` up to, but not including, `end`, counted in the untrimmed clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First frame.
    pub start: u32,
    /// Frame after the last one.
    pub end: u32,
}

/// How fixed components of the root return to their initial values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum RootMode {
    /// The difference between end and beginning is distributed over frames.
    #[default]
    Interpolation,
    /// The components are pinned to the first frame.
    Locked,
}

/// How a clip is made to loop.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LoopChange {
    /// What happens in the transition; `None` returns directly.
    pub prompt: Option<String>,
    /// How often the clip is repeated; 0 counts as 1.
    pub repetitions: u32,
    /// Duration of the transition in seconds; `None` lets the service choose.
    pub blend_s: Option<f32>,
    /// How fixed components return to their initial values.
    pub root_mode: RootMode,
    /// Whether the height of the hips returns to its initial value.
    pub fix_altitude: bool,
    /// Whether the horizontal position returns to its initial value.
    pub fix_horizontal: bool,
    /// Whether the heading returns to its initial value.
    pub fix_orientation: bool,
    /// Whether fixed components are adjusted over the whole clip.
    pub across_all: bool,
}

/// The change that an edit makes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Change {
    /// Regenerates parts of the clip.
    Inpaint {
        /// What the character does there.
        prompt: String,
        /// The frames to regenerate.
        spans: Vec<Span>,
    },
    /// Appends another clip.
    Merge {
        /// The clip to append.
        second: Source,
        /// What happens in the transition; `None` blends directly.
        prompt: Option<String>,
        /// Duration of the transition in seconds.
        blend_s: f32,
    },
    /// Crossfades into another clip.
    Overlap {
        /// The clip to append.
        second: Source,
        /// Number of frames that both clips share, at 30 fps.
        frames: u32,
    },
    /// Makes the clip loop.
    Loop(LoopChange),
    /// Generates a variation of the clip.
    Refine {
        /// A new prompt; `None` keeps that of the source.
        prompt: Option<String>,
        /// From 0, almost like the source, to 1, free.
        creativity: f32,
    },
    /// Changes nothing: exports other files, or for another character.
    Rerun,
}

/// Post-processing and export; `None` keeps the value of the source.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Finish {
    /// The character.
    pub model: Option<ModelId>,
    /// The file formats.
    pub formats: Option<Vec<FileKind>>,
    /// Frames per second.
    pub fps: Option<u16>,
    /// How feet are locked.
    pub foot_locking: Option<FootLocking>,
    /// Strength of the pose filter: 0 keeps every detail, 1 smooths most.
    pub filtering: Option<f32>,
    /// Whether penetrations are resolved.
    pub physics: Option<bool>,
    /// Whether a root joint at the origin carries the locomotion.
    pub root_at_origin: Option<bool>,
    /// Whether horizontal root motion is removed.
    pub in_place: Option<bool>,
    /// The program whose conventions the files follow: `gltf`, `unity`, `unreal5`, `blender`,
    /// `mixamo`, `vrma`, `bvh`.
    pub preset: Option<String>,
    /// Base name of the files.
    pub name: Option<String>,
}

/// A job that edits a clip of an earlier one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MotionEdit {
    /// The clip to edit.
    pub source: Source,
    /// The change to make.
    pub change: Change,
    /// A motion script as JSON, performed in the new frames instead of the change's prompt; not for
    /// overlaps and reruns, which have no generated frames.
    pub script: Option<Value>,
    /// Number of variants, 1 to 8; a rerun has one.
    pub variants: u32,
    /// Random seed; `None` lets the service choose.
    pub seed: Option<u64>,
    /// Post-processing and export.
    pub finish: Finish,
}

impl MotionEdit {
    /// Returns an edit with one variant, exported like the source.
    #[must_use]
    pub fn new(source: Source, change: Change) -> Self {
        Self { source, change, script: None, variants: 1, seed: None, finish: Finish::default() }
    }

    /// Converts the edit to a request body.
    #[must_use]
    pub fn to_process_request(&self) -> ProcessRequest {
        let (name, object) = self.change.to_object();
        let mut params = vec![
            format!("t2m_rid={}", self.source.job),
            format!("variant_id={}", self.source.variant),
            format!("editRequest={}", self.source.trim()),
            format!("{name}={object}"),
            format!("numVariant={}", self.variants),
        ];
        params.extend(self.source.corrections_param());
        params.extend(self.script.as_ref().map(|script| format!("script={script}")));
        params.extend(self.seed.map(|seed| format!("seed={seed}")));
        params.extend(self.finish.to_params());
        ProcessRequest { params }
    }
}

impl Change {
    /// Returns the name of the parameter, and its value.
    fn to_object(&self) -> (&'static str, Value) {
        match self {
            Self::Inpaint { prompt, spans } => (
                "inPaintingRequest",
                json!({ "prompt": prompt, "unit": "frames", "intervals": spans }),
            ),
            Self::Merge { second, prompt, blend_s } => (
                "mergingRequest",
                second.put_corrections(json!({
                    "t2m_rid": second.job,
                    "variant_id": second.variant,
                    "editRequest": second.trim(),
                    "prompt": prompt.as_deref().unwrap_or_default(),
                    "blendDuration": shortest(*blend_s),
                })),
            ),
            Self::Overlap { second, frames } => (
                "mergingRequest",
                second.put_corrections(json!({
                    "t2m_rid": second.job,
                    "variant_id": second.variant,
                    "editRequest": second.trim(),
                    "overlapFrames": frames,
                })),
            ),
            Self::Loop(round) => ("loopRequest", round.to_object()),
            Self::Refine { prompt, creativity } => (
                "refineRequest",
                json!({
                    "prompt": prompt.as_deref().unwrap_or_default(),
                    "creativity": shortest(*creativity),
                }),
            ),
            Self::Rerun => ("rerunRequest", json!({ "rerun": 1 })),
        }
    }
}

impl LoopChange {
    fn to_object(&self) -> Value {
        let mut object = Map::from_iter([
            ("numReps".to_owned(), self.repetitions.max(1).into()),
            ("fixRootMode".to_owned(), json!(self.root_mode)),
            ("fixRootPositionAltitude".to_owned(), u8::from(self.fix_altitude).into()),
            ("fixRootPositionHorizontal".to_owned(), u8::from(self.fix_horizontal).into()),
            ("fixRootOrientation".to_owned(), u8::from(self.fix_orientation).into()),
            ("fixAcrossEntireMotion".to_owned(), u8::from(self.across_all).into()),
        ]);
        if let Some(prompt) = &self.prompt {
            object.insert("prompt".to_owned(), prompt.as_str().into());
        }
        if let Some(blend_s) = self.blend_s {
            object.insert("blendDuration".to_owned(), shortest(blend_s));
        }
        Value::Object(object)
    }
}

impl Finish {
    fn to_params(&self) -> Vec<String> {
        let text = |text: &str| Value::from(text).to_string();
        let said = [
            self.model.as_ref().map(|model| format!("model={model}")),
            self.formats.as_ref().filter(|formats| !formats.is_empty()).map(|formats| {
                let words: Vec<&str> = formats.iter().map(|kind| kind.as_str()).collect();
                format!("formats={}", words.join(","))
            }),
            self.fps.map(|fps| format!("fps={fps}")),
            self.foot_locking.map(|mode| format!("footLockingMode={}", mode.as_str())),
            self.filtering.map(|strength| format!("poseFilteringStrength={strength}")),
            self.physics.map(|on| format!("dis={}", if on { "on" } else { "s" })),
            self.root_at_origin.map(|on| format!("rootAtOrigin={}", u8::from(on))),
            self.in_place.map(|on| format!("inPlace={}", u8::from(on))),
            self.preset.as_ref().map(|preset| format!("preset={preset}")),
            self.name.as_ref().map(|name| format!("name={}", text(name))),
        ];
        said.into_iter().flatten().collect()
    }
}

/// Converts a number without the extra digits of the `f32` (0.1, not 0.10000000149011612).
fn shortest(number: f32) -> Value {
    number.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_contain_the_unit_and_only_changed_values() {
        let job = JobId::parse("0123456789abcdef").expect("the job id is valid");
        let change = Change::Inpaint {
            prompt: "waves \"hi\"".to_owned(),
            spans: vec![Span { start: 10, end: 40 }],
        };
        let mut edit = MotionEdit::new(Source::whole(job.clone(), VariantId::FIRST), change);
        edit.finish.fps = Some(60);
        let params = edit.to_process_request().params;
        assert_eq!(params[0], "t2m_rid=0123456789abcdef");
        let object =
            params[3].strip_prefix("inPaintingRequest=").expect("the parameter is the request");
        let object: Value = serde_json::from_str(object).expect("the text is valid JSON");
        assert_eq!(object["unit"], "frames");
        assert_eq!(object["intervals"], json!([{ "start": 10, "end": 40 }]));
        assert_eq!(params[4..], ["numVariant=1", "fps=60"]);
        edit.script = Some(json!({ "version": 2, "events": [{ "do": "wave" }] }));
        let params = edit.to_process_request().params;
        let script = params[5].strip_prefix("script=").expect("the parameter is the script");
        assert_eq!(serde_json::from_str::<Value>(script).ok(), edit.script);
        edit.source.corrections = Some(json!({ "layers": [] }));
        let params = edit.to_process_request().params;
        assert!(params.contains(&"corrections={\"layers\":[]}".to_owned()), "{params:?}");
        let merge = Change::Merge {
            second: Source::whole(job, VariantId::FIRST),
            prompt: None,
            blend_s: 0.1,
        };
        assert_eq!(merge.to_object().1["blendDuration"], json!(0.1));
    }
}
