//! Clip to believable clip: feet that stand do not slide, nothing sinks into the floor, nothing
//! jitters.
//!
//! In goes a [`limber_animation::Clip`] on any skeleton with legs, the canonical one or that of a
//! character; out comes a clip of the same length on the same skeleton. The usual order:
//!
//! ```text
//! clip ─ ground ─▶ ─ settle ─▶ ─ filter_poses ─▶ ─ lock_feet(contacts) ─▶ ─ in_place ─▶ clip
//!                                                      ▲
//!                                  detect_contacts ────┘ or the contacts the engine knows
//! ```
//! [`settle`] is the physics stage: joints within their limits, limbs outside the body. Finished
//! clips are edited by [`trim()`], [`inpaint()`], [`merge()`], [`make_loop`] and [`refine()`], and
//! corrected by hand by [`apply_corrections`], which change only what they must.
//!
//! [`measure`] and [`measure_on_mesh`] put numbers to the result. Everything is a pure function
//! and deterministic. Skeletons without feet pass through unchanged.
//!
//! **Never knows:** prompts, scripts, files, characters' looks, time of day, threads.
#![warn(missing_docs)]

mod contacts;
mod curve;
mod edits;
mod feet;
mod filter;
mod floor;
mod foot_lock;
mod metrics;
mod physics;
mod root;

pub use contacts::{ContactSettings, contacts_of, detect_contacts};
pub use edits::{
    Blend, Correction, CorrectionEase, CorrectionKey, CorrectionLayer, Creativity, Curve, CurveKey,
    EditError, GroundMove, IntervalError, Intervals, LoopSettings, Looped, Merged, PulledLimb,
    RootMode, Seam, Trim, Untouched, Weighted, apply_corrections, facing, inpaint, loop_seam,
    make_loop, merge, overlap, refine, restore, seam, trim,
};
pub use feet::Soles;
pub use filter::filter_poses;
pub use floor::ground;
pub use foot_lock::{FootLockingMode, hold_feet_on, lock_feet, lock_feet_on, standing_contacts};
pub use metrics::{ClipMetrics, measure, measure_on_mesh};
pub use physics::{
    BodyFaults, Build, BuildError, PhysicsError, SELF_PENETRATION_M, Settled, body_faults, settle,
};
pub use root::{InPlace, in_place};
