//! Text to motion: turns a prompt into a clip.
//!
//! ```text
//! prompt ──parse──▶ MotionScript ──plan──▶ timeline + footsteps ──synthesise──▶ Clip
//!         lexicon
//! ```
//! Actions are data in `assets/lexicon/actions` and `assets/scores`; [`ComposerWith`] also performs
//! custom actions ([`AddedActions`]).
//!
//! Every arrow is a pure function, and every intermediate value can be printed and read as text.
//! The result is a [`limber_animation::Clip`] on the canonical skeleton, with contacts.
//!
//! The crate knows nothing about HTTP, jobs, file formats or the character that the clip is for.
#![warn(missing_docs)]

mod added;
mod body_language;
mod composer;
mod data_file;
mod engine;
mod fault;
mod language;
mod performable;
mod script;
mod vocabulary;

pub use added::{ActionFile, ActionFiles, AddedActions};
pub use composer::{Composer, ComposerWith, Rehearsal, faults_of_scores, impossible_in};
pub use engine::{
    Cancel, EngineError, EngineInfo, GeneratedMotion, MotionEngine, MotionRequest, OnlyBeginning,
    PerformedStep, Prompt, PromptError, Seed,
};
pub use fault::ActionFault;
pub use language::{ParseScriptError, Understood, names_not_performed_yet, understand};
pub use limber_reader::{EventWords, Reading};
pub use limber_script::{ClipEnds, Intensity, Manner};
pub use performable::{LeftOut, OmissionReason, Rival, performable, script_of};
pub use script::{
    Act, AimedAt, Amount, Body, Direction, Level, Measures, MotionScript, Path, Shape, SideChoice,
    Step, Tempo,
};
pub use vocabulary::{Action, ActionKind, Argument, FlipDirection, Pace, read_actions_from};
