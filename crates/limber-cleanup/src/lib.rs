//! Cleanup of clips: locks feet, keeps the body out of the floor and out of itself, removes jitter.
//!
//! The input is a [`limber_animation::Clip`] on any skeleton with legs, the canonical one or that
//! of a character; the output is a clip of the same length on the same skeleton. The usual order of
//! the stages:
//!
//! ```text
//! clip ─ ground ─▶ ─ fix_body_faults ─▶ ─ filter_poses ─▶ ─ lock_feet(contacts) ─▶ ─ in_place ─▶ clip
//!                                                               ▲
//!                                           detect_contacts ────┘ or the contacts the engine knows
//! ```
//! [`fix_body_faults`] is the physics stage: it keeps joints within their limits and limbs outside
//! the body. Finished clips are edited by [`trim()`], [`inpaint()`], [`merge()`], [`make_loop`] and
//! [`refine()`], and corrected by hand by [`apply_corrections`]; these change only the frames that
//! they have to.
//!
//! [`measure`] and [`measure_on_mesh`] compute quality metrics of the result. Everything is a pure
//! function and deterministic. Clips on skeletons without feet are returned unchanged.
//!
//! The crate knows nothing about prompts, scripts, files, character appearance, wall-clock time or
//! threads.
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
    BodyFaults, Build, BuildError, PhysicsError, PhysicsResult, SELF_PENETRATION_M, body_faults,
    fix_body_faults,
};
pub use root::{InPlace, in_place};
