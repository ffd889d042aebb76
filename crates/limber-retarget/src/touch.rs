//! Keeps hands where they touch the body: the other hand, hips, trunk, head or thighs.
//!
//! Retargeting copies bone rotations. On a body with longer arms or a wider waist, the same
//! rotations push a hand on the hip into the hip, and clapping hands past each other. So the nearer
//! a palm is to something in the source, the more its *position* counts: it is moved to the
//! corresponding point on the skin, scaled by the girth of the part it touches.

use glam::{Quat, Vec3};
use limber_animation::{
    Character, Clip, Finger, HumanBone, JointIndex, Phalanx, Pose, Side, Skeleton, WorldPose,
    ik::reach, smooth::smoothstep,
};

use crate::girth::{CANONICAL, Girth, Part, girths};
use crate::t_pose;

/// A palm up to the first distance from the skin touches it, in metres; beyond the second it does
/// not. In between, the correction is blended.
const TOUCHING_M: f32 = 0.05;
const APART_M: f32 = 0.14;
/// The same for the distance between the centres of both palms.
const CLAPPED_M: f32 = 0.07;
const UNCLAPPED_M: f32 = 0.22;
/// Distance from wrist to palm as a fraction of the forearm, for hands without fingers.
const PALM_SHARE: f32 = 0.35;
/// Smaller corrections are skipped, in metres.
const LEAST_SHIFT_M: f32 = 5e-4;

/// Returns the retargeted clip with hands placed where they touch the body in the source. Only the
/// arms change; a body without hands is returned unchanged. `carried` is `source` retargeted to the
/// character's skeleton, with the same number of frames.
#[must_use]
pub fn keep_touches(source: &Clip, carried: &Clip, character: &Character) -> Clip {
    let bodies = Body::new(source.skeleton()).zip(Body::new(carried.skeleton()));
    let Some((from, to)) = bodies else { return carried.clone() };
    let parts = parts(&from, &to, &girths(character));
    let mut kept = carried.clone();
    for (pose, meant) in kept.frames_mut().iter_mut().zip(source.frames()) {
        let meant = from.skeleton.world(meant);
        let shifts = lay_on(&from, &to, &parts, &meant, &to.skeleton.world(pose));
        shift_hands(&to, pose, shifts);
        let shifts = clap(&from, &to, &meant, &to.skeleton.world(pose));
        shift_hands(&to, pose, shifts);
    }
    kept
}

/// A skeleton with its T-pose and the positions of its palms.
pub(crate) struct Body<'a> {
    pub(crate) skeleton: &'a Skeleton,
    t_pose: WorldPose,
    arms: [Arm; 2],
}

struct Arm {
    chain: [JointIndex; 3],
    /// From the wrist to the centre of the palm in the T-pose, in world space and metres.
    palm: Vec3,
}

impl<'a> Body<'a> {
    /// Returns `None` if the skeleton lacks a hand.
    pub(crate) fn new(skeleton: &'a Skeleton) -> Option<Self> {
        let t_pose = skeleton.world(&t_pose(skeleton));
        let [left, right] = Side::BOTH.map(|side| Arm::new(skeleton, &t_pose, side));
        Some(Self { skeleton, arms: [left?, right?], t_pose })
    }

    /// Returns a joint's world-space rotation relative to the T-pose.
    fn turned(&self, world: &WorldPose, joint: JointIndex) -> Quat {
        world.rotation(joint) * self.t_pose.rotation(joint).inverse()
    }

    /// Returns the joints of shoulder, elbow and wrist.
    pub(crate) fn chain(&self, side: usize) -> [JointIndex; 3] {
        self.arms[side].chain
    }

    /// Returns the distance from the wrist to the centre of the palm, in metres.
    pub(crate) fn palm_length(&self) -> f32 {
        self.arms[0].palm.length()
    }

    /// Returns the direction to the character's left in a joint's local space.
    pub(crate) fn left(&self, joint: JointIndex) -> Vec3 {
        self.t_pose.rotation(joint).inverse() * Vec3::X
    }

    /// Returns the position of a palm in world space.
    pub(crate) fn palm(&self, world: &WorldPose, side: usize) -> Vec3 {
        let arm = &self.arms[side];
        world.position(arm.chain[2]) + self.turned(world, arm.chain[2]) * arm.palm
    }
}

impl Arm {
    fn new(skeleton: &Skeleton, t_pose: &WorldPose, side: Side) -> Option<Self> {
        let [_, upper, lower, hand] = HumanBone::arm(side);
        let chain = [skeleton.find(upper)?, skeleton.find(lower)?, skeleton.find(hand)?];
        let at = |joint| t_pose.position(joint);
        let middle = HumanBone::finger(side, Finger::Middle, Phalanx::First);
        let knuckle = skeleton.find(middle).map(|joint| at(joint).distance(at(chain[2])));
        let length = knuckle.unwrap_or_else(|| PALM_SHARE * at(chain[1]).distance(at(chain[2])));
        Some(Self { chain, palm: Vec3::X * side.sign() * length })
    }
}

/// A body part that source and target both have.
struct Counterpart {
    from: Place,
    to: Place,
    girth: Girth,
    /// Factor from the source's distances along the part to the target's.
    along: f32,
    target: Girth,
}

fn parts(from: &Body, to: &Body, girths: &[Option<Girth>]) -> Vec<Counterpart> {
    let counterpart = |(part, target): (&Part, &Option<Girth>)| {
        let (on_from, on_to) = (Place::of(part, from)?, Place::of(part, to)?);
        let target = (*target)?;
        let along = if on_from.length_m > 1e-3 {
            on_to.length_m / on_from.length_m
        } else {
            target.side_m / part.girth.side_m
        };
        Some(Counterpart { from: on_from, to: on_to, girth: part.girth, along, target })
    };
    CANONICAL.iter().zip(girths).filter_map(counterpart).collect()
}

/// The position of a part on a body.
struct Place {
    joint: JointIndex,
    /// From the joint to the start of the part in the T-pose, in world space and metres.
    start: Vec3,
    /// Direction from start to end in the T-pose; zero for the head, which is a point.
    axis: Vec3,
    length_m: f32,
}

impl Place {
    fn of(part: &Part, body: &Body) -> Option<Self> {
        let joint = part.joint(body.skeleton)?;
        let [start, end] = part.line(body.skeleton, &body.t_pose)?;
        let (axis, length_m) = ((end - start).normalize_or_zero(), start.distance(end));
        Some(Self { joint, start: start - body.t_pose.position(joint), axis, length_m })
    }

    /// Returns the start of the part in world space and its rotation relative to the T-pose.
    fn stands(&self, body: &Body, world: &WorldPose) -> (Vec3, Quat) {
        let turned = body.turned(world, self.joint);
        (world.position(self.joint) + turned * self.start, turned)
    }
}

impl Counterpart {
    /// Returns the approximate distance of a point from the skin of the part on the source, in
    /// metres; zero inside. `place` is relative to the start of the part, in T-pose axes.
    fn distance(&self, place: Vec3) -> f32 {
        let depth = if place.z > 0.0 { self.girth.front_m } else { self.girth.back_m };
        let along = place.dot(self.from.axis);
        let beyond = if self.from.axis == Vec3::ZERO {
            place.y.abs() - self.girth.side_m
        } else {
            (along - self.from.length_m).max(-along)
        };
        let round = glam::Vec2::new(place.x / self.girth.side_m, place.z / depth).length();
        ((round - 1.0) * self.girth.side_m.min(depth)).max(0.0) + beyond.max(0.0)
    }

    /// Maps a point near the part on the source to the target; both are relative to the start of
    /// the part.
    fn carried(&self, place: Vec3) -> Vec3 {
        let depth = if place.z > 0.0 {
            self.target.front_m / self.girth.front_m
        } else {
            self.target.back_m / self.girth.back_m
        };
        place * Vec3::new(self.target.side_m / self.girth.side_m, self.along, depth)
    }
}

/// Returns how far each palm must move to touch the same parts as in the source.
fn lay_on(
    from: &Body,
    to: &Body,
    parts: &[Counterpart],
    meant: &WorldPose,
    world: &WorldPose,
) -> [Vec3; 2] {
    [0, 1].map(|side| {
        let (palm, now) = (from.palm(meant, side), to.palm(world, side));
        let (mut sum, mut total, mut most) = (Vec3::ZERO, 0.0, 0.0_f32);
        for part in parts {
            let (start, turned) = part.from.stands(from, meant);
            let place = turned.inverse() * (palm - start);
            let weight = nearness(part.distance(place), TOUCHING_M, APART_M);
            let (start, turned) = part.to.stands(to, world);
            let wanted = start + turned * part.carried(place);
            sum += (wanted - now) * weight;
            total += weight;
            most = most.max(weight);
        }
        if total > 0.0 { sum / total * most } else { Vec3::ZERO }
    })
}

/// Returns how far each palm must move for the two to keep their distance from the source.
fn clap(from: &Body, to: &Body, meant: &WorldPose, world: &WorldPose) -> [Vec3; 2] {
    let between = from.palm(meant, 1) - from.palm(meant, 0);
    let weight = nearness(between.length(), CLAPPED_M, UNCLAPPED_M);
    let scale = to.arms[0].palm.length() / from.arms[0].palm.length().max(1e-4);
    let now = to.palm(world, 1) - to.palm(world, 0);
    let half = (now - between * scale) * (0.5 * weight);
    [half, -half]
}

/// Returns 1 up to `touching_m`, 0 from `apart_m`, and a smooth blend in between.
fn nearness(distance_m: f32, touching_m: f32, apart_m: f32) -> f32 {
    smoothstep((apart_m - distance_m) / (apart_m - touching_m))
}

fn shift_hands(body: &Body, pose: &mut Pose, shifts: [Vec3; 2]) {
    let world = body.skeleton.world(pose);
    for (arm, shift) in body.arms.iter().zip(shifts) {
        if shift.is_finite() && shift.length() > LEAST_SHIFT_M {
            let hand = arm.chain[2];
            let target = world.position(hand) + shift;
            reach(body.skeleton, pose, arm.chain, target, None, Some(world.rotation(hand)));
        }
    }
}
