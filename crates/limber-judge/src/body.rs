//! A clip as a moving body: positions, heights, rotations. Uses only joints, nothing of the engine.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};
use limber_animation::{Clip, HumanBone, JointIndex, Side, WorldPose};

use crate::curves;

/// Height of ankle and ball above their standing height from which a foot is in the air, metres.
const AIR_M: f32 = 0.015;

/// The joints of a clip in world space, with measurements of the body at rest.
#[derive(Debug)]
pub struct Body {
    /// Frames per second.
    pub fps: f32,
    frames: Vec<WorldPose>,
    rest: WorldPose,
    joints: [Option<JointIndex>; HumanBone::ALL.len()],
    headings: Vec<f32>,
    /// Height of the hips at rest, metres.
    pub hips_m: f32,
    /// Length of the arm from shoulder to wrist, metres.
    pub arm_m: f32,
    /// Length of the leg from hip to ankle, metres.
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

    /// Combined length of two consecutive bones at rest, metres.
    fn length(&self, joints: [HumanBone; 3]) -> f32 {
        let [upper, lower, end] = joints.map(|bone| self.at_rest(bone));
        upper.distance(lower) + lower.distance(end)
    }

    fn joint(&self, bone: HumanBone) -> JointIndex {
        self.joints[bone as usize].expect("evaluated skeletons have all body bones")
    }

    /// Whether the skeleton has this bone.
    #[must_use]
    pub fn has(&self, bone: HumanBone) -> bool {
        self.joints[bone as usize].is_some()
    }

    pub(crate) fn at_rest(&self, bone: HumanBone) -> Vec3 {
        self.rest.position(self.joint(bone))
    }

    /// Number of frames.
    #[must_use]
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Always false: a clip has at least one frame.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The number of frames in this many seconds.
    pub(crate) fn frames_in(&self, seconds: f32) -> usize {
        (seconds * self.fps).round() as usize
    }

    /// World position of a bone's joint, metres.
    #[must_use]
    pub fn at(&self, bone: HumanBone, frame: usize) -> Vec3 {
        self.frames[frame].position(self.joint(bone))
    }

    /// Rotation of a bone relative to the rest pose, world space.
    #[must_use]
    pub fn turn(&self, bone: HumanBone, frame: usize) -> Quat {
        let joint = self.joint(bone);
        self.frames[frame].rotation(joint) * self.rest.rotation(joint).inverse()
    }

    /// The values of a function over all frames.
    pub(crate) fn curve(&self, of: impl Fn(usize) -> f32) -> Vec<f32> {
        (0..self.len()).map(of).collect()
    }

    /// Heading: the direction perpendicular to the line between the hip joints, radians.
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

    /// The unwrapped heading in each frame, radians, counter-clockwise from above.
    #[must_use]
    pub fn headings(&self) -> &[f32] {
        &self.headings
    }

    /// A world-space vector relative to the heading of the hips: left, up, forward.
    pub(crate) fn seen(&self, way: Vec3, frame: usize) -> Vec3 {
        Quat::from_rotation_y(-self.headings[frame]) * way
    }

    /// Position of a bone relative to the hips and their heading: left, up, forward, metres.
    pub(crate) fn beside_hips(&self, bone: HumanBone, frame: usize) -> Vec3 {
        self.seen(self.at(bone, frame) - self.at(HumanBone::Hips, frame), frame)
    }

    /// Displacement of the hips since the first frame, relative to the initial heading: left,
    /// forward, metres.
    pub(crate) fn travelled(&self, frame: usize) -> (f32, f32) {
        let way = self.at(HumanBone::Hips, frame) - self.at(HumanBone::Hips, 0);
        let seen = self.seen(way, 0);
        (seen.x, seen.z)
    }

    /// Path between two frames summed in the body's own changing heading: left, forward, metres.
    pub(crate) fn felt_way(&self, from: usize, to: usize) -> (f32, f32) {
        (from..to.min(self.len() - 1)).fold((0.0, 0.0), |(left, forward), frame| {
            let way = self.at(HumanBone::Hips, frame + 1) - self.at(HumanBone::Hips, frame);
            let seen = self.seen(way, frame);
            (left + seen.x, forward + seen.z)
        })
    }

    /// Horizontal speed of the hips, m/s, smoothed over a third of a second.
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

    /// Length of the hips' path over the ground, metres.
    pub(crate) fn way_m(&self) -> f32 {
        self.speeds().iter().sum::<f32>() / self.fps
    }

    /// Height of the hips relative to their height at rest.
    pub(crate) fn height_share(&self, frame: usize) -> f32 {
        self.at(HumanBone::Hips, frame).y / self.hips_m
    }

    /// Height of a foot above its standing height, metres.
    pub(crate) fn foot_height(&self, side: Side, frame: usize) -> f32 {
        let [_, _, ankle, ball] = HumanBone::leg(side);
        [ankle, ball]
            .map(|bone| self.at(bone, frame).y - self.at_rest(bone).y)
            .into_iter()
            .fold(f32::INFINITY, f32::min)
    }

    /// Whether both feet are off the floor.
    pub(crate) fn is_aloft(&self, frame: usize) -> bool {
        Side::BOTH.into_iter().all(|side| self.foot_height(side, frame) > AIR_M)
    }

    /// Forward lean of the trunk from upright, radians.
    pub(crate) fn lean(&self, frame: usize) -> f32 {
        let trunk = self.beside_hips(HumanBone::Neck, frame);
        trunk.z.atan2(trunk.y)
    }

    /// Unit direction of the trunk from hips to neck, world space.
    pub(crate) fn trunk(&self, frame: usize) -> Vec3 {
        (self.at(HumanBone::Neck, frame) - self.at(HumanBone::Hips, frame)).normalize_or(Vec3::Y)
    }

    /// Direction that the chest faces, world space.
    pub(crate) fn chest_faces(&self, frame: usize) -> Vec3 {
        self.turn(HumanBone::Chest, frame) * Vec3::Z
    }

    /// Distance from shoulder to wrist as a share of the arm's length.
    pub(crate) fn stretch(&self, side: Side, frame: usize) -> f32 {
        let [_, shoulder, _, wrist] = HumanBone::arm(side);
        self.at(shoulder, frame).distance(self.at(wrist, frame)) / self.arm_m
    }

    /// Height of the wrist above its shoulder, metres.
    pub(crate) fn wrist_over_shoulder(&self, side: Side, frame: usize) -> f32 {
        let [_, shoulder, _, wrist] = HumanBone::arm(side);
        self.at(wrist, frame).y - self.at(shoulder, frame).y
    }

    /// Centre of the palm, world space: slightly beyond the wrist, rotated with the hand.
    pub(crate) fn palm(&self, side: Side, frame: usize) -> Vec3 {
        let [.., wrist] = HumanBone::arm(side);
        self.at(wrist, frame) + self.turn(wrist, frame) * Vec3::X * (0.08 * side.sign())
    }

    /// Position of the wrist relative to its shoulder, in the hips' heading: left, up, forward,
    /// metres.
    pub(crate) fn reach(&self, side: Side, frame: usize) -> Vec3 {
        let [_, shoulder, _, wrist] = HumanBone::arm(side);
        self.seen(self.at(wrist, frame) - self.at(shoulder, frame), frame)
    }

    /// Speed of the wrist relative to its shoulder, m/s.
    pub(crate) fn wrist_speeds(&self, side: Side) -> Vec<f32> {
        let mut speeds: Vec<f32> = (1..self.len())
            .map(|frame| self.reach(side, frame).distance(self.reach(side, frame - 1)) * self.fps)
            .collect();
        speeds.insert(0, speeds.first().copied().unwrap_or(0.0));
        curves::smoothed(&speeds, 1)
    }
}
