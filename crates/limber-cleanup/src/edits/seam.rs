//! Measures how smoothly new movement joins the old.

use glam::Vec3;
use limber_animation::{Clip, FrameIndex, JointIndex, Pose};

use super::{GroundMove, ground_move::hips, residual::turn};

/// Lower bounds of frame-to-frame steps, so that standing still does not divide by zero: metres and
/// radians per frame.
pub(super) const STILL_M: f32 = 0.002;
pub(super) const STILL_RAD: f32 = 0.01;

/// The smoothness of a seam between two frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seam {
    /// The step of the worst joint over the seam as a multiple of the larger of its steps just
    /// before and just after; the worse of position and rotation. Up to 1.2 is invisible.
    pub ratio: f32,
    /// The worst joint.
    pub worst: JointIndex,
    /// Difference between the rotation of a joint over the seam and that after it, degrees per
    /// frame; of the worst joint.
    pub turn_deg: f32,
    /// Difference between the hips' speed over the seam and that after it, cm/s.
    pub hips_cm_s: f32,
}

/// The seam between `frame` and the frame before it. Near the ends of the clip, missing frames are
/// ignored.
#[must_use]
pub fn seam(clip: &Clip, frame: FrameIndex) -> Seam {
    let at = |frame: Option<usize>| frame.and_then(|frame| clip.frames().get(frame));
    match (at(frame.checked_sub(1)), at(Some(frame))) {
        (Some(last), Some(first)) => {
            let outer = [at(frame.checked_sub(2)), at(Some(frame + 1))];
            of(clip, [outer[0].unwrap_or(last), last, first, outer[1].unwrap_or(first)])
        }
        _ => smooth(clip),
    }
}

/// The seam at which one repetition of a loop, which is the whole clip, continues with the next.
#[must_use]
pub fn loop_seam(clip: &Clip, travel: GroundMove) -> Seam {
    let last = clip.len() - 1;
    let frames = clip.frames();
    let moved = |frame: usize| travel.pose(clip.skeleton(), &frames[frame.min(last)]);
    of(clip, [&frames[last.saturating_sub(1)], &frames[last], &moved(0), &moved(1)])
}

fn smooth(clip: &Clip) -> Seam {
    Seam { ratio: 0.0, worst: clip.skeleton().hips(), turn_deg: 0.0, hips_cm_s: 0.0 }
}

fn of(clip: &Clip, poses: [&Pose; 4]) -> Seam {
    let skeleton = clip.skeleton();
    let places = poses.map(|pose| skeleton.world(pose).positions);
    let mut seam = smooth(clip);
    for joint in skeleton.indices() {
        let ways = [0, 1, 2].map(|k| places[k + 1][joint.get()] - places[k][joint.get()]);
        let turns = [0, 1, 2].map(|k| turn(poses[k].rotation(joint), poses[k + 1].rotation(joint)));
        let worse = ratio(ways, STILL_M).max(ratio(turns, STILL_RAD));
        if worse > seam.ratio {
            (seam.ratio, seam.worst) = (worse, joint);
        }
        seam.turn_deg = seam.turn_deg.max(jump(turns).to_degrees());
    }
    let at = poses.map(|pose| hips(skeleton, pose).0);
    let ways = [at[1] - at[0], at[2] - at[1], at[3] - at[2]];
    seam.hips_cm_s = 100.0 * jump(ways) * clip.fps().per_second();
    seam
}

/// The step over a seam as a multiple of the larger of its neighbours.
pub(super) fn ratio([before, over, behind]: [Vec3; 3], still: f32) -> f32 {
    over.length() / before.length().max(behind.length()).max(still)
}

fn jump([_, over, behind]: [Vec3; 3]) -> f32 {
    over.distance(behind)
}
