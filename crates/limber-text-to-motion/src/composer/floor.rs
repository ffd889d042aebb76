//! Keeps limbs above the floor: raises hands, elbows and free feet that would penetrate it.

use glam::{Quat, Vec3};
use limber_animation::{
    ContactPoint, Contacts, Finger, HumanBone, JointIndex, Phalanx, Pose, Side, Skeleton,
    WorldPose,
    maths::{acos, atan2, hypot},
};

use super::{
    feet,
    limb::{self, Limb},
};

/// Minimum height of the joints of a hand, metres: about the thickness of a finger.
const LOWEST_M: f32 = 0.0125;
/// Minimum height of an elbow, metres.
const ELBOW_M: f32 = 0.035;
/// Arms higher than this are not checked, metres.
const LOOKED_AT_M: f32 = 0.28;
/// The shortest distance between shoulder and wrist, metres.
const FOLDED_ARM_M: f32 = 0.07;
/// Length of the last bone of a finger, metres.
const TIP_M: f32 = 0.022;

/// The joints of one arm.
#[derive(Debug, Clone)]
pub(super) struct ArmJoints {
    side: Side,
    /// Clavicle, upper arm, forearm, hand.
    arm: [JointIndex; 4],
    fingers: Vec<JointIndex>,
    /// The last joint of each finger.
    last: Vec<JointIndex>,
}

impl ArmJoints {
    pub(super) fn of(skeleton: &Skeleton, side: Side) -> Self {
        let at = |bone| skeleton.find(bone).expect("the canonical skeleton has every bone");
        let each = |phalanx| {
            Finger::ALL.into_iter().map(move |finger| HumanBone::finger(side, finger, phalanx))
        };
        Self {
            side,
            arm: HumanBone::arm(side).map(at),
            fingers: Phalanx::ALL.into_iter().flat_map(each).map(at).collect(),
            last: each(Phalanx::Third).map(at).collect(),
        }
    }

    /// Raises the hand in every pose by as much as it takes to stay above the floor, and rotates
    /// the elbow up. The hand keeps its horizontal path, and the elbow stays on the side to which
    /// it was rotated.
    pub(super) fn raise(&self, skeleton: &Skeleton, poses: &mut [Pose]) {
        let mut elbow = Vec3::ZERO;
        for pose in poses {
            elbow = self.raise_one(skeleton, pose, elbow);
        }
    }

    /// Raises the hand in one pose. Returns the direction of the elbow from the shoulder; `before`
    /// is that of the previous pose.
    fn raise_one(&self, skeleton: &Skeleton, pose: &mut Pose, before: Vec3) -> Vec3 {
        let world = skeleton.world(pose);
        let [shoulder, elbow, wrist] = [1, 2, 3].map(|place| world.position(self.arm[place]));
        let as_it_is = elbow - shoulder;
        if wrist.y.min(elbow.y) > LOOKED_AT_M {
            return as_it_is;
        }
        let missing = (LOWEST_M - self.lowest(&world)).max(0.0);
        if missing == 0.0 && elbow.y >= ELBOW_M {
            return as_it_is;
        }
        let limb = Limb::of(&world, [1, 2, 3].map(|place| self.arm[place]));
        let line = limb.line_to(wrist + Vec3::Y * missing - shoulder, FOLDED_ARM_M);
        let (mut above, mut below) = limb::segments(limb.lengths(), line, limb.way(line.0));
        let sunk = ELBOW_M - (shoulder + above).y;
        if sunk > 0.0 {
            let way = turned_up(line.0, above, sunk, before);
            (above, below) = limb::segments(limb.lengths(), line, way);
        }
        limb.bend(pose, world.rotation(self.arm[0]), (above, below));
        above
    }

    /// Height of the lowest joint or fingertip of the hand.
    fn lowest(&self, world: &WorldPose) -> f32 {
        let tip = Vec3::X * (self.side.sign() * TIP_M);
        let joints = self.fingers.iter().map(|joint| world.position(*joint).y);
        let tips = self.last.iter().map(|joint| world.transform(*joint, tip).y);
        joints.chain(tips).fold(world.position(self.arm[3]).y, f32::min)
    }
}

/// Minimum heights of a free foot, metres: of the joint of the ball and of the underside of toe tip
/// and heel. Soft soles may sink in a little.
const BALL_JOINT_M: f32 = 0.009;
const SOLE_M: f32 = -0.008;
/// Offset from the joint of the ball to the underside of the toe tip.
const TOE_TIP: Vec3 = Vec3::new(0.0, -0.02, 0.06);
/// The shortest distance between hip and ankle, metres.
const FOLDED_LEG_M: f32 = 0.12;

/// Raises free feet that penetrate the floor, by bending the legs further. Feet in contact stand
/// where they were planned.
pub(super) fn raise_free_feet(skeleton: &Skeleton, poses: &mut [Pose], contacts: &[Contacts]) {
    for side in Side::BOTH {
        let bones = HumanBone::leg(side);
        let leg = bones.map(|bone| skeleton.find(bone).expect("the canonical skeleton has legs"));
        for (pose, contacts) in poses.iter_mut().zip(contacts) {
            let stands =
                contacts.has(ContactPoint::Heel(side)) || contacts.has(ContactPoint::Toe(side));
            if !stands {
                raise_foot(skeleton, pose, leg);
            }
        }
    }
}

fn raise_foot(skeleton: &Skeleton, pose: &mut Pose, leg: [JointIndex; 4]) {
    let world = skeleton.world(pose);
    let [hip, _, ankle, ball] = leg.map(|joint| world.position(joint));
    let missing = (BALL_JOINT_M - ball.y)
        .max(SOLE_M - world.transform(leg[3], TOE_TIP).y)
        .max(SOLE_M - world.transform(leg[2], feet::HEEL).y);
    if missing <= 0.0 {
        return;
    }
    let limb = Limb::of(&world, [leg[0], leg[1], leg[2]]);
    let line = limb.line_to(ankle + Vec3::Y * missing - hip, FOLDED_LEG_M);
    let pelvis = world.rotation(leg[0]) * pose.rotation(leg[0]).inverse();
    limb.bend(pose, pelvis, limb::segments(limb.lengths(), line, limb.way(line.0)));
}

/// Direction of an elbow at `above` from the shoulder after rotating it about the arm's axis until
/// it has risen by `sunk`, or as far as possible, to the side on which it was `before`.
fn turned_up(axis: Vec3, above: Vec3, sunk: f32, before: Vec3) -> Vec3 {
    let beside = above.reject_from_normalized(axis);
    let across = axis.cross(beside);
    // height as a function of the angle: a cosine with its maximum at `top`
    let (size, top) = (hypot(beside.y, across.y), atan2(across.y, beside.y));
    let wanted = acos(((beside.y + sunk) / size.max(1e-5)).min(1.0));
    let ways = [top - wanted, top + wanted]
        .map(|angle| Quat::from_axis_angle(axis, angle) * beside.normalize_or(Vec3::Y));
    if ways[0].dot(before) > ways[1].dot(before) { ways[0] } else { ways[1] }
}
