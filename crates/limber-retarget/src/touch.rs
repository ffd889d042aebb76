//! Keeps hands where they touch: the other hand, hips, trunk, head or thighs.
//!
//! What is carried over are turns of bones; on a body with longer arms or a wider waist the same
//! turns put a hand that lay on the hip into it, and hands that clapped past each other. So the
//! nearer a palm is to something in the source, the more its *place* counts: the same place on the
//! skin, scaled by the girth of the part it lies on.

use glam::{Quat, Vec3};
use limber_animation::{
    Character, Clip, Finger, HumanBone, JointIndex, Phalanx, Pose, Side, Skeleton, WorldPose,
    ik::reach, smooth::smoothstep,
};

use crate::girth::{CANONICAL, Girth, Part, girths};
use crate::t_pose;

/// A palm this near to the skin lies on it, metres; between both its place counts in part.
const TOUCHING_M: f32 = 0.05;
const APART_M: f32 = 0.14;
/// The same of two palms, from middle to middle.
const CLAPPED_M: f32 = 0.07;
const UNCLAPPED_M: f32 = 0.22;
/// From wrist to palm where there are no fingers to tell, as a share of the lower arm.
const PALM_SHARE: f32 = 0.35;
/// Shifts below this are left alone, metres.
const LEAST_SHIFT_M: f32 = 5e-4;

/// The carried clip with hands set where they touch in the source. Everything but the arms stays as
/// it is; a body without hands altogether. `carried` is `source` on the character's skeleton, frame by
/// frame.
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

/// A skeleton, how it stands in T-pose, and where its palms are.
pub(crate) struct Body<'a> {
    pub(crate) skeleton: &'a Skeleton,
    t_pose: WorldPose,
    arms: [Arm; 2],
}

struct Arm {
    chain: [JointIndex; 3],
    /// From the wrist to the middle of the palm in T-pose, world space, metres.
    palm: Vec3,
}

impl<'a> Body<'a> {
    /// `None` for a body without both hands.
    pub(crate) fn new(skeleton: &'a Skeleton) -> Option<Self> {
        let t_pose = skeleton.world(&t_pose(skeleton));
        let [left, right] = Side::BOTH.map(|side| Arm::new(skeleton, &t_pose, side));
        Some(Self { skeleton, arms: [left?, right?], t_pose })
    }

    /// How far a joint has turned from the T-pose.
    fn turned(&self, world: &WorldPose, joint: JointIndex) -> Quat {
        world.rotation(joint) * self.t_pose.rotation(joint).inverse()
    }

    /// Shoulder, elbow and wrist.
    pub(crate) fn chain(&self, side: usize) -> [JointIndex; 3] {
        self.arms[side].chain
    }

    /// From the wrist to the middle of the palm, metres.
    pub(crate) fn palm_length(&self) -> f32 {
        self.arms[0].palm.length()
    }

    /// To the left, seen from a joint.
    pub(crate) fn left(&self, joint: JointIndex) -> Vec3 {
        self.t_pose.rotation(joint).inverse() * Vec3::X
    }

    /// Where a palm is, world space.
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

/// A part that both bodies have.
struct Counterpart {
    from: Place,
    to: Place,
    girth: Girth,
    /// From the source's distances to the target's.
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

/// Where a part is on a body.
struct Place {
    joint: JointIndex,
    /// From the joint to where the part begins in T-pose, world space, metres.
    start: Vec3,
    /// From there to its end in T-pose; zero of a head, which has none.
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

    /// Where the part begins, and how far it has turned from the T-pose.
    fn stands(&self, body: &Body, world: &WorldPose) -> (Vec3, Quat) {
        let turned = body.turned(world, self.joint);
        (world.position(self.joint) + turned * self.start, turned)
    }
}

impl Counterpart {
    /// How far a place is from the skin of the part in the source, metres; below zero inside.
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

    /// The place on the target that a place on the source has.
    fn carried(&self, place: Vec3) -> Vec3 {
        let depth = if place.z > 0.0 {
            self.target.front_m / self.girth.front_m
        } else {
            self.target.back_m / self.girth.back_m
        };
        place * Vec3::new(self.target.side_m / self.girth.side_m, self.along, depth)
    }
}

/// How far each palm must move to lie where it lies in the source.
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

/// How far each palm must move for both to stand to each other as they do in the source.
fn clap(from: &Body, to: &Body, meant: &WorldPose, world: &WorldPose) -> [Vec3; 2] {
    let between = from.palm(meant, 1) - from.palm(meant, 0);
    let weight = nearness(between.length(), CLAPPED_M, UNCLAPPED_M);
    let scale = to.arms[0].palm.length() / from.arms[0].palm.length().max(1e-4);
    let now = to.palm(world, 1) - to.palm(world, 0);
    let half = (now - between * scale) * (0.5 * weight);
    [half, -half]
}

/// 1 nearer than `touching`, 0 farther than `apart`.
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
