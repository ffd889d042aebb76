//! Special gaits such as marching, limping and moonwalking, adjusted by eye from usual walking.

use super::{Gait, walking};
use crate::{Act, Pace, SideChoice, composer::feet::SwingShape};
use limber_animation::maths::powf;

/// The gait of a special pace; `None` for plain walks and runs.
pub(super) fn of(pace: Pace, act: &Act, tempo: f32) -> Option<Gait> {
    let gait = match pace {
        Pace::Walk | Pace::Run | Pace::Jog | Pace::Sneak => return None,
        Pace::March => marching(),
        Pace::Limp => limping(act.side),
        Pace::Tiptoe => tiptoeing(),
        Pace::Strut => strutting(),
        Pace::Stagger => staggering(),
        Pace::Shuffle => shuffling(),
        Pace::CrouchWalk => crouching(),
        Pace::Moonwalk => moonwalking(),
        Pace::Upstairs => upstairs(tempo),
        Pace::Downstairs => downstairs(tempo),
    };
    // shuffling is already slow, so slowing it has less effect
    let tempo = if pace == Pace::Shuffle { powf(tempo, 0.6) } else { tempo };
    let step_s = gait.step_s / powf(tempo, 0.75);
    let longer = if gait.climb_m == 0.0 { powf(tempo, 0.5) } else { 1.0 };
    Some(Gait { step_s, step_m: gait.step_m * longer, ..gait })
}

/// Rise and tread of common stairs, metres (DIN 18065).
const RISE_M: f32 = 0.17;
const TREAD_M: f32 = 0.29;

/// The trunk leans over the leg that pushes; feet lift early and land nearly flat; about 1.4 s per
/// stride, 62 % of it on the floor (Riener et al. 2002).
fn upstairs(tempo: f32) -> Gait {
    let hurry = (tempo - 1.0).clamp(0.0, 1.0);
    Gait {
        step_s: 0.70,
        step_m: TREAD_M,
        climb_m: RISE_M,
        half_width_m: 0.075,
        duty: 0.62 - 0.06 * hurry,
        roll_in: 0.06,
        roll_out: 0.62,
        lift_m: 0.135,
        bob_m: 0.012,
        drop_m: 0.050,
        lean: 0.26 + 0.12 * hurry,
        hips_yaw: 0.05,
        arm_swing: 0.34 + 0.30 * hurry,
        arm_flex: 0.10,
        arm_out: 0.08,
        elbow: 0.42 + 0.60 * hurry,
        balance: 0.62,
        ..even(1.0)
    }
}

/// Upright, toes first, yielding softly in the knee that lowers the body.
fn downstairs(tempo: f32) -> Gait {
    let hurry = (tempo - 1.0).clamp(0.0, 1.0);
    Gait {
        step_s: 0.66,
        step_m: TREAD_M,
        climb_m: -RISE_M,
        half_width_m: 0.075,
        duty: 0.60 - 0.06 * hurry,
        roll_in: 0.36,
        roll_out: 0.70,
        lift_m: 0.055,
        bob_m: 0.016,
        drop_m: 0.045,
        lean: 0.02,
        hips_yaw: 0.04,
        arm_swing: 0.22 + 0.20 * hurry,
        arm_flex: 0.04,
        arm_out: 0.16,
        elbow: 0.46 + 0.50 * hurry,
        balance: 0.62,
        ..even(1.0)
    }
}

/// A walk with default swing trajectories, as a basis for special gaits.
fn even(speed: f32) -> Gait {
    let walk = walking(speed);
    let brisk = (walk.step_m / 0.70).clamp(0.35, 1.35);
    Gait {
        duty: (0.655 - 0.03 * speed).clamp(0.58, 0.66),
        roll_in: -0.34 * brisk,
        roll_out: 0.86 * brisk.sqrt(),
        lift_m: 0.012,
        swing: SwingShape::EVEN,
        heel_up: 0.435,
        flat: 0.16,
        reach: 0.5,
        lowest: 0.06,
        bob_m: 0.019 * brisk * brisk,
        drop_m: 0.014 + 0.018 * brisk * brisk,
        ..walk
    }
}

/// Knees high, arms straight with a wide swing, a stiff back.
fn marching() -> Gait {
    Gait {
        step_s: 0.54,
        step_m: 0.54,
        half_width_m: 0.08,
        roll_in: -0.06,
        lift_m: 0.52,
        bob_m: 0.010,
        drop_m: -0.008,
        lean: -0.10,
        hips_yaw: 0.03,
        arm_swing: 1.44,
        arm_flex: 0.26,
        elbow: 0.04,
        grip: 0.85,
        ..even(1.15)
    }
}

/// The bad leg carries weight as briefly as possible.
fn limping(bad: Option<SideChoice>) -> Gait {
    let limp = if bad == Some(SideChoice::Left) { -1.0 } else { 1.0 };
    Gait {
        limp,
        step_m: 0.42,
        step_s: 0.66,
        half_width_m: 0.085,
        drop_m: 0.04,
        lean: 0.11,
        arm_out: 0.15,
        elbow: 0.10,
        arm_swing: 0.26,
        ..even(0.85)
    }
}

/// On the balls of the feet, arms slightly out for balance.
fn tiptoeing() -> Gait {
    Gait {
        step_s: 0.60,
        step_m: 0.36,
        duty: 0.64,
        on_toes: 0.62,
        roll_in: 0.66,
        roll_out: 0.92,
        lift_m: 0.05,
        bob_m: 0.006,
        drop_m: -0.045,
        lean: 0.06,
        hips_yaw: 0.05,
        arm_swing: 0.08,
        arm_out: 0.34,
        elbow: 0.85,
        wrist: -0.35,
        balance: 0.6,
        ..even(0.8)
    }
}

/// Hips and shoulders swing, chest out.
fn strutting() -> Gait {
    let walk = even(1.1);
    Gait {
        step_s: 1.18 * walk.step_s,
        half_width_m: -0.012,
        lean: -0.37,
        hips_yaw: 0.36,
        arm_swing: 0.66,
        arm_flex: -0.16,
        arm_out: 0.48,
        elbow: 0.95,
        wrist: -0.45,
        bob_m: 2.1 * walk.bob_m,
        lift_m: 0.09,
        balance: 1.6,
        ..walk
    }
}

/// Swaying over feet that land late.
fn staggering() -> Gait {
    Gait {
        step_s: 0.68,
        step_m: 0.42,
        half_width_m: 0.115,
        wander_m: 0.30,
        roll_in: -0.05,
        roll_out: 0.5,
        lift_m: 0.07,
        drop_m: 0.10,
        lean: -0.10,
        hips_yaw: 0.16,
        arm_swing: 0.40,
        arm_flex: 0.25,
        arm_out: 0.72,
        elbow: 0.60,
        balance: 1.3,
        ..even(0.8)
    }
}

/// Feet hardly leave the floor.
fn shuffling() -> Gait {
    Gait {
        step_s: 0.56,
        step_m: 0.30,
        duty: 0.70,
        half_width_m: 0.085,
        roll_in: 0.0,
        roll_out: 0.22,
        lift_m: 0.0,
        bob_m: 0.003,
        drop_m: 0.045,
        lean: 0.46,
        hips_yaw: 0.03,
        arm_swing: 0.16,
        arm_flex: 0.66,
        elbow: 0.0,
        balance: 0.6,
        ..even(0.6)
    }
}

/// Low, with the trunk over the thighs.
fn crouching() -> Gait {
    Gait {
        step_s: 0.62,
        step_m: 0.40,
        half_width_m: 0.10,
        roll_in: -0.08,
        roll_out: 0.70,
        lift_m: 0.06,
        bob_m: 0.008,
        drop_m: 0.32,
        lean: 0.78,
        hips_yaw: 0.07,
        arm_swing: 0.22,
        arm_flex: 0.35,
        arm_out: 0.12,
        elbow: 0.95,
        balance: 0.55,
        ..even(0.8)
    }
}

/// Backwards: the moving foot glides flat above the floor, and the standing one is on its ball.
fn moonwalking() -> Gait {
    Gait {
        step_s: 0.60,
        step_m: 0.47,
        duty: 0.54,
        half_width_m: 0.06,
        on_toes: 0.50,
        roll_in: 0.0,
        roll_out: 0.0,
        lift_m: 0.0,
        bob_m: 0.0,
        drop_m: 0.075,
        lean: -0.20,
        hips_yaw: 0.16,
        arm_swing: 0.48,
        arm_flex: 0.10,
        arm_out: 0.32,
        elbow: 0.55,
        balance: 0.45,
        ahead: -1.0,
        ..even(0.8)
    }
}
