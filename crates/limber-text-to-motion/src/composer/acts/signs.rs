//! Pointing, clapping and raising the arms.

use std::f32::consts::{PI, TAU};

use limber_animation::{
    Side,
    maths::{cos, exp, powf, sin},
    smooth::minimum_jerk,
};

use super::{Span, sides};
use crate::{
    Act, Direction, SideChoice,
    composer::{
        arms::{HandGoal, Reach},
        channels::Channel,
        hands::HandShape,
        motion_plan::{MotionPlan, Posture},
        score::Legs,
        style::Style,
    },
};

const UP_S: f32 = 0.55;
pub(super) const DOWN_S: f32 = 0.70;
const BEFORE_S: f32 = 0.18;
const POINT_S: f32 = 1.15;
const CLAP_S: f32 = 0.40;
const RAISE_S: f32 = 0.95;
const HOLD_S: f32 = 0.80;

fn fixed(style: &Style) -> f32 {
    BEFORE_S + (UP_S + DOWN_S) / style.tempo
}

pub(super) fn point_span(act: &Act, style: &Style) -> Span {
    let count = act.count.unwrap_or(1).max(1) as f32;
    let usual = fixed(style) + POINT_S * count.sqrt() / style.tempo.sqrt();
    Span::new(0.55 * usual, usual, usual + 2.5)
}

pub(super) fn clap_span(act: &Act, style: &Style) -> Span {
    let once = CLAP_S / style.tempo;
    let count = act.count.unwrap_or(5).max(1) as f32;
    let usual = fixed(style) + count * once;
    match act.count {
        Some(_) => Span::new(0.65 * usual, usual, 1.25 * usual),
        None => Span::new(0.75 * (fixed(style) + once), usual, fixed(style) + 16.0 * once),
    }
}

pub(super) fn raise_span(act: &Act, style: &Style) -> Span {
    let count = act.count.unwrap_or(1).max(1) as f32;
    let usual = BEFORE_S + count * (2.0 * RAISE_S + HOLD_S) / style.tempo;
    Span::new(0.5 * usual, usual, usual + 2.0 * count)
}

/// Direction of a pointing arm relative to the body: (left, up, ahead).
fn pointed(act: &Act) -> (f32, f32, f32) {
    match act.direction {
        Some(Direction::Left) => (1.0, 0.03, 0.32),
        Some(Direction::Right) => (-1.0, 0.03, 0.32),
        Some(Direction::Up) => (0.0, 1.0, 0.38),
        Some(Direction::Down) => (0.0, -0.62, 0.8),
        Some(Direction::Backward) => (0.0, 0.12, -1.0),
        Some(Direction::Forward) | None => (0.0, 0.03, 1.0),
    }
}

/// Points with a straight arm and index finger; the eyes follow the arm.
pub(super) fn point(plan: &mut MotionPlan, act: &Act, style: &Style, (from_s, to_s): (f32, f32)) {
    let pace = ((to_s - from_s) / point_span(act, style).usual).min(1.0);
    let begin = from_s + BEFORE_S * pace;
    let up = (begin, begin + UP_S * pace / style.tempo);
    let end = to_s - 0.05 - DOWN_S * pace / style.tempo;
    let down = (end, to_s - 0.05);
    let (left, height, ahead) = pointed(act);
    let count = act.count.unwrap_or(1).max(1) as f32;
    for side in sides(act) {
        let out = side.sign() * left + 0.10;
        let behind = ahead < -0.5;
        let (out, ahead) = if behind { (0.75, -0.72) } else { (out, ahead) };
        plan.hold(side, up, down, move |time_s, reach: &Reach| {
            let u = ((time_s - up.1) / (down.0 - up.1).max(0.1)).clamp(0.0, 1.0);
            // a slight overshoot that settles, and a jab for each repetition
            let jab = if count > 1.5 { 0.10 * (0.5 - 0.5 * cos(TAU * count * u)) } else { 0.0 };
            let reached = 0.995 - jab - 0.02 * exp(-(6.0 * u));
            let way = reach.body_way(out, height, ahead).normalize();
            HandGoal {
                wrist: reach.shoulder() + way * (0.54 * reached),
                elbow: reach.chest_way(0.7, -0.7, -0.1),
                fingers: way + reach.body_way(-0.06, 0.02, 0.0),
                palm: reach.body_way(-0.75, -0.65, 0.1),
                shape: HandShape::POINT,
            }
        });
        let s = side.sign();
        let towards = left * 0.42 + if behind { s * 0.8 } else { 0.0 };
        let mut turn =
            |channel, value| plan.channels.add_held(channel, value, (up.0 - 0.1, up.1), down);
        turn(Channel::HeadYaw, towards * 1.1);
        turn(Channel::HeadPitch, -0.42 * height);
        turn(Channel::SpineYaw, 0.45 * towards - 0.10 * s * (1.0 - left.abs()));
        turn(Channel::SpinePitch, if behind { 0.0 } else { 0.03 });
    }
}

/// Brings the palms together in front of the chest, as often as requested.
pub(super) fn clap(
    plan: &mut MotionPlan,
    act: &Act,
    style: &Style,
    (from_s, to_s): (f32, f32),
    legs: Legs,
) {
    let once = CLAP_S / style.tempo;
    let room = (to_s - from_s - fixed(style)) / once;
    let count = act.count.unwrap_or((room + 0.1).clamp(1.0, 60.0) as u32).max(1);
    let pace = ((to_s - from_s) / (fixed(style) + count as f32 * once)).min(1.25);
    let spare = to_s - from_s - pace * (fixed(style) + count as f32 * once);
    let wait = (0.5 * plan.patience()).min(spare.max(0.0));
    let begin = from_s + BEFORE_S * pace + wait;
    let up = (begin, begin + UP_S * pace / style.tempo);
    let end = up.1 + count as f32 * once * pace;
    let down = (end, (end + DOWN_S * pace / style.tempo).min(to_s));
    let width = 0.20 * style.size;
    let height = 0.04 + 0.16 * (plan.variation.choice - 0.5) + 0.10 * (style.size - 1.0);
    let tilt = 0.55 + 0.3 * plan.variation.choice;
    let further = plan.variation.swing;
    let apart = move |time_s: f32| {
        let u = ((time_s - up.1) / (end - up.1)).clamp(0.0, 1.0);
        let open = 0.5 + 0.5 * cos(TAU * count as f32 * u);
        width * powf(open, 0.75)
    };
    for side in Side::BOTH {
        // the right hand moves more than the left
        let share = if side == Side::Right { 1.15 } else { 0.85 };
        plan.hold(side, up, down, move |time_s, reach: &Reach| {
            let gap = share * apart(time_s);
            let over = if side == Side::Right { 0.012 } else { 0.0 };
            HandGoal {
                wrist: reach.near_chest(
                    0.021 + gap,
                    height + over,
                    0.315 + 0.03 * further - 0.12 * gap,
                ),
                elbow: reach.chest_way(0.75, -0.75, -0.15),
                fingers: reach.chest_way(-0.10 + 1.4 * gap, tilt, 0.75),
                palm: reach.chest_way(-1.0, -0.25 * gap, 0.5 * gap),
                shape: HandShape::FLAT,
            }
        });
    }
    // the whole body moves with each clap
    let beat = move |t: f32| 1.0 - apart(t) / width;
    plan.channels.add_with(Channel::SpinePitch, up.1, end, |t| 0.09 * beat(t));
    plan.channels.add_held(Channel::SpinePitch, 0.08, up, down);
    plan.channels.add_held(Channel::SpineRoll, -0.08, up, down);
    if plan.posture == Posture::Standing && legs == Legs::Free {
        plan.channels.add_with(Channel::PelvisY, up.1, end, |t| -0.02 * beat(t - 0.03));
        plan.channels.add_held(Channel::PelvisX, 0.08, up, down);
        plan.channels.add_held(Channel::PelvisRoll, 0.04, up, down);
        plan.channels.add_held(Channel::PelvisY, -0.015, up, down);
    }
    plan.channels.add_held(Channel::HeadPitch, 0.10, up, down);
}

/// Raises the arms in an arc and lowers them again.
pub(super) fn raise(plan: &mut MotionPlan, act: &Act, style: &Style, (from_s, to_s): (f32, f32)) {
    let sides = if act.side.is_none() || act.side == Some(SideChoice::Both) {
        Side::BOTH.to_vec()
    } else {
        sides(act)
    };
    let count = act.count.unwrap_or(1).max(1);
    let cycle = (to_s - from_s - BEFORE_S) / count as f32;
    let move_s = (RAISE_S / style.tempo).min(0.42 * cycle);
    let begin = from_s + BEFORE_S;
    // angle of the arm from hanging down, and how far it goes outwards
    let (top, outwards) = match act.direction {
        Some(Direction::Forward) => (0.5 * PI, 0.12),
        Some(Direction::Left | Direction::Right) => (0.5 * PI, 1.35),
        _ => (PI * 0.94, 0.45 + 0.75 * plan.variation.choice),
    };
    let lifted = move |time_s: f32| {
        let since = time_s - begin;
        let index = (since / cycle).floor().clamp(0.0, count as f32 - 1.0);
        let into = since - index * cycle;
        let rise = minimum_jerk(into / move_s);
        rise * (1.0 - minimum_jerk((into - cycle + move_s + 0.06) / move_s))
    };
    let end = begin + cycle * count as f32;
    for side in sides {
        plan.hold(
            side,
            (begin - 0.05, begin + 0.30),
            (end - 0.42, end),
            move |time_s, reach: &Reach| {
                let late = lifted(time_s - 0.04) * top;
                let angle = 0.10 + lifted(time_s) * (top - 0.10);
                let way = |angle: f32, outwards: f32| {
                    let level = sin(angle);
                    let (out, ahead) = (sin(outwards), cos(outwards));
                    reach.chest_way(0.10 + level * out, -cos(angle), level * ahead)
                };
                let upper = way(angle, outwards);
                let fore = way(late + 0.06, outwards - 0.12);
                let high = (angle / PI).clamp(0.0, 1.0);
                HandGoal {
                    wrist: reach.wrist_along(upper, fore),
                    elbow: reach.chest_way(0.9, -0.35, -0.75 + 0.5 * high),
                    fingers: fore + reach.chest_way(-0.05, 0.0, 0.0),
                    palm: reach.chest_way(-1.0, -0.2, 0.15 + 0.75 * high),
                    shape: HandShape::OPEN,
                }
            },
        );
    }
    let mut pulse = |channel, value: f32| {
        plan.channels.add_with(channel, begin, end, |t| value * lifted(t));
    };
    pulse(Channel::SpinePitch, -0.10);
    pulse(Channel::HeadPitch, if top > 2.0 { -0.16 } else { 0.0 });
    pulse(Channel::PelvisZ, 0.012);
}
