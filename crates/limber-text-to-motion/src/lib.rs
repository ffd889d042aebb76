//! Prompt to clip.
//!
//! ```text
//! prompt ──parse──▶ MotionScript ──plan──▶ timeline + footsteps ──synthesise──▶ Clip
//!         lexicon
//! ```
//! Actions are data, `assets/lexicon/actions` and `assets/scores`; [`ComposerWith`] performs actions of
//! somebody's own beside them ([`AddedActions`]).
//!
//! Every arrow is a pure function; every value can be printed and read as text. The result is a
//! [`limber_animation::Clip`] on the canonical skeleton, with its contacts.
//!
//! **Never knows:** HTTP, jobs, file formats, the character the clip will end up on.
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
pub use performable::{LeftOut, Rival, Why, performable, script_of};
pub use script::{
    Act, AimedAt, Amount, Body, Direction, Level, Measures, MotionScript, Path, Shape, SideChoice,
    Step, Tempo,
};
pub use vocabulary::{Action, Argument, Pace, Way, read_actions_from};
