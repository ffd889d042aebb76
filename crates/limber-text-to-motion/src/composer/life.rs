//! Idle motion: breathing, swaying, small head movements and hanging arms.

use std::f32::consts::TAU;

use limber_animation::{Side, maths::sin, smooth::smoothstep};

use super::{
    channels::{ArmDial, Channel},
    frames::FRAME_S,
    motion_plan::MotionPlan,
};

/// Duration of a calm breath, seconds.
const BREATH_S: f32 = 3.7;

/// Smooth noise without noticeable repetition: three sines with unrelated periods around `hertz`.
/// Between −1 and 1.
pub(super) fn drift(time_s: f32, phase: f32, hertz: f32) -> f32 {
    let wave = |factor: f32, offset: f32| {
        sin(TAU * (hertz * factor * time_s) + phase * (1.0 + offset) + offset)
    };
    0.5 * wave(1.0, 0.3) + 0.3 * wave(1.618, 1.7) + 0.2 * wave(2.414, 4.1)
}

/// Adds breathing, drift and the performer's habitual arm and head posture.
pub(super) fn breathe(plan: &mut MotionPlan) {
    hang(plan);
    let phase = plan.variation.phase;
    let breath_s = BREATH_S * (1.0 - 0.12 * plan.variation.tempo);
    let noises = [
        (Channel::PelvisX, 0.006, 0.17),
        (Channel::PelvisZ, 0.005, 0.21),
        (Channel::PelvisYaw, 0.010, 0.15),
        (Channel::SpinePitch, 0.008, 0.23),
        (Channel::SpineYaw, 0.014, 0.19),
        (Channel::SpineRoll, 0.008, 0.16),
        (Channel::HeadYaw, 0.055, 0.21),
        (Channel::HeadPitch, 0.030, 0.26),
        (Channel::HeadRoll, 0.018, 0.18),
        (Channel::Arm(Side::Left, ArmDial::Flex), 0.018, 0.24),
        (Channel::Arm(Side::Right, ArmDial::Flex), 0.018, 0.22),
        (Channel::Arm(Side::Left, ArmDial::Elbow), 0.030, 0.20),
        (Channel::Arm(Side::Right, ArmDial::Elbow), 0.030, 0.25),
        (Channel::Arm(Side::Left, ArmDial::Wrist), 0.050, 0.27),
        (Channel::Arm(Side::Right, ArmDial::Wrist), 0.050, 0.23),
    ];
    for frame in 0..plan.channels.len() {
        let time_s = frame as f32 * FRAME_S;
        for (i, (channel, size, hertz)) in noises.into_iter().enumerate() {
            let noise = drift(time_s, phase + 7.3 * i as f32, hertz);
            plan.channels.nudge(frame, channel, size * noise);
        }
        let breath = sin(TAU * time_s / breath_s + phase);
        plan.channels.nudge(frame, Channel::SpinePitch, -0.012 * breath);
        plan.channels.nudge(frame, Channel::HeadPitch, 0.006 * breath);
        for side in Side::BOTH {
            let shrug = Channel::Arm(side, ArmDial::Shrug);
            plan.channels.nudge(frame, shrug, 0.016 * breath);
        }
    }
}

/// Frequency of shivering and of the tremor of old hands, hertz: between the 4 to 6 of resting
/// tremor and the 8 to 12 of physiological tremor (Deuschl et al. 1998).
const TREMOR_HERTZ: f32 = 6.5;

/// Lets trunk, head and arms tremble with about this amplitude, radians, between two times.
pub(super) fn tremble(plan: &mut MotionPlan, angle: f32, (from_s, to_s): (f32, f32)) {
    let phase = plan.variation.phase;
    let trembling = [
        (Channel::SpinePitch, 0.5),
        (Channel::SpineRoll, 0.4),
        (Channel::HeadPitch, 0.8),
        (Channel::HeadYaw, 0.6),
        (Channel::Arm(Side::Left, ArmDial::Elbow), 1.6),
        (Channel::Arm(Side::Right, ArmDial::Elbow), 1.6),
        (Channel::Arm(Side::Left, ArmDial::Shrug), 0.6),
        (Channel::Arm(Side::Right, ArmDial::Shrug), 0.6),
    ];
    for (place, (channel, share)) in trembling.into_iter().enumerate() {
        let offset = phase + 1.9 * place as f32;
        plan.channels.add_with(channel, from_s, to_s, |time_s| {
            // the amplitude varies, as in shivering
            let swell = 0.6 + 0.4 * drift(time_s, offset, 0.5);
            share * angle * swell * sin(TAU * TREMOR_HERTZ * time_s + offset)
        });
    }
}

/// A time range in which movement is jerky: it pauses, then catches up.
#[derive(Debug, Clone, Copy)]
pub(super) struct JerkyInterval {
    pub(super) from_s: f32,
    pub(super) to_s: f32,
    /// Strength, 0 to 1.
    pub(super) much: f32,
}

/// Time from one start to the next, seconds, and the share of it that is paused.
const START_S: f32 = 0.32;
const WAIT: f32 = 0.4;

/// The time whose movement is shown at `time_s` when moving jerkily, seconds.
pub(super) fn jerky_time(intervals: &[JerkyInterval], time_s: f32) -> f32 {
    let now = intervals.iter().find(|interval| (interval.from_s..interval.to_s).contains(&time_s));
    let Some(interval) = now else { return time_s };
    let place = (time_s - interval.from_s) / START_S;
    let gone = place.fract();
    let late = smoothstep((gone - WAIT) / (1.0 - WAIT));
    // the last start may be cut off, but must have caught up by the end
    let left_s = interval.to_s - (interval.from_s + place.floor() * START_S);
    let much = interval.much * (left_s / START_S).min(1.0);
    time_s + much * (late - gone) * START_S
}

/// Adds the performer's resting posture.
fn hang(plan: &mut MotionPlan) {
    let variation = plan.variation;
    let mut rest = |channel, value: f32| plan.channels.add(channel, &[(0.0, value)]);
    rest(Channel::PelvisY, -0.004 - 0.010 * variation.patience);
    rest(Channel::PelvisPitch, 0.03);
    rest(Channel::SpinePitch, 0.02 + 0.150 * variation.hunch);
    rest(Channel::HeadPitch, 0.03 + 0.10 * variation.head);
    rest(Channel::HeadFollow, 0.15);
    // some stand on their heels, some on their toes
    rest(Channel::PelvisZ, 0.025 * variation.stance - 0.018 * variation.hunch);
    for side in Side::BOTH {
        let s = side.sign();
        let mut arm = |dial, value: f32| rest(Channel::Arm(side, dial), value);
        arm(ArmDial::Flex, 0.04 + 0.10 * variation.swing + 0.12 * s * variation.stagger);
        arm(ArmDial::Out, 0.185 + 0.092 * variation.out + 0.03 * s * variation.weight);
        arm(ArmDial::Elbow, 0.27 + 0.18 * variation.elbow + 0.08 * s * variation.twist);
        arm(ArmDial::Twist, -0.06 + 0.07 * variation.twist);
        arm(ArmDial::Pronate, 0.20 + 0.12 * variation.elbow);
        arm(ArmDial::Wrist, 0.06);
        arm(ArmDial::Shrug, -0.02);
    }
}
