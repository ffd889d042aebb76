//! The pipeline from a prompt to finished files.
//!
//! ```text
//! prompt ─ generate ─▶ canonical clip ─ track ─▶ ─ correct ─▶ ─ retarget ─▶ clip on the character
//!                      (stored; all else                                     │
//!                       is derived from it)              metrics ◀───────────┼─▶ bvh ─▶ .bvh
//!                                                                            └─▶ bake ─▶ .glb .fbx .vrma
//! ```
//! [`run`] runs all of it; [`make`] stops at the [`CanonicalClip`], which can be stored as bytes,
//! and [`derive()`] continues from there, any number of times, with other characters and options.
//! [`edits`] make new canonical clips from stored ones. Each stage is a function in `stages/` with
//! its own error codes ([`ErrorCode`]). [`say`] runs the whole pipeline for the command line and
//! writes files to a folder; [`mod@export`] makes files from stored clips; [`video`] renders a
//! GLB as a video.
//!
//! **Input:** a checked [`Request`], an engine, a character, and a cancellation token. **Output:**
//! named files as bytes. **Out of scope:** HTTP, jobs, accounts, databases, clocks; only [`say`],
//! [`beside`] and [`actions`] access the disk.
#![warn(missing_docs)]

pub mod actions;
pub mod backdrops;
pub mod beside;
mod code;
pub mod corrections;
pub mod edits;
pub mod export;
mod file_rate;
mod loop_gap;
mod metrics;
mod names;
mod options;
pub mod picture;
mod pipeline;
mod progress;
pub mod say;
mod stages;
pub mod stock;
pub mod video;
mod vocabulary;

pub use code::{ErrorCode, Retry};
pub use corrections::HandCorrections;
pub use file_rate::FileRate;
pub use limber_animation::HumanBone;
pub use limber_cleanup::FootLockingMode;
pub use limber_formats::canonical::CanonicalClip;
pub use limber_formats::preset::{JointNames, KeyReduction, Preset};
pub use limber_script::{
    ClipEnds, ContradictoryEnds, End, Message, Script, ScriptError, Start, message,
    schema as script_schema,
};
pub use limber_takes as takes;
pub use limber_text_to_motion::{
    Cancel, Composer, ComposerWith, EngineError, EventWords, LeftOut, MotionEngine, MotionScript,
    Prompt, Reading as PromptReading, Seed, script_of,
};
pub use loop_gap::{LoopGap, LoopMeter, loop_gap_deg};
pub use metrics::{Faults, Metrics, PhysicsMetrics};
pub use names::base_name;
pub use options::{FileKind, Options, OptionsError, Request, UnknownFormat, parse_formats};
pub use pipeline::{
    Output, OutputFile, PipelineError, StageFailure, canonical_from_bytes, canonical_to_bytes,
    derive, make, run,
};
pub use progress::{Progress, Stage};
pub use stages::face::{face_shapes, is_face};
pub use vocabulary::{ActionNames, Vocabulary, action_names, vocabulary};
