//! Arms: hanging and swinging by dials, or reaching for a goal that is told as a relation to the
//! body ("in front of the chest, palm inwards") and solved by inverse kinematics.

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

/// From shoulder to wrist.
pub(super) const ARM_M: f32 = UPPER_M + FORE_M;
/// Lengths of the canonical skeleton's arm.
const UPPER_M: f32 = 0.285;
const FORE_M: f32 = 0.255;
/// From the collar bone's joint to the shoulder on the left, in the upper chest's space.
const SHOULDER: Vec3 = Vec3::new(0.142, 0.0, -0.018);
/// From the upper chest to the collar bone's joint on the left.
const COLLAR: Vec3 = Vec3::new(0.028, 0.105, 0.012);
/// Forearm and hand follow the upper arm by this much.
const FORE_LAG_S: f32 = 0.035;
const HAND_LAG_S: f32 = 0.065;
/// How far an upper arm turns about itself, radians; forearm and hand share the other one.
const UPPER_TWIST: f32 = 2.05;
const FORE_AND_HAND_TWIST: f32 = 2.3;
/// How often the elbow is moved until the upper arm is turned as far as it should.
const ELBOW_STEPS: usize = 3;
/// The furthest a wrist bends.
const WRIST_LIMIT: f32 = 1.4;

/// Where the body is while an arm is solved; what goals are told in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    pub(super) side: Side,
    /// Upper chest.
    pub(super) chest_at: Vec3,
    pub(super) chest: Quat,
    /// Below the pelvis, on the floor, and where the body faces.
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

/// From the upper chest to the shoulder, with the collar bone at rest, in the upper chest's space.
pub(super) fn shoulder_beside_chest(side: Side) -> Vec3 {
    (COLLAR + SHOULDER) * Vec3::new(side.sign(), 1.0, 1.0)
}

impl Reach {
    /// The same body seen from the other arm.
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

    /// Where the forearm points when the wrist is here and the elbow leaves the line to it this way.
    pub(super) fn forearm(&self, wrist: Vec3, elbow: Vec3) -> Vec3 {
        let (axis, distance) = reachable(wrist - self.shoulder());
        limb::segments((UPPER_M, FORE_M), (axis, distance), perpendicular(elbow, axis)).1
    }

    /// A direction told from the chest: away from the midline, up, ahead.
    pub(super) fn chest_way(&self, out: f32, up: f32, ahead: f32) -> Vec3 {
        self.chest * Vec3::new(self.side.sign() * out, up, ahead)
    }

    /// A direction told from where the body faces, upright.
    pub(super) fn body_way(&self, out: f32, up: f32, ahead: f32) -> Vec3 {
        Quat::from_rotation_y(self.heading) * Vec3::new(self.side.sign() * out, up, ahead)
    }

    /// A place told from the middle of the upper chest.
    pub(super) fn near_chest(&self, out: f32, up: f32, ahead: f32) -> Vec3 {
        self.chest_at + self.chest_way(out, up, ahead)
    }

    /// A place over the floor: `up` is the height.
    pub(super) fn near_body(&self, out: f32, up: f32, ahead: f32) -> Vec3 {
        Vec3::new(self.root.x, 0.0, self.root.y) + self.body_way(out, up, ahead)
    }

    /// The shoulder with the collar bone at rest.
    pub(super) fn shoulder(&self) -> Vec3 {
        self.chest_at + self.chest * shoulder_beside_chest(self.side)
    }

    /// Where the shoulder is carried to by an arm that goes for a wrist there.
    pub(super) fn shoulder_for(&self, wrist: Vec3) -> Vec3 {
        self.carried_by(self.chest * collar_for(self, wrist))
    }

    fn carried_by(&self, collar: Quat) -> Vec3 {
        let mirror = Vec3::new(self.side.sign(), 1.0, 1.0);
        self.chest_at + self.chest * (COLLAR * mirror) + collar * (SHOULDER * mirror)
    }

    /// Where the wrist comes to be with upper arm and forearm along these directions.
    pub(super) fn wrist_along(&self, upper: Vec3, fore: Vec3) -> Vec3 {
        self.shoulder() + upper.normalize() * UPPER_M + fore.normalize() * FORE_M
    }
}

/// What an arm shall do, in world space.
#[derive(Debug, Clone, Copy)]
pub(super) struct HandGoal {
    pub(super) wrist: Vec3,
    /// Which way the elbow points.
    pub(super) elbow: Vec3,
    /// Where the fingers point.
    pub(super) fingers: Vec3,
    /// Where the palm faces.
    pub(super) palm: Vec3,
    pub(super) shape: HandShape,
}

/// Local rotations of one arm.
#[derive(Debug, Clone, Copy)]
pub(super) struct ArmPose {
    pub(super) collar: Quat,
    pub(super) upper: Quat,
    pub(super) fore: Quat,
    pub(super) hand: Quat,
    pub(super) shape: HandShape,
}

/// What a hand shall do at a time.
pub(super) type Goal = Box<dyn Fn(f32, &Reach) -> HandGoal + Send>;

/// A goal with the times at which it takes over the arm and lets it go.
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

/// Lets a hand go straight from one goal to the next: one that is let go while a later one takes over is kept
/// until that has the arm, instead of falling half way home in between.
pub(super) fn hand_over(layers: &mut [ArmLayer]) {
    for later in 1..layers.len() {
        let (before, after) = layers.split_at_mut(later);
        let after = &after[0];
        let (taken_s, has_s) = after.fade_in;
        if after.fade_out.0 < has_s {
            // never has the arm
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

/// The pose of one arm in a frame: its dials, then every layer on top.
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

/// The arm as its dials say. Gravity keeps it from going all the way along with the chest.
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

/// Which way a rotation makes the body face, from +Z to the left; told by its left side, so that it
/// holds however far somebody bends.
pub(super) fn yaw_of(turn: Quat) -> f32 {
    let left = turn * Vec3::X;
    atan2(-left.z, left.x)
}

/// The arm that fulfils a goal, or comes as near as it reaches, with the shoulder up by `lift`.
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

/// The upper arm in the space of the shoulder and the angle of the elbow, for a wrist at `distance` along
/// `axis`. The elbow points where it is told as far as the upper arm can turn about itself.
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

/// The collar bone goes up and forwards with a raised or stretched arm (scapulohumeral rhythm,
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

/// A twist that a joint can do. Beyond `most` it falls back to nothing, so that what goes on turning the
/// same way comes round without a flip.
fn unwound(twist: f32, most: f32) -> f32 {
    let beyond = (twist.abs() - most).max(0.0) / (std::f32::consts::PI - most);
    twist.signum() * twist.abs().min(most) * (1.0 - beyond)
}

/// The same turn, but not further than `most`.
pub(super) fn limited(turn: Quat, most: f32) -> Quat {
    let angle = turn.angle_between(Quat::IDENTITY);
    if angle <= most { turn } else { nearer(Quat::IDENTITY, turn, most / angle) }
}
