//! Standing about: weight goes from one leg to the other, eyes wander.

use super::Span;
use crate::{
    Act, Amount,
    composer::{channels::Channel, stage::Stage, style::Style},
};

/// How often somebody who waits changes legs, seconds.
const CHANGE_S: f32 = 2.6;

pub(super) fn span(act: &Act) -> Span {
    match act.amount {
        Some(Amount::Seconds(seconds)) => Span::new(0.8 * seconds, seconds, 1.2 * seconds + 0.3),
        _ => Span::new(0.4, 3.0, 120.0),
    }
}

/// Goes from one leg to the other between two times.
pub(super) fn idle(stage: &mut Stage, style: &Style, from_s: f32, to_s: f32) {
    let first = if stage.taste.weight < 0.0 { -1.0 } else { 1.0 };
    let mut leg = first;
    let mut from = from_s + 0.35;
    while from + 1.2 < to_s {
        let to = (from + CHANGE_S / style.tempo).min(to_s);
        let size = leg * style.sway.min(1.6) * (0.75 + 0.25 * stage.taste.weight.abs());
        let ramp = 0.4 * (to - from).min(2.0);
        let mut add = |channel, value: f32| {
            let keys =
                [(from, 0.0), (from + ramp, value), (to - 0.1, value), (to - 0.1 + ramp, 0.0)];
            stage.channels.add(channel, &keys);
        };
        add(Channel::PelvisX, 0.032 * size);
        add(Channel::PelvisRoll, 0.045 * size);
        add(Channel::SpineRoll, -0.065 * size);
        add(Channel::PelvisYaw, -0.03 * size);
        add(Channel::HeadRoll, 0.02 * size);
        add(Channel::HeadYaw, 0.22 * size * (stage.taste.choice - 0.3));
        leg = -leg;
        from = to;
    }
}
