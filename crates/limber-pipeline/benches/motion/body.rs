//! A clip read as a moving body: places, heights, turns. Knows joints, not the engine.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};
use limber_animation::{Clip, HumanBone, JointIndex, Side, WorldPose};

use crate::curves;

/// A foot is in the air when ankle and ball are this far above where they stand, metres.
const AIR_M: f32 = 0.015;

/// A clip's joints in world space, with the body's measures at rest.
pub(crate) struct Body {
    pub(crate) fps: f32,
    frames: Vec<WorldPose>,
    rest: WorldPose,
    joints: Vec<(HumanBone, JointIndex)>,
    /// The hips' height at rest, metres.
    pub(crate) hips_m: f32,
    /// From shoulder to wrist.
    pub(crate) arm_m: f32,
}

impl Body {
    pub(crate) fn of(clip: &Clip) -> Self {
        let skeleton = clip.skeleton();
        let frames = clip.frames().iter().map(|pose| skeleton.world(pose)).collect();
        let joints = HumanBone::ALL
            .into_iter()
            .filter_map(|bone| skeleton.find(bone).map(|joint| (bone, joint)))
            .collect();
        let rest = skeleton.rest_world();
        let mut body =
            Self { fps: clip.fps().per_second(), frames, rest, joints, hips_m: 1.0, arm_m: 0.5 };
        body.hips_m = body.at_rest(HumanBone::Hips).y;
        let [_, upper, lower, hand] = HumanBone::arm(Side::Left).map(|bone| body.at_rest(bone));
        body.arm_m = upper.distance(lower) + lower.distance(hand);
        body
    }

    fn joint(&self, bone: HumanBone) -> JointIndex {
        self.joints
            .iter()
            .find(|(other, _)| *other == bone)
            .map(|(_, joint)| *joint)
            .expect("stock characters have every bone that is judged")
    }

    pub(crate) fn has(&self, bone: HumanBone) -> bool {
        self.joints.iter().any(|(other, _)| *other == bone)
    }

    pub(crate) fn at_rest(&self, bone: HumanBone) -> Vec3 {
        self.rest.position(self.joint(bone))
    }

    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(crate) fn at(&self, bone: HumanBone, frame: usize) -> Vec3 {
        self.frames[frame].position(self.joint(bone))
    }

    /// How a bone is turned from rest, in world space.
    pub(crate) fn turn(&self, bone: HumanBone, frame: usize) -> Quat {
        let joint = self.joint(bone);
        self.frames[frame].rotation(joint) * self.rest.rotation(joint).inverse()
    }

    /// A curve over all frames.
    pub(crate) fn curve(&self, of: impl Fn(usize) -> f32) -> Vec<f32> {
        (0..self.len()).map(of).collect()
    }

    /// The heading in each frame, radians, anticlockwise from above, without jumps; from the line
    /// between both hip joints.
    pub(crate) fn headings(&self) -> Vec<f32> {
        let mut last = 0.0;
        let mut whole = 0.0;
        (0..self.len())
            .map(|frame| {
                let across = self.at(HumanBone::LeftUpperLeg, frame)
                    - self.at(HumanBone::RightUpperLeg, frame);
                let heading = (-across.z).atan2(across.x);
                let step: f32 = heading - last;
                whole += (step + PI).rem_euclid(TAU) - PI;
                last = heading;
                whole
            })
            .collect()
    }

    /// A bone seen from the hips: left, up, forward, metres.
    pub(crate) fn beside_hips(&self, bone: HumanBone, frame: usize) -> Vec3 {
        let across =
            self.at(HumanBone::LeftUpperLeg, frame) - self.at(HumanBone::RightUpperLeg, frame);
        let heading = (-across.z).atan2(across.x);
        Quat::from_rotation_y(-heading) * (self.at(bone, frame) - self.at(HumanBone::Hips, frame))
    }

    /// Where the hips have gone since the first frame, seen from there: left, forward.
    pub(crate) fn travelled(&self, frame: usize) -> (f32, f32) {
        let heading = self.headings()[0];
        let way = self.at(HumanBone::Hips, frame) - self.at(HumanBone::Hips, 0);
        let seen = Quat::from_rotation_y(-heading) * way;
        (seen.x, seen.z)
    }

    /// Speed of the hips over the ground, m/s, smoothed over a third of a second.
    pub(crate) fn speeds(&self) -> Vec<f32> {
        let mut speeds: Vec<f32> = (1..self.len())
            .map(|frame| {
                let way = self.at(HumanBone::Hips, frame) - self.at(HumanBone::Hips, frame - 1);
                way.x.hypot(way.z) * self.fps
            })
            .collect();
        speeds.push(speeds.last().copied().unwrap_or(0.0));
        curves::smoothed(&speeds, (self.fps / 6.0) as usize)
    }

    /// The length of the hips' way over the ground, metres.
    pub(crate) fn way_m(&self) -> f32 {
        self.speeds().iter().sum::<f32>() / self.fps
    }

    /// The hips' height as a share of that at rest.
    pub(crate) fn height_share(&self, frame: usize) -> f32 {
        self.at(HumanBone::Hips, frame).y / self.hips_m
    }

    /// How far a foot is above where it stands, metres.
    pub(crate) fn foot_height(&self, side: Side, frame: usize) -> f32 {
        let [_, _, ankle, ball] = HumanBone::leg(side);
        [ankle, ball]
            .map(|bone| self.at(bone, frame).y - self.at_rest(bone).y)
            .into_iter()
            .fold(f32::INFINITY, f32::min)
    }

    /// Stretches in which no foot touches the floor.
    pub(crate) fn flights(&self) -> Vec<std::ops::Range<usize>> {
        curves::stretches(self.len(), 2, |frame| {
            Side::BOTH.into_iter().all(|side| self.foot_height(side, frame) > AIR_M)
        })
    }

    /// The most that the lower foot is ever above the floor, metres.
    pub(crate) fn clearance(&self) -> f32 {
        let lower = |frame| {
            let [left, right] = Side::BOTH.map(|side| self.foot_height(side, frame));
            left.min(right)
        };
        self.curve(lower).into_iter().fold(0.0, f32::max)
    }

    /// How often a foot leaves the floor.
    pub(crate) fn steps(&self, side: Side) -> usize {
        curves::stretches(self.len(), 3, |frame| self.foot_height(side, frame) > 0.02).len()
    }

    /// Lean of the trunk from upright towards the front, radians.
    pub(crate) fn lean(&self, frame: usize) -> f32 {
        let trunk = self.beside_hips(HumanBone::Neck, frame);
        trunk.z.atan2(trunk.y)
    }

    /// How far the wrist is from its shoulder, as a share of the arm's length.
    pub(crate) fn stretch(&self, side: Side, frame: usize) -> f32 {
        let [_, shoulder, _, wrist] = HumanBone::arm(side);
        self.at(shoulder, frame).distance(self.at(wrist, frame)) / self.arm_m
    }

    /// The wrist's height above its shoulder, metres.
    pub(crate) fn wrist_over_shoulder(&self, side: Side, frame: usize) -> f32 {
        let [_, shoulder, _, wrist] = HumanBone::arm(side);
        self.at(wrist, frame).y - self.at(shoulder, frame).y
    }

    /// The wrist's way beside the body, metres: which arm does something.
    pub(crate) fn wrist_way(&self, side: Side) -> f32 {
        let [_, shoulder, _, wrist] = HumanBone::arm(side);
        let place = |frame| self.beside_hips(wrist, frame) - self.beside_hips(shoulder, frame);
        (1..self.len()).map(|frame| place(frame).distance(place(frame - 1))).sum()
    }
}
