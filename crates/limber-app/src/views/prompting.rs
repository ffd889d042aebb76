//! View models of the prompt box: requests, previews of how a prompt is understood, and vocabulary.

use limber_client::motion::{ClipEnds, End, Start};
use serde::{Deserialize, Serialize};

use crate::MessageView;

/// A price or a balance in credits; always finite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Credits(#[cfg_attr(feature = "specta", specta(type = u32))] pub f64);

/// How a clip begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum ClipStart {
    /// From a neutral standing pose.
    Idle,
    /// In the middle of the first action.
    Action,
}

impl From<ClipStart> for Start {
    fn from(start: ClipStart) -> Self {
        match start {
            ClipStart::Idle => Self::Idle,
            ClipStart::Action => Self::Action,
        }
    }
}

/// How a clip ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum ClipEnd {
    /// Back in a neutral standing pose.
    Idle,
    /// Held in the last pose.
    Hold,
}

impl From<ClipEnd> for End {
    fn from(end: ClipEnd) -> Self {
        match end {
            ClipEnd::Idle => Self::Idle,
            ClipEnd::Hold => Self::Hold,
        }
    }
}

/// A request to make motion from a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct PromptRequest {
    /// The prompt.
    pub prompt: String,
    /// ID of the character that performs it.
    pub character_id: String,
    /// Length of the clip, seconds; `None` lets the studio decide.
    pub seconds: Option<f32>,
    /// Number of variants, 1 to 8.
    pub variants: u32,
    /// Random seed as decimal digits, because JSON numbers lose precision; `None` lets the studio
    /// choose.
    pub seed: Option<String>,
    /// A motion script as JSON that replaces the prompt; the prompt then only names the clip.
    pub script: Option<String>,
    /// How the clip begins; `None` follows the prompt.
    pub start: Option<ClipStart>,
    /// How the clip ends; `None` follows the prompt.
    pub end: Option<ClipEnd>,
    /// Whether the clip loops; `None` follows the prompt.
    pub loops: Option<bool>,
}

impl PromptRequest {
    /// Returns the requested start, end and looping, which override those of the prompt or script.
    #[must_use]
    pub fn ends(&self) -> ClipEnds {
        ClipEnds {
            start: self.start.map(Start::from),
            end: self.end.map(End::from),
            is_loop: self.loops,
        }
    }
}

/// The contents of the prompt box, complete or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct PromptDraft {
    /// The prompt text.
    pub text: String,
    /// ID of the chosen character; `None` if none is chosen.
    pub character_id: Option<String>,
    /// Length of the clip, seconds; finite, and 0 lets the studio decide.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub seconds: f32,
    /// Number of variants, 1 to 8.
    pub variants: u32,
    /// The seed as typed.
    pub seed: String,
    /// The steps as edited by the user, a motion script as JSON; `None` while they follow the text.
    pub script: Option<String>,
    /// How the clip begins; `None` follows the text.
    pub start: Option<ClipStart>,
    /// How the clip ends; `None` follows the text.
    pub end: Option<ClipEnd>,
    /// Whether the clip loops; `None` follows the text.
    pub loops: Option<bool>,
}

impl Default for PromptDraft {
    fn default() -> Self {
        Self {
            text: String::new(),
            character_id: None,
            seconds: 0.0,
            variants: 1,
            seed: String::new(),
            script: None,
            start: None,
            end: None,
            loops: None,
        }
    }
}

view! {
    /// How a prompt would be understood, and what it would cost.
    struct PromptCheck {
        /// The text form of the motion script; `None` if no action was recognised.
        pub script: Option<String>,
        /// The same step by step, with the source words of each; `None` from older services.
        pub reading: Option<PromptReading>,
        /// Words that were ignored, as typed.
        pub skipped: Vec<String>,
        /// Known actions that are similar to them.
        pub nearest: Vec<String>,
        /// Warnings about ignored words and other notices.
        pub warnings: Vec<MessageView>,
        /// Credits for all variants; 0 if nothing is charged.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub price: f64,
    }

    /// How a prompt was understood, step by step.
    #[derive(Eq)]
    struct PromptReading {
        /// The steps in order; never empty.
        pub events: Vec<EventRead>,
        /// Words that do not affect the motion.
        pub scenery: Vec<String>,
        /// Words that were not understood.
        pub not_understood: Vec<String>,
        /// The whole reading as a motion script in JSON, which can be edited and submitted. It
        /// excludes the start and end requested beside the prompt; those are submitted separately.
        pub script: String,
    }

    /// One step of a reading.
    #[derive(Eq)]
    struct EventRead {
        /// Display name of the action, for example `sit down`.
        pub name: String,
        /// The words it was read from; empty if unknown.
        pub words: String,
        /// When it starts.
        pub timing: EventTiming,
        /// Its parameters.
        pub fields: Vec<FieldRead>,
        /// Whether it can be performed; it is left out otherwise.
        pub is_performed: bool,
    }

    /// When a step starts, relative to the others.
    #[derive(Copy, Eq)]
    enum EventTiming {
        /// After the previous step ends.
        Then,
        /// At the same time as an earlier step.
        Together,
        /// At a moment of an earlier step: its main pose or a beat.
        OnMoment,
    }

    /// A parameter of a step.
    #[derive(Eq)]
    struct FieldRead {
        /// Field name in the script: `side`, `count`.
        pub name: String,
        /// Field value as written in scripts: `left`, `3`.
        pub value: String,
        /// The words it was read from; empty if unknown.
        pub words: String,
        /// Whether it can be shown; it is left out otherwise.
        pub is_performed: bool,
    }

    /// Words that the engine understands, each as it can be typed in a prompt.
    struct Vocabulary {
        /// Actions, grouped by family.
        pub actions: Vec<ActionFamily>,
        /// Directions.
        pub directions: Vec<String>,
        /// Sides and limbs.
        pub sides: Vec<String>,
        /// Speeds.
        pub speeds: Vec<String>,
        /// Moods and weights.
        pub manners: Vec<String>,
        /// Repetition counts.
        pub counts: Vec<String>,
    }

    /// A family of related actions.
    struct ActionFamily {
        /// Name of the family.
        pub family: String,
        /// Words for its actions.
        pub words: Vec<String>,
    }
}
