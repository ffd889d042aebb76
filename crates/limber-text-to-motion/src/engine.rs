//! The interface of motion engines. The composer is the first implementation.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use limber_animation::{Clip, Seconds};
use limber_domain::limits::MAX_PROMPT_CHARS;
use limber_script::{ClipEnds, Message, Script, message::sentences};

use crate::{LeftOut, MotionScript, Understood, performable, vocabulary::Repertoire};

/// A cleaned-up prompt: trimmed, without invisible characters, 1 to [`MAX_PROMPT_CHARS`] characters
/// long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt(String);

/// Why a text is not a valid prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptError {
    /// Nothing is left after trimming.
    Empty,
    /// Longer than [`MAX_PROMPT_CHARS`]; its length in characters.
    TooLong(usize),
}

impl From<PromptError> for Message {
    fn from(error: PromptError) -> Self {
        let counted = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        match error {
            PromptError::Empty => Self::EmptyPrompt,
            PromptError::TooLong(characters) => Self::LongPrompt {
                characters: counted(characters),
                most: counted(MAX_PROMPT_CHARS),
            },
        }
    }
}

impl fmt::Display for PromptError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Message::from(*self).fmt(formatter)
    }
}

impl std::error::Error for PromptError {}

impl Prompt {
    /// Trims the text, replaces control characters by spaces, removes zero-width characters and
    /// checks the length.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub fn parse(text: &str) -> Result<Self, PromptError> {
        let seen = text.chars().filter(|c| !has_no_width(*c));
        let cleaned: String = seen.map(|c| if c.is_control() { ' ' } else { c }).collect();
        let cleaned = cleaned.trim();
        match cleaned.chars().count() {
            0 => Err(PromptError::Empty),
            count if count > MAX_PROMPT_CHARS => Err(PromptError::TooLong(count)),
            _ => Ok(Self(cleaned.to_owned())),
        }
    }

    /// The cleaned text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Soft hyphens, joiners, direction marks and the like, which would invisibly split words.
const fn has_no_width(character: char) -> bool {
    matches!(
        character,
        '\u{AD}'
            | '\u{61C}'
            | '\u{180E}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
    )
}

/// The seed of all randomness in one variant. The same seed, request and build give the same clip.
///
/// Its last three bits select one of eight performers, so that eight consecutive seeds, and eight
/// variants of a job, show eight different people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// Number of performers.
    pub const CHARACTERS: u64 = 8;

    /// The seed of variant `variant` (1-based): the seed itself for the first, a hash of it for the
    /// others, each with the next performer.
    #[must_use]
    pub const fn for_variant(self, variant: u32) -> Self {
        if variant <= 1 {
            return self;
        }
        self.mixed(variant as u64, self.0.wrapping_add(variant as u64 - 1))
    }

    /// The seed of another attempt with the same performer.
    #[must_use]
    pub const fn for_try(self, number: u32) -> Self {
        if number <= 1 {
            return self;
        }
        self.mixed(1000 + number as u64, self.0)
    }

    /// The performer, 0 to 7.
    #[must_use]
    pub const fn character(self) -> u64 {
        self.0 % Self::CHARACTERS
    }

    /// `SplitMix64` (Steele et al. 2014), except that the last bits select the performer.
    const fn mixed(self, by: u64, character: u64) -> Self {
        let mut z = self.0.wrapping_add(by.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        Self(z - z % Self::CHARACTERS + character % Self::CHARACTERS)
    }
}

/// A cancellation flag, shared between the worker and whoever waits for it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the work to stop at its next check point.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether cancellation was requested.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A request to an engine.
#[derive(Debug, Clone)]
pub struct MotionRequest {
    /// The prompt.
    pub prompt: Prompt,
    /// A script to perform instead of the prompt, which then only serves as a name.
    pub script: Option<Script>,
    /// Overrides for how the clip starts and ends.
    pub ends: ClipEnds,
    /// The exact length of the clip; `None` lets the actions determine it. Actions that take longer
    /// are sped up, or only begun, with a warning ([`OnlyBeginning`]).
    pub duration_s: Option<Seconds>,
}

/// The time is sufficient only for the beginning of the request, up to its first key pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnlyBeginning {
    /// The requested time.
    pub wanted_s: Seconds,
    /// The time for the whole request.
    pub whole_s: Seconds,
}

impl From<OnlyBeginning> for Message {
    fn from(only: OnlyBeginning) -> Self {
        Self::OnlyBeginning {
            wanted_ms: milliseconds(only.wanted_s),
            // rounded up, so that requesting this time is enough
            whole_ms: 100 * (10.0 * only.whole_s).ceil() as u32,
        }
    }
}

/// Converts a time to the unit used in messages.
pub(crate) fn milliseconds(time_s: Seconds) -> u32 {
    (1000.0 * time_s).round() as u32
}

/// The result of an engine.
#[derive(Debug, Clone)]
pub struct GeneratedMotion {
    /// The clip, on the canonical skeleton at 30 fps, with contacts; it starts over x = z = 0,
    /// facing +Z.
    pub clip: Clip,
    /// How the prompt or script was understood.
    pub script: MotionScript,
    /// When the steps of the script are performed, in order of time; empty if the engine does not
    /// know.
    pub steps: Vec<PerformedStep>,
    /// Warnings, for example about words that were ignored.
    pub warnings: Vec<Message>,
}

/// When a step of a script is performed in a clip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerformedStep {
    /// Its index in [`MotionScript::steps`].
    pub step: usize,
    /// From its first frame to the start of the next step, or until the body is at rest again.
    pub frames: std::ops::Range<usize>,
}

/// Why an engine made no clip.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EngineError {
    /// The prompt contains no known action.
    #[error("{}", sentences(.messages))]
    UnknownAction {
        /// What was not understood, with the nearest actions that the engine knows; never empty.
        messages: Vec<Message>,
    },
    /// The request was cancelled.
    #[error("the motion was cancelled")]
    Cancelled,
    /// The time is too short, or the result failed the engine's own checks.
    #[error("the motion could not be made: {0}")]
    Failed(Message),
}

/// Name and version of an engine, stored with every clip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineInfo {
    /// The name, for example `composer`.
    pub name: &'static str,
    /// The version, which changes whenever the same seed gives a different clip.
    pub version: u32,
}

/// A motion engine: turns a prompt into a clip.
pub trait MotionEngine: Send + Sync {
    /// The engine's name and version.
    fn describe(&self) -> EngineInfo;

    /// How the prompt would be understood, without making a clip. Takes milliseconds.
    ///
    /// # Errors
    /// [`EngineError::UnknownAction`] if the prompt contains no known action.
    fn understand(&self, prompt: &Prompt) -> Result<Understood, EngineError>;

    /// How a script would be performed and what would be left out, without making a clip. Takes
    /// milliseconds.
    ///
    /// # Errors
    /// [`EngineError::UnknownAction`] if nothing of it can be performed, [`EngineError::Failed`] if
    /// it is too long for a clip.
    fn understand_script(
        &self,
        script: &Script,
    ) -> Result<(MotionScript, Vec<LeftOut>), EngineError> {
        performable::steps_of(&Repertoire::default(), script)
    }

    /// What a clip of this length would have no time for, without making it; `None` if everything
    /// fits or the engine does not know. Takes milliseconds.
    fn only_beginning(
        &self,
        _script: &MotionScript,
        _duration_s: Seconds,
        _seed: Seed,
    ) -> Option<OnlyBeginning> {
        None
    }

    /// Makes one variant. `progress` is called with values from 0 to 1; `cancel` is checked often.
    ///
    /// # Errors
    /// See [`EngineError`].
    fn generate(
        &self,
        request: &MotionRequest,
        seed: Seed,
        cancel: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError>;
}
