//! The judge of motion: watches a finished clip and says what is done in it.
//!
//! ```text
//! clip ─▶ Body ─▶ sightings of a deed ─┐
//!                                      ├─▶ Verdict: action, count, side, direction, speed, order
//! Expected (from a table, or a caption)┘
//! ```
//! A [`Deed`] is something a person can be seen doing: a step of a walk, a jump, a hand at the ear.
//! Every deed is found from places and turns of joints alone, so the same rules read clips that
//! Limber made and motion that was recorded from people. [`spoil`] ruins clips on purpose: a rule that
//! passes them is worth nothing.
//!
//! **Goes in:** clips on any human skeleton, and what was asked for as data. **Comes out:** verdicts
//! with the reason in a sentence, and measures of gaits and jerk. **Never knows:** prompts' grammar,
//! engines, scripts, scores or contacts; it depends on `limber-animation` alone, and a test of the
//! house keeps it so.
#![warn(missing_docs)]

mod body;
mod caption;

mod curves;
mod deed;
mod expectation;
pub mod gait;
mod grace;
pub mod mocap;
mod prompts;

pub mod spoil;

pub use body::Body;
pub use caption::Captions;

pub use deed::{Deed, Sighting, Way};
pub use expectation::{Class, Count, Expected, Finding, Limb, Step, Verdict};
pub use grace::snap;
pub use prompts::{Family, PromptSet, prompt_set};
