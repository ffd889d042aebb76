//! The service's only access to the pipeline: prompts, clips and files, independent of jobs and
//! HTTP.

mod edit;

use std::sync::Arc;

use limber_animation::{Character, Fps};
use limber_api::motion::{
    EventWords, FieldWords, FileKind, FootLocking, ModelId, PromptWords, VariantMetrics,
};
use limber_pipeline::{
    self as pipeline, Cancel, CanonicalClip, ClipEnds, Composer, ComposerWith, EngineError,
    FootLockingMode, HandCorrections, LeftOut, Message, MotionEngine, MotionScript, Options,
    Output, PipelineError, Preset, Progress, Prompt, Request, Script, Seed, StageFailure, message,
    stock,
};

use crate::{Config, ServiceError, jobs::JobSpec};

/// Maximum number of unknown actions for which similar ones are looked up.
const MOST_WORDS: usize = 5;

/// Why a prompt or script cannot be turned into motion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotUnderstood {
    pub(crate) code: u16,
    /// What is unknown, and similar alternatives; never empty.
    pub(crate) messages: Vec<Message>,
}

/// How the engine understood a prompt or a script.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    /// The script in text form.
    pub(crate) script: String,
    /// The script in a form that can be submitted again; `None` if a script cannot express all of
    /// it.
    pub(crate) motion_script: Option<Script>,
    /// The words of the prompt that each event was read from, and how the others were used.
    pub(crate) words: Option<PromptWords>,
    /// What would be performed.
    pub(crate) steps: MotionScript,
    /// Parts of the script that would not be performed.
    pub(crate) left_out: Vec<LeftOut>,
    /// Messages about what would be ignored.
    pub(crate) messages: Vec<Message>,
}

/// The pipeline and its engine.
#[derive(Clone)]
pub(crate) struct Pipeline {
    engine: Arc<dyn MotionEngine>,
}

impl std::fmt::Debug for Pipeline {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Pipeline({})", self.engine.describe().name)
    }
}

impl Pipeline {
    /// Uses Limber's own engine, with the actions that the settings add.
    pub(crate) fn of(config: &Config) -> Result<Self, ServiceError> {
        let Some(folder) = &config.actions else { return Ok(Self::with(Arc::new(Composer))) };
        let actions = pipeline::actions::read(folder).map_err(ServiceError::Actions)?;
        Ok(Self::with(Arc::new(ComposerWith::new(actions))))
    }

    pub(crate) fn with(engine: Arc<dyn MotionEngine>) -> Self {
        Self { engine }
    }

    /// Interprets a prompt, without generating anything; takes milliseconds.
    pub(crate) fn understand(
        &self,
        prompt: &str,
        ends: ClipEnds,
    ) -> Result<Reading, NotUnderstood> {
        let refuse = |messages| NotUnderstood { code: 502, messages };
        let prompt = Prompt::parse(prompt).map_err(|error| refuse(vec![error.into()]))?;
        match self.engine.understand(&prompt).map(|understood| understood.with_ends(ends)) {
            Ok(understood) => Ok(Reading {
                script: understood.script.to_string(),
                words: understood
                    .meaning
                    .is_some()
                    .then(|| words_of(prompt.as_str(), &understood.reading)),
                motion_script: understood
                    .meaning
                    .or_else(|| pipeline::script_of(&understood.script).ok()),
                steps: understood.script,
                left_out: understood.left_out,
                messages: understood.warnings,
            }),
            Err(EngineError::UnknownAction { messages }) => Err(refuse(messages)),
            Err(other) => Err(refuse(vec![other.to_string().into()])),
        }
    }

    /// Interprets a script, without generating anything; takes milliseconds.
    pub(crate) fn understand_script(
        &self,
        script: &Script,
        ends: ClipEnds,
    ) -> Result<Reading, NotUnderstood> {
        let refuse = |messages| NotUnderstood { code: 502, messages };
        let script = script.clone().overridden_by(ends);
        match self.engine.understand_script(&script) {
            Ok((steps, left_out)) => Ok(Reading {
                script: script.to_string(),
                words: None,
                steps,
                messages: self.with_offers(left_out.iter().map(|left| left.message(&script))),
                motion_script: Some(script),
                left_out,
            }),
            Err(EngineError::UnknownAction { messages }) => {
                Err(refuse(self.with_offers(messages.into_iter())))
            }
            Err(EngineError::Failed(message)) => Err(refuse(vec![message])),
            Err(other) => Err(refuse(vec![other.to_string().into()])),
        }
    }

    /// Returns a message if `duration_s` seconds are only enough for the beginning.
    pub(crate) fn only_beginning(
        &self,
        reading: &Reading,
        duration_s: f32,
        seed: u64,
    ) -> Option<Message> {
        self.engine.only_beginning(&reading.steps, duration_s, Seed(seed)).map(Message::from)
    }

    /// Adds similar actions to messages about unknown ones.
    fn with_offers(&self, messages: impl Iterator<Item = Message>) -> Vec<Message> {
        let mut left = MOST_WORDS;
        let offered = messages.map(|message| {
            message.offering(|action| {
                let is_looked_up = left > 0;
                left = left.saturating_sub(1);
                if is_looked_up { self.near(action) } else { Vec::new() }
            })
        });
        offered.collect()
    }

    /// Returns the engine's alternatives to an unknown action.
    fn near(&self, words: &str) -> Vec<String> {
        let understood = Prompt::parse(words).map(|words| self.engine.understand(&words));
        match understood {
            Ok(Err(EngineError::UnknownAction { messages })) => message::nearest(&messages),
            _ => Vec::new(),
        }
    }

    /// Generates the canonical clip of one variant. `sources` are the clips that an edit starts
    /// from.
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
            ends: spec.ends,
            duration_s: spec.duration_s,
            variant,
            options: options(spec),
            ..Request::new(prompt, Seed(spec.seed))
        };
        pipeline::make(&request, self.engine.as_ref(), cancel, report)
    }

    /// Exports all files of one variant from its canonical clip.
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

/// Returns how the words of a prompt were interpreted.
fn words_of(prompt: &str, reading: &pipeline::PromptReading) -> PromptWords {
    let words = |place: &std::ops::Range<usize>| prompt[place.clone()].to_owned();
    let event = |event: &pipeline::EventWords| EventWords {
        deed: words(&event.deed),
        fields: (event.fields.iter())
            .map(|(field, place)| FieldWords {
                field: field.as_str().to_owned(),
                words: words(place),
            })
            .collect(),
    };
    PromptWords {
        events: reading.events.iter().map(event).collect(),
        scenery: reading.scenery.iter().map(words).collect(),
        not_understood: reading.not_understood.iter().map(|part| words(&part.place)).collect(),
    }
}

fn prompt(text: &str) -> Result<Prompt, PipelineError> {
    Prompt::parse(text).map_err(|error| {
        let code = pipeline::ErrorCode::GENERATE_PARAMETERS;
        failed(pipeline::Stage::Intake, code, error)
    })
}

/// Reads a stored canonical clip.
pub(crate) fn stored_clip(bytes: &[u8]) -> Result<CanonicalClip, PipelineError> {
    pipeline::canonical_from_bytes(bytes)
}

/// Returns the stock character of a job.
pub(crate) fn stock_character(spec: &JobSpec) -> Result<Arc<Character>, PipelineError> {
    let character = stock::find(spec.model.as_str()).ok_or_else(|| no_character(spec))?;
    Ok(Arc::new(character.character()?.clone()))
}

/// Returns the number of face blend shapes of a job's stock character; `None` if it is not a stock
/// character.
pub(crate) fn face_of_stock(spec: &JobSpec) -> Option<usize> {
    let character = stock::find(spec.model.as_str())?.character().ok()?;
    Some(pipeline::face_shapes(character))
}

/// Checks that this number of blend shapes makes a face; the error is a message.
pub(crate) fn is_face(shapes: usize) -> Result<(), String> {
    pipeline::is_face(shapes)
}

/// Reads an account's own character from its stored GLB.
pub(crate) fn own_character(glb: &[u8]) -> Result<Arc<Character>, PipelineError> {
    limber_formats::glb::read(glb).map(|file| Arc::new(file.character)).map_err(|error| {
        let message = format!("the job's character cannot be read ({error}); store it again");
        failed(pipeline::Stage::Intake, pipeline::ErrorCode::CHARACTER_MESH, message)
    })
}

/// Returns messages about corrected joints that the job's character lacks. An account's own
/// character is not loaded here, so for it only joints that no clip has are reported.
pub(crate) fn missing_joints(spec: &JobSpec) -> Vec<Message> {
    let by_hand = HandCorrections::new(&spec.corrections, u32::from(spec.fps));
    let stock = stock::find(spec.model.as_str()).and_then(|stock| stock.character().ok());
    by_hand.missing_on(stock)
}

/// The character of a job no longer exists.
pub(crate) fn no_character(spec: &JobSpec) -> PipelineError {
    let message = format!("the job's character {} no longer exists; choose another", spec.model);
    failed(pipeline::Stage::Intake, pipeline::ErrorCode::CHARACTER_MESH, message)
}

fn failed(
    stage: pipeline::Stage,
    code: pipeline::ErrorCode,
    message: impl Into<Message>,
) -> PipelineError {
    PipelineError::Failed(StageFailure { stage, code, retryable: false, message: message.into() })
}

fn options(spec: &JobSpec) -> Options {
    // clients expect `fbx` to be a ZIP; the bare file is `fbx_raw`
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
        physics: spec.physics,
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
        corrections: HandCorrections::new(&spec.corrections, u32::from(spec.fps)),
        formats: chosen
            .into_iter()
            .filter(|(kind, _)| spec.formats.contains(kind))
            .map(|(_, kind)| kind)
            .collect(),
        name: Some(spec.name.clone()),
        // joint names, keyframes, mesh
        ..preset.map_or_else(Options::default, Options::for_preset)
    }
}

/// Returns the name by which clients know a kind of file.
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

/// Returns the metrics of a clip that clients see.
pub(crate) fn shown_metrics(metrics: &pipeline::Metrics) -> VariantMetrics {
    VariantMetrics {
        foot_skate_cm_s: f64::from(metrics.foot_skate_cm_s),
        penetration_mm: f64::from(metrics.penetration_mm),
        float_mm: f64::from(metrics.float_mm),
        jerk: f64::from(metrics.jerk_m_s3),
    }
}

/// Returns the stock character that a `model` parameter names.
pub(crate) fn find_stock(wanted: &str) -> Option<ModelId> {
    stock::find(wanted).and_then(|character| ModelId::parse(character.id).ok())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    const OPEN: ClipEnds = ClipEnds { start: None, end: None, is_loop: None };

    /// Returns a pipeline with the actions of a folder.
    fn pipeline_with(actions: Option<PathBuf>) -> Result<Pipeline, ServiceError> {
        let config = Config::new("postgres://localhost/motion".to_owned().into(), PathBuf::new());
        Pipeline::of(&Config { actions, ..config })
    }

    fn pipeline() -> Pipeline {
        pipeline_with(None).expect("nothing is added")
    }

    fn understood(prompt: &str) -> Result<Reading, NotUnderstood> {
        pipeline().understand(prompt, OPEN)
    }

    #[test]
    fn configured_actions_are_understood_and_invalid_ones_rejected() {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../limber-text-to-motion/tests/data/added");
        let added = pipeline_with(Some(folder)).expect("they are valid");
        let read = added.understand("a person taps the visor twice", OPEN).expect("it is added");
        assert_eq!(read.script, "tap-visor x2");
        let script = read.motion_script.expect("it is short");
        assert_eq!(added.understand_script(&script, OPEN).expect("it is named").steps, read.steps);
        assert!(pipeline().understand_script(&script, OPEN).is_err(), "no other pipeline knows it");
        let refused =
            pipeline_with(Some(PathBuf::from("/nowhere"))).map(drop).expect_err("no folder");
        let refused = refused.to_string();
        assert!(refused.starts_with("MOTIONSVC_ACTIONS: the actions folder"), "{refused}");
    }

    #[test]
    fn ignored_words_are_reported_with_similar_actions() {
        let read = understood("a person walks forward and then zwiffles");
        let read = read.expect("it walks").messages;
        assert_eq!(message::unknown_words(&read), ["zwiffles"], "{read:?}");
        let nearest = message::nearest(&read);
        assert!(!nearest.is_empty(), "{read:?}");
        let all = understood("a person walks forward").expect("it walks");
        assert_eq!(all.messages, []);
    }

    #[test]
    fn quotes_in_a_prompt_do_not_truncate_reported_words() {
        let read = understood("a person walks like a \"mummy\" and zwiffles");
        let read = read.expect("it walks").messages;
        let unknown = message::unknown_words(&read);
        assert!(unknown.iter().any(|word| word == "zwiffles"), "{read:?}");
        assert!(unknown.iter().all(|word| !word.is_empty()), "{read:?}");
    }

    #[test]
    fn the_script_of_a_prompt_can_be_submitted() {
        let read = understood("a person walks backward, then jumps twice").expect("it moves");
        let pipeline = pipeline();
        let script = read.motion_script.expect("it is short");
        let again = pipeline.understand_script(&script, OPEN).expect("it is performed");
        assert_eq!(again.steps, read.steps);
        assert!(again.left_out.is_empty() && again.messages.is_empty(), "{again:?}");
        assert_eq!(again.script, "v2 walk direction:backward > jump count:2");
    }

    #[test]
    fn scripts_that_cannot_be_performed_or_last_hours_are_rejected() {
        let pipeline = pipeline();
        let script = |text: &str| text.parse::<Script>().expect("a script");
        let partly = script("v2 headspin target:box > wave prop:flag");
        let partly = pipeline.understand_script(&partly, OPEN);
        let partly = partly.expect("it waves");
        let fields: Vec<_> = partly.left_out.iter().map(|left| (left.event, left.field)).collect();
        assert_eq!(fields, [(Some(0), "do"), (Some(1), "prop")]);
        assert_eq!(message::unknown_words(&partly.messages), ["headspin"]);
        let [headspin, prop] = &partly.messages[..] else { panic!("{partly:?}") };
        assert!(!headspin.nearest().is_empty(), "{headspin}");
        let (field, action) = ("prop".to_owned(), Some("wave".to_owned()));
        assert_eq!(*prop, Message::LeftOut { event: Some(1), field, action });
        let none = pipeline.understand_script(&script("v2 headspin > close.knee"), OPEN);
        let none = none.expect_err("nothing");
        let words = message::unknown_words(&none.messages);
        assert_eq!((none.code, words), (502, vec!["headspin".to_owned()]));
        let action = "close knee".to_owned();
        assert_eq!(none.messages[1], Message::NoSuchMovement { event: 1, action }, "{none:?}");
        let hours = ["idle seconds:600"; 60].join(" > ");
        let hours = pipeline.understand_script(&script(&format!("v2 {hours}")), OPEN);
        let hours = hours.expect_err("hours");
        assert!(matches!(hours.messages[..], [Message::TooLong { most_s: 120, .. }]), "{hours:?}");
    }
}
