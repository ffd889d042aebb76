//! The service's one door to the pipeline: prompts, clips and files, without jobs or HTTP.

mod edit;

use std::sync::Arc;

use limber_animation::{Character, Fps};
use limber_api::motion::{FileKind, FootLocking, ModelId, VariantMetrics};
use limber_pipeline::{
    self as pipeline, Cancel, CanonicalClip, Composer, EngineError, FootLockingMode, LeftOut,
    MotionEngine, MotionScript, Options, Output, PipelineError, Preset, Progress, Prompt, Request,
    Script, Seed, StageFailure, stock,
};

use crate::jobs::JobSpec;

/// For so many words at most it is looked what comes near.
const MOST_WORDS: usize = 5;

/// Why a prompt or a script cannot become a motion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotUnderstood {
    pub(crate) code: u16,
    pub(crate) message: String,
    /// The words the engine does not know.
    pub(crate) words: Vec<String>,
    /// Actions it knows, nearest first.
    pub(crate) nearest: Vec<String>,
}

/// How the engine reads a prompt or a script.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    /// In the text form of scripts.
    pub(crate) script: String,
    /// The same to be handed in again; `None` where it is more than a script holds.
    pub(crate) motion_script: Option<Script>,
    /// What would be done.
    pub(crate) steps: MotionScript,
    /// What a script says and would not be done.
    pub(crate) left_out: Vec<LeftOut>,
    /// Sentences about what would be passed over.
    pub(crate) warnings: Vec<String>,
    /// The words that would be passed over.
    pub(crate) skipped: Vec<String>,
    /// Actions near those words.
    pub(crate) nearest: Vec<String>,
}

/// The pipeline with its engine.
#[derive(Clone)]
pub(crate) struct Road {
    engine: Arc<dyn MotionEngine>,
}

impl std::fmt::Debug for Road {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Road({})", self.engine.describe().name)
    }
}

impl Road {
    /// With the engine that comes with Limber.
    pub(crate) fn with_composer() -> Self {
        Self::with(Arc::new(Composer))
    }

    pub(crate) fn with(engine: Arc<dyn MotionEngine>) -> Self {
        Self { engine }
    }

    /// What would be done; milliseconds.
    pub(crate) fn understand(&self, prompt: &str) -> Result<Reading, NotUnderstood> {
        let refuse =
            |message: String, words, nearest| NotUnderstood { code: 502, message, words, nearest };
        let prompt =
            Prompt::parse(prompt).map_err(|error| refuse(error.to_string(), vec![], vec![]))?;
        match self.engine.understand(&prompt) {
            Ok((steps, warnings)) => {
                let skipped: Vec<String> = warnings.iter().filter_map(|w| unknown_in(w)).collect();
                let nearest = self.near(&skipped);
                Ok(Reading {
                    script: steps.to_string(),
                    motion_script: pipeline::script_of(&steps).ok(),
                    steps,
                    left_out: Vec::new(),
                    warnings,
                    skipped,
                    nearest,
                })
            }
            Err(EngineError::UnknownAction { message, words, nearest }) => {
                Err(refuse(message, words, nearest))
            }
            Err(other) => Err(refuse(other.to_string(), vec![], vec![])),
        }
    }

    /// What of a script would be done; milliseconds.
    pub(crate) fn understand_script(&self, script: &Script) -> Result<Reading, NotUnderstood> {
        match self.engine.understand_script(script) {
            Ok((steps, left_out)) => {
                let skipped: Vec<String> =
                    left_out.iter().filter_map(|left| deed_in(script, left)).collect();
                let nearest = self.near(&skipped);
                let warnings = left_out.iter().map(|left| left.told(script)).collect();
                let (motion_script, script) = (Some(script.clone()), script.to_string());
                Ok(Reading { script, motion_script, steps, left_out, warnings, skipped, nearest })
            }
            Err(EngineError::UnknownAction { message, words, .. }) => {
                let nearest = self.near(&words);
                let message = if nearest.is_empty() {
                    message
                } else {
                    format!("{message} It can do: {}.", nearest.join(", "))
                };
                Err(NotUnderstood { code: 502, message, words, nearest })
            }
            Err(other) => {
                let (words, nearest) = (Vec::new(), Vec::new());
                Err(NotUnderstood { code: 502, message: other.to_string(), words, nearest })
            }
        }
    }

    /// A sentence where so many seconds hold no more than the beginning of what is read.
    pub(crate) fn only_beginning(
        &self,
        reading: &Reading,
        duration_s: f32,
        seed: u64,
    ) -> Option<String> {
        let only = self.engine.only_beginning(&reading.steps, duration_s, Seed(seed))?;
        Some(only.to_string())
    }

    /// What the engine offers in the place of words it does not know.
    fn near(&self, words: &[String]) -> Vec<String> {
        let mut offers: Vec<String> = Vec::new();
        for word in words.iter().take(MOST_WORDS).filter_map(|word| Prompt::parse(word).ok()) {
            if let Err(EngineError::UnknownAction { nearest, .. }) = self.engine.understand(&word) {
                offers.extend(
                    nearest.into_iter().filter(|offer| !offers.contains(offer)).collect::<Vec<_>>(),
                );
            }
        }
        offers
    }

    /// The canonical clip of one variant. `sources` are the clips that an edit starts from.
    pub(crate) fn make(
        &self,
        spec: &JobSpec,
        sources: &[CanonicalClip],
        variant: u32,
        cancel: &Cancel,
        report: &mut dyn FnMut(Progress),
    ) -> Result<CanonicalClip, PipelineError> {
        if let Some(edit) = &spec.edit {
            return self.edit(spec, edit, sources, variant, cancel, report);
        }
        let prompt = prompt(&spec.prompt)?;
        let request = Request {
            script: spec.script.clone(),
            duration_s: spec.duration_s,
            variant,
            options: options(spec),
            ..Request::new(prompt, Seed(spec.seed))
        };
        pipeline::make(&request, self.engine.as_ref(), cancel, report)
    }

    /// Every file of one variant, from its canonical clip.
    pub(crate) fn derive(
        spec: &JobSpec,
        character: &Character,
        variant: u32,
        clip: &CanonicalClip,
        cancel: &Cancel,
        report: &mut dyn FnMut(Progress),
    ) -> Result<Output, PipelineError> {
        pipeline::derive(clip, character, variant, &options(spec), cancel, report)
    }
}

/// What an event does that is left out altogether.
fn deed_in(script: &Script, left: &LeftOut) -> Option<String> {
    let event = script.events().get(left.event?)?;
    matches!(left.field, "do" | "move").then(|| event.deed.to_string())
}

/// The word that a sentence of the engine says it does not know.
fn unknown_in(warning: &str) -> Option<String> {
    let (_, rest) = warning.split_once("does not know \"")?;
    rest.split_once('"').map(|(word, _)| word.to_owned())
}

fn prompt(text: &str) -> Result<Prompt, PipelineError> {
    Prompt::parse(text).map_err(|error| {
        let code = pipeline::ErrorCode::GENERATE_PARAMETERS;
        failed(pipeline::Stage::Intake, code, error.to_string())
    })
}

/// The clip that an earlier job kept.
pub(crate) fn kept_clip(bytes: &[u8]) -> Result<CanonicalClip, PipelineError> {
    pipeline::canonical_from_bytes(bytes)
}

/// The stock character that a job names.
pub(crate) fn stock_character(spec: &JobSpec) -> Result<Arc<Character>, PipelineError> {
    let character = stock::find(spec.model.as_str()).ok_or_else(|| no_character(spec))?;
    Ok(Arc::new(character.character()?.clone()))
}

/// How much of a face the stock character has that a job names; `None` where it is not of stock.
pub(crate) fn face_of_stock(spec: &JobSpec) -> Option<usize> {
    let character = stock::find(spec.model.as_str())?.character().ok()?;
    Some(pipeline::face_shapes(character))
}

/// Whether so many shapes are a face, else a sentence.
pub(crate) fn is_face(shapes: usize) -> Result<(), String> {
    pipeline::is_face(shapes)
}

/// An account's own character, from the GLB that was made when it was stored.
pub(crate) fn own_character(glb: &[u8]) -> Result<Arc<Character>, PipelineError> {
    limber_formats::glb::read(glb).map(|file| Arc::new(file.character)).map_err(|error| {
        let message = format!("the job's character cannot be read ({error}); store it again");
        failed(pipeline::Stage::Intake, pipeline::ErrorCode::CHARACTER_MESH, message)
    })
}

/// The character of a job is gone.
pub(crate) fn no_character(spec: &JobSpec) -> PipelineError {
    let message = format!("the job's character {} is no longer there; choose another", spec.model);
    failed(pipeline::Stage::Intake, pipeline::ErrorCode::CHARACTER_MESH, message)
}

fn failed(stage: pipeline::Stage, code: pipeline::ErrorCode, message: String) -> PipelineError {
    PipelineError::Failed(StageFailure { stage, code, retryable: false, message })
}

fn options(spec: &JobSpec) -> Options {
    // clients expect `fbx` to be a ZIP (motion-behaviour §7.2); the bare file goes along
    let chosen = [
        (FileKind::Bvh, pipeline::FileKind::Bvh),
        (FileKind::Fbx, pipeline::FileKind::Fbx),
        (FileKind::Fbx, pipeline::FileKind::FbxZip),
        (FileKind::Glb, pipeline::FileKind::Glb),
        (FileKind::Vrma, pipeline::FileKind::Vrma),
    ];
    let preset = spec.preset.as_deref().and_then(Preset::from_word);
    Options {
        fps: Fps::new(spec.fps).unwrap_or(Fps::DEFAULT),
        dis: spec.physics,
        foot_locking: match spec.foot_locking {
            FootLocking::Auto => FootLockingMode::Auto,
            FootLocking::Always => FootLockingMode::Always,
            FootLocking::Never => FootLockingMode::Never,
            FootLocking::Grounding => FootLockingMode::Grounding,
        },
        pose_filtering_strength: spec.filtering,
        root_at_origin: spec.root_at_origin,
        in_place: spec.in_place,
        require_face: spec.require_face,
        formats: chosen
            .into_iter()
            .filter(|(kind, _)| spec.formats.contains(kind))
            .map(|(_, kind)| kind)
            .collect(),
        name: Some(spec.name.clone()),
        // names of joints, keys, mesh
        ..preset.map_or_else(Options::default, Options::for_preset)
    }
}

/// The word that clients know a file by.
pub(crate) const fn artifact_kind(kind: pipeline::FileKind) -> &'static str {
    match kind {
        pipeline::FileKind::Bvh => "bvh",
        pipeline::FileKind::Fbx => "fbx_raw",
        pipeline::FileKind::FbxZip => "fbx",
        pipeline::FileKind::Glb => "glb",
        pipeline::FileKind::Vrma => "vrma",
        pipeline::FileKind::Metrics => "json",
        pipeline::FileKind::Picture => "png",
    }
}

/// The numbers of a clip that clients are shown.
pub(crate) fn shown_metrics(metrics: &pipeline::Metrics) -> VariantMetrics {
    VariantMetrics {
        foot_skate_cm_s: f64::from(metrics.foot_skate_cm_s),
        penetration_mm: f64::from(metrics.penetration_mm),
        float_mm: f64::from(metrics.float_mm),
        jerk: f64::from(metrics.jerk_m_s3),
    }
}

/// The stock character that a `model` parameter means.
pub(crate) fn find_stock(wanted: &str) -> Option<ModelId> {
    stock::find(wanted).and_then(|character| ModelId::parse(character.id).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_passed_over_are_told_with_what_comes_near() {
        let read = Road::with_composer().understand("a person walks forward and then juwmps");
        let read = read.expect("it walks");
        assert_eq!(read.skipped, ["juwmps"], "{:?}", read.warnings);
        assert!(read.nearest.iter().any(|offer| offer.contains("jump")), "{:?}", read.nearest);
        let all = Road::with_composer().understand("a person walks forward").expect("it walks");
        assert!(all.skipped.is_empty() && all.nearest.is_empty());
    }

    #[test]
    fn what_a_prompt_becomes_can_be_handed_in_as_a_script() {
        let road = Road::with_composer();
        let read = road.understand("a person walks backward, then jumps twice").expect("it moves");
        let script = read.motion_script.expect("it is short");
        let again = road.understand_script(&script).expect("it is performed");
        assert_eq!(again.steps, read.steps);
        assert!(again.left_out.is_empty() && again.warnings.is_empty(), "{again:?}");
        assert_eq!(again.script, "v2 walk direction:backward > jump count:2");
    }

    #[test]
    fn a_script_of_which_nothing_can_be_done_is_refused_and_one_of_hours_too() {
        let road = Road::with_composer();
        let script = |text: &str| text.parse::<Script>().expect("a script");
        let partly = road.understand_script(&script("v2 mantle target:box > wave prop:flag"));
        let partly = partly.expect("it waves");
        let fields: Vec<_> = partly.left_out.iter().map(|left| (left.event, left.field)).collect();
        assert_eq!(fields, [(Some(0), "do"), (Some(1), "prop")]);
        assert_eq!((partly.skipped, partly.warnings.len()), (vec!["mantle".to_owned()], 2));
        let none = road.understand_script(&script("v2 mantle > raise.elbow")).expect_err("nothing");
        assert_eq!((none.code, none.words), (502, vec!["mantle".to_owned(), "raise elbow".into()]));
        assert!(none.message.starts_with("events[0]: Limber cannot perform"), "{}", none.message);
        let hours = ["idle seconds:600"; 60].join(" > ");
        let hours = road.understand_script(&script(&format!("v2 {hours}"))).expect_err("hours");
        assert!(hours.message.contains("at most 120"), "{}", hours.message);
    }
}
