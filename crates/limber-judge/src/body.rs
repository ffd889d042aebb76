//! A clip read as a moving body: places, heights, turns. Knows joints, not the engine.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};
use limber_animation::{Clip, HumanBone, JointIndex, Side, WorldPose};

use crate::curves;

/// A foot is in the air when ankle and ball are this far above where they stand, metres.
const AIR_M: f32 = 0.015;

/// A clip's joints in world space, with the body's measures at rest.
#[derive(Debug)]
pub struct Body {
    /// Frames per second.
    pub fps: f32,
    frames: Vec<WorldPose>,
    rest: WorldPose,
    joints: [Option<JointIndex>; HumanBone::ALL.len()],
    headings: Vec<f32>,
    /// The hips' height at rest, metres.
    pub hips_m: f32,
    /// From shoulder to wrist.
    pub arm_m: f32,
    /// From hip to ankle.
    pub leg_m: f32,
}

impl Body {
    /// Reads a clip. Its skeleton must have the bones of trunk, head, arms and legs.
    #[must_use]
    pub fn of(clip: &Clip) -> Self {
        let skeleton = clip.skeleton();
        let joints = HumanBone::ALL.map(|bone| skeleton.find(bone));
        let mut body = Self {
            fps: clip.fps().per_second(),
            frames: clip.frames().iter().map(|pose| skeleton.world(pose)).collect(),
            rest: skeleton.rest_world(),
            joints,
            headings: Vec::new(),
            hips_m: 1.0,
            arm_m: 0.5,
            leg_m: 0.8,
        };
        body.hips_m = body.at_rest(HumanBone::Hips).y;
        let [_, shoulder, elbow, wrist] = HumanBone::arm(Side::Left);
        body.arm_m = body.length([shoulder, elbow, wrist]);
        let [hip, knee, ankle, _] = HumanBone::leg(Side::Left);
        body.leg_m = body.length([hip, knee, ankle]);
        body.headings = body.read_headings();
        body
    }

    /// The length of two bones in a row at rest.
    fn length(&self, joints: [HumanBone; 3]) -> f32 {
        let [upper, lower, end] = joints.map(|bone| self.at_rest(bone));
        upper.distance(lower) + lower.distance(end)
    }

    fn joint(&self, bone: HumanBone) -> JointIndex {
        self.joints[bone as usize].expect("whatever is judged has the bones of a body")
    }

    /// Whether the skeleton has this bone.
    #[must_use]
    pub fn has(&self, bone: HumanBone) -> bool {
        self.joints[bone as usize].is_some()
    }

    pub(crate) fn at_rest(&self, bone: HumanBone) -> Vec3 {
        self.rest.position(self.joint(bone))
    }

    /// How many frames there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Never true: a clip has at least one frame.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// So many frames last this long.
    pub(crate) fn frames_in(&self, seconds: f32) -> usize {
        (seconds * self.fps).round() as usize
    }

    /// Where a bone begins, metres in world space.
    #[must_use]
    pub fn at(&self, bone: HumanBone, frame: usize) -> Vec3 {
        self.frames[frame].position(self.joint(bone))
    }

    /// How a bone is turned from rest, in world space.
    #[must_use]
    pub fn turn(&self, bone: HumanBone, frame: usize) -> Quat {
        let joint = self.joint(bone);
        self.frames[frame].rotation(joint) * self.rest.rotation(joint).inverse()
    }

    /// A curve over all frames.
    pub(crate) fn curve(&self, of: impl Fn(usize) -> f32) -> Vec<f32> {
        (0..self.len()).map(of).collect()
    }

    /// The way the line between both hip joints faces.
    fn facing(&self, frame: usize) -> f32 {
        let across =
            self.at(HumanBone::LeftUpperLeg, frame) - self.at(HumanBone::RightUpperLeg, frame);
        (-across.z).atan2(across.x)
    }

    fn read_headings(&self) -> Vec<f32> {
        let (mut last, mut whole) = (0.0, 0.0);
        let mut step = |frame| {
            let heading = self.facing(frame);
            whole += (heading - last + PI).rem_euclid(TAU) - PI;
            last = heading;
            whole
        };
        (0..self.len()).map(&mut step).collect()
    }

    /// The heading in each frame, radians, anticlockwise from above, without jumps.
    #[must_use]
    pub fn headings(&self) -> &[f32] {
        &self.headings
    }

    /// A way in world space seen by somebody who faces as the hips do: left, up, forward.
    pub(crate) fn seen(&self, way: Vec3, frame: usize) -> Vec3 {
        Quat::from_rotation_y(-self.headings[frame]) * way
    }

    /// A bone seen from the hips: left, up, forward, metres.
    pub(crate) fn beside_hips(&self, bone: HumanBone, frame: usize) -> Vec3 {
        self.seen(self.at(bone, frame) - self.at(HumanBone::Hips, frame), frame)
    }

    /// Where the hips have gone since the first frame, seen from there: left, forward.
    pub(crate) fn travelled(&self, frame: usize) -> (f32, f32) {
        let way = self.at(HumanBone::Hips, frame) - self.at(HumanBone::Hips, 0);
        let seen = self.seen(way, 0);
        (seen.x, seen.z)
    }

    /// The way between two frames as the body itself felt it, turning as it went: left, forward.
    pub(crate) fn felt_way(&self, from: usize, to: usize) -> (f32, f32) {
        (from..to.min(self.len() - 1)).fold((0.0, 0.0), |(left, forward), frame| {
            let way = self.at(HumanBone::Hips, frame + 1) - self.at(HumanBone::Hips, frame);
            let seen = self.seen(way, frame);
            (left + seen.x, forward + seen.z)
        })
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

    /// Whether neither foot is on the floor.
    pub(crate) fn is_aloft(&self, frame: usize) -> bool {
        Side::BOTH.into_iter().all(|side| self.foot_height(side, frame) > AIR_M)
    }

    /// Lean of the trunk from upright towards the front, radians.
    pub(crate) fn lean(&self, frame: usize) -> f32 {
        let trunk = self.beside_hips(HumanBone::Neck, frame);
        trunk.z.atan2(trunk.y)
    }

    /// The direction of the trunk, hips to neck, in world space.
    pub(crate) fn trunk(&self, frame: usize) -> Vec3 {
        (self.at(HumanBone::Neck, frame) - self.at(HumanBone::Hips, frame)).normalize_or(Vec3::Y)
    }

    /// Where the chest faces, in world space.
    pub(crate) fn chest_faces(&self, frame: usize) -> Vec3 {
        self.turn(HumanBone::Chest, frame) * Vec3::Z
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

    /// The middle of the palm: a little further along the forearm's end than the wrist, turned with
    /// the hand.
    pub(crate) fn palm(&self, side: Side, frame: usize) -> Vec3 {
        let [.., wrist] = HumanBone::arm(side);
        self.at(wrist, frame) + self.turn(wrist, frame) * Vec3::X * (0.08 * side.sign())
    }

    /// The wrist's place seen from its shoulder, in the hips' directions.
    pub(crate) fn reach(&self, side: Side, frame: usize) -> Vec3 {
        let [_, shoulder, _, wrist] = HumanBone::arm(side);
        self.seen(self.at(wrist, frame) - self.at(shoulder, frame), frame)
    }

    /// How fast the wrist moves beside its shoulder, m/s.
    pub(crate) fn wrist_speeds(&self, side: Side) -> Vec<f32> {
        let mut speeds: Vec<f32> = (1..self.len())
            .map(|frame| self.reach(side, frame).distance(self.reach(side, frame - 1)) * self.fps)
            .collect();
        speeds.insert(0, speeds.first().copied().unwrap_or(0.0));
        curves::smoothed(&speeds, 1)
    }
}
