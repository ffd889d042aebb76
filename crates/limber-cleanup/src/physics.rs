//! The physics stage: keeps joints within their limits, limbs out of the body, and the body out of
//! the floor.
//!
//! Nothing is simulated: the stage removes only what is physically impossible and keeps the rest of
//! the movement. Limits are soft ([`limits`]), intersecting limbs are pushed out along the shortest
//! direction, and the corrections are smoothed over time so that nothing pops ([`resolve`]).
//! Standing feet stay in place. A clip without faults is returned bit for bit.

mod capsules;
mod limits;
mod resolve;

pub use capsules::{Build, BuildError};
pub(crate) use limits::Limits;

use glam::Vec3;
use limber_animation::{Clip, HumanBone, JointIndex, Side, despike, ik};

use crate::contacts_of;
use capsules::Figure;

/// Depth from which two parts of a body count as intersecting, metres; less is soft tissue
/// deforming.
pub const SELF_PENETRATION_M: f32 = 0.01;
/// A remaining intersection may not be deeper than this for more than [`LONGEST_RESIDUE`] frames.
const DEEPEST_RESIDUE_M: f32 = 0.05;
const LONGEST_RESIDUE: usize = 10;
/// Maximum distance by which the hips may be moved, metres.
const MOST_DRIFT_M: f32 = 0.5;

/// Physical faults of a clip.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyFaults {
    /// Share of frames in which two body parts intersect by more than a centimetre.
    pub self_penetration: f32,
    /// Maximum depth of an intersection, mm.
    pub self_depth_mm: f32,
    /// Maximum depth of any body part except the feet below the floor, mm.
    pub floor_depth_mm: f32,
    /// Largest violation of a joint limit, degrees.
    pub beyond_limits_deg: f32,
}

/// A clip after the physics stage.
#[derive(Debug, Clone, PartialEq)]
pub struct PhysicsResult {
    /// The corrected clip.
    pub clip: Clip,
    /// Faults before the correction.
    pub before: BodyFaults,
    /// Faults that remain.
    pub after: BodyFaults,
}

/// Why a clip could not be corrected.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum PhysicsError {
    /// A frame contains values that are not finite.
    #[error("the body's correction is not finite in frame {0}")]
    NotFinite(usize),
    /// Parts of the body stay intersected.
    #[error("parts of the body intersect by {depth_mm:.0} mm for {frames} frames")]
    Stuck {
        /// Maximum depth, mm.
        depth_mm: f32,
        /// Number of frames.
        frames: usize,
    },
    /// The hips were moved too far, metres.
    #[error("the body was moved {0:.2} m away from where it should be")]
    Drifted(f32),
}

/// Removes what a body of this build cannot do. It works for clips on the canonical skeleton or
/// another one whose rest pose is a T-pose with joint axes aligned with the world; on others the
/// limits are unknown and the clip is returned unchanged.
///
/// # Errors
/// See [`PhysicsError`].
pub fn fix_body_faults(clip: &Clip, build: &Build) -> Result<PhysicsResult, PhysicsError> {
    let skeleton = clip.skeleton();
    let figure = Figure::new(skeleton, build);
    let limits = Limits::of(skeleton);
    let before = faults(clip, &figure, &limits);
    let within = limits.keep(clip);
    let mut fixed = resolve::push_apart(&within, &figure, &limits);
    despike_arms(clip, &mut fixed);
    restore_standing_feet(clip, &mut fixed);
    check(clip, &fixed, &figure)?;
    let after = faults(&fixed, &figure, &limits);
    Ok(PhysicsResult { clip: fixed, before, after })
}

/// Measures the physical faults of a clip for a body of this build.
#[must_use]
pub fn body_faults(clip: &Clip, build: &Build) -> BodyFaults {
    let skeleton = clip.skeleton();
    faults(clip, &Figure::new(skeleton, build), &Limits::of(skeleton))
}

fn faults(clip: &Clip, figure: &Figure, limits: &Limits) -> BodyFaults {
    let mut found = BodyFaults::default();
    let mut frames = 0_usize;
    for pose in clip.frames() {
        let world = clip.skeleton().world(pose);
        let depth = figure.deepest(&world);
        frames += usize::from(depth > SELF_PENETRATION_M);
        found.self_depth_mm = found.self_depth_mm.max(1000.0 * depth);
        found.floor_depth_mm = found.floor_depth_mm.max(1000.0 * figure.below_floor(&world));
        let beyond = limits.beyond(pose).to_degrees();
        found.beyond_limits_deg = found.beyond_limits_deg.max(beyond);
    }
    found.self_penetration = frames as f32 / clip.len() as f32;
    found
}

/// Smooths the arms where the correction pushed an elbow to the other side.
fn despike_arms(original: &Clip, fixed: &mut Clip) {
    if fixed == original {
        return;
    }
    let skeleton = original.skeleton().clone();
    let arms = Side::BOTH.into_iter().flat_map(HumanBone::arm);
    let joints: Vec<JointIndex> = arms.filter_map(|bone| skeleton.find(bone)).collect();
    despike::despike_rotations(fixed.frames_mut(), &joints);
}

/// Returns standing feet to where they stood before.
fn restore_standing_feet(original: &Clip, fixed: &mut Clip) {
    let skeleton = original.skeleton().clone();
    let feet = crate::feet::Foot::all(&skeleton);
    let contacts = contacts_of(original);
    for (frame, pose) in fixed.frames_mut().iter_mut().enumerate() {
        for foot in feet.iter().filter(|foot| contacts[frame].foot(foot.side)) {
            let (wanted, turned) = foot.ankle(&skeleton, &original.frames()[frame]);
            let (at, now) = foot.ankle(&skeleton, pose);
            if at.distance(wanted) > 1e-5 || now.angle_between(turned) > 1e-3 {
                ik::reach(&skeleton, pose, foot.leg, wanted, None, Some(turned));
            }
        }
    }
}

fn check(original: &Clip, fixed: &Clip, figure: &Figure) -> Result<(), PhysicsError> {
    if let Some(frame) = fixed.frames().iter().position(|pose| !pose.is_finite()) {
        return Err(PhysicsError::NotFinite(frame));
    }
    let hips = |clip: &Clip, frame: usize| -> Vec3 {
        let joint: JointIndex = clip.skeleton().hips();
        ik::standing(clip.skeleton(), &clip.frames()[frame], joint).0
    };
    let drift = (0..original.len())
        .map(|frame| hips(original, frame).distance(hips(fixed, frame)))
        .fold(0.0, f32::max);
    if drift > MOST_DRIFT_M {
        return Err(PhysicsError::Drifted(drift));
    }
    let (mut run, mut longest, mut deepest) = (0, 0, 0.0_f32);
    for pose in fixed.frames() {
        let depth = figure.deepest(&fixed.skeleton().world(pose));
        run = if depth > DEEPEST_RESIDUE_M { run + 1 } else { 0 };
        longest = longest.max(run);
        deepest = deepest.max(depth);
    }
    if longest > LONGEST_RESIDUE {
        return Err(PhysicsError::Stuck { depth_mm: 1000.0 * deepest, frames: longest });
    }
    Ok(())
}
