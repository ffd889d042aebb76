//! Reads prompts: turns a sentence into a motion script, with the words that each part of it came
//! from.
//!
//! ```text
//! prompt ──words──▶ pieces ──encoder──▶ words in context ──heads──▶ triggers, fields, links ──assembly──▶ script
//! ```
//! A small transformer, trained on the sentences of `assets/reader`, classifies each word: it names
//! an event, describes one, or neither. Rules handle what rules do best: numbers and units, typos,
//! limits, and the validity of the script. Every word ends as *used*, *scenery* or *not
//! understood*; none is lost.
//!
//! The crate is pure: the same prompt gives the same reading on every machine. Scores are rounded
//! before they are compared, because processors differ in the last bits of a sum.
//!
//! The crate does not know which actions can be performed.
#![warn(missing_docs)]

mod assembly;
mod body_pose;
mod effect;
mod encoder;
mod english;
mod heads;
mod numbers;
mod pieces;
mod postures;
mod reading;
mod rules;
mod spelling;
mod triggers;
mod weights;
mod words;

pub use postures::{posture_after, posture_during};
pub use reading::{
    Corrected, EventWords, Field, NotUnderstood, Opposed, Reader, Reading, WordRange,
};
pub use weights::WeightsError;
pub use words::within_numbers;
