//! The motion script, version 2: what a body is to do, before anything moves.
//!
//! A [`Script`] is a list of [`Event`]s on a timeline. It is what a reader of prompts writes, what the
//! engine performs, and what another program can hand in instead of a prompt. It has a JSON form with a
//! published schema ([`Script::from_json`], [`schema`]), and a one-line text form for logs and people
//! (`walk direction:forward steps:3 > wave side:left`), made from the same fields.
//!
//! Directions are the character's own: forward is where it faces, left is its left. Sizes, forces and
//! speeds are factors of what is usual (1).
//!
//! Beside it stand what an animator changes by hand in a finished clip, [`corrections`], and what there is
//! to say about prompts and scripts, as data: [`Message`].

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
pub use event::{Aim, Deed, Event, EventIndex, Timing};
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
