//! Changes of level: sitting, standing up, crouching, bowing. The feet stay in place.

use limber_animation::Side;

use super::Span;
use crate::{
    Act,
    composer::{
        arms::{HandGoal, Reach},
        channels::{ArmDial, Channel},
        hands::HandShape,
        motion_plan::{MotionPlan, Posture},
        style::Style,
    },
};

/// Position of the pelvis on a chair 43 cm high, relative to standing, metres.
const SEAT_DOWN_M: f32 = -0.410;
const SEAT_BACK_M: f32 = -0.405;
const SIT_S: f32 = 1.58;
const STAND_S: f32 = 1.65;
const CROUCH_S: f32 = 0.95;
const BOW_S: f32 = 2.3;
/// How much higher than a resting crouch the body is while it walks crouched, metres, and the time
/// to get there, seconds.
const STEP_ROOM_M: f32 = 0.11;
const STEP_ROOM_S: f32 = 0.4;
/// Channel values of a crouch.
const CROUCHED: [(Channel, f32); 4] = [
    (Channel::PelvisY, -0.43),
    (Channel::PelvisZ, -0.16),
    (Channel::PelvisPitch, 0.30),
    (Channel::SpinePitch, 0.42),
];
const CROUCHED_ARMS: [(ArmDial, f32); 3] =
    [(ArmDial::Flex, 0.42), (ArmDial::Elbow, 0.75), (ArmDial::Out, 0.10)];
/// Channel values of sitting.
const SEATED: [(Channel, f32); 4] = [
    (Channel::PelvisY, SEAT_DOWN_M),
    (Channel::PelvisZ, SEAT_BACK_M),
    (Channel::PelvisPitch, -0.13),
    (Channel::SpinePitch, 0.10),
];

pub(super) fn sit_span(style: &Style) -> Span {
    let usual = SIT_S / style.tempo;
    Span::new(0.6 * usual, usual + 0.5, 120.0)
}

pub(super) fn stand_span(style: &Style) -> Span {
    let usual = STAND_S / style.tempo;
    Span::new(0.6 * usual, usual + 0.1, 1.5 * usual)
}

pub(super) fn crouch_span(act: &Act, style: &Style) -> Span {
    let down = CROUCH_S / style.tempo;
    match act.count {
        Some(count) if count > 1 => {
            let usual = 0.3 + 2.15 * down * count as f32;
            Span::new(0.6 * usual, usual, 1.4 * usual)
        }
        _ => Span::new(down, down + 1.2, 120.0),
    }
}

pub(super) fn bow_span(act: &Act, style: &Style) -> Span {
    let usual = 0.2 + BOW_S / style.tempo * act.count.unwrap_or(1).max(1) as f32;
    Span::new(0.55 * usual, usual, 1.6 * usual)
}

/// Starts the clip sitting.
pub(super) fn begin_seated(plan: &mut MotionPlan) {
    for (channel, value) in SEATED {
        plan.turn(channel, &[(0.0, value)]);
    }
    hands_on_thighs(plan, (-2.0, -1.0));
    seat_habit(plan, (-2.0, -1.0), 1.0);
    plan.posture = Posture::Sitting;
}

/// Starts the clip crouching.
pub(super) fn begin_crouched(plan: &mut MotionPlan) {
    go_down(plan, -2.0, -1.0);
    hands_on_knees(plan, (-2.0, -1.0));
}

/// Goes into a crouch, as low as this performer goes.
fn go_down(plan: &mut MotionPlan, from_s: f32, to_s: f32) {
    crouched(plan, from_s, to_s, 1.0);
    let lower = 0.045 * plan.variation.size;
    plan.turn(Channel::PelvisY, &[(from_s, 0.0), (to_s, -lower)]);
    plan.crouched_lower = lower;
    plan.posture = Posture::Crouching;
}

pub(super) fn sit(plan: &mut MotionPlan, style: &Style, span_s: f32) {
    let length = (SIT_S / style.tempo).min(span_s - 0.05).max(0.3);
    let wait = (0.7 * plan.patience()).min(span_s - length).max(0.0);
    let begin = plan.now + 0.06 * length + wait;
    let at = |share: f32| begin + share * 0.92 * length;
    for (channel, value) in SEATED {
        let (from, to) = match channel {
            Channel::PelvisZ => (0.05, 0.80),
            Channel::PelvisY => (0.12, 0.86),
            _ => (0.45, 1.0),
        };
        plan.turn(channel, &[(at(from), 0.0), (at(to), value)]);
    }
    // from a crouch, the body is already low and bent
    let bend = if plan.posture == Posture::Crouching { 0.3 } else { 1.0 };
    if plan.posture == Posture::Crouching {
        leave_crouch(plan, at(0.12), at(0.86));
    }
    // the trunk leans forwards so that the body does not fall backwards
    plan.turn(
        Channel::SpinePitch,
        &[(at(0.0), 0.0), (at(0.55), 0.42 * bend), (at(0.72), 0.40 * bend), (at(1.0), 0.0)],
    );
    plan.turn(
        Channel::PelvisPitch,
        &[(at(0.0), 0.0), (at(0.5), 0.48 * bend), (at(0.78), 0.40 * bend), (at(1.0), 0.0)],
    );
    plan.turn(Channel::PelvisY, &[(at(0.84), 0.0), (at(0.90), -0.012), (at(1.0), 0.0)]);
    plan.turn(Channel::HeadPitch, &[(at(0.0), 0.0), (at(0.4), 0.20), (at(1.0), 0.0)]);
    plan.turn_arms(ArmDial::Flex, &[(at(0.0), 0.0), (at(0.5), 0.25), (at(1.0), 0.0)]);
    hands_on_thighs(plan, (at(0.30), at(0.95)));
    seat_habit(plan, (at(0.4), at(1.0)), 1.0);
    plan.posture = Posture::Sitting;
}

/// The performer's sitting habit (upright, leaning back or slumped): applied (`way` 1) or removed
/// (−1).
fn seat_habit(plan: &mut MotionPlan, (from_s, to_s): (f32, f32), way: f32) {
    let variation = plan.variation;
    let mut take = |channel, value: f32| plan.turn(channel, &[(from_s, 0.0), (to_s, way * value)]);
    take(Channel::PelvisPitch, 0.13 * variation.twist);
    take(Channel::SpinePitch, 0.10 * variation.hunch);
    take(Channel::PelvisZ, 0.045 * variation.stance);
    take(Channel::SpineRoll, 0.05 * variation.weight);
    take(Channel::SpineYaw, 0.08 * variation.swing);
}

fn hands_on_thighs(plan: &mut MotionPlan, fade_in: (f32, f32)) {
    let along = 0.68 + 0.16 * plan.variation.elbow;
    let turned = 0.25 + 0.15 * plan.variation.twist;
    for side in Side::BOTH {
        plan.resting_arms.push(plan.arms.len());
        plan.hold(side, fade_in, (1e5, 1e5 + 1.0), move |_, reach: &Reach| {
            let thigh = (reach.knee - reach.hip).normalize_or_zero();
            let over = glam::Vec3::Y * 0.082;
            let wrist =
                reach.hip.lerp(reach.knee, along - 0.17) + over + reach.body_way(0.01, 0.0, 0.0);
            HandGoal {
                wrist,
                elbow: reach.chest_way(0.55, -0.25, -0.8),
                fingers: thigh + reach.body_way(-turned, -0.06, 0.0),
                palm: glam::Vec3::NEG_Y,
                shape: HandShape::RELAXED,
            }
        });
    }
}

/// Stands up from sitting or crouching; from standing, stretches a little.
pub(super) fn stand(plan: &mut MotionPlan, style: &Style, span_s: f32) {
    let length = (STAND_S / style.tempo).min(span_s - 0.05).max(0.3);
    let wait = (0.7 * plan.patience()).min(span_s - length).max(0.0);
    let begin = plan.now + 0.05 * length + wait;
    let at = |share: f32| begin + share * 0.93 * length;
    match plan.posture {
        Posture::Sitting => {
            for (channel, value) in SEATED {
                let (from, to) = match channel {
                    Channel::PelvisZ => (0.26, 0.82),
                    Channel::PelvisY => (0.30, 0.97),
                    _ => (0.0, 0.4),
                };
                plan.turn(channel, &[(at(from), 0.0), (at(to), -value)]);
            }
            plan.turn(
                Channel::SpinePitch,
                &[(at(0.0), 0.0), (at(0.34), 0.44), (at(0.50), 0.42), (at(1.0), 0.0)],
            );
            plan.turn(
                Channel::PelvisPitch,
                &[(at(0.0), 0.0), (at(0.38), 0.52), (at(0.55), 0.42), (at(1.0), 0.0)],
            );
            plan.turn(Channel::HeadPitch, &[(at(0.0), 0.0), (at(0.3), 0.15), (at(0.9), 0.0)]);
            seat_habit(plan, (at(0.05), at(0.5)), -1.0);
            for layer in std::mem::take(&mut plan.resting_arms) {
                plan.arms[layer].fade_out = (at(0.36), at(0.92));
            }
        }
        Posture::Crouching => {
            leave_crouch(plan, at(0.05), at(0.9));
        }
        Posture::Standing | Posture::Held(_) => {
            plan.turn(Channel::SpinePitch, &[(at(0.0), 0.0), (at(0.4), -0.06), (at(1.0), 0.0)]);
        }
    }
    plan.posture = Posture::Standing;
}

/// Goes into a crouch (`way` 1) or out of it (−1).
fn crouched(plan: &mut MotionPlan, from_s: f32, to_s: f32, way: f32) {
    for (channel, value) in CROUCHED {
        plan.turn(channel, &[(from_s, 0.0), (to_s, way * value)]);
    }
    for (dial, value) in CROUCHED_ARMS {
        plan.turn_arms(dial, &[(from_s + 0.05, 0.0), (to_s + 0.05, way * value)]);
    }
}

/// Rises while another movement starts, such as the push of a jump or the first steps of a walk.
/// Does nothing unless crouching.
pub(super) fn rise_into(plan: &mut MotionPlan, from_s: f32, to_s: f32) {
    if plan.posture == Posture::Crouching {
        leave_crouch(plan, from_s, to_s);
        plan.posture = Posture::Standing;
    }
}

/// Moves from a resting crouch to a walking crouch: a little higher, so that the legs have room to
/// step, and with the hands off the knees.
pub(super) fn go_low(plan: &mut MotionPlan, from_s: f32, to_s: f32) {
    for layer in std::mem::take(&mut plan.resting_arms) {
        plan.arms[layer].fade_out = (from_s, from_s + STEP_ROOM_S);
    }
    let fades = ((from_s, from_s + STEP_ROOM_S), (to_s - STEP_ROOM_S, to_s));
    plan.channels.add_held(Channel::PelvisY, STEP_ROOM_M, fades.0, fades.1);
}

fn leave_crouch(plan: &mut MotionPlan, from_s: f32, to_s: f32) {
    crouched(plan, from_s, to_s, -1.0);
    let lower = std::mem::take(&mut plan.crouched_lower);
    plan.turn(Channel::PelvisY, &[(from_s, 0.0), (to_s, lower)]);
    for layer in std::mem::take(&mut plan.resting_arms) {
        plan.arms[layer].fade_out = (from_s, from_s + 0.6 * (to_s - from_s));
    }
}

/// Rests the forearms on the knees with hanging hands.
fn hands_on_knees(plan: &mut MotionPlan, fade_in: (f32, f32)) {
    let inwards = 0.03 + 0.02 * plan.variation.twist;
    for side in Side::BOTH {
        plan.resting_arms.push(plan.arms.len());
        plan.hold(side, fade_in, (1e5, 1e5 + 1.0), move |_, reach: &Reach| HandGoal {
            wrist: reach.knee + reach.body_way(-inwards, 0.075, 0.045),
            elbow: reach.chest_way(0.7, -0.5, -0.6),
            fingers: reach.body_way(-0.25, -0.5, 0.8),
            palm: reach.body_way(-0.25, -0.9, -0.5),
            shape: HandShape::RELAXED,
        });
    }
}

pub(super) fn crouch(plan: &mut MotionPlan, act: &Act, style: &Style, span_s: f32) {
    let count = act.count.unwrap_or(1);
    if count < 2 {
        if plan.posture == Posture::Crouching {
            return;
        }
        let length = (CROUCH_S / style.tempo).min(0.85 * span_s);
        let wait = (0.6 * plan.patience()).min(0.12 * span_s);
        let begin = plan.now + 0.08 + wait;
        go_down(plan, begin, begin + length);
        hands_on_knees(plan, (begin + 0.35 * length, begin + length + 0.1));
        return;
    }
    let cycle = (span_s - 0.15) / count as f32;
    for index in 0..count {
        let begin = plan.now + 0.1 + cycle * index as f32;
        crouched(plan, begin, begin + 0.44 * cycle, 1.0);
        crouched(plan, begin + 0.52 * cycle, begin + 0.96 * cycle, -1.0);
    }
}

/// Stays crouched while walking.
pub(super) fn stay_low(plan: &mut MotionPlan, from_s: f32, to_s: f32) {
    let mut low = |channel, value: f32| {
        plan.channels.add_held(channel, value, (from_s, from_s + 0.5), (to_s - 0.5, to_s));
    };
    low(Channel::PelvisY, -0.20);
    low(Channel::SpinePitch, 0.40);
    low(Channel::PelvisPitch, 0.15);
    low(Channel::PelvisZ, -0.05);
}

pub(super) fn bow(plan: &mut MotionPlan, act: &Act, style: &Style, (from_s, to_s): (f32, f32)) {
    let count = act.count.unwrap_or(1).max(1);
    let length = (BOW_S / style.tempo).min((to_s - from_s - 0.1) / count as f32);
    let spare = ((to_s - from_s - 0.1) / count as f32 - length).clamp(0.0, 1.2);
    let seated = plan.posture == Posture::Sitting;
    let size = style.size_within(0.0, 1.3);
    for index in 0..count {
        let begin = from_s + 0.1 + (length + spare) * index as f32;
        let (down, rise) = (begin + 0.38 * length, begin + 0.58 * length + spare);
        let end = begin + length + spare;
        let mut fold = |channel, value: f32, late: f32| {
            let keys =
                [(begin + late, 0.0), (down + late, value), (rise + 0.5 * late, value), (end, 0.0)];
            plan.turn(channel, &keys);
        };
        fold(Channel::PelvisPitch, if seated { 0.25 } else { 0.50 } * size, 0.0);
        fold(Channel::PelvisZ, if seated { 0.0 } else { -0.13 } * size, 0.0);
        fold(Channel::SpinePitch, 0.55 * size, 0.04);
        fold(Channel::HeadFollow, 0.75, 0.05);
        fold(Channel::HeadPitch, 0.22, 0.10);
        for side in Side::BOTH {
            fold(Channel::Arm(side, ArmDial::Flex), -0.22, 0.06);
            fold(Channel::Arm(side, ArmDial::Elbow), -0.12, 0.06);
        }
    }
}
