//! Requests to the motion service.

use std::collections::BTreeMap;

use limber_script::ClipEnds;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ModelId;

/// The body of `POST /job/v1/process/{processor}`: elements of the form `name=value`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProcessRequest {
    /// At most 64 elements of at most 16 KiB each; 64 KiB more for one that contains a motion
    /// script.
    pub params: Vec<String>,
}

/// The body of `POST /character/v1/storeModel`. Either `model_url` or `model_id` is required.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StoreModelRequest {
    /// Signed URL that a model was uploaded to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_url: Option<String>,
    /// Signed URL that a thumbnail was uploaded to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumb_url: Option<String>,
    /// Display name; default is the name of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_name: Option<String>,
    /// The character to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_id: Option<ModelId>,
    /// 1: the service renders a portrait.
    #[serde(default)]
    pub create_thumb: u8,
    /// 1: rejects a character that lacks half of ARKit's face blend shapes.
    #[serde(default)]
    pub require_face: u8,
    /// Human bones, named as in VRM 1.0, and the joints that the user assigned to them; null for
    /// none. With `model_id` alone, the stored character is mapped again; otherwise, this is used
    /// when the file is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overrides: Option<BTreeMap<String, Option<String>>>,
}

/// A kind of file that a job can export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// Skeleton animation.
    Bvh,
    /// A ZIP with an `.fbx`.
    Fbx,
    /// Mesh, skin and one animation.
    Glb,
    /// A VRM animation.
    Vrma,
    /// An animated preview for cards: frames tiled in rows.
    Png,
    /// Metrics and foot contacts.
    Json,
}

impl FileKind {
    /// Returns the wire value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bvh => "bvh",
            Self::Fbx => "fbx",
            Self::Glb => "glb",
            Self::Vrma => "vrma",
            Self::Png => "png",
            Self::Json => "json",
        }
    }
}

/// How feet are locked to the floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FootLocking {
    /// Switches between locking and gliding automatically.
    #[default]
    Auto,
    /// Locks every contact.
    Always,
    /// Neither locking nor floor contact: flying, swimming.
    Never,
    /// Floor contact without locking: shuffles, sprints.
    Grounding,
}

impl FootLocking {
    /// Returns the wire value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
            Self::Grounding => "grounding",
        }
    }
}

/// A regular text-to-motion job, from a client's point of view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextToMotion {
    /// What the character does. With a script, only the title of the clip, and may be empty.
    pub prompt: String,
    /// A motion script as JSON, performed instead of the prompt.
    pub script: Option<Value>,
    /// How the clip starts and ends, overriding prompt and script.
    pub ends: ClipEnds,
    /// The character.
    pub model: ModelId,
    /// Duration of the clip in seconds; `None` lets the service choose.
    pub duration_s: Option<f32>,
    /// Number of variants, 1 to 8.
    pub variants: u32,
    /// Random seed: the same seed gives the same motion; `None` lets the service choose.
    pub seed: Option<u64>,
    /// File formats; empty selects all.
    pub formats: Vec<FileKind>,
    /// How feet are locked.
    pub foot_locking: FootLocking,
    /// Strength of the pose filter: 0 keeps every detail, 1 smooths most.
    pub filtering: f32,
    /// Whether penetrations are resolved.
    pub physics: bool,
    /// Whether horizontal root motion is removed.
    pub in_place: bool,
    /// Base name of the files; `None` takes the first words of the prompt.
    pub name: Option<String>,
}

impl TextToMotion {
    /// Returns a job with one variant and default settings.
    #[must_use]
    pub fn new(prompt: impl Into<String>, model: ModelId) -> Self {
        Self {
            prompt: prompt.into(),
            script: None,
            ends: ClipEnds::default(),
            model,
            duration_s: None,
            variants: 1,
            seed: None,
            formats: Vec::new(),
            foot_locking: FootLocking::Auto,
            filtering: 0.0,
            physics: true,
            in_place: false,
            name: None,
        }
    }

    /// Converts the job to a request body. Text is sent as JSON strings, which preserve every
    /// character.
    #[must_use]
    pub fn to_process_request(&self) -> ProcessRequest {
        let text = |text: &str| Value::from(text).to_string();
        let mut params = vec![
            format!("prompt={}", text(&self.prompt)),
            format!("model={}", self.model),
            format!("numVariant={}", self.variants),
            format!("footLockingMode={}", self.foot_locking.as_str()),
            format!("poseFilteringStrength={}", self.filtering),
            format!("inPlace={}", u8::from(self.in_place)),
        ];
        if let Some(duration_s) = self.duration_s {
            params.push(format!("requestedAnimationDuration={duration_s}"));
        }
        if let Some(seed) = self.seed {
            params.push(format!("seed={seed}"));
        }
        if !self.formats.is_empty() {
            let words: Vec<&str> = self.formats.iter().map(|kind| kind.as_str()).collect();
            params.push(format!("formats={}", words.join(",")));
        }
        if !self.physics {
            params.push("dis=s".to_owned());
        }
        if let Some(name) = &self.name {
            params.push(format!("name={}", text(name)));
        }
        let ClipEnds { start, end, is_loop } = self.ends;
        params.extend(start.map(|start| format!("start={}", start.name())));
        params.extend(end.map(|end| format!("end={}", end.name())));
        params.extend(is_loop.map(|is_loop| format!("loop={is_loop}")));
        params.extend(self.script.as_ref().map(|script| format!("script={script}")));
        ProcessRequest { params }
    }
}

#[cfg(test)]
mod tests {
    use limber_script::{End, Start};

    use super::*;

    #[test]
    fn prompts_are_sent_as_json_strings() {
        let model = ModelId::parse("default").expect("the model id is valid");
        let request = TextToMotion::new("says \"hi\"\n= done", model).to_process_request();
        assert_eq!(request.params[0], r#"prompt="says \"hi\"\n= done""#);
        assert_eq!(request.params[1], "model=default");
    }

    #[test]
    fn requested_ends_are_sent_as_words() {
        let model = ModelId::parse("default").expect("the model id is valid");
        let plain = TextToMotion::new("walks", model);
        let ends =
            ClipEnds { start: Some(Start::Action), end: Some(End::Hold), is_loop: Some(true) };
        let asked = TextToMotion { ends, ..plain.clone() }.to_process_request().params;
        let plain = plain.to_process_request().params;
        assert_eq!(asked[plain.len()..], ["start=action", "end=hold", "loop=true"]);
    }

    #[test]
    fn scripts_are_sent_as_json() {
        let model = ModelId::parse("default").expect("the model id is valid");
        let script = serde_json::json!({ "version": 2, "events": [{ "do": "walk" }] });
        let request = TextToMotion { script: Some(script), ..TextToMotion::new("", model) };
        let params = request.to_process_request().params;
        assert_eq!(params[0], "prompt=\"\"");
        let last = params.last().and_then(|param| param.strip_prefix("script="));
        let sent: Value = serde_json::from_str(last.expect("the parameter is the script"))
            .expect("the text is valid JSON");
        assert_eq!(Some(sent), request.script);
    }
}
