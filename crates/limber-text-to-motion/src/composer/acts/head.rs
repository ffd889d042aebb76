//! Nodding and shaking the head.

use limber_animation::maths::{cos, sin};
use std::f32::consts::TAU;

use super::Span;
use crate::{
    Act,
    composer::{channels::Channel, motion_plan::MotionPlan, style::Style},
};

const NOD_S: f32 = 0.56;
const SHAKE_S: f32 = 0.66;
const AROUND_S: f32 = 0.5;

fn span(act: &Act, style: &Style, once: f32) -> Span {
    let once = once / style.tempo;
    let usual = AROUND_S + act.count.unwrap_or(3).max(1) as f32 * once;
    let most = if act.count.is_some() { 1.35 * usual } else { AROUND_S + 8.0 * once };
    let least = AROUND_S + act.count.unwrap_or(1).max(1) as f32 * 0.62 * once;
    Span::new(least, usual, most)
}

pub(super) fn nod_span(act: &Act, style: &Style) -> Span {
    span(act, style, NOD_S)
}

pub(super) fn shake_span(act: &Act, style: &Style) -> Span {
    span(act, style, SHAKE_S)
}

/// Start, end and number of repetitions of the movement.
fn times(act: &Act, once: f32, (from_s, to_s): (f32, f32)) -> (f32, f32, f32) {
    let room = (to_s - from_s - AROUND_S) / once;
    let count = act.count.unwrap_or((room + 0.1).clamp(1.0, 12.0) as u32).max(1) as f32;
    let begin = from_s + 0.4 * AROUND_S;
    let length = (count * once * 1.3).min((to_s - from_s - AROUND_S).max(0.2));
    (begin, begin + length, count)
}

pub(super) fn nod(plan: &mut MotionPlan, act: &Act, style: &Style, window: (f32, f32)) {
    let (begin, end, count) = times(act, NOD_S / style.tempo, window);
    let size = 0.42 * style.size_within(0.0, 1.4);
    let dip = move |time_s: f32| {
        let u = (time_s - begin) / (end - begin);
        // each nod is a little smaller than the last
        let fading = 1.0 - 0.35 * u;
        fading * (0.5 - 0.5 * cos(TAU * count * u))
    };
    plan.channels.add_with(Channel::HeadPitch, begin, end, |t| size * dip(t));
    plan.channels.add_with(Channel::SpinePitch, begin, end, |t| 0.20 * size * dip(t));
}

pub(super) fn shake(plan: &mut MotionPlan, act: &Act, style: &Style, window: (f32, f32)) {
    let (begin, end, count) = times(act, SHAKE_S / style.tempo, window);
    let size = 0.56 * style.size_within(0.0, 1.35);
    let turn = move |time_s: f32| {
        let u = ((time_s - begin) / (end - begin)).clamp(0.0, 1.0);
        let ends = (6.0 * u * count).min(6.0 * (1.0 - u) * count).clamp(0.0, 1.0);
        ends * (1.0 - 0.25 * u) * sin(TAU * count * u)
    };
    plan.channels.add_with(Channel::HeadYaw, begin, end, |t| size * turn(t));
    plan.channels.add_with(Channel::SpineYaw, begin, end, |t| 0.30 * size * turn(t - 0.06));
    plan.channels.add_held(Channel::HeadPitch, 0.03, (begin - 0.2, begin + 0.2), (end, end + 0.3));
}
