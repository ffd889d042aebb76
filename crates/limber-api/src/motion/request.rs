//! What clients ask for.

use std::collections::BTreeMap;

use limber_script::ClipEnds;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ModelId;

/// The body of `POST /job/v1/process/{processor}`: elements of the form `name=value`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProcessRequest {
    /// At most 64, each at most 16 KiB; one that holds a motion script 64 KiB more.
    pub params: Vec<String>,
}

/// The body of `POST /character/v1/storeModel`. One of `model_url` and `model_id` is needed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StoreModelRequest {
    /// Signed address to which a model was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_url: Option<String>,
    /// Signed address to which a picture was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumb_url: Option<String>,
    /// Shown to people; as the file was named when it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_name: Option<String>,
    /// The character to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_id: Option<ModelId>,
    /// 1: the service draws the picture.
    #[serde(default)]
    pub create_thumb: u8,
    /// 1: a character is refused that lacks half of ARKit's shapes of a face.
    #[serde(default)]
    pub require_face: u8,
    /// Human bones, named as in VRM 1.0, and the joints that a person chose for them; null where there
    /// is none. With `model_id` alone the character is mapped anew; else they are used when the file is
    /// read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overrides: Option<BTreeMap<String, Option<String>>>,
}

/// A kind of file that a job leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileKind {
    /// Skeleton animation.
    Bvh,
    /// A ZIP holding an `.fbx`.
    Fbx,
    /// Mesh, skin and one animation.
    Glb,
    /// A VRM animation.
    Vrma,
    /// A moving picture: frames side by side in rows, for cards.
    Png,
    /// Measurements and contacts.
    Json,
}

impl FileKind {
    /// The word on the wire.
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

/// How feet are held to the floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FootLocking {
    /// Switches between locking and gliding.
    #[default]
    Auto,
    /// Every contact is locked.
    Always,
    /// Neither locks nor floor: flying, swimming.
    Never,
    /// On the floor but never locked: shuffles, sprints.
    Grounding,
}

impl FootLocking {
    /// The word on the wire.
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

/// A regular text-to-motion job, as a client thinks of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextToMotion {
    /// What the person does; with a script the name of the clip, and may be empty.
    pub prompt: String,
    /// A motion script as JSON, performed instead of what the prompt means.
    pub script: Option<Value>,
    /// How the clip begins and ends, whatever prompt or script say of it.
    pub ends: ClipEnds,
    /// On which character.
    pub model: ModelId,
    /// Length of the clip; `None` lets the service decide.
    pub duration_s: Option<f32>,
    /// How many results, 1 to 8.
    pub variants: u32,
    /// Same seed, same motion; `None` lets the service choose.
    pub seed: Option<u64>,
    /// Which files; empty means all there are.
    pub formats: Vec<FileKind>,
    /// How feet are held.
    pub foot_locking: FootLocking,
    /// 0 keeps every detail, 1 smooths most.
    pub filtering: f32,
    /// Whether penetrations are resolved.
    pub physics: bool,
    /// Whether horizontal travel is taken out.
    pub in_place: bool,
    /// Base name of the files; `None` takes the first words of the prompt.
    pub name: Option<String>,
}

impl TextToMotion {
    /// One variant with everything at its usual setting.
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

    /// As the wire wants it. Texts travel as JSON strings, which survives every character.
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
    fn a_prompt_travels_as_a_json_string() {
        let model = ModelId::parse("default").expect("letters");
        let request = TextToMotion::new("says \"hi\"\n= done", model).to_process_request();
        assert_eq!(request.params[0], r#"prompt="says \"hi\"\n= done""#);
        assert_eq!(request.params[1], "model=default");
    }

    #[test]
    fn ends_travel_as_words_where_they_are_asked_for() {
        let model = ModelId::parse("default").expect("letters");
        let plain = TextToMotion::new("walks", model);
        let ends =
            ClipEnds { start: Some(Start::Action), end: Some(End::Hold), is_loop: Some(true) };
        let asked = TextToMotion { ends, ..plain.clone() }.to_process_request().params;
        let plain = plain.to_process_request().params;
        assert_eq!(asked[plain.len()..], ["start=action", "end=hold", "loop=true"]);
    }

    #[test]
    fn a_script_travels_as_json() {
        let model = ModelId::parse("default").expect("letters");
        let script = serde_json::json!({ "version": 2, "events": [{ "do": "walk" }] });
        let request = TextToMotion { script: Some(script), ..TextToMotion::new("", model) };
        let params = request.to_process_request().params;
        assert_eq!(params[0], "prompt=\"\"");
        let last = params.last().and_then(|param| param.strip_prefix("script="));
        let said: Value = serde_json::from_str(last.expect("the script")).expect("JSON");
        assert_eq!(Some(said), request.script);
    }
}
