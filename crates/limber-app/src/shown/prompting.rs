//! What helps somebody to write a prompt.

use limber_client::motion::{ClipEnds, End, Start};
use serde::{Deserialize, Serialize};

use crate::Told;

/// What something costs, or what is left; finite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Credits(#[cfg_attr(feature = "specta", specta(type = u32))] pub f64);

/// How a clip begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub enum ClipStart {
    /// Standing at ease.
    Idle,
    /// In the middle of what is done first.
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
    /// Standing at ease again.
    Idle,
    /// In the last pose.
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

/// What a person asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct PromptRequest {
    /// What the character does.
    pub prompt: String,
    /// Which character.
    pub character_id: String,
    /// Length of the clip; `None` lets the studio decide.
    pub seconds: Option<f32>,
    /// 1 to 8.
    pub variants: u32,
    /// Digits; `None` lets the studio choose. A text, because JSON numbers lose digits.
    pub seed: Option<String>,
    /// A motion script as JSON, performed instead of what the prompt means; the prompt is its name then.
    pub script: Option<String>,
    /// How the clip begins; `None` leaves it to the prompt.
    pub start: Option<ClipStart>,
    /// How it ends; `None` leaves it to the prompt.
    pub end: Option<ClipEnd>,
    /// Whether its last frame leads to its first; `None` leaves it to the prompt.
    pub loops: Option<bool>,
}

impl PromptRequest {
    /// How the clip begins and ends, whatever prompt or script say of it.
    #[must_use]
    pub fn ends(&self) -> ClipEnds {
        ClipEnds {
            start: self.start.map(Start::from),
            end: self.end.map(End::from),
            is_loop: self.loops,
        }
    }
}

/// What stands in the prompt box, finished or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Desk {
    /// The words.
    pub text: String,
    /// Who was chosen; `None` while nobody was.
    pub character_id: Option<String>,
    /// Length of the clip; finite, and 0 lets the studio decide.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub seconds: f32,
    /// 1 to 8.
    pub variants: u32,
    /// As somebody wrote it.
    pub seed: String,
    /// The steps as somebody changed them, a motion script as JSON; `None` while they are what the words
    /// say.
    pub script: Option<String>,
    /// How the clip begins; `None` leaves it to the words.
    pub start: Option<ClipStart>,
    /// How it ends; `None` leaves it to the words.
    pub end: Option<ClipEnd>,
    /// Whether its last frame leads to its first; `None` leaves it to the words.
    pub loops: Option<bool>,
}

impl Default for Desk {
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

shown! {
    /// How a prompt would be understood, and what it would cost.
    struct PromptCheck {
        /// In the text form of scripts; absent when no action in it is known.
        pub script: Option<String>,
        /// The same step by step, with the words that each came from; unknown of older services.
        pub reading: Option<PromptReading>,
        /// Words that are passed over, as somebody wrote them.
        pub skipped: Vec<String>,
        /// Actions near them.
        pub nearest: Vec<String>,
        /// What is passed over and what else there is to say.
        pub warnings: Vec<Told>,
        /// Credits for all variants; 0 where nothing is charged.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub price: f64,
    }

    /// What a prompt was taken for, step by step.
    #[derive(Eq)]
    struct PromptReading {
        /// In their order; never empty.
        pub events: Vec<EventRead>,
        /// Words that change nothing.
        pub scenery: Vec<String>,
        /// Words that were not understood.
        pub not_understood: Vec<String>,
        /// All of it as a motion script, JSON, that can be handed in changed; without the beginning and end that
        /// were asked for beside the words, which are handed in beside it again.
        pub script: String,
    }

    /// One step of it.
    #[derive(Eq)]
    struct EventRead {
        /// What is done, as people say it: `sit down`.
        pub name: String,
        /// The words it came from; empty where nobody knows.
        pub words: String,
        /// When it begins.
        pub timing: EventTiming,
        /// What was said about it.
        pub fields: Vec<FieldRead>,
        /// The body can do it; otherwise it is left out.
        pub is_performed: bool,
    }

    /// When a step begins.
    #[derive(Copy, Eq)]
    enum EventTiming {
        /// Once the one before it is over.
        Then,
        /// Together with an earlier one.
        Together,
        /// At a moment of an earlier one: at its main pose, or on a beat.
        OnMoment,
    }

    /// Something that was said about a step.
    #[derive(Eq)]
    struct FieldRead {
        /// The field of the script: `side`, `count`.
        pub name: String,
        /// Its value as scripts write it: `left`, `3`.
        pub value: String,
        /// The words it came from; empty where nobody knows.
        pub words: String,
        /// The body can show it; otherwise it is left out.
        pub is_performed: bool,
    }

    /// Words that the engine understands, each as it can stand in a prompt.
    struct Vocabulary {
        /// By family.
        pub actions: Vec<ActionFamily>,
        /// Where to.
        pub directions: Vec<String>,
        /// With which limb.
        pub sides: Vec<String>,
        /// How fast.
        pub speeds: Vec<String>,
        /// In what mood, with what weight.
        pub manners: Vec<String>,
        /// How often.
        pub counts: Vec<String>,
    }

    /// Actions that belong together.
    struct ActionFamily {
        /// What they have in common.
        pub family: String,
        /// The actions.
        pub words: Vec<String>,
    }
}
