//! What a living body does when it does nothing: breathes, sways, looks a little about, lets its
//! arms hang.

use std::f32::consts::TAU;

use limber_animation::Side;

use super::{
    channels::{ArmDial, Channel},
    frames::FRAME_S,
    stage::Stage,
};

/// A calm breath, seconds.
const BREATH_S: f32 = 3.7;

/// A noise without end that holds nothing above about one hertz: three sines of unrelated periods.
/// Between −1 and 1.
pub(super) fn drift(time_s: f32, phase: f32, hertz: f32) -> f32 {
    let wave = |factor: f32, offset: f32| {
        (TAU * (hertz * factor * time_s) + phase * (1.0 + offset) + offset).sin()
    };
    0.5 * wave(1.0, 0.3) + 0.3 * wave(1.618, 1.7) + 0.2 * wave(2.414, 4.1)
}

/// Adds breath, drift and the way this person's arms hang and head is held.
pub(super) fn breathe(stage: &mut Stage) {
    hang(stage);
    let phase = stage.taste.phase;
    let breath_s = BREATH_S * (1.0 - 0.12 * stage.taste.tempo);
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
    for frame in 0..stage.channels.len() {
        let time_s = frame as f32 * FRAME_S;
        for (i, (channel, size, hertz)) in noises.into_iter().enumerate() {
            let noise = drift(time_s, phase + 7.3 * i as f32, hertz);
            stage.channels.nudge(frame, channel, size * noise);
        }
        let breath = (TAU * time_s / breath_s + phase).sin();
        stage.channels.nudge(frame, Channel::SpinePitch, -0.012 * breath);
        stage.channels.nudge(frame, Channel::HeadPitch, 0.006 * breath);
        for side in Side::BOTH {
            let shrug = Channel::Arm(side, ArmDial::Shrug);
            stage.channels.nudge(frame, shrug, 0.016 * breath);
        }
    }
}

/// The posture of this person at rest.
fn hang(stage: &mut Stage) {
    let taste = stage.taste;
    let mut rest = |channel, value: f32| stage.channels.add(channel, &[(0.0, value)]);
    rest(Channel::PelvisY, -0.004 - 0.010 * taste.patience);
    rest(Channel::PelvisPitch, 0.03);
    rest(Channel::SpinePitch, 0.02 + 0.150 * taste.hunch);
    rest(Channel::HeadPitch, 0.03 + 0.10 * taste.head);
    rest(Channel::HeadFollow, 0.15);
    // some stand on their heels, some on their toes
    rest(Channel::PelvisZ, 0.025 * taste.stance - 0.018 * taste.hunch);
    for side in Side::BOTH {
        let s = side.sign();
        let mut arm = |dial, value: f32| rest(Channel::Arm(side, dial), value);
        arm(ArmDial::Flex, 0.04 + 0.10 * taste.swing + 0.12 * s * taste.stagger);
        arm(ArmDial::Out, 0.185 + 0.092 * taste.out + 0.03 * s * taste.weight);
        arm(ArmDial::Elbow, 0.27 + 0.18 * taste.elbow + 0.08 * s * taste.twist);
        arm(ArmDial::Twist, -0.06 + 0.07 * taste.twist);
        arm(ArmDial::Pronate, 0.20 + 0.12 * taste.elbow);
        arm(ArmDial::Wrist, 0.06);
        arm(ArmDial::Shrug, -0.02);
    }
}
