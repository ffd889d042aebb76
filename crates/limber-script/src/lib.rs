//! The motion script, version 2: a description of what a body does, before any motion is made.
//!
//! A [`Script`] is a list of [`Event`]s on a timeline. The prompt reader writes it, the engine
//! performs it, and other programs can submit it instead of a prompt. It has a JSON form with a
//! published schema ([`Script::from_json`], [`schema`]) and a one-line text form for logs and
//! people (`walk direction:forward steps:3 > wave side:left`), both made from the same fields.
//!
//! Directions are relative to the character: forward is where it faces, left is its left. Sizes,
//! forces and speeds are factors; 1 is usual.
//!
//! The crate also holds the animator's manual [`corrections`] of a finished clip, and the messages
//! about prompts and scripts, as data: [`Message`].

pub mod corrections;
mod ends;
mod event;
mod json;
pub mod message;
mod names;
mod ranges;
mod script;
mod text;
mod version1;
mod words;

pub use ends::{ClipEnds, ContradictoryEnds};
pub use event::{Aim, Event, EventAction, EventIndex, Timing};
pub use json::schema;
pub use message::Message;
pub use names::{ActionName, InvalidActionName};
pub use ranges::{
    Angle, BeatsPerMinute, Count, Distance, Duration, Factor, Intensity, OutOfRange, Speed,
};
pub use script::{End, Script, ScriptError, Start};
pub use words::{
    BodyPart, Direction, Height, Manner, Path, Posture, Prop, Rhythm, Side, SizeClass, SpeedCurve,
    Target, Verb,
};
