//! Jobs that start from earlier ones, as a client thinks of them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{FileKind, FootLocking, JobId, ModelId, ProcessRequest, VariantId};

/// A clip that an edit starts from, or that a film shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The job that made it.
    pub job: JobId,
    /// Which of its results.
    pub variant: VariantId,
    /// Frames to go at the beginning.
    pub trim_left: u32,
    /// Frames to go at the end.
    pub trim_right: u32,
    /// What is changed by hand in the uncut clip, as JSON; `None` leaves it as its own job has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrections: Option<Value>,
}

impl Source {
    /// The whole of it.
    #[must_use]
    pub const fn whole(job: JobId, variant: VariantId) -> Self {
        Self { job, variant, trim_left: 0, trim_right: 0, corrections: None }
    }

    /// The element `corrections=…`.
    pub(super) fn corrections_param(&self) -> Option<String> {
        self.corrections.as_ref().map(|corrections| format!("corrections={corrections}"))
    }

    /// The same inside of an object.
    fn put_corrections(&self, mut object: Value) -> Value {
        if let Some(corrections) = &self.corrections {
            object["corrections"] = corrections.clone();
        }
        object
    }

    /// The value of `editRequest`.
    pub(super) fn trim(&self) -> Value {
        json!({ "numTrimLeft": self.trim_left, "numTrimRight": self.trim_right })
    }
}

/// Frames from `start` up to, but without, `end`; counted in the uncut clip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The first.
    pub start: u32,
    /// The one after the last.
    pub end: u32,
}

/// How fixed components of the root come back to where they began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum RootMode {
    /// The difference between end and beginning is spread.
    #[default]
    Interpolation,
    /// They are pinned to the first frame.
    Locked,
}

/// How a clip goes round.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LoopChange {
    /// What happens on the way back; `None` goes straight there.
    pub prompt: Option<String>,
    /// How often it is played; 0 counts as 1.
    pub repetitions: u32,
    /// Seconds of new frames; `None` leaves it to the service.
    pub blend_s: Option<f32>,
    /// How fixed components come back.
    pub root_mode: RootMode,
    /// Whether the hips' height comes back.
    pub fix_altitude: bool,
    /// Whether the place over the floor comes back.
    pub fix_horizontal: bool,
    /// Whether the heading comes back.
    pub fix_orientation: bool,
    /// Whether fixed components change over the whole clip.
    pub across_all: bool,
}

/// What is changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Change {
    /// Parts are made anew.
    Inpaint {
        /// What the person does there.
        prompt: String,
        /// Which frames.
        spans: Vec<Span>,
    },
    /// Another clip follows.
    Merge {
        /// The clip that follows.
        second: Source,
        /// What happens in between; `None` goes straight over.
        prompt: Option<String>,
        /// Seconds of new frames in between.
        blend_s: f32,
    },
    /// Another clip begins before this one ends.
    Overlap {
        /// The clip that follows.
        second: Source,
        /// How many frames are of both, at 30 a second.
        frames: u32,
    },
    /// It goes round.
    Loop(LoopChange),
    /// The same again, a little different.
    Refine {
        /// What is wanted instead; `None` keeps the source's prompt.
        prompt: Option<String>,
        /// 0 almost the source, 1 free.
        creativity: f32,
    },
    /// Nothing: other files, or another character.
    Rerun,
}

/// How files are made; what is `None` stays as it was with the source.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Finish {
    /// Another character.
    pub model: Option<ModelId>,
    /// Which files.
    pub formats: Option<Vec<FileKind>>,
    /// Frames a second.
    pub fps: Option<u16>,
    /// How feet are held.
    pub foot_locking: Option<FootLocking>,
    /// 0 keeps every detail, 1 smooths most.
    pub filtering: Option<f32>,
    /// Whether penetrations are resolved.
    pub physics: Option<bool>,
    /// Whether a joint at the origin carries the travel.
    pub root_at_origin: Option<bool>,
    /// Whether horizontal travel is taken out.
    pub in_place: Option<bool>,
    /// The program whose rules the files follow: `gltf`, `unity`, `unreal5`, `blender`, `mixamo`,
    /// `vrma`, `bvh`.
    pub preset: Option<String>,
    /// Base name of the files.
    pub name: Option<String>,
}

/// A job that starts from an earlier one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MotionEdit {
    /// What it starts from.
    pub source: Source,
    /// What is changed.
    pub change: Change,
    /// A motion script as JSON, performed in the new frames instead of what the change's prompt means;
    /// not for overlaps and reruns, which make nothing up.
    pub script: Option<Value>,
    /// How many results, 1 to 8; a rerun has one.
    pub variants: u32,
    /// `None` lets the service choose.
    pub seed: Option<u64>,
    /// How files are made.
    pub finish: Finish,
}

impl MotionEdit {
    /// One result, finished as the source was.
    #[must_use]
    pub fn new(source: Source, change: Change) -> Self {
        Self { source, change, script: None, variants: 1, seed: None, finish: Finish::default() }
    }

    /// As the wire wants it.
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
    /// The name of the parameter, and what it holds.
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

/// 0.1 as 0.1, not as the nearest double of its single.
fn shortest(number: f32) -> Value {
    number.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_says_its_unit_and_only_what_changes() {
        let job = JobId::parse("0123456789abcdef").expect("an id");
        let change = Change::Inpaint {
            prompt: "waves \"hi\"".to_owned(),
            spans: vec![Span { start: 10, end: 40 }],
        };
        let mut edit = MotionEdit::new(Source::whole(job.clone(), VariantId::FIRST), change);
        edit.finish.fps = Some(60);
        let params = edit.to_process_request().params;
        assert_eq!(params[0], "t2m_rid=0123456789abcdef");
        let object = params[3].strip_prefix("inPaintingRequest=").expect("the request");
        let object: Value = serde_json::from_str(object).expect("JSON");
        assert_eq!(object["unit"], "frames");
        assert_eq!(object["intervals"], json!([{ "start": 10, "end": 40 }]));
        assert_eq!(params[4..], ["numVariant=1", "fps=60"]);
        edit.script = Some(json!({ "version": 2, "events": [{ "do": "wave" }] }));
        let params = edit.to_process_request().params;
        let script = params[5].strip_prefix("script=").expect("the script");
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
