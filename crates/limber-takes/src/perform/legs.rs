//! Repairs legs of recordings: knees slightly hyperextended by marker error, toes, and soles that
//! penetrate the floor.
//!
//! The recorded body has feet of different proportions, so that its toes end up lower than the
//! canonical skeleton's may.

use std::ops::Range;

use glam::{Quat, Vec3};
use limber_animation::{
    Clip, ContactPoint, HumanBone, JointIndex, Pose, Side, Skeleton, ik,
    maths::{asin, atan2},
    smooth::smoothstep,
};

/// Minimum flexion of a knee, radians; below that it would sooner or later bend backwards.
const LEAST_BEND: f32 = 0.02;
/// Lowest height of any part of a sole after the repair, metres; soft soles sink in by a little
/// more.
const LOWEST_M: f32 = -0.004;
/// Number of frames on either side over which a foot is raised.
const REACH: usize = 3;
/// The heel in the foot's space, and the toe tip in the toes' space, metres; the same points by
/// which clips are checked.
const HEEL: Vec3 = Vec3::new(0.0, -0.085, -0.045);
const TIP: Vec3 = Vec3::new(0.0, -0.02, 0.06);
/// Height of the ball of a standing foot, and how much higher the foot must be for its toes to hang
/// freely, metres.
const BALL_M: f32 = 0.02;
const FREE_M: f32 = 0.06;
/// Maximum movement of a standing foot from one frame to the next, metres.
const STILL_M: f32 = 8e-4;

/// The joints of a leg.
struct Leg {
    side: Side,
    chain: [JointIndex; 3],
    toes: JointIndex,
}

impl Leg {
    fn of(skeleton: &Skeleton, side: Side) -> Option<Self> {
        let [thigh, shin, foot, toes] = HumanBone::leg(side).map(|bone| skeleton.find(bone));
        Some(Self { side, chain: [thigh?, shin?, foot?], toes: toes? })
    }

    fn both(skeleton: &Skeleton) -> impl Iterator<Item = Self> {
        Side::BOTH.into_iter().filter_map(|side| Self::of(skeleton, side))
    }

    /// Depth of the lowest of heel, ball and toe tip below the floor, metres.
    fn depth(&self, skeleton: &Skeleton, pose: &Pose) -> f32 {
        let (ankle, turn) = ik::standing(skeleton, pose, self.chain[2]);
        let (ball, toes) = ik::standing(skeleton, pose, self.toes);
        let heel = ankle + turn * HEEL;
        let tip = ball + toes * TIP;
        (LOWEST_M - heel.y.min(tip.y).min(ball.y - BALL_M)).max(0.0)
    }

    /// Rotates the toes flat to the floor while the foot rolls over them, and in line with the foot
    /// when it is in the air.
    fn lay_toes(&self, skeleton: &Skeleton, pose: &mut Pose) {
        let (_, turn) = ik::standing(skeleton, pose, self.chain[2]);
        let (ball, _) = ik::standing(skeleton, pose, self.toes);
        let down = asin((-(turn * Vec3::Z).y).clamp(0.0, 1.0));
        let near = 1.0 - smoothstep((ball.y - BALL_M) / FREE_M);
        pose.set_rotation(self.toes, Quat::from_rotation_x(-down * near));
    }

    fn bends_back(&self, pose: &Pose) -> bool {
        let turn = pose.rotation(self.chain[1]);
        2.0 * atan2(turn.x, turn.w) < LEAST_BEND
    }

    /// Raises the foot by leg IK, bending the knee forwards.
    fn raise(&self, skeleton: &Skeleton, pose: &mut Pose, lift: f32) {
        let (ankle, turn) = ik::standing(skeleton, pose, self.chain[2]);
        let pole = ik::limb(skeleton, pose, self.chain).fold;
        let target = ankle + Vec3::Y * lift;
        ik::reach(skeleton, pose, self.chain, target, Some(pole), Some(turn));
    }
}

/// Repairs the legs of a part of a take before its feet are locked.
pub(super) fn mend(clip: &mut Clip) {
    let skeleton = clip.skeleton().clone();
    for leg in Leg::both(&skeleton) {
        let frames = clip.frames_mut();
        for pose in frames.iter_mut() {
            leg.lay_toes(&skeleton, pose);
        }
        let depths: Vec<f32> = frames.iter().map(|pose| leg.depth(&skeleton, pose)).collect();
        for (pose, lift) in frames.iter_mut().zip(covered(&depths)) {
            if lift > 0.0 || leg.bends_back(pose) {
                leg.raise(&skeleton, pose, lift);
                leg.lay_toes(&skeleton, pose);
            }
        }
    }
}

/// Raises what still penetrates the floor in these frames after foot lock, and removes the contacts
/// of feet that move.
pub(super) fn finish(clip: Clip, frames: &Range<usize>) -> Clip {
    let skeleton = clip.skeleton().clone();
    let mut track = clip.contacts().cloned().unwrap_or_default();
    let mut clip = clip;
    for leg in Leg::both(&skeleton) {
        let poses = &mut clip.frames_mut()[frames.clone()];
        let depths: Vec<f32> = poses.iter().map(|pose| leg.depth(&skeleton, pose)).collect();
        let last = poses.len().saturating_sub(1);
        for (frame, lift) in covered(&depths).into_iter().enumerate() {
            // frames outside the take are not changed
            let beside = smoothstep(frame.min(last - frame) as f32 / REACH as f32);
            if lift * beside > 1e-5 {
                leg.raise(&skeleton, &mut poses[frame], lift * beside);
            }
        }
    }
    if track.len() == clip.len() {
        for leg in Leg::both(&skeleton) {
            let points = [
                (ContactPoint::Heel(leg.side), leg.chain[2]),
                (ContactPoint::Toe(leg.side), leg.toes),
            ];
            for (point, joint) in points {
                let at = |frame: usize| ik::standing(&skeleton, &clip.frames()[frame], joint).0;
                for frame in frames.start.max(1)..(frames.end + 1).min(clip.len()) {
                    let stood = track[frame].has(point) && track[frame - 1].has(point);
                    if stood && at(frame).distance(at(frame - 1)) > STILL_M {
                        track[frame - 1].set(point, false);
                    }
                }
            }
        }
        clip = clip.with_contacts(track).expect("there is one entry per frame");
    }
    clip
}

/// A smooth curve that is nowhere below the given one.
fn covered(depths: &[f32]) -> Vec<f32> {
    let window = |values: &[f32], frame: usize| {
        let (from, to) = (frame.saturating_sub(REACH), (frame + REACH + 1).min(values.len()));
        values[from..to].to_vec()
    };
    let highest: Vec<f32> = (0..depths.len())
        .map(|frame| window(depths, frame).into_iter().fold(0.0, f32::max))
        .collect();
    (0..highest.len())
        .map(|frame| {
            let near = window(&highest, frame);
            near.iter().sum::<f32>() / near.len() as f32
        })
        .collect()
}
