//! Arms: either hanging and swinging according to channels, or reaching for a goal that is defined
//! relative to the body ("in front of the chest, palm inwards") and solved by inverse kinematics.

use glam::{Mat3, Quat, Vec2, Vec3};
use limber_animation::{
    Side,
    maths::{acos, atan2, powf},
    smooth::minimum_jerk,
};

use super::{
    channels::{ArmDial, Channel, Channels},
    feet::shortest_angle,
    hands::HandShape,
    limb,
};

/// Length from shoulder to wrist, metres.
pub(super) const ARM_M: f32 = UPPER_M + FORE_M;
/// Segment lengths of the canonical skeleton's arm, metres.
const UPPER_M: f32 = 0.285;
const FORE_M: f32 = 0.255;
/// Offset from the clavicle joint to the shoulder on the left, in the upper chest's space.
const SHOULDER: Vec3 = Vec3::new(0.142, 0.0, -0.018);
/// Offset from the upper chest to the clavicle joint on the left.
const COLLAR: Vec3 = Vec3::new(0.028, 0.105, 0.012);
/// Delays of forearm and hand behind the upper arm, seconds.
const FORE_LAG_S: f32 = 0.035;
const HAND_LAG_S: f32 = 0.065;
/// Maximum twist of the upper arm, radians, and of forearm and hand together.
const UPPER_TWIST: f32 = 2.05;
const FORE_AND_HAND_TWIST: f32 = 2.3;
/// Number of iterations that move the elbow until the twist of the upper arm is within its limit.
const ELBOW_STEPS: usize = 3;
/// Maximum flexion of a wrist, radians.
const WRIST_LIMIT: f32 = 1.4;

/// The pose of the body while an arm is solved, to which goals refer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    pub(super) side: Side,
    /// Upper chest.
    pub(super) chest_at: Vec3,
    pub(super) chest: Quat,
    /// Position on the floor below the pelvis, and the body's heading.
    pub(super) root: Vec2,
    pub(super) heading: f32,
    pub(super) head_at: Vec3,
    pub(super) head: Quat,
    pub(super) pelvis_at: Vec3,
    pub(super) pelvis: Quat,
    /// Hip, knee and ankle of the same side.
    pub(super) hip: Vec3,
    pub(super) knee: Vec3,
    pub(super) ankle: Vec3,
    /// Hip, knee and ankle of the other side.
    pub(super) other_leg: [Vec3; 3],
}

/// Offset from the upper chest to the shoulder with the clavicle at rest, in the upper chest's
/// space.
pub(super) fn shoulder_beside_chest(side: Side) -> Vec3 {
    (COLLAR + SHOULDER) * Vec3::new(side.sign(), 1.0, 1.0)
}

impl Reach {
    /// The same body for the other arm.
    pub(super) fn opposite(&self) -> Self {
        let [hip, knee, ankle] = self.other_leg;
        Self {
            side: self.side.opposite(),
            hip,
            knee,
            ankle,
            other_leg: [self.hip, self.knee, self.ankle],
            ..*self
        }
    }

    /// Direction of the forearm for a wrist position and an elbow pole direction.
    pub(super) fn forearm(&self, wrist: Vec3, elbow: Vec3) -> Vec3 {
        let (axis, distance) = reachable(wrist - self.shoulder());
        limb::segments((UPPER_M, FORE_M), (axis, distance), perpendicular(elbow, axis)).1
    }

    /// A direction relative to the chest: away from the midline, up, ahead.
    pub(super) fn chest_way(&self, out: f32, up: f32, ahead: f32) -> Vec3 {
        self.chest * Vec3::new(self.side.sign() * out, up, ahead)
    }

    /// A direction relative to the body's heading, upright.
    pub(super) fn body_way(&self, out: f32, up: f32, ahead: f32) -> Vec3 {
        Quat::from_rotation_y(self.heading) * Vec3::new(self.side.sign() * out, up, ahead)
    }

    /// A position relative to the centre of the upper chest.
    pub(super) fn near_chest(&self, out: f32, up: f32, ahead: f32) -> Vec3 {
        self.chest_at + self.chest_way(out, up, ahead)
    }

    /// A position relative to the body on the floor: `up` is the height.
    pub(super) fn near_body(&self, out: f32, up: f32, ahead: f32) -> Vec3 {
        Vec3::new(self.root.x, 0.0, self.root.y) + self.body_way(out, up, ahead)
    }

    /// The shoulder with the clavicle at rest.
    pub(super) fn shoulder(&self) -> Vec3 {
        self.chest_at + self.chest * shoulder_beside_chest(self.side)
    }

    /// Position of the shoulder for an arm whose wrist is at this position.
    pub(super) fn shoulder_for(&self, wrist: Vec3) -> Vec3 {
        self.carried_by(self.chest * collar_for(self, wrist))
    }

    fn carried_by(&self, collar: Quat) -> Vec3 {
        let mirror = Vec3::new(self.side.sign(), 1.0, 1.0);
        self.chest_at + self.chest * (COLLAR * mirror) + collar * (SHOULDER * mirror)
    }

    /// Position of the wrist with upper arm and forearm in these directions.
    pub(super) fn wrist_along(&self, upper: Vec3, fore: Vec3) -> Vec3 {
        self.shoulder() + upper.normalize() * UPPER_M + fore.normalize() * FORE_M
    }
}

/// The goal of an arm, in world space.
#[derive(Debug, Clone, Copy)]
pub(super) struct HandGoal {
    pub(super) wrist: Vec3,
    /// Direction in which the elbow points.
    pub(super) elbow: Vec3,
    /// Direction in which the fingers point.
    pub(super) fingers: Vec3,
    /// Direction that the palm faces.
    pub(super) palm: Vec3,
    pub(super) shape: HandShape,
}

/// Local rotations of the joints of one arm.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArmPose {
    pub(super) collar: Quat,
    pub(super) upper: Quat,
    pub(super) fore: Quat,
    pub(super) hand: Quat,
    pub(super) shape: HandShape,
}

/// The goal of a hand as a function of time.
pub(super) type Goal = Box<dyn Fn(f32, &Reach) -> HandGoal + Send>;

/// A goal with the times at which it fades in and out.
pub(super) struct ArmLayer {
    pub(super) side: Side,
    pub(super) fade_in: (f32, f32),
    pub(super) fade_out: (f32, f32),
    pub(super) goal: Goal,
}

impl std::fmt::Debug for ArmLayer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "ArmLayer({:?} {:?}..{:?})", self.side, self.fade_in, self.fade_out)
    }
}

/// Lets a hand move directly from one goal to the next: a layer that fades out while a later one
/// fades in is kept until the later one is fully in, instead of letting the arm drop in between.
pub(super) fn hand_over(layers: &mut [ArmLayer]) {
    for later in 1..layers.len() {
        let (before, after) = layers.split_at_mut(later);
        let after = &after[0];
        let (taken_s, has_s) = after.fade_in;
        if after.fade_out.0 < has_s {
            // never fully in
            continue;
        }
        for layer in before.iter_mut().filter(|layer| layer.side == after.side) {
            let (falls_s, free_s) = layer.fade_out;
            if layer.fade_in.1 <= taken_s && taken_s < free_s && falls_s < has_s {
                layer.fade_out = (has_s + HAND_LAG_S, has_s + 2.0 * HAND_LAG_S);
            }
        }
    }
}

impl ArmLayer {
    fn weight(&self, time_s: f32) -> f32 {
        let ramp = |(from_s, to_s): (f32, f32)| {
            minimum_jerk((time_s - from_s) / (to_s - from_s).max(1e-3))
        };
        ramp(self.fade_in) * (1.0 - ramp(self.fade_out))
    }

    fn is_active(&self, time_s: f32) -> bool {
        time_s >= self.fade_in.0 && time_s <= self.fade_out.1 + HAND_LAG_S
    }
}

/// The pose of one arm in a frame: its channels, with every layer on top.
pub(super) fn arm_pose(
    channels: &Channels,
    frame: usize,
    time_s: f32,
    reach: &Reach,
    layers: &[ArmLayer],
) -> ArmPose {
    let mut pose = hanging(channels, frame, reach);
    for layer in layers.iter().filter(|l| l.side == reach.side && l.is_active(time_s)) {
        let lift = channels.get(frame, Channel::Arm(reach.side, ArmDial::Lift));
        let goal = solve(reach, &(layer.goal)(time_s, reach), lift);
        let upper = layer.weight(time_s);
        let fore = layer.weight(time_s - FORE_LAG_S);
        let hand = layer.weight(time_s - HAND_LAG_S);
        pose = ArmPose {
            collar: nearer(pose.collar, goal.collar, upper),
            upper: nearer(pose.upper, goal.upper, upper),
            fore: nearer(pose.fore, goal.fore, fore),
            hand: nearer(pose.hand, goal.hand, hand),
            shape: pose.shape.blend(goal.shape, hand),
        };
    }
    pose
}

fn nearer(from: Quat, to: Quat, amount: f32) -> Quat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    from.slerp(to, amount).normalize()
}

/// The pose of an arm according to its channels. Gravity keeps it from following the chest
/// entirely.
fn hanging(channels: &Channels, frame: usize, reach: &Reach) -> ArmPose {
    let s = reach.side.sign();
    let dial = |dial| channels.get(frame, Channel::Arm(reach.side, dial));
    let collar = Quat::from_rotation_z(s * (dial(ArmDial::Shrug) + dial(ArmDial::Lift)));
    let upright = Quat::from_rotation_y(yaw_of(reach.chest));
    let carried = nearer(reach.chest, upright, 0.8);
    let down = std::f32::consts::FRAC_PI_2;
    let upper = Quat::from_rotation_x(-dial(ArmDial::Flex))
        * Quat::from_rotation_z(s * (dial(ArmDial::Out) - down))
        * Quat::from_rotation_x(dial(ArmDial::Twist));
    let half_roll = Quat::from_rotation_x(0.5 * dial(ArmDial::Pronate));
    ArmPose {
        collar,
        upper: (reach.chest * collar).inverse() * carried * upper,
        fore: Quat::from_rotation_y(-s * dial(ArmDial::Elbow).clamp(0.03, 2.5)) * half_roll,
        hand: half_roll * Quat::from_rotation_z(-s * dial(ArmDial::Wrist)),
        shape: HandShape::RELAXED.blend(HandShape::FIST, dial(ArmDial::Grip).clamp(0.0, 1.0)),
    }
}

/// Yaw of a rotation from +Z to the left, derived from the left axis so that it is stable however
/// far the body bends.
pub(super) fn yaw_of(turn: Quat) -> f32 {
    let left = turn * Vec3::X;
    atan2(-left.z, left.x)
}

/// The arm pose that fulfils a goal, or comes as close as it can reach, with the shoulder raised by
/// `lift`.
fn solve(reach: &Reach, goal: &HandGoal, lift: f32) -> ArmPose {
    let s = reach.side.sign();
    let collar = Quat::from_rotation_z(s * lift) * collar_for(reach, goal.wrist);
    let carried = reach.chest * collar;
    let shoulder = reach.carried_by(carried);

    let (upper, bend) = bent(s, carried, reachable(goal.wrist - shoulder), goal.elbow);
    let fore_straight = carried * upper * Quat::from_rotation_y(-s * bend);

    let along_fingers = goal.fingers.normalize() * s;
    let back = perpendicular(-goal.palm, along_fingers);
    let hand_world = basis(along_fingers, back, along_fingers.cross(back));
    let hand = fore_straight.inverse() * hand_world;
    let roll = twist_about_x(hand);
    let kept_roll = unwound(roll, FORE_AND_HAND_TWIST);
    let fore_roll = Quat::from_rotation_x(0.5 * kept_roll);
    let swing = limited(hand * Quat::from_rotation_x(roll).inverse(), WRIST_LIMIT);
    ArmPose {
        collar,
        upper,
        fore: Quat::from_rotation_y(-s * bend) * fore_roll,
        hand: fore_roll.inverse() * swing * Quat::from_rotation_x(kept_roll),
        shape: goal.shape,
    }
}

/// Rotation of the upper arm in the shoulder's space and the elbow angle, for a wrist at `distance`
/// along `axis`. The elbow points in its pole direction as far as the twist limit of the upper arm
/// allows.
fn bent(s: f32, carried: Quat, (axis, distance): (Vec3, f32), elbow: Vec3) -> (Quat, f32) {
    let shoulder = carried.inverse();
    let posed = |elbow: Vec3| {
        let (upper, fore) = limb::segments((UPPER_M, FORE_M), (axis, distance), elbow);
        let (upper_way, fore_way) = (upper / UPPER_M, fore.normalize());
        let fold = perpendicular(-elbow, upper_way);
        let world = basis(upper_way * s, fold.cross(upper_way * s), fold);
        (shoulder * world, acos(upper_way.dot(fore_way).clamp(-1.0, 1.0)))
    };
    let mut elbow = perpendicular(elbow, axis);
    let (mut upper, bend) = posed(elbow);
    let asked = twist_about_x(upper);
    let wanted = unwound(asked, UPPER_TWIST);
    let mut missing = wanted - asked;
    for _ in 0..ELBOW_STEPS {
        if missing.abs() < 0.01 {
            break;
        }
        elbow = Quat::from_axis_angle(axis, s * missing) * elbow;
        upper = posed(elbow).0;
        missing = shortest_angle(wanted - twist_about_x(upper));
    }
    (upper, bend)
}

/// Rotation of the clavicle: up and forwards with a raised or extended arm (scapulohumeral rhythm,
/// Inman et al. 1944).
fn collar_for(reach: &Reach, wrist: Vec3) -> Quat {
    let s = reach.side.sign();
    let to = reach.chest.inverse() * (wrist - reach.shoulder());
    let stretch = (to.length() / (UPPER_M + FORE_M)).min(1.0);
    let way = to.normalize_or_zero() * stretch;
    let raise = 0.38 * powf((way.y + 0.25).clamp(0.0, 1.1), 1.3);
    let forwards = 0.22 * way.z.max(0.0) + 0.15 * (-s * way.x).max(0.0);
    Quat::from_rotation_z(s * raise) * Quat::from_rotation_y(-s * forwards)
}

fn reachable(to: Vec3) -> (Vec3, f32) {
    let distance = to.length().clamp(0.07, 0.9975 * (UPPER_M + FORE_M));
    (to.try_normalize().unwrap_or(Vec3::NEG_Y), distance)
}

fn perpendicular(direction: Vec3, axis: Vec3) -> Vec3 {
    let axis = axis.normalize();
    direction
        .reject_from_normalized(axis)
        .try_normalize()
        .unwrap_or_else(|| axis.any_orthonormal_vector())
}

fn basis(x: Vec3, y: Vec3, z: Vec3) -> Quat {
    Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize()
}

fn twist_about_x(turn: Quat) -> f32 {
    let (x, w) = if turn.w < 0.0 { (-turn.x, -turn.w) } else { (turn.x, turn.w) };
    2.0 * atan2(x, w)
}

/// A twist within a joint's limit. Beyond `most` it returns to zero, so that a rotation that
/// continues in the same direction does not flip.
fn unwound(twist: f32, most: f32) -> f32 {
    let beyond = (twist.abs() - most).max(0.0) / (std::f32::consts::PI - most);
    twist.signum() * twist.abs().min(most) * (1.0 - beyond)
}

/// The rotation limited to an angle of `most`.
pub(super) fn limited(turn: Quat, most: f32) -> Quat {
    let angle = turn.angle_between(Quat::IDENTITY);
    if angle <= most { turn } else { nearer(Quat::IDENTITY, turn, most / angle) }
}
