//! Gestures of the arms.

use std::f32::consts::TAU;

use limber_animation::{
    Side,
    maths::{cos, sin},
    smooth::minimum_jerk,
};

use super::{Span, sides};
use crate::{
    Act,
    composer::{
        arms::{HandGoal, Reach},
        channels::{ArmDial, Channel},
        hands::HandShape,
        motion_plan::MotionPlan,
        style::Style,
    },
};

const RAISE_S: f32 = 0.62;
pub(super) const LOWER_S: f32 = 0.72;
const WAVE_S: f32 = 0.58;
const BEFORE_S: f32 = 0.22;

/// Times of a gesture: raising, holding, lowering.
#[derive(Debug, Clone, Copy)]
struct Beat {
    up: (f32, f32),
    down: (f32, f32),
}

/// Fits a gesture that lasts `busy_s` into a time window; any surplus is rest at the end.
fn beat(style: &Style, busy_s: f32, from_s: f32, to_s: f32) -> Beat {
    let needed = (BEFORE_S + RAISE_S + LOWER_S) / style.tempo + busy_s;
    let hurry = ((to_s - from_s) / needed).min(1.0);
    let start = from_s + BEFORE_S * hurry / style.tempo;
    let top = start + RAISE_S * hurry / style.tempo;
    let fall = top + busy_s * hurry;
    Beat { up: (start, top), down: (fall, fall + LOWER_S * hurry / style.tempo) }
}

/// Time until the hand is up.
pub(super) fn lead_in_s(style: &Style) -> f32 {
    (BEFORE_S + RAISE_S) / style.tempo
}

pub(super) fn wave_span(act: &Act, style: &Style) -> Span {
    let fixed = (BEFORE_S + RAISE_S + LOWER_S) / style.tempo;
    let once = WAVE_S / style.tempo;
    let usual = fixed + act.count.unwrap_or(3) as f32 * once;
    match act.count {
        Some(count) => Span::new(0.6 * fixed + 0.6 * count as f32 * once, usual, 1.25 * usual),
        None => Span::new(0.7 * (fixed + once), usual, fixed + 12.0 * once),
    }
}

/// Holds the hand above the shoulder and swings the forearm from side to side, as often as
/// requested.
pub(super) fn wave(plan: &mut MotionPlan, act: &Act, style: &Style, from_s: f32, to_s: f32) {
    let fixed = (BEFORE_S + RAISE_S + LOWER_S) / style.tempo;
    let once = WAVE_S / style.tempo;
    let room = (to_s - from_s - fixed) / once;
    let count = act.count.unwrap_or((room + 0.15).floor().clamp(1.0, 40.0) as u32).max(1);
    let stretch = (room / count as f32).clamp(0.5, 1.3);
    let beat = beat(style, count as f32 * once * stretch, from_s, to_s);
    let busy = (beat.up.1, beat.down.0);
    for side in sides(act) {
        wave_arm(plan, side, style, beat, count);
    }
    for side in sides(act) {
        let s = side.sign();
        let mut lean = |channel, value| plan.channels.add_held(channel, value, beat.up, beat.down);
        lean(Channel::SpineRoll, 0.05 * s);
        lean(Channel::PelvisX, -0.012 * s);
        lean(Channel::HeadRoll, -0.05 * s);
        lean(Channel::HeadPitch, -0.05);
        let other = Channel::Arm(side.opposite(), ArmDial::Out);
        plan.channels.add_held(other, 0.04, beat.up, beat.down);
        let shoulder = move |t: f32| sin(TAU * count as f32 * (t - busy.0) / (busy.1 - busy.0));
        plan.channels.add_with(Channel::SpineRoll, busy.0, busy.1, |t| 0.012 * s * shoulder(t));
    }
}

fn wave_arm(plan: &mut MotionPlan, side: Side, style: &Style, beat: Beat, count: u32) {
    let variation = plan.variation;
    let (from, to) = (beat.up.1, beat.down.0);
    let size = (0.42 * style.size).min(0.62);
    let high = 0.10 + 0.30 * variation.choice + 0.10 * (style.size - 1.0);
    let swing = move |time_s: f32| {
        let u = ((time_s - from) / (to - from).max(0.1)).clamp(0.0, 1.0);
        let ends = (8.0 * u).min(8.0 * (1.0 - u)).clamp(0.0, 1.0);
        ends.sqrt() * sin(TAU * count as f32 * u)
    };
    let (up, down) = (beat.up, beat.down);
    let part = |(from_s, to_s): (f32, f32), share: f32| from_s + share * (to_s - from_s);
    let fades = ((up.0, part(up, 0.6)), (part(down, 0.4), down.1));
    let raised = move |time_s: f32| {
        let ramp = |(from_s, to_s): (f32, f32)| minimum_jerk((time_s - from_s) / (to_s - from_s));
        ramp(up) * (1.0 - ramp((down.0, down.1 - 0.05)))
    };
    plan.hold(side, fades.0, fades.1, move |time_s, reach: &Reach| {
        // the elbow bends before the arm is raised, so that the hand travels close to the body
        let raised = raised(time_s);
        let high_up = reach.chest_way(0.80, high - 0.34, 0.42 + 0.1 * variation.elbow);
        let upper = reach.chest_way(0.30, -0.95, 0.15).lerp(high_up, raised);
        let angle = 0.16 + size * swing(time_s);
        let swung = reach.chest_way(sin(angle), cos(angle), 0.18);
        let fore = reach.chest_way(0.15, 0.55, 0.85).lerp(swung, raised);
        let bent = 0.16 + 1.25 * size * swing(time_s - 0.05);
        HandGoal {
            wrist: reach.wrist_along(upper, fore),
            elbow: reach.chest_way(0.6, -0.8, 0.05),
            fingers: reach.chest_way(sin(bent), cos(bent), 0.05),
            palm: reach.chest_way(-0.12, 0.0, 1.0),
            shape: HandShape::OPEN,
        }
    });
}
