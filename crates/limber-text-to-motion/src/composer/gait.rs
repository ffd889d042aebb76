//! Gaits: step length, step time and the shape of a step by speed.

mod paces;

use crate::{Act, ActionKind, Direction, Pace, SideChoice};
use limber_animation::maths::{ln, powf};

use super::{GRAVITY_M_S2, feet::SwingShape, style::Style};

/// Height of the hip joint above the floor, metres.
const LEG_M: f32 = 0.92;
/// Body height of the canonical skeleton, metres.
const HEIGHT_M: f32 = 1.75;

/// The parameters of a gait. Angles in radians.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gait {
    /// Time from the landing of one foot to that of the other.
    pub(super) step_s: f32,
    pub(super) step_m: f32,
    /// Distance of each foot from the line of travel.
    pub(super) half_width_m: f32,
    /// Duty factor: share of a stride during which a foot is on the floor; below one half there is
    /// a flight phase.
    pub(super) duty: f32,
    pub(super) roll_in: f32,
    pub(super) roll_out: f32,
    pub(super) lift_m: f32,
    /// Shape of a foot's swing, apart from its lift.
    pub(super) swing: SwingShape,
    /// When the heel rises: share of the contact that remains.
    pub(super) heel_up: f32,
    /// Time until a walker's foot is flat, as a share of a step.
    pub(super) flat: f32,
    /// Distance at which a foot lands ahead of a walker's pelvis, as a share of a step.
    pub(super) reach: f32,
    /// When the pelvis is lowest: share of a step after landing.
    pub(super) lowest: f32,
    /// Amplitude of the pelvis's vertical movement.
    pub(super) bob_m: f32,
    /// Mean height of the pelvis below standing.
    pub(super) drop_m: f32,
    pub(super) lean: f32,
    pub(super) hips_yaw: f32,
    pub(super) arm_swing: f32,
    pub(super) arm_flex: f32,
    /// Abduction of the upper arms.
    pub(super) arm_out: f32,
    pub(super) elbow: f32,
    pub(super) wrist: f32,
    pub(super) grip: f32,
    /// How far the pelvis moves over the weight-bearing foot, as a share.
    pub(super) balance: f32,
    /// +1 if the body faces the direction of travel, −1 backwards.
    pub(super) ahead: f32,
    /// Pitch of a standing foot, toes down positive.
    pub(super) on_toes: f32,
    /// How much a leg is favoured: 1 the right one, −1 the left one.
    pub(super) limp: f32,
    /// Amplitude of lateral swaying of the path.
    pub(super) wander_m: f32,
    /// Rise from each step to the next.
    pub(super) climb_m: f32,
}

impl Gait {
    pub(super) fn is_run(&self) -> bool {
        self.duty < 0.5
    }

    /// Double support time; negative is a flight phase.
    pub(super) fn overlap_s(&self) -> f32 {
        (2.0 * self.duty - 1.0) * self.step_s
    }

    /// Distance at which a foot lands ahead of the pelvis.
    pub(super) fn reach_m(&self, step_m: f32) -> f32 {
        if self.is_run() {
            (0.918 * step_m * self.duty).min(ahead_in_a_run_m(self.speed()))
        } else {
            self.reach * step_m
        }
    }

    pub(super) fn speed(&self) -> f32 {
        self.step_m / self.step_s
    }

    /// Number of transition steps to another gait.
    pub(super) fn steps_between(&self, other: &Self) -> usize {
        let ratio = ln(other.speed() / self.speed()).abs();
        (0.5 + 1.5 * ratio).round().clamp(0.0, 4.0) as usize
    }

    /// The gait at share `amount` of the way to another: feet move as at that speed, and the
    /// posture is interpolated.
    pub(super) fn towards(&self, other: &Self, amount: f32) -> Self {
        let mix = |of: fn(&Self) -> f32| of(self) + (of(other) - of(self)) * amount;
        let speed = mix(Self::speed);
        // transitions to and from a run are slower than anybody would run for long
        let is_run = speed > 1.6 && (self.is_run() || other.is_run());
        let feet = if is_run { running(speed) } else { walking(speed) };
        Self {
            half_width_m: mix(|gait| gait.half_width_m),
            lift_m: mix(|gait| gait.lift_m).min(feet.lift_m + 0.08),
            drop_m: mix(|gait| gait.drop_m),
            lean: mix(|gait| gait.lean),
            hips_yaw: mix(|gait| gait.hips_yaw),
            arm_swing: mix(|gait| gait.arm_swing),
            arm_flex: mix(|gait| gait.arm_flex),
            arm_out: mix(|gait| gait.arm_out),
            elbow: mix(|gait| gait.elbow),
            wrist: mix(|gait| gait.wrist),
            grip: mix(|gait| gait.grip),
            balance: mix(|gait| gait.balance),
            on_toes: mix(|gait| gait.on_toes),
            ..feet
        }
    }

    /// Legs that stay bent take shorter, flatter and wider steps.
    fn stay_low(&mut self) {
        self.step_m *= 0.72;
        self.bob_m *= 0.3;
        self.lift_m = self.lift_m.max(0.05);
        self.half_width_m = self.half_width_m.max(0.10);
        self.arm_swing *= 0.4;
    }

    /// The gait of an act of locomotion.
    pub(super) fn of(act: &Act, style: &Style) -> Self {
        let tempo = style.tempo;
        let special = match act.action.kind() {
            ActionKind::Gait(pace) => paces::of(pace, act, tempo),
            _ => None,
        };
        let usual = || match (act.action.kind(), act.direction) {
            // people run backwards about two thirds as fast (Wright & Weyand 2001)
            (ActionKind::Gait(Pace::Run), Some(Direction::Backward)) => {
                running(2.3 * powf(tempo, 0.8))
            }
            (ActionKind::Gait(Pace::Run), _) => running(3.4 * powf(tempo, 0.8)),
            (ActionKind::Gait(Pace::Jog), _) => jogging(tempo),
            (ActionKind::Gait(Pace::Sneak), _) => sneaking(tempo),
            (_, Some(Direction::Backward)) => backwards(tempo),
            _ => walking_or_running(1.28 * tempo),
        };
        let mut gait = special.unwrap_or_else(usual);
        if act.action.kind() != ActionKind::Gait(Pace::Sneak)
            && act.direction == Some(Direction::Backward)
        {
            gait.ahead = -1.0;
        }
        if gait.climb_m == 0.0 {
            gait.step_m *= style.stride;
        } else {
            // stairs determine the step length, so performers differ in leaning and swinging
            gait.lean *= style.stride * style.size;
            gait.elbow *= style.swing.powi(2);
            gait.arm_out += 0.12 * (style.width - 0.8);
            gait.step_s /= style.size.sqrt();
        }
        gait.bob_m *= powf(style.bounce, 0.7);
        gait.lift_m *= style.lift;
        gait.half_width_m *= style.width;
        gait.arm_swing *= style.swing;
        gait.balance *= style.sway.sqrt().min(2.0);
        if act.measures.posture == Some(limber_script::Posture::Crouched) {
            gait.stay_low();
        }
        if style.limp > 0.0 && gait.limp == 0.0 && !gait.is_run() {
            // the right leg by default
            let bad = if act.side == Some(SideChoice::Left) { -1.0 } else { 1.0 };
            gait.limp = bad * style.limp;
        }
        gait
    }
}

/// People start to run near a Froude number v²/(g·leg) of one half (Alexander 1989).
fn walking_or_running(speed: f32) -> Gait {
    if speed * speed / (GRAVITY_M_S2 * LEG_M) > 0.5 { running(speed) } else { walking(speed) }
}

/// Strides per minute = 64.8 (v / height)^0.57 (Grieve & Gear 1966, adults). The roll and swing of
/// the foot and the movement of the pelvis are fitted so that hip, knee and ankle at 1.28 m/s bend
/// as recorded (`assets/mocap/gaits.toml`).
fn walking(speed: f32) -> Gait {
    let per_minute = 64.8 * powf(speed / HEIGHT_M, 0.57);
    let step_s = 30.0 / per_minute;
    let step_m = speed * step_s;
    let brisk = (step_m / 0.70).clamp(0.35, 1.35);
    Gait {
        step_s,
        step_m,
        half_width_m: 0.056,
        duty: (0.628 - 0.03 * speed).clamp(0.55, 0.68),
        roll_in: -0.4 * brisk,
        roll_out: 0.934 * brisk.sqrt(),
        lift_m: 0.0186,
        swing: SwingShape {
            along: [0.305, -0.36, 0.184],
            up_m: [0.131, -0.093, -0.034],
            pitch: [0.337, -0.045, 0.025],
        }
        .times(brisk.min(1.15)),
        heel_up: 0.337,
        flat: 0.204,
        reach: 0.468,
        lowest: 0.262,
        bob_m: 0.0129 * brisk * brisk,
        drop_m: -0.0158 + 0.018 * brisk * brisk,
        lean: 0.035 + 0.02 * brisk,
        hips_yaw: 0.095 * brisk,
        arm_swing: 0.34 * brisk,
        arm_flex: -0.08 * brisk,
        arm_out: 0.025,
        elbow: 0.10 * brisk,
        wrist: 0.0,
        grip: 0.0,
        balance: 0.42,
        ahead: 1.0,
        on_toes: 0.0,
        limp: 0.0,
        wander_m: 0.0,
        climb_m: 0.0,
    }
}

/// Maximum distance of a runner's foot behind the pelvis at take-off, metres; any further back, the
/// hips would have to sink.
const BEHIND_IN_A_RUN_M: f32 = 0.56;

/// Maximum distance at which a runner's foot lands ahead of the pelvis, metres.
fn ahead_in_a_run_m(speed: f32) -> f32 {
    0.22 + 0.05 * ((speed - 3.4) / 1.6).clamp(0.0, 1.0)
}

/// Step rate rises slowly with speed, from 2.6 to 3 steps per second between 2.5 and 5 m/s, and
/// ground contact becomes shorter (Cavanagh & Kram 1989); the rest of each step is flight. Feet and
/// pelvis are fitted to recorded runs at 3.4 m/s, as for walking.
fn running(speed: f32) -> Gait {
    let rate = 2.55 + 0.12 * (speed - 2.3);
    let step_s = 1.0 / rate;
    let fast = ((speed - 2.0) / 2.0).clamp(0.0, 1.3);
    Gait {
        step_s,
        step_m: speed * step_s,
        half_width_m: 0.040,
        duty: (0.335 - 0.055 * fast)
            .min((ahead_in_a_run_m(speed) + BEHIND_IN_A_RUN_M) / (2.0 * step_s * speed)),
        roll_in: -0.437,
        roll_out: 0.773,
        lift_m: 0.181 + 0.13 * fast,
        swing: SwingShape {
            along: [-0.079, 0.127, -0.126],
            up_m: [0.45, -0.11, -0.535],
            pitch: [2.49, 1.46, 0.695],
        }
        .times(0.65 + 0.5 * fast),
        heel_up: 0.506,
        flat: 0.16,
        reach: 0.5,
        lowest: 0.378 - 0.055 * fast,
        bob_m: 0.04,
        drop_m: 0.057,
        lean: 0.084 + 0.07 * fast,
        hips_yaw: 0.025 + 0.03 * fast,
        arm_swing: 0.50 + 0.22 * fast,
        arm_flex: -0.24,
        arm_out: 0.28,
        elbow: 1.60 + 0.15 * fast,
        wrist: 0.0,
        grip: 0.55,
        balance: 0.3,
        ahead: 1.0,
        on_toes: 0.0,
        limp: 0.0,
        wander_m: 0.0,
        climb_m: 0.0,
    }
}

/// Jogging: upright, hands high and close to the chest, feet low.
fn jogging(tempo: f32) -> Gait {
    let run = running(2.3 * powf(tempo, 0.8));
    Gait {
        lean: 0.09,
        lift_m: 0.19,
        half_width_m: 0.055,
        arm_swing: 0.40,
        arm_flex: -0.02,
        arm_out: 0.35,
        elbow: 1.95,
        grip: 0.4,
        ..run
    }
}

/// Sneaking: low, with steps long for the speed, landing on the ball of the foot.
fn sneaking(tempo: f32) -> Gait {
    Gait {
        step_s: 0.88 / powf(tempo, 0.8),
        step_m: 0.50 * powf(tempo, 0.3),
        half_width_m: 0.075,
        duty: 0.68,
        roll_in: 0.34,
        roll_out: 0.62,
        lift_m: 0.11,
        swing: SwingShape::EVEN,
        heel_up: 0.485,
        flat: 0.16,
        reach: 0.5,
        lowest: 0.06,
        bob_m: 0.016,
        drop_m: 0.155,
        lean: 0.46,
        hips_yaw: 0.10,
        arm_swing: 0.16,
        arm_flex: 0.06,
        arm_out: 0.36,
        elbow: 1.25,
        wrist: -0.10,
        grip: 0.10,
        balance: 0.72,
        ahead: 1.0,
        on_toes: 0.0,
        limp: 0.0,
        wander_m: 0.0,
        climb_m: 0.0,
    }
}

/// Walking backwards: shorter steps, landing on the toes and leaving over the heel, about a walk in
/// reverse (Thorstensson 1986).
fn backwards(tempo: f32) -> Gait {
    let speed = 0.80 * tempo;
    let step_s = 0.60 / powf(tempo, 0.6);
    Gait {
        step_s,
        step_m: speed * step_s,
        half_width_m: 0.075,
        duty: 0.64,
        roll_in: 0.38,
        roll_out: -0.22,
        lift_m: 0.012,
        swing: SwingShape::EVEN,
        heel_up: 0.453,
        flat: 0.16,
        reach: 0.5,
        lowest: 0.06,
        bob_m: 0.010,
        drop_m: 0.030,
        lean: 0.07,
        hips_yaw: 0.06,
        arm_swing: 0.17,
        arm_flex: 0.03,
        arm_out: 0.03,
        elbow: 0.22,
        wrist: 0.0,
        grip: 0.0,
        balance: 0.5,
        ahead: -1.0,
        on_toes: 0.0,
        limp: 0.0,
        wander_m: 0.0,
        climb_m: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_walking_has_about_110_steps_a_minute_of_70_centimetres() {
        let gait = walking(1.28);
        assert!((0.50..0.58).contains(&gait.step_s) && (0.64..0.76).contains(&gait.step_m));
    }

    #[test]
    fn a_walk_that_is_too_fast_becomes_a_run() {
        assert!(!walking_or_running(1.8).is_run());
        assert!(walking_or_running(2.4).is_run());
    }
}
