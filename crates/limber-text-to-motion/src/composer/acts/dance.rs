//! Dancing: figures of four beats each, at about 110 beats per minute.

use std::f32::consts::{PI, TAU};

use glam::Vec2;
use limber_animation::{
    Side,
    maths::{cos, powf, sin},
};

use super::Span;
use crate::composer::{
    arms::{HandGoal, Reach},
    channels::Channel,
    hands::HandShape,
    motion_plan::{MotionPlan, Stepping, rotated},
    style::Style,
};

const BEAT_S: f32 = 60.0 / 110.0;
const BEATS: usize = 4;
const BEFORE_S: f32 = 0.30;
const AFTER_S: f32 = 0.50;

/// A figure of four beats.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Figure {
    /// Step touch, right and left, with fists swinging along.
    StepTouch,
    /// Step touch with one hand pumping overhead.
    Pump,
    /// Twisting hips against shoulders, with feet planted.
    Twist,
    /// Swaying the hips from side to side, with arms low and open.
    Sway,
}

const ORDERS: [[Figure; 4]; 4] = [
    [Figure::StepTouch, Figure::Pump, Figure::Twist, Figure::Sway],
    [Figure::Sway, Figure::StepTouch, Figure::Twist, Figure::Pump],
    [Figure::Twist, Figure::StepTouch, Figure::Sway, Figure::Pump],
    [Figure::StepTouch, Figure::Twist, Figure::Pump, Figure::Sway],
];

fn beat_s(style: &Style) -> f32 {
    BEAT_S / style.tempo.clamp(0.6, 1.5)
}

pub(super) fn span(style: &Style) -> Span {
    let four = BEATS as f32 * beat_s(style);
    Span::new(0.8 * four, BEFORE_S + AFTER_S + 3.0 * four, 120.0)
}

/// One figure at its time in the dance.
#[derive(Debug, Clone, Copy)]
struct Phrase {
    figure: Figure,
    /// The side that starts. Every second round is mirrored.
    lead: Side,
    from_s: f32,
    to_s: f32,
    beat_s: f32,
}

impl Phrase {
    /// To one side and back in two beats, starting with the leading side.
    fn sway(self, time_s: f32) -> f32 {
        -self.lead.sign() * sin(PI * (time_s - self.from_s) / self.beat_s)
    }
}

pub(super) fn dance(plan: &mut MotionPlan, style: &Style, span_s: f32) {
    let beat_s = beat_s(style);
    let beats = ((span_s - BEFORE_S - AFTER_S) / beat_s + 0.05).floor().max(1.0) as usize;
    let begin = plan.now + BEFORE_S;
    let order = ORDERS[((plan.variation.choice * 4.0) as usize).min(3)];
    for start in (0..beats).step_by(BEATS) {
        let place = start / BEATS;
        let count = BEATS.min(beats - start);
        let from_s = begin + start as f32 * beat_s;
        let phrase = Phrase {
            figure: order[place % order.len()],
            lead: if (place / order.len()).is_multiple_of(2) { Side::Right } else { Side::Left },
            from_s,
            to_s: from_s + count as f32 * beat_s,
            beat_s,
        };
        if matches!(phrase.figure, Figure::StepTouch | Figure::Pump) {
            step_touch(plan, style, phrase.lead, from_s, beat_s, count);
        }
        trunk(plan, style, phrase);
        for arm in Side::BOTH {
            arms(plan, style, arm, phrase);
        }
    }
    bounce(plan, style, (begin, begin + beats as f32 * beat_s), beat_s);
}

/// Bounces down on every beat.
fn bounce(plan: &mut MotionPlan, style: &Style, (begin, end): (f32, f32), beat: f32) {
    let size = 0.030 * powf(style.bounce, 0.6) * style.size;
    let fade = move |t: f32| ((t - begin) / 0.4).min((end + 0.25 - t) / 0.4).clamp(0.0, 1.0);
    let on_beat = move |t: f32| 0.5 + 0.5 * cos(TAU * (t - begin) / beat);
    let channels = &mut plan.channels;
    channels
        .add_with(Channel::PelvisY, begin, end + 0.25, |t| -fade(t) * (0.018 + size * on_beat(t)));
    channels
        .add_with(Channel::HeadPitch, begin, end + 0.25, |t| 0.13 * fade(t) * on_beat(t - 0.05));
    channels
        .add_with(Channel::SpinePitch, begin, end + 0.25, |t| fade(t) * (0.05 + 0.05 * on_beat(t)));
    channels.add_with(Channel::Balance, begin, end + 0.25, |t| -0.25 * fade(t));
}

/// Step touch: out, close, back, close, with two beats in each direction.
fn step_touch(
    plan: &mut MotionPlan,
    style: &Style,
    first: Side,
    from: f32,
    beat: f32,
    count: usize,
) {
    let half = plan.variation.stance_half_m();
    let wide = 0.27 * style.stride * style.size;
    for index in 0..count / 2 {
        let side = if index % 2 == 0 { first } else { first.opposite() };
        let aside = rotated(Vec2::new(side.sign() * wide, 0.0), plan.heading);
        let (place, heading) = (plan.place, plan.heading);
        let target = place + aside;
        let start = from + 2.0 * index as f32 * beat;
        let how = Stepping {
            rise_s: 0.10,
            flat_s: 0.06,
            shift_s: 0.5 * beat,
            roll_out: 0.35,
            ..Stepping::SMALL
        };
        let out = plan.home(side, target, heading, half);
        plan.step(side, (start + 0.22 * beat, start + 0.85 * beat), out, how);
        let close = plan.home(side.opposite(), target, heading, half);
        let swing = (start + 1.22 * beat, start + 1.82 * beat);
        plan.step(side.opposite(), swing, close, how);
        plan.go(start + 0.15 * beat, place, heading);
        plan.go(start + 1.5 * beat, target, heading);
    }
}

fn trunk(plan: &mut MotionPlan, style: &Style, phrase: Phrase) {
    let Phrase { figure, from_s: from, to_s: to, .. } = phrase;
    let size = style.size_within(0.0, 1.3);
    let fade = move |t: f32| ((t - from) / 0.25).min((to - t) / 0.25).clamp(0.0, 1.0);
    let mut move_with = |channel, value: f32, late: f32| {
        plan.channels
            .add_with(channel, from, to, |t| value * size * fade(t) * phrase.sway(t - late));
    };
    match figure {
        Figure::StepTouch => {
            move_with(Channel::SpineYaw, -0.16, 0.05);
            move_with(Channel::SpineRoll, -0.07, 0.0);
            move_with(Channel::PelvisYaw, 0.10, 0.0);
        }
        Figure::Pump => {
            move_with(Channel::SpineRoll, 0.10, 0.0);
            move_with(Channel::PelvisRoll, -0.06, 0.0);
        }
        Figure::Twist => {
            move_with(Channel::PelvisYaw, 0.42, 0.0);
            move_with(Channel::SpineYaw, -0.62, 0.03);
            plan.channels.add_with(Channel::PelvisY, from, to, |t| -0.05 * fade(t));
        }
        Figure::Sway => {
            move_with(Channel::PelvisX, -0.085, 0.0);
            move_with(Channel::PelvisRoll, -0.13, 0.0);
            move_with(Channel::SpineRoll, 0.20, 0.04);
            move_with(Channel::HeadRoll, -0.08, 0.08);
        }
    }
}

fn arms(plan: &mut MotionPlan, style: &Style, side: Side, phrase: Phrase) {
    let Phrase { figure, lead, from_s: from, to_s: to, beat_s: beat } = phrase;
    let size = style.size_within(0.0, 1.25);
    let s = side.sign();
    let on_beat = move |t: f32| 0.5 + 0.5 * cos(TAU * (t - from) / beat);
    let fades = ((from - 0.20, from + 0.25), (to - 0.20, to + 0.25));
    plan.hold(side, fades.0, fades.1, move |time_s, reach: &Reach| {
        let sway = phrase.sway(time_s - 0.03) * s * size;
        let beat = on_beat(time_s - 0.04) * size;
        match figure {
            Figure::StepTouch | Figure::Twist => HandGoal {
                wrist: reach.near_chest(
                    0.20 + 0.10 * sway,
                    -0.17 + 0.05 * beat,
                    0.27 - 0.05 * sway,
                ),
                elbow: reach.chest_way(0.75, -0.55, -0.55),
                fingers: reach.chest_way(-0.25 + 0.3 * sway, 0.35, 0.9),
                palm: reach.chest_way(-1.0, -0.35, 0.2),
                shape: HandShape::RELAXED.blend(HandShape::FIST, 0.7),
            },
            Figure::Pump if side == lead => HandGoal {
                wrist: reach.near_chest(0.30 - 0.05 * sway, 0.46 - 0.14 * beat, 0.14),
                elbow: reach.chest_way(0.9, -0.3, 0.15),
                fingers: reach.chest_way(0.05 - 0.2 * beat, 1.0, 0.15),
                palm: reach.chest_way(-0.35, 0.0, 1.0),
                shape: HandShape::RELAXED.blend(HandShape::FIST, 0.8),
            },
            Figure::Pump => HandGoal {
                wrist: reach.near_chest(0.24, -0.22 + 0.04 * beat, 0.16),
                elbow: reach.chest_way(0.9, -0.2, -0.6),
                fingers: reach.chest_way(-0.5, 0.1, 0.85),
                palm: reach.chest_way(-0.8, -0.6, 0.0),
                shape: HandShape::RELAXED.blend(HandShape::FIST, 0.5),
            },
            Figure::Sway => HandGoal {
                wrist: reach.near_chest(0.42 + 0.04 * sway, -0.20 + 0.12 * sway, 0.16),
                elbow: reach.chest_way(0.5, -0.7, -0.6),
                fingers: reach.chest_way(0.75, 0.1 + 0.35 * sway, 0.55),
                palm: reach.chest_way(0.1, -1.0, 0.25),
                shape: HandShape::OPEN,
            },
        }
    });
}
