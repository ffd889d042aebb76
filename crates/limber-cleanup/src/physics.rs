//! The physics stage: joints stay within their limits, limbs out of the body, the body out of the
//! floor.
//!
//! Nothing is simulated: the movement stays what it is, and only as much is taken back as is
//! impossible. Limits yield softly ([`limits`]), limbs are pushed out of what they are in along the
//! shortest way, and the corrections are smoothed over time, so that nothing pops ([`resolve`]). Feet
//! that stand stay where they stand. A clip without faults comes back as it is, bit for bit.

mod capsules;
mod limits;
mod resolve;

pub use capsules::{Build, BuildError};
pub(crate) use limits::Limits;

use glam::Vec3;
use limber_animation::{Clip, HumanBone, JointIndex, Side, calm, ik};

use crate::contacts_of;
use capsules::Figure;

/// Deeper than this two parts of a body are inside each other, metres; skin gives way before.
pub const SELF_PENETRATION_M: f32 = 0.01;
/// What is left may not be deeper than this for longer than [`LONGEST_RESIDUE`] frames.
const DEEPEST_RESIDUE_M: f32 = 0.05;
const LONGEST_RESIDUE: usize = 10;
/// The hips may not be moved further than this, metres.
const MOST_DRIFT_M: f32 = 0.5;

/// What is impossible about a clip, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BodyFaults {
    /// Share of frames in which two parts are deeper in each other than a centimetre.
    pub self_penetration: f32,
    /// How deep the deepest is, mm.
    pub self_depth_mm: f32,
    /// How deep anything but the feet is below the floor, mm.
    pub floor_depth_mm: f32,
    /// How far the worst joint is beyond its limits, degrees.
    pub beyond_limits_deg: f32,
}

/// A clip that a body can do.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// The corrected clip.
    pub clip: Clip,
    /// What was wrong.
    pub before: BodyFaults,
    /// What is left.
    pub after: BodyFaults,
}

/// Why no possible movement was found.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum PhysicsError {
    /// A number became infinite.
    #[error("the body's correction is not finite in frame {0}")]
    NotFinite(usize),
    /// Parts of the body stay in each other.
    #[error("parts of the body stay {depth_mm:.0} mm deep in each other for {frames} frames")]
    Stuck {
        /// The deepest, mm.
        depth_mm: f32,
        /// For how long.
        frames: usize,
    },
    /// The hips were moved too far.
    #[error("the body was moved {0:.2} m away from where it should be")]
    Drifted(f32),
}

/// Takes back what a body of this build cannot do. For clips on the canonical skeleton or another
/// one that rests in T-pose with joints turned like the world; on others limits are not known and
/// the clip comes back as it is.
///
/// # Errors
/// See [`PhysicsError`].
pub fn settle(clip: &Clip, build: &Build) -> Result<Settled, PhysicsError> {
    let skeleton = clip.skeleton();
    let figure = Figure::new(skeleton, build);
    let limits = Limits::of(skeleton);
    let before = faults(clip, &figure, &limits);
    let within = limits.keep(clip);
    let mut settled = resolve::push_apart(&within, &figure, &limits);
    keep_arms_calm(clip, &mut settled);
    keep_feet(clip, &mut settled);
    check(clip, &settled, &figure)?;
    let after = faults(&settled, &figure, &limits);
    Ok(Settled { clip: settled, before, after })
}

/// Measures what a body of this build cannot do.
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

/// An elbow that was pushed to the other side goes there over some frames.
fn keep_arms_calm(meant: &Clip, settled: &mut Clip) {
    if settled == meant {
        return;
    }
    let skeleton = meant.skeleton().clone();
    let arms = Side::BOTH.into_iter().flat_map(HumanBone::arm);
    let joints: Vec<JointIndex> = arms.filter_map(|bone| skeleton.find(bone)).collect();
    calm::soften(settled.frames_mut(), &joints);
}

/// Brings feet that stand back to where they stood.
fn keep_feet(meant: &Clip, settled: &mut Clip) {
    let skeleton = meant.skeleton().clone();
    let feet = crate::feet::Foot::all(&skeleton);
    let contacts = contacts_of(meant);
    for (frame, pose) in settled.frames_mut().iter_mut().enumerate() {
        for foot in feet.iter().filter(|foot| contacts[frame].foot(foot.side)) {
            let (wanted, turned) = foot.ankle(&skeleton, &meant.frames()[frame]);
            let (at, now) = foot.ankle(&skeleton, pose);
            if at.distance(wanted) > 1e-5 || now.angle_between(turned) > 1e-3 {
                ik::reach(&skeleton, pose, foot.leg, wanted, None, Some(turned));
            }
        }
    }
}

fn check(meant: &Clip, settled: &Clip, figure: &Figure) -> Result<(), PhysicsError> {
    if let Some(frame) = settled.frames().iter().position(|pose| !pose.is_finite()) {
        return Err(PhysicsError::NotFinite(frame));
    }
    let hips = |clip: &Clip, frame: usize| -> Vec3 {
        let joint: JointIndex = clip.skeleton().hips();
        ik::standing(clip.skeleton(), &clip.frames()[frame], joint).0
    };
    let drift = (0..meant.len())
        .map(|frame| hips(meant, frame).distance(hips(settled, frame)))
        .fold(0.0, f32::max);
    if drift > MOST_DRIFT_M {
        return Err(PhysicsError::Drifted(drift));
    }
    let (mut run, mut longest, mut deepest) = (0, 0, 0.0_f32);
    for pose in settled.frames() {
        let depth = figure.deepest(&settled.skeleton().world(pose));
        run = if depth > DEEPEST_RESIDUE_M { run + 1 } else { 0 };
        longest = longest.max(run);
        deepest = deepest.max(depth);
    }
    if longest > LONGEST_RESIDUE {
        return Err(PhysicsError::Stuck { depth_mm: 1000.0 * deepest, frames: longest });
    }
    Ok(())
}
