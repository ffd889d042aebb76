//! Evaluates motion: detects which actions a finished clip shows, and compares them with a request.
//!
//! ```text
//! clip ─▶ Body ─▶ sightings of actions ┐
//!                                      ├─▶ Verdict: action, count, side, direction, speed, order
//! Expected (from a table, or a caption)┘
//! ```
//! A [`DetectedAction`] is an action that can be detected: walking, a jump, a hand at the ear.
//! Every detector uses only positions and rotations of joints, so that the same rules apply to
//! clips made by Limber and to recordings of people. [`degrade`] degrades clips on purpose: a rule
//! that a degraded clip still passes is worthless.
//!
//! The input is clips on any human skeleton, and the request as data. The output is verdicts with a
//! reason for each failure, and measurements of gait and jerk. The crate knows nothing about prompt
//! grammar, engines, scripts or contacts; it depends on `limber-animation` only, which a test
//! enforces.
#![warn(missing_docs)]

mod body;
mod caption;

mod curves;
mod detected_action;
mod expectation;
pub mod gait;
pub mod mocap;
mod prompts;
mod snap_check;
pub mod stops;

pub mod degrade;

pub use body::Body;
pub use caption::Captions;

pub use detected_action::{DetectedAction, Direction, Sighting};
pub use expectation::{Class, Count, Expected, Finding, Limb, Step, Verdict};
pub use prompts::{Family, PromptSet, prompt_set};
pub use snap_check::snap;
