//! Turning in place: the feet step around, the body follows, the head leads.

use std::f32::consts::{FRAC_PI_2, PI};

use limber_animation::Side;

use super::{Span, pirouette};
use crate::{
    Act, Amount, Direction, SideChoice,
    composer::{
        channels::{ArmDial, Channel},
        motion_plan::{MotionPlan, Stepping},
        style::Style,
    },
};

/// Maximum yaw of one foot relative to the other, radians.
const FURTHEST: f32 = 1.1;
const PREPARE_S: f32 = 0.22;
const SETTLE_S: f32 = 0.40;
const SWING_S: f32 = 0.30;
const PAUSE_S: f32 = 0.05;

/// Side and angle of an act's turn.
pub(super) fn told(act: &Act) -> (Side, f32) {
    let side = match (act.side, act.direction) {
        (Some(SideChoice::Left), _) | (_, Some(Direction::Left)) => Side::Left,
        _ => Side::Right,
    };
    let around = matches!(act.direction, Some(Direction::Backward));
    let usual = if around { 2.0 * FRAC_PI_2 } else { FRAC_PI_2 };
    let times = act.count.unwrap_or(1).clamp(1, 10) as f32;
    (side, act.angle_rad.unwrap_or(usual).abs() * times)
}

/// The number of steps for an angle. The last one brings the feet together again.
fn step_count(angle: f32) -> usize {
    (angle / FURTHEST).ceil().max(1.0) as usize + 1
}

/// The requested number of steps, if the angle can be turned in as many.
fn told_steps(act: &Act, angle: f32) -> usize {
    let usual = step_count(angle);
    match act.amount {
        Some(Amount::Steps(steps)) => {
            (steps as usize).clamp(usual.min(3).max(usual - 2), 2 * usual)
        }
        _ => usual,
    }
}

/// Duration of turning by an angle.
pub(super) fn duration_of(angle: f32, style: &Style) -> f32 {
    duration_in(step_count(angle), style)
}

fn duration_in(steps: usize, style: &Style) -> f32 {
    let steps = steps as f32;
    PREPARE_S + SETTLE_S + (steps * SWING_S + (steps - 1.0) * PAUSE_S) / style.tempo
}

pub(super) fn span(act: &Act, style: &Style) -> Span {
    let (_, angle) = told(act);
    if let Some(turns) = spins(act, angle, style) {
        return pirouette::spin_span(turns, style);
    }
    let usual = duration_in(told_steps(act, angle), style);
    Span::new(0.62 * usual, usual, 1.25 * usual)
}

pub(super) fn perform(plan: &mut MotionPlan, act: &Act, style: &Style, span_s: f32) {
    let (side, angle) = told(act);
    if let Some(turns) = spins(act, angle, style) {
        pirouette::spin(plan, style, side, turns, span_s);
        return;
    }
    turn_in(plan, style, (side, angle), told_steps(act, angle), span_s);
}

/// The number of turns on one foot; `None` if the feet step around.
fn spins(act: &Act, angle: f32, style: &Style) -> Option<f32> {
    pirouette::spins(angle, style).filter(|_| act.amount.is_none())
}

/// Turns the body by an angle to a side, within a time.
pub(super) fn turn(plan: &mut MotionPlan, style: &Style, side: Side, angle: f32, span_s: f32) {
    turn_in(plan, style, (side, angle), step_count(angle), span_s);
}

fn turn_in(
    plan: &mut MotionPlan,
    style: &Style,
    (side, angle): (Side, f32),
    steps: usize,
    span_s: f32,
) {
    let pace = (span_s / duration_in(steps, style)).min(1.3);
    let slower = pace / style.tempo;
    let (place, heading) = (plan.place, plan.heading);
    let begin = plan.now + PREPARE_S * pace;
    let mut off_s = begin;
    let mut before = 0.0;
    let mut keys = vec![(off_s - 0.1, heading)];
    for step in 0..steps {
        let foot = if step % 2 == 0 { side } else { side.opposite() };
        let reached = angle * ((step + 1) as f32 / (steps - 1) as f32).min(1.0);
        let on_s = off_s + SWING_S * slower;
        let facing = heading + side.sign() * reached;
        let goal = plan.home(foot, place, facing, plan.variation.stance_half_m());
        let how = Stepping { lift: 0.03 * style.lift, rise_s: 0.12 * pace, ..Stepping::SMALL };
        plan.step(foot, (off_s, on_s), goal, how);
        keys.push((on_s, heading + side.sign() * 0.5 * (reached + before)));
        before = reached;
        off_s = on_s + PAUSE_S * slower;
    }
    for (time_s, facing) in keys {
        plan.go(time_s, place, facing);
    }
    let end = off_s + 0.1;
    plan.go(off_s + 0.02, place, heading + side.sign() * angle);
    plan.turn(
        Channel::Balance,
        &[(begin - 0.2, 0.0), (begin, -0.35), (end, -0.35), (end + 0.3, 0.0)],
    );
    let held =
        |value: f32| [(begin - 0.2, 0.0), (begin + 0.1, value), (end, value), (end + 0.3, 0.0)];
    // low for balance, shoulders ahead of the hips, arms away from the body
    let wide = (angle / PI).min(1.0);
    plan.turn(Channel::PelvisY, &held(-0.030 - 0.030 * wide));
    plan.turn(Channel::SpineYaw, &held(side.sign() * 0.24));
    plan.turn(Channel::SpineRoll, &held(-side.sign() * 0.06));
    plan.turn_arms(ArmDial::Out, &held(0.16 + 0.26 * wide));
    plan.turn_arms(ArmDial::Elbow, &held(0.22 + 0.20 * wide));
}
