//! Reading a prompt: from a sentence to a motion script, with the words that each part of it came from.
//!
//! ```text
//! prompt ──words──▶ pieces ──encoder──▶ words in context ──heads──▶ triggers, fields, links ──assembly──▶ script
//! ```
//! A small transformer that was trained on the sentences of `assets/reader` says what each word is for: it
//! names something that is done, says something about such an event, or neither. Rules do what rules do
//! best: numbers and units, slips of the fingers, limits, and that a script makes sense. Every word ends as
//! *used*, *scenery* or *not understood*; none is lost.
//!
//! Pure: the same prompt gives the same reading on every machine. Scores are rounded before they decide
//! anything, because processors differ in the last bits of a sum.
//!
//! **Never knows:** what a body can perform.
#![warn(missing_docs)]

mod assembly;
mod carriage;
mod encoder;
mod english;
mod heads;
mod numbers;
mod pieces;
mod postures;
mod reading;
mod rules;
mod slips;
mod weights;
mod words;

pub use assembly::is_form_of_be;
pub use postures::{posture_after, posture_during};
pub use reading::{
    Corrected, EventWords, Field, NotUnderstood, Opposed, Reader, Reading, WordRange,
};
pub use weights::WeightsError;
pub use words::{joined_digits, within_numbers};

/// Whether a prompt is built in a way that phrases alone misread, however short it is: somebody is acted upon, two things
/// are counted together, or parts of the body are carried in some way.
#[must_use]
pub fn is_built(prompt: &str) -> bool {
    assembly::is_built(prompt) || !carriage::carried(&words::words(prompt)).is_empty()
}
