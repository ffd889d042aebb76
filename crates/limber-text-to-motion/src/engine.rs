//! What every engine answers to. The composer is the first; others take the same place.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use limber_animation::{Clip, Seconds};
use limber_script::{ClipEnds, Message, Script, message::sentences};

use crate::{LeftOut, MotionScript, Understood, performable, vocabulary::Repertoire};

/// What the user typed, cleaned: trimmed, without characters that nobody sees, 1 to 1024 characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt(String);

/// Why a text is no prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptError {
    /// Nothing is left after trimming.
    Empty,
    /// More than [`Prompt::MAX_CHARS`].
    TooLong(usize),
}

impl From<PromptError> for Message {
    fn from(error: PromptError) -> Self {
        let counted = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        match error {
            PromptError::Empty => Self::EmptyPrompt,
            PromptError::TooLong(characters) => Self::LongPrompt {
                characters: counted(characters),
                most: counted(Prompt::MAX_CHARS),
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
    /// The longest prompt, in Unicode scalar values.
    pub const MAX_CHARS: usize = 1024;

    /// Trims, turns control characters into spaces, takes out what has no width, checks the length.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub fn parse(text: &str) -> Result<Self, PromptError> {
        let seen = text.chars().filter(|c| !has_no_width(*c));
        let cleaned: String = seen.map(|c| if c.is_control() { ' ' } else { c }).collect();
        let cleaned = cleaned.trim();
        match cleaned.chars().count() {
            0 => Err(PromptError::Empty),
            count if count > Self::MAX_CHARS => Err(PromptError::TooLong(count)),
            _ => Ok(Self(cleaned.to_owned())),
        }
    }

    /// The cleaned text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Soft hyphens, joiners, marks of direction and the like: they would cut words where nobody sees it.
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

/// Where all chance of one variant comes from. Same seed, same request, same build: same clip.
///
/// Its last three bits say which of eight characters acts, so that eight seeds in a row, and eight
/// variants of a job, are eight different people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

impl Seed {
    /// How many characters there are.
    pub const CHARACTERS: u64 = 8;

    /// The seed of variant `variant` (1-based): itself for the first, well mixed for the others, each
    /// the next character.
    #[must_use]
    pub const fn for_variant(self, variant: u32) -> Self {
        if variant <= 1 {
            return self;
        }
        self.mixed(variant as u64, self.0.wrapping_add(variant as u64 - 1))
    }

    /// The seed of another try of the same character.
    #[must_use]
    pub const fn for_try(self, number: u32) -> Self {
        if number <= 1 {
            return self;
        }
        self.mixed(1000 + number as u64, self.0)
    }

    /// Which of the eight characters acts.
    #[must_use]
    pub const fn character(self) -> u64 {
        self.0 % Self::CHARACTERS
    }

    /// `SplitMix64` (Steele et al. 2014) but for the character.
    const fn mixed(self, by: u64, character: u64) -> Self {
        let mut z = self.0.wrapping_add(by.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        Self(z - z % Self::CHARACTERS + character % Self::CHARACTERS)
    }
}

/// A wish to stop, shared between whoever works and whoever waits.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the work to stop at its next check point.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What is wanted from an engine.
#[derive(Debug, Clone)]
pub struct MotionRequest {
    /// What the person does.
    pub prompt: Prompt,
    /// Performed instead of what the prompt means; the prompt is then no more than a name for it.
    pub script: Option<Script>,
    /// How the clip begins and ends, whatever prompt or script say of it.
    pub ends: ClipEnds,
    /// The clip's exact length; `None` lets the actions decide. Where they take longer, they are done
    /// faster, or only begun, with a warning ([`OnlyBeginning`]).
    pub duration_s: Option<Seconds>,
}

/// There is time for no more than the beginning of what is asked for, on the way to its first key pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnlyBeginning {
    /// The time that there is.
    pub wanted_s: Seconds,
    /// The time that all of it takes.
    pub whole_s: Seconds,
}

impl From<OnlyBeginning> for Message {
    fn from(only: OnlyBeginning) -> Self {
        Self::OnlyBeginning {
            wanted_ms: milliseconds(only.wanted_s),
            // rounded up, so that whoever asks for it gets it
            whole_ms: 100 * (10.0 * only.whole_s).ceil() as u32,
        }
    }
}

/// A time as messages hold it.
pub(crate) fn milliseconds(time_s: Seconds) -> u32 {
    (1000.0 * time_s).round() as u32
}

/// What an engine made.
#[derive(Debug, Clone)]
pub struct GeneratedMotion {
    /// On the canonical skeleton at 30 fps, with contacts; starts over x = z = 0 facing +Z.
    pub clip: Clip,
    /// How the prompt or the script was understood.
    pub script: MotionScript,
    /// When the steps of the script are done, in order of time; empty where the engine does not know.
    pub steps: Vec<PerformedStep>,
    /// Words passed over and the like.
    pub warnings: Vec<Message>,
}

/// When a step of a script is done in a clip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerformedStep {
    /// Its place in [`MotionScript::steps`].
    pub step: usize,
    /// From its first frame to where the next one begins, or where the body is at rest again.
    pub frames: std::ops::Range<usize>,
}

/// Why an engine made nothing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EngineError {
    /// No known action in the prompt.
    #[error("{}", sentences(.messages))]
    UnknownAction {
        /// What was not understood, and the nearest actions that the engine knows; never empty.
        messages: Vec<Message>,
    },
    /// Somebody asked to stop.
    #[error("the motion was cancelled")]
    Cancelled,
    /// There is too little time, or the result failed the engine's own checks.
    #[error("the motion could not be made: {0}")]
    Failed(Message),
}

/// An engine's name and version, stored with everything it makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineInfo {
    /// For example `composer`.
    pub name: &'static str,
    /// Changes whenever the same seed gives another clip.
    pub version: u32,
}

/// Turns a prompt into a clip.
pub trait MotionEngine: Send + Sync {
    /// Name and version.
    fn describe(&self) -> EngineInfo;

    /// What the prompt would become, without making it. Milliseconds.
    ///
    /// # Errors
    /// [`EngineError::UnknownAction`].
    fn understand(&self, prompt: &Prompt) -> Result<Understood, EngineError>;

    /// What a script would become, and what of it would be left out, without making it. Milliseconds.
    ///
    /// # Errors
    /// [`EngineError::UnknownAction`] when nothing of it can be performed, [`EngineError::Failed`] when
    /// it is more than a clip holds.
    fn understand_script(
        &self,
        script: &Script,
    ) -> Result<(MotionScript, Vec<LeftOut>), EngineError> {
        performable::steps_of(&Repertoire::default(), script)
    }

    /// What a clip of this length will have no time for, without making it; `None` where all of it
    /// fits, or nobody knows. Milliseconds.
    fn only_beginning(
        &self,
        _script: &MotionScript,
        _duration_s: Seconds,
        _seed: Seed,
    ) -> Option<OnlyBeginning> {
        None
    }

    /// Makes one variant. `progress` is called with 0 to 1; `cancel` is looked at often.
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
