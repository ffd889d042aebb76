//! Idle standing: shifts weight between the legs and moves the gaze.

use limber_animation::Side;

use super::Span;
use crate::{
    Act, Amount,
    composer::{
        arms::{HandGoal, Reach},
        channels::Channel,
        hands::HandShape,
        motion_plan::MotionPlan,
        style::Style,
    },
};

/// Mean time between weight shifts, seconds.
const CHANGE_S: f32 = 2.6;
/// Minimum duration from which the arms take a resting pose, seconds.
const ARMS_S: f32 = 4.0;

pub(super) fn span(act: &Act) -> Span {
    match act.amount {
        Some(Amount::Seconds(seconds)) => Span::new(0.8 * seconds, seconds, 1.2 * seconds + 0.3),
        _ => Span::new(0.4, 3.0, 120.0),
    }
}

/// Idles between two times.
pub(super) fn idle(plan: &mut MotionPlan, style: &Style, from_s: f32, to_s: f32) {
    if to_s - from_s > ARMS_S {
        rest_arms(plan, from_s, to_s);
    }
    let first = if plan.variation.weight < 0.0 { -1.0 } else { 1.0 };
    let mut leg = first;
    let mut from = from_s + 0.35;
    while from + 1.2 < to_s {
        let to = (from + CHANGE_S / style.tempo).min(to_s);
        let size = leg * style.sway.min(1.6) * (0.75 + 0.25 * plan.variation.weight.abs());
        let ramp = 0.4 * (to - from).min(2.0);
        let mut add = |channel, value: f32| {
            let keys =
                [(from, 0.0), (from + ramp, value), (to - 0.1, value), (to - 0.1 + ramp, 0.0)];
            plan.channels.add(channel, &keys);
        };
        add(Channel::PelvisX, 0.075 * size);
        add(Channel::PelvisRoll, 0.07 * size);
        add(Channel::SpineRoll, -0.11 * size);
        add(Channel::PelvisYaw, -0.03 * size);
        add(Channel::HeadRoll, 0.02 * size);
        add(Channel::HeadYaw, 0.22 * size * (plan.variation.choice - 0.3));
        leg = -leg;
        from = to;
    }
}

/// Resting pose of the hands, depending on the performer: hanging, folded in front of the belly, or
/// one on the hip.
fn rest_arms(plan: &mut MotionPlan, from_s: f32, to_s: f32) {
    let choice = plan.variation.choice;
    let begin = from_s + 0.5 + 0.5 * plan.variation.patience;
    let (fade_in, fade_out) = if plan.goes_round {
        // in a loop, the hands hold the pose throughout
        ((-2.0, -1.0), (1e5, 1e5 + 1.0))
    } else {
        ((begin, begin + 1.3), (to_s - 1.2, to_s - 0.05))
    };
    if choice < 0.3 {
        for side in Side::BOTH {
            plan.hold(side, fade_in, fade_out, move |_, reach| folded(side, reach));
        }
    } else if choice > 0.72 {
        plan.hold(Side::Right, fade_in, fade_out, |_, reach| on_the_hip(reach));
    }
}

/// One hand in the other, below the belt.
fn folded(side: Side, reach: &Reach) -> HandGoal {
    // the right hand lies over the left one
    let over = if side == Side::Right { 0.035 } else { 0.0 };
    HandGoal {
        wrist: reach.near_chest(0.085, -0.385 + 0.3 * over, 0.185 + over),
        elbow: reach.chest_way(0.85, -0.2, -0.65),
        fingers: reach.chest_way(-0.75, -0.6, 0.12),
        palm: reach.chest_way(-0.25, 0.0, -1.0),
        shape: HandShape::RELAXED,
    }
}

/// A hand on the hip, with the elbow out.
fn on_the_hip(reach: &Reach) -> HandGoal {
    HandGoal {
        wrist: reach.near_chest(0.225, -0.285, 0.0),
        elbow: reach.chest_way(0.85, 0.0, -0.6),
        fingers: reach.chest_way(-0.35, -0.45, 0.8),
        palm: reach.chest_way(-1.0, 0.0, -0.3),
        shape: HandShape::RELAXED,
    }
}
