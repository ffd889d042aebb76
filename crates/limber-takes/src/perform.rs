//! Performs steps of a script with takes.
//!
//! The engine first draws the whole clip. The drawn clip shows where each step starts and ends,
//! which foot is down there and how far the step travels. The drawn movement of a step is then
//! replaced by a take, in the same way as an edit replaces frames of a finished clip
//! ([`limber_cleanup::merge`]): differences at both ends are blended out, and feet are locked to
//! footprints. A result that violates a rule for clips is discarded, and the drawn movement is
//! kept.

mod choice;
mod fit;
mod gate;
mod legs;

use std::{fmt, sync::Arc};

use limber_animation::{Clip, Seconds};
use limber_script::{Message, Script, message::TakeRefusal};
use limber_text_to_motion::{
    Cancel, EngineError, EngineInfo, GeneratedMotion, LeftOut, MotionEngine, MotionRequest,
    MotionScript, OnlyBeginning, PerformedStep, Prompt, Seed, Understood,
};

use crate::Library;
use choice::{Candidate, candidates};

/// Number of candidates that are tried before a step stays drawn.
const TRIES: usize = 5;
/// Maximum length of a clip in frames, the same as the composer's.
const MOST_FRAMES: usize = 3_600;

/// Whether steps are performed with takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TakesMode {
    /// With a take wherever one fits; where none does, a message says why.
    #[default]
    Recorded,
    /// With a take or drawn, depending on the seed.
    Either,
    /// Always drawn.
    Drawn,
}

impl TakesMode {
    /// All values with their names.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Recorded, "recorded"), (Self::Either, "either"), (Self::Drawn, "drawn")];
}

/// An engine that performs steps with the takes of a library where they fit.
pub struct Performer {
    engine: Box<dyn MotionEngine>,
    library: Arc<Library>,
    mode: TakesMode,
}

impl fmt::Debug for Performer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let library = &self.library.header().name;
        write!(formatter, "Performer({}, {library}, {:?})", self.engine.describe().name, self.mode)
    }
}

impl Performer {
    /// Wraps an engine.
    #[must_use]
    pub fn new(engine: Box<dyn MotionEngine>, library: Arc<Library>, mode: TakesMode) -> Self {
        Self { engine, library, mode }
    }

    /// Replaces the steps for which there is a take, the last one first, so that the frame numbers
    /// of earlier steps stay valid.
    fn perform(
        &self,
        made: GeneratedMotion,
        is_exact: bool,
        seed: Seed,
        cancel: &Cancel,
    ) -> Result<GeneratedMotion, EngineError> {
        let GeneratedMotion { mut clip, script, steps, mut warnings } = made;
        let mut told = Vec::new();
        for performed in steps.iter().rev() {
            if cancel.is_cancelled() {
                return Err(EngineError::Cancelled);
            }
            let step = Wanted {
                script: &script,
                performed,
                is_exact,
                seed: seed_of(seed, performed.step),
            };
            if self.mode == TakesMode::Either && step.seed & 1 == 0 {
                continue;
            }
            match self.replaced(&clip, &step) {
                Ok((replaced, message)) => {
                    clip = replaced;
                    told.push(message);
                }
                Err(reason) => told.extend(self.told(&step, reason)),
            }
        }
        warnings.extend(told.into_iter().rev());
        Ok(GeneratedMotion { clip, script, steps, warnings })
    }

    /// The clip with one step performed by a take, and the message about it.
    fn replaced(&self, clip: &Clip, wanted: &Wanted<'_>) -> Result<(Clip, Message), TakeRefusal> {
        let candidates = candidates(&self.library, clip, wanted)?;
        let mut reason = TakeRefusal::Unclean;
        for candidate in candidates.iter().take(TRIES) {
            match self.tried(clip, wanted, candidate) {
                Ok(fitted) => return Ok((fitted, self.credit(wanted, candidate))),
                Err(why) => reason = why,
            }
        }
        Err(reason)
    }

    fn tried(
        &self,
        clip: &Clip,
        wanted: &Wanted<'_>,
        candidate: &Candidate,
    ) -> Result<Clip, TakeRefusal> {
        let take = self.library.movement(candidate.place).map_err(|_| TakeRefusal::Damaged)?;
        let fitted = fit::fitted(clip, &take, candidate).ok_or(TakeRefusal::Unclean)?;
        if fitted.clip.len() > MOST_FRAMES {
            return Err(TakeRefusal::Length);
        }
        gate::check(clip, &candidate.hole, &fitted, wanted.act())?;
        Ok(fitted.clip)
    }

    fn credit(&self, wanted: &Wanted<'_>, candidate: &Candidate) -> Message {
        let (take, _) = self.library.window(candidate.place);
        let header = self.library.header();
        Message::Recorded {
            action: wanted.act().action.phrase(),
            take: take.name.clone(),
            library: header.name.clone(),
            licence: header.licence.clone(),
        }
    }

    /// The message about a step that stays drawn; `None` if the seed could have left it drawn
    /// anyway.
    fn told(&self, wanted: &Wanted<'_>, refusal: TakeRefusal) -> Option<Message> {
        let action = wanted.act().action.phrase();
        (self.mode == TakesMode::Recorded).then_some(Message::TakeNotUsed { action, refusal })
    }
}

/// A step that should be performed with a take.
struct Wanted<'a> {
    script: &'a MotionScript,
    performed: &'a PerformedStep,
    /// Whether a clip length was requested, so that it may not change.
    is_exact: bool,
    /// Random seed of this step.
    seed: u64,
}

impl Wanted<'_> {
    fn act(&self) -> &limber_text_to_motion::Act {
        &self.script.steps[self.performed.step].main
    }
}

/// `SplitMix64` (Steele et al. 2014).
fn mixed(seed: u64, by: u64) -> u64 {
    let mut z = seed.wrapping_add(by.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Each step has its own random seed, so that an additional step does not change those before it.
fn seed_of(seed: Seed, step: usize) -> u64 {
    mixed(seed.0, step as u64)
}

impl MotionEngine for Performer {
    fn describe(&self) -> EngineInfo {
        let EngineInfo { version, .. } = self.engine.describe();
        EngineInfo { name: "composer with takes", version }
    }

    fn understand(&self, prompt: &Prompt) -> Result<Understood, EngineError> {
        self.engine.understand(prompt)
    }

    fn understand_script(
        &self,
        script: &Script,
    ) -> Result<(MotionScript, Vec<LeftOut>), EngineError> {
        self.engine.understand_script(script)
    }

    fn only_beginning(
        &self,
        script: &MotionScript,
        duration_s: Seconds,
        seed: Seed,
    ) -> Option<OnlyBeginning> {
        self.engine.only_beginning(script, duration_s, seed)
    }

    fn generate(
        &self,
        request: &MotionRequest,
        seed: Seed,
        cancel: &Cancel,
        progress: &mut dyn FnMut(f32),
    ) -> Result<GeneratedMotion, EngineError> {
        let mut drawing = |share: f32| progress(0.7 * share);
        let made = self.engine.generate(request, seed, cancel, &mut drawing)?;
        if self.mode == TakesMode::Drawn {
            progress(1.0);
            return Ok(made);
        }
        let performed = self.perform(made, request.duration_s.is_some(), seed, cancel)?;
        progress(1.0);
        Ok(performed)
    }
}
