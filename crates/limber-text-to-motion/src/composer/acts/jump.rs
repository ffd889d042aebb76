//! Jumps and hops: crouch, push off, ballistic flight, land and absorb.

use glam::Vec2;
use limber_animation::{Side, maths::powf};

use super::{Span, level, sides};
use crate::{
    Act, Amount, Direction,
    composer::{
        GRAVITY_M_S2,
        channels::{ArmDial, Channel},
        feet::{Plant, Swing, Waypoint},
        motion_plan::{MotionPlan, rotated},
        style::Style,
    },
};

/// Durations of crouching before the first jump, pushing off and absorbing the landing, seconds.
const CROUCH_S: f32 = 0.52;
const PUSH_S: f32 = 0.24;
const ABSORB_S: f32 = 0.24;
const RISE_S: f32 = 0.60;
/// Height of the pelvis above its rest height at take-off and at touchdown, metres.
const OFF_M: f32 = 0.055;
const ON_M: f32 = 0.015;

/// Ground contact time of the foot from which a runner leaps, seconds; contact times of runners are
/// 0.2 s and more.
pub(super) const TAKE_OFF_S: f32 = 0.22;
/// Knee bend of a runner at take-off and landing, metres.
const LEAP_SINK_M: f32 = 0.07;

/// One flight: rise of the pelvis above its take-off height, and duration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flight {
    speed: f32,
    pub(super) seconds: f32,
}

pub(super) fn flight(height: f32) -> Flight {
    let speed = (2.0 * GRAVITY_M_S2 * height).sqrt();
    let fall = height + OFF_M - ON_M;
    Flight { speed, seconds: speed / GRAVITY_M_S2 + (2.0 * fall / GRAVITY_M_S2).sqrt() }
}

pub(super) fn height_of(style: &Style) -> f32 {
    0.27 * style.size * powf(style.bounce, 0.25)
}

/// Duration of a leap out of a run, from the landing before it to its own, seconds.
pub(super) fn leap_s(style: &Style) -> f32 {
    TAKE_OFF_S + flight(height_of(style)).seconds
}

fn cycle_s(style: &Style) -> f32 {
    PUSH_S + flight(height_of(style)).seconds + ABSORB_S
}

pub(super) fn span(act: &Act, style: &Style) -> Span {
    let cycle = cycle_s(style);
    let once = CROUCH_S + RISE_S + 0.1;
    let usual = once + act.count.unwrap_or(1) as f32 * cycle;
    let most = if act.count.is_some() { 1.3 * usual } else { once + 3.0 * cycle };
    Span::new(0.7 * once + act.count.unwrap_or(1) as f32 * cycle, usual, most)
}

/// Displacement of each of `count` jumps: left, ahead, metres.
fn leap(act: &Act, count: u32, usual: f32) -> Vec2 {
    let metres = match act.amount {
        Some(Amount::Metres(metres)) => (metres / count as f32).clamp(0.0, 1.6),
        _ => usual,
    };
    match act.direction {
        Some(Direction::Forward) => Vec2::new(0.0, metres),
        Some(Direction::Backward) => Vec2::new(0.0, -0.7 * metres),
        Some(Direction::Left) => Vec2::new(0.7 * metres, 0.0),
        Some(Direction::Right) => Vec2::new(-0.7 * metres, 0.0),
        Some(Direction::Up | Direction::Down) => Vec2::ZERO,
        None if act.amount.is_some() => Vec2::new(0.0, metres),
        None => Vec2::ZERO,
    }
}

/// Cubic interpolation of `(time, height, speed)` knots; exact for ballistic flight between two of
/// them.
pub(in crate::composer) fn heights(knots: &[(f32, f32, f32)], time_s: f32) -> f32 {
    let next = knots.partition_point(|knot| knot.0 <= time_s);
    let (Some(before), Some(after)) = (next.checked_sub(1).map(|i| knots[i]), knots.get(next))
    else {
        return 0.0;
    };
    let span = after.0 - before.0;
    let u = (time_s - before.0) / span;
    let (u2, u3) = (u * u, u * u * u);
    before.1 * (2.0 * u3 - 3.0 * u2 + 1.0)
        + before.2 * span * (u3 - 2.0 * u2 + u)
        + after.1 * (3.0 * u2 - 2.0 * u3)
        + after.2 * span * (u3 - u2)
}

pub(super) fn jump(plan: &mut MotionPlan, act: &Act, style: &Style, span_s: f32) {
    let once = CROUCH_S + RISE_S + 0.1;
    let mut height = height_of(style);
    let least = |height: f32| {
        0.55 * once + act.count.unwrap_or(1) as f32 * (PUSH_S + ABSORB_S + flight(height).seconds)
    };
    // if there is too little time, jump lower
    while least(height) > span_s && height > 0.05 {
        height *= 0.8;
    }
    let cycle = PUSH_S + ABSORB_S + flight(height).seconds;
    let room = ((span_s - once) / cycle + 0.1).floor().clamp(1.0, 3.0) as u32;
    let count = act.count.unwrap_or(room).clamp(1, 40);
    let spare = span_s - once - count as f32 * cycle;
    let pace = (1.0 + spare / once).clamp(0.55, 1.3);
    let lead = leap(act, count, 0.65 * style.size);
    let fly = flight(height);
    let low = -0.25 * style.size.min(1.15);
    let begin = plan.now + 0.08 * pace;
    // from a crouch, only prepare for the jump
    level::rise_into(plan, begin, begin + CROUCH_S * pace);
    let mut knots = vec![(begin, 0.0, 0.0), (begin + CROUCH_S * pace, low, 0.0)];
    for index in 0..count {
        let push = knots[knots.len() - 1].0;
        let off = push + PUSH_S;
        let on = off + fly.seconds;
        let land_speed = fly.speed - GRAVITY_M_S2 * fly.seconds;
        knots.push((off, OFF_M, fly.speed));
        knots.push((on, ON_M, land_speed));
        knots.push((on + ABSORB_S, 0.9 * low, 0.0));
        both_feet(plan, (push, off, on), height, lead);
        arms_and_trunk(plan, style, (push, off, on), index == 0, pace);
    }
    let end = knots[knots.len() - 1].0;
    knots.push((end + RISE_S * pace, 0.0, 0.0));
    plan.channels.add_with(Channel::PelvisY, begin, end + RISE_S * pace, |t| heights(&knots, t));
    bend(plan, style, begin, begin + CROUCH_S * pace, end, end + RISE_S * pace);
}

/// Pelvis and arms of a leap out of a run with these take-off and landing times.
pub(super) fn carry_leap(plan: &mut MotionPlan, height: f32, (off, on): (f32, f32)) {
    let fly = flight(height);
    let knots = [
        (off - TAKE_OFF_S, 0.0, 0.0),
        (off - 0.45 * TAKE_OFF_S, -LEAP_SINK_M, 0.0),
        (off, OFF_M, fly.speed),
        (on, ON_M, fly.speed - GRAVITY_M_S2 * fly.seconds),
        (on + 0.16, -1.3 * LEAP_SINK_M, 0.0),
        (on + 0.5, 0.0, 0.0),
    ];
    let (from_s, to_s) = (knots[0].0, knots[knots.len() - 1].0);
    plan.channels.add_with(Channel::PelvisY, from_s, to_s, |t| heights(&knots, t));
    let middle = 0.5 * (off + on);
    let aloft = |value: f32| [(from_s, 0.0), (middle, value), (on + 0.3, 0.0)];
    plan.turn_arms(ArmDial::Out, &aloft(0.55));
    plan.turn_arms(ArmDial::Flex, &aloft(0.45));
    plan.turn(Channel::SpinePitch, &[(off, 0.0), (on, 0.10), (on + 0.2, 0.16), (on + 0.6, 0.0)]);
    plan.turn(Channel::HeadPitch, &[(middle, 0.0), (on, 0.14), (on + 0.5, 0.0)]);
}

/// Both feet leave and land together, displaced by `lead` (left, ahead).
fn both_feet(plan: &mut MotionPlan, (push, off, on): (f32, f32, f32), height: f32, lead: Vec2) {
    let moved = rotated(lead, plan.heading);
    for side in Side::BOTH {
        let track = &mut plan.feet[side as usize];
        let (place, yaw) = (track.last().place + moved, track.last().yaw);
        // one foot is slightly later, as in real jumps
        let late = if side == Side::Left { 0.0 } else { 0.012 };
        track.leave(push + 0.05, off, 0.80, 0.08);
        track.land(Plant {
            on_s: on + late,
            flat_s: on + late + 0.085,
            roll_in: 0.48,
            load_s: 0.08,
            arrival: Swing::jump(height),
            ..Plant::standing(place, yaw)
        });
    }
    let (place, heading) = (plan.place, plan.heading);
    plan.go(off - 0.05, place, heading);
    plan.go(on + 0.04, place + moved, heading);
}

/// Swings the arms back, up with the push and down with the landing; flexes and extends the trunk.
fn arms_and_trunk(
    plan: &mut MotionPlan,
    style: &Style,
    (push, off, on): (f32, f32, f32),
    first: bool,
    pace: f32,
) {
    let size = style.size.min(1.25);
    let begin = if first { push - CROUCH_S * pace } else { push - 0.14 };
    let back = if first { -0.75 } else { -0.35 };
    let end = on + ABSORB_S;
    let flex = [
        (begin, 0.0),
        (push - 0.10, back * size),
        (off + 0.10, 1.65 * size),
        (on - 0.04, 1.35 * size),
        (end + 0.14, 0.30),
        (end + 0.58, 0.0),
    ];
    plan.turn_arms(ArmDial::Flex, &flex);
    let elbow = [(begin, 0.0), (push, 0.25), (off, 0.35), (on, 0.6), (end, 0.55), (end + 0.5, 0.0)];
    plan.turn_arms(ArmDial::Elbow, &elbow);
    let out = [(begin, 0.0), (off, 0.16), (on, 0.40), (end, 0.25), (end + 0.5, 0.0)];
    plan.turn_arms(ArmDial::Out, &out);
    plan.turn_arms(ArmDial::Shrug, &[(push, 0.0), (off, 0.16), (on, 0.05), (end, 0.0)]);
    let stretch = [(push, 0.0), (off, -0.42), (on - 0.08, -0.34), (on + 0.16, 0.0)];
    plan.turn(Channel::SpinePitch, &stretch);
    plan.turn(
        Channel::PelvisPitch,
        &[(push, 0.0), (off, -0.28), (on - 0.08, -0.25), (on + 0.16, 0.0)],
    );
    plan.turn(Channel::PelvisZ, &[(push, 0.0), (off, 0.10), (on, 0.09), (on + 0.18, 0.0)]);
    plan.turn(Channel::HeadPitch, &[(push, 0.0), (off, -0.10), (on, 0.12), (end + 0.4, 0.0)]);
}

/// Flexion of the trunk while the knees are bent, from the first crouch to the last landing.
fn bend(plan: &mut MotionPlan, style: &Style, begin: f32, low: f32, landed: f32, up: f32) {
    let size = style.size.min(1.2);
    let mut fold = |channel, value: f32| {
        plan.turn(
            channel,
            &[(begin, 0.0), (low, value * size), (landed, 0.9 * value * size), (up, 0.0)],
        );
    };
    fold(Channel::SpinePitch, 0.40);
    fold(Channel::PelvisPitch, 0.28);
    fold(Channel::PelvisZ, -0.11);
}

const HOP_CROUCH_S: f32 = 0.14;
const HOP_S: f32 = 0.17;

fn hop_height(style: &Style) -> f32 {
    0.075 * style.size * powf(style.bounce, 0.3)
}

fn hop_cycle_s(style: &Style) -> f32 {
    HOP_CROUCH_S + HOP_S + flight(hop_height(style)).seconds
}

const HOP_BEFORE_S: f32 = 0.62;
const HOP_AFTER_S: f32 = 0.75;

pub(super) fn hop_span(act: &Act, style: &Style) -> Span {
    let cycle = hop_cycle_s(style);
    let fixed = HOP_BEFORE_S + HOP_AFTER_S;
    let usual = fixed + act.count.unwrap_or(4) as f32 * cycle;
    let most = if act.count.is_some() { 1.25 * usual } else { fixed + 12.0 * cycle };
    Span::new(0.64 * fixed + act.count.unwrap_or(1) as f32 * cycle, usual, most)
}

/// Hops on one leg, with the other lifted behind.
pub(super) fn hop(plan: &mut MotionPlan, act: &Act, style: &Style, span_s: f32) {
    let cycle = hop_cycle_s(style);
    let fixed = HOP_BEFORE_S + HOP_AFTER_S;
    let room = ((span_s - fixed) / cycle + 0.1).floor().clamp(1.0, 12.0) as u32;
    let count = act.count.unwrap_or(room).clamp(1, 40);
    let pace = ((span_s - count as f32 * cycle) / fixed).clamp(0.6, 1.25);
    let side = sides(act)[0];
    let lead = leap(act, count, 0.34);
    let moved = rotated(lead, plan.heading);
    let fly = flight(hop_height(style));
    let begin = plan.now + HOP_BEFORE_S * pace;
    let mut knots = vec![(plan.now + 0.1, 0.0, 0.0), (begin, -0.05, 0.0)];
    let free = side.opposite();
    let mut drawn_up = vec![free_foot(plan, free, begin - 0.05)];
    let mut landed = begin;
    for _ in 0..count {
        let push = landed;
        let off = push + HOP_S;
        let on = off + fly.seconds;
        knots.push((off, 0.03, fly.speed));
        knots.push((on, ON_M - 0.01, fly.speed - GRAVITY_M_S2 * fly.seconds));
        landed = on + HOP_CROUCH_S;
        knots.push((landed, -0.075, 0.0));
        hop_foot(plan, side, (push, off, on), hop_height(style), moved);
        let (place, heading) = (plan.place, plan.heading);
        plan.go(off - 0.03, place, heading);
        plan.go(on + 0.03, place + moved, heading);
        drawn_up.push(free_foot(plan, free, landed));
        hop_arms(plan, (push, off, on), landed);
    }
    let end = landed + HOP_AFTER_S * pace;
    knots.push((end - 0.1, 0.0, 0.0));
    plan.channels.add_with(Channel::PelvisY, plan.now, end, |t| heights(&knots, t));
    put_free_foot_down(plan, free, side, drawn_up, (begin, landed + 0.42 * pace));
    let hold = [(plan.now, 0.0), (begin, 0.1), (landed, 0.1), (end, 0.0)];
    plan.turn(Channel::Balance, &hold);
    plan.turn_arms(ArmDial::Out, &hold.map(|(t, v)| (t, 4.2 * v)));
    plan.turn_arms(ArmDial::Elbow, &hold.map(|(t, v)| (t, 7.0 * v)));
    plan.turn(Channel::SpinePitch, &hold.map(|(t, v)| (t, 1.1 * v)));
}

fn hop_arms(plan: &mut MotionPlan, (push, off, on): (f32, f32, f32), end: f32) {
    plan.turn_arms(ArmDial::Flex, &[(push - 0.06, 0.0), (off, 0.26), (on, 0.18), (end, 0.0)]);
    plan.turn(Channel::SpinePitch, &[(push, 0.0), (off, -0.08), (on, -0.05), (end, 0.0)]);
}

fn hop_foot(
    plan: &mut MotionPlan,
    side: Side,
    (push, off, on): (f32, f32, f32),
    height: f32,
    moved: Vec2,
) {
    let track = &mut plan.feet[side as usize];
    let (place, yaw) = (track.last().place + moved, track.last().yaw);
    track.leave(push + 0.03, off, 0.62, 0.02);
    track.land(Plant {
        on_s: on,
        flat_s: on + 0.07,
        roll_in: 0.34,
        load_s: 0.02,
        arrival: Swing::jump(height + 0.03),
        ..Plant::standing(place, yaw)
    });
}

/// Position of the free foot: behind and below the knee.
fn free_foot(plan: &MotionPlan, side: Side, time_s: f32) -> Waypoint {
    Waypoint { time_s, ankle: plan.in_front(side.sign() * 0.085, 0.40, -0.27), pitch: 1.0 }
}

fn put_free_foot_down(
    plan: &mut MotionPlan,
    free: Side,
    stood_on: Side,
    drawn_up: Vec<Waypoint>,
    (begin, down): (f32, f32),
) {
    let half = plan.variation.stance_half_m();
    let beside = plan.feet[stood_on as usize].last();
    let sideways = rotated(Vec2::new(free.sign() * 2.0 * half, 0.0), plan.heading);
    let (place, yaw) =
        (beside.place + sideways, plan.heading + free.sign() * plan.variation.toe_out_rad());
    let track = &mut plan.feet[free as usize];
    track.leave(begin - 0.48, begin - 0.34, 0.45, 0.30);
    track.land(Plant {
        on_s: down,
        flat_s: down + 0.07,
        roll_in: 0.12,
        load_s: 0.28,
        arrival: Swing::through(drawn_up),
        ..Plant::standing(place, yaw)
    });
}
