//! Builds poses on the canonical skeleton from channels, feet and goals.

use std::sync::Arc;

use glam::{Mat3, Quat, Vec2, Vec3};
use limber_animation::{
    Finger, HumanBone, JointIndex, Phalanx, Pose, Side, Skeleton, canonical_skeleton, despike,
    ik::standing,
    maths::{acos, atan2, exp},
    smooth::smoothstep,
};

use super::{
    arms::{ArmLayer, ArmPose, Reach, arm_pose, limited, shoulder_beside_chest},
    channels::{Channel, Channels},
    feet::{BALL, FootPose, TOE_TIP},
    floor::ArmJoints,
    limb,
};

/// Offset from the knee to the ankle at rest.
const SHIN: Vec3 = Vec3::new(0.0, -0.410, -0.012);
const THIGH_M: f32 = 0.425;
/// Offset from the hips to the left hip joint.
const HIP: Vec3 = Vec3::new(0.092, -0.035, 0.0);
/// Height of the hips at rest, metres.
pub(super) const HIPS_HEIGHT: f32 = 0.955;
/// Maximum extension of a leg as a share of its length: about 4° of knee flexion.
pub(super) const STRAIGHTEST: f32 = 0.9992;
/// Share of the maximum extension from which legs in the air extend with easing.
const EASED_FROM: f32 = 0.98;
/// Shares of the spine's bend for spine, chest and upper chest.
const SPINE_SHARES: [f32; 3] = [0.30, 0.36, 0.34];
/// Minimum heights of trunk joints and of knees above the floor, metres.
const THINNEST_M: f32 = 0.035;
const KNEE_M: f32 = 0.022;
/// Minimum height of the head joint, which lies in the nape, metres.
const HEAD_M: f32 = 0.016;
/// Minimum height of a shoulder, metres.
const SHOULDER_M: f32 = 0.03;
/// Minimum height of the ball of a foot in the air, metres.
const BALL_M: f32 = 0.014;
/// Plantar flexion of a limp foot relative to the shin, radians.
const HANGING_FOOT: f32 = 0.75;
/// Maximum rotation of the head relative to the chest, radians.
const NECK_LIMIT: f32 = 1.15;

/// Placement of trunk and feet in one frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stand {
    /// Position on the floor below the body.
    pub(super) root: Vec2,
    /// Heading of the body, from +Z to the left.
    pub(super) heading: f32,
    /// Position of the hips.
    pub(super) pelvis: Vec3,
    pub(super) feet: [FootPose; 2],
}

/// World rotation of the pelvis in a frame.
pub(super) fn pelvis_turn(channels: &Channels, frame: usize, heading: f32) -> Quat {
    Quat::from_rotation_y(heading + channels.get(frame, Channel::PelvisYaw))
        * Quat::from_rotation_x(channels.get(frame, Channel::PelvisPitch))
        * Quat::from_rotation_z(channels.get(frame, Channel::PelvisRoll))
}

/// How much too high the pelvis is for the legs to reach weight-bearing feet.
pub(super) fn pelvis_excess(stand: &Stand, pelvis_turn: Quat) -> f32 {
    let mut excess = 0.0_f32;
    for side in Side::BOTH {
        let foot = &stand.feet[side as usize];
        if foot.bearing <= 0.0 {
            continue;
        }
        let hip = stand.pelvis + pelvis_turn * mirrored(HIP, side);
        let to = hip - foot.ankle;
        let reach = STRAIGHTEST * (THIGH_M + SHIN.length());
        let level = Vec2::new(to.x, to.z).length_squared();
        let highest = (reach * reach - level).max(0.01).sqrt();
        excess = excess.max((to.y - highest) * foot.bearing);
    }
    excess
}

fn mirrored(vector: Vec3, side: Side) -> Vec3 {
    vector * Vec3::new(side.sign(), 1.0, 1.0)
}

/// A length limited softly to `most`; unchanged below `from`. A nearly straight leg in the air must
/// not snap when its foot comes within reach.
fn eased(length: f32, from: f32, most: f32) -> f32 {
    let beyond = (length - from).max(0.0) / (most - from);
    length.min(from) + (most - from) * (1.0 - exp(-beyond))
}

/// The canonical skeleton with its joints looked up.
#[derive(Debug)]
pub(super) struct Rig {
    pub(super) skeleton: Arc<Skeleton>,
    arms: [[usize; 4]; 2],
    arm_joints: [ArmJoints; 2],
    legs: [[usize; 4]; 2],
    spine: [usize; 3],
    neck: usize,
    head: usize,
}

impl Rig {
    pub(super) fn new() -> Self {
        let skeleton = canonical_skeleton();
        let at = |bone| skeleton.find(bone).expect("the canonical skeleton has every bone").get();
        Self {
            arms: Side::BOTH.map(|side| HumanBone::arm(side).map(at)),
            arm_joints: Side::BOTH.map(|side| ArmJoints::of(&skeleton, side)),
            legs: Side::BOTH.map(|side| HumanBone::leg(side).map(at)),
            spine: [HumanBone::Spine, HumanBone::Chest, HumanBone::UpperChest].map(at),
            neck: at(HumanBone::Neck),
            head: at(HumanBone::Head),
            skeleton,
        }
    }

    /// How far trunk, shoulders, knees and free feet would penetrate the floor in a frame; zero if
    /// they do not.
    pub(super) fn sunk(&self, channels: &Channels, frame: usize, stand: &Stand) -> f32 {
        let pelvis = pelvis_turn(channels, frame, stand.heading);
        let mut pose = self.skeleton.rest_pose();
        let mut sunk = THINNEST_M - stand.pelvis.y;
        let (mut at, mut turn) = (stand.pelvis, pelvis);
        self.bend_spine(&mut pose, channels, frame, stand.pelvis, pelvis);
        for joint in self.spine {
            at += turn * self.offset(joint);
            turn *= pose.rotations[joint];
            sunk = sunk.max(THINNEST_M - at.y);
        }
        let (head_at, _) = self.turn_head(&mut pose, channels, frame, stand.heading, (at, turn));
        sunk = sunk.max(HEAD_M - head_at.y);
        for side in Side::BOTH {
            let shoulder = at + turn * shoulder_beside_chest(side);
            sunk = sunk.max(SHOULDER_M - shoulder.y);
            let [hip, knee, ankle] = self.bend_leg(&mut pose, side, stand, pelvis);
            sunk = sunk.max(THINNEST_M - hip.y).max(KNEE_M - knee.y);
            let foot = &stand.feet[side as usize];
            if !foot.heel_down && !foot.ball_down && foot.limp == 0.0 {
                // the foot of a leg that cannot reach hangs lower
                let [ball, tip] = [BALL, TOE_TIP].map(|part| (ankle + foot.rotation() * part).y);
                sunk = sunk.max(BALL_M - ball).max(-tip);
            }
        }
        sunk.max(0.0)
    }

    /// Whether a leg of a finished pose reaches its foot's target.
    pub(super) fn reaches(&self, pose: &Pose, stand: &Stand, side: Side) -> bool {
        const MISSED_M: f32 = 0.0008;
        let ankle = HumanBone::leg(side)[2];
        let joint = self.skeleton.find(ankle).expect("the canonical skeleton has feet");
        let at = standing(&self.skeleton, pose, joint).0;
        at.distance(stand.feet[side as usize].ankle) < MISSED_M
    }

    /// The pose of one frame.
    pub(super) fn pose(
        &self,
        channels: &Channels,
        frame: usize,
        time_s: f32,
        stand: &Stand,
        layers: &[ArmLayer],
    ) -> Pose {
        let mut pose = self.skeleton.rest_pose();
        pose.hips_translation = stand.pelvis;
        let pelvis = pelvis_turn(channels, frame, stand.heading);
        pose.rotations[0] = pelvis;
        let (chest_at, chest) = self.bend_spine(&mut pose, channels, frame, stand.pelvis, pelvis);
        let (head_at, head) =
            self.turn_head(&mut pose, channels, frame, stand.heading, (chest_at, chest));
        let legs = Side::BOTH.map(|side| self.bend_leg(&mut pose, side, stand, pelvis));
        for side in Side::BOTH {
            let [hip, knee, ankle] = legs[side as usize];
            let reach = Reach {
                side,
                chest_at,
                chest,
                root: stand.root,
                heading: stand.heading,
                head_at,
                head,
                pelvis_at: stand.pelvis,
                pelvis,
                hip,
                knee,
                ankle,
                other_leg: legs[side.opposite() as usize],
            };
            let arm = arm_pose(channels, frame, time_s, &reach, layers);
            self.set_arm(&mut pose, side, &arm);
        }
        pose
    }

    /// Keeps both arms above the floor and removes sudden jumps.
    pub(super) fn tidy_arms(&self, poses: &mut [Pose]) {
        let joints: Vec<JointIndex> = self.arms.concat().into_iter().map(JointIndex::new).collect();
        // smoothing may lower an arm, and raising it may cause jumps
        for _ in 0..6 {
            self.raise_arms(poses);
            if !despike::despike_rotations(poses, &joints) {
                return;
            }
        }
        self.raise_arms(poses);
    }

    fn raise_arms(&self, poses: &mut [Pose]) {
        for arm in &self.arm_joints {
            arm.raise(&self.skeleton, poses);
        }
    }

    fn offset(&self, joint: usize) -> Vec3 {
        self.skeleton.joints()[joint].rest_translation
    }

    fn bend_spine(
        &self,
        pose: &mut Pose,
        channels: &Channels,
        frame: usize,
        mut at: Vec3,
        mut turned: Quat,
    ) -> (Vec3, Quat) {
        let get = |channel| channels.get(frame, channel);
        for (joint, share) in self.spine.into_iter().zip(SPINE_SHARES) {
            let local = Quat::from_rotation_y(share * get(Channel::SpineYaw))
                * Quat::from_rotation_x(share * get(Channel::SpinePitch))
                * Quat::from_rotation_z(share * get(Channel::SpineRoll));
            pose.rotations[joint] = local;
            at += turned * self.offset(joint);
            turned *= local;
        }
        (at, turned.normalize())
    }

    /// Keeps the head level and facing the body's heading, as far as it does not follow the chest.
    fn turn_head(
        &self,
        pose: &mut Pose,
        channels: &Channels,
        frame: usize,
        heading: f32,
        (chest_at, chest): (Vec3, Quat),
    ) -> (Vec3, Quat) {
        let get = |channel| channels.get(frame, channel);
        let own = Quat::from_rotation_y(get(Channel::HeadYaw))
            * Quat::from_rotation_x(get(Channel::HeadPitch))
            * Quat::from_rotation_z(get(Channel::HeadRoll));
        let level = chest.inverse() * Quat::from_rotation_y(heading) * own;
        let follow = get(Channel::HeadFollow).clamp(0.0, 1.0);
        let level = if level.dot(own) < 0.0 { -level } else { level };
        let turn = limited(level.slerp(own, follow).normalize(), NECK_LIMIT);
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let neck = Quat::IDENTITY.slerp(turn, 0.42);
        pose.rotations[self.neck] = neck;
        pose.rotations[self.head] = neck.inverse() * turn;
        let neck_at = chest_at + chest * self.offset(self.neck);
        let head_at = neck_at + chest * neck * self.offset(self.head);
        (head_at, (chest * turn).normalize())
    }

    /// Bends a leg. Returns the positions of hip, knee and ankle.
    fn bend_leg(&self, pose: &mut Pose, side: Side, stand: &Stand, pelvis: Quat) -> [Vec3; 3] {
        let foot = &stand.feet[side as usize];
        let hip = stand.pelvis + pelvis * mirrored(HIP, side);
        let shin_m = SHIN.length();
        let to = foot.ankle - hip;
        let longest = STRAIGHTEST * (THIGH_M + shin_m);
        let softly = eased(to.length(), EASED_FROM * longest, longest);
        let distance = softly + (to.length() - softly) * foot.bearing.clamp(0.0, 1.0);
        let distance = distance.clamp(0.20, longest);
        let axis = to.try_normalize().unwrap_or(Vec3::NEG_Y);

        let ahead = pelvis * Vec3::Z;
        let level = Vec3::new(ahead.x, 0.0, ahead.z);
        // a lying body has no heading from its hips, so knees bend towards the planned heading
        let lying = 4.0 * (0.5 - level.length()).max(0.0);
        let ahead =
            (level + Quat::from_rotation_y(stand.heading) * Vec3::Z * lying).normalize_or(Vec3::Z);
        let toes = (Quat::from_rotation_y(foot.yaw) * Vec3::Z).lerp(ahead, foot.limp);
        let outwards = pelvis * Vec3::X * side.sign();
        let out = 0.05 + 2.2 * foot.knee_out;
        let forwards = (ahead * 0.45 + toes * 0.55 + outwards * out).normalize_or(Vec3::Z);
        let knee_way = Quat::from_rotation_arc(Vec3::NEG_Y, axis) * forwards;
        // upside down, the legs are oriented by the pelvis only
        let own_way =
            pelvis * (Quat::from_rotation_arc(Vec3::NEG_Y, pelvis.inverse() * axis) * Vec3::Z);
        let inverted = smoothstep((-(pelvis * Vec3::Y).y - 0.15) / 0.3);
        let knee_way = knee_way.lerp(own_way, inverted);
        let knee_way = knee_way.reject_from_normalized(axis).normalize_or(Vec3::Z);

        let (thigh, shin) = limb::segments((THIGH_M, shin_m), (axis, distance), knee_way);
        let down = thigh / THIGH_M;
        let front = knee_way.reject_from_normalized(down).normalize_or(Vec3::Z);
        let thigh_turn = Quat::from_mat3(&Mat3::from_cols((-down).cross(front), -down, front));
        let bend = acos(down.dot(shin / shin_m).clamp(-1.0, 1.0));
        let bent_at_rest = atan2(-SHIN.z, -SHIN.y);
        let shin_local = Quat::from_rotation_x(bend - bent_at_rest);
        let shin_turn = thigh_turn * shin_local;

        let [upper, lower, ankle, toe] = self.legs[side as usize];
        pose.rotations[upper] = (pelvis.inverse() * thigh_turn).normalize();
        pose.rotations[lower] = shin_local;
        let turned = (shin_turn.inverse() * foot.rotation()).normalize();
        let hanging = Quat::from_rotation_x(HANGING_FOOT);
        let hanging = if turned.dot(hanging) < 0.0 { -hanging } else { hanging };
        pose.rotations[ankle] =
            if foot.limp > 0.0 { turned.slerp(hanging, foot.limp) } else { turned };
        pose.rotations[toe] = Quat::from_rotation_x(foot.toe_bend);
        [hip, hip + thigh, hip + thigh + shin]
    }

    fn set_arm(&self, pose: &mut Pose, side: Side, arm: &ArmPose) {
        let [collar, upper, fore, hand] = self.arms[side as usize];
        pose.rotations[collar] = arm.collar.normalize();
        pose.rotations[upper] = arm.upper.normalize();
        pose.rotations[fore] = arm.fore.normalize();
        pose.rotations[hand] = arm.hand.normalize();
        for finger in Finger::ALL {
            for phalanx in Phalanx::ALL {
                let bone = HumanBone::finger(side, finger, phalanx);
                if let Some(joint) = self.skeleton.find(bone) {
                    pose.set_rotation(joint, arm.shape.turn(side, finger, phalanx));
                }
            }
        }
    }
}
