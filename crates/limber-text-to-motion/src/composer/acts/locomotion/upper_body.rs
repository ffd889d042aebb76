//! Movements of trunk, arms and head during locomotion.

use limber_animation::{
    Side,
    maths::{cos, sin},
};

use super::footfalls::{Footfall, SETTLE_S};
use crate::composer::{
    acts::{Joins, jump},
    channels::{ArmDial, Channel, between_keys},
    gait::Gait,
    motion_plan::MotionPlan,
};

/// Time over which trunk and arms blend out of a stride that leads into another act, seconds.
const LET_GO_S: f32 = 0.35;

/// Moves trunk and arms along with the steps.
pub(super) fn carry(plan: &mut MotionPlan, falls: &[Footfall], joins: Joins) {
    let first = &falls[0];
    // the last step closes up or is not completed
    let made = &falls[..falls.len() - 1];
    let to_s = match made.last() {
        Some(last) if joins.leaves => last.on_s + LET_GO_S,
        _ => falls[falls.len() - 1].on_s + SETTLE_S,
    };
    let from_s = plan.now;
    let mut held = |channel, value: &dyn Fn(&Gait) -> f32| {
        let mut keys = vec![(from_s, 0.0)];
        keys.extend(made.iter().map(|f| (f.on_s, value(&f.gait))));
        keys.push((to_s, 0.0));
        plan.channels.add(channel, &keys);
    };
    held(Channel::PelvisY, &|gait| -gait.drop_m);
    held(Channel::SpinePitch, &|gait| 0.75 * gait.lean);
    held(Channel::PelvisPitch, &|gait| 0.25 * gait.lean);
    held(Channel::Balance, &|gait| gait.balance - 0.85);
    for side in Side::BOTH {
        held(Channel::Arm(side, ArmDial::Flex), &|gait| gait.arm_flex);
        held(Channel::Arm(side, ArmDial::Out), &|gait| gait.arm_out);
        held(Channel::Arm(side, ArmDial::Elbow), &|gait| gait.elbow);
        held(Channel::Arm(side, ArmDial::Wrist), &|gait| gait.wrist);
        held(Channel::Arm(side, ArmDial::Grip), &|gait| gait.grip);
    }
    let mut sneaking = falls.iter().filter(|fall| fall.gait.drop_m > 0.1);
    if let Some(first) = sneaking.next() {
        let last = sneaking.next_back().unwrap_or(first);
        look_about(plan, first.off_s.max(from_s), last.on_s.min(to_s));
    }
    watch_the_steps(plan, falls, from_s, to_s);
    spare_a_leg(plan, falls);
    reel(plan, falls, from_s, to_s);
    for fall in falls {
        if let Some(height_m) = fall.leap_m {
            let flight_s = jump::flight(height_m).seconds;
            jump::carry_leap(plan, height_m, (fall.on_s - flight_s, fall.on_s));
        }
    }
    swing(plan, falls, from_s, to_s);
    bob(plan, falls, first.off_s, to_s);
}

/// On stairs, looks at the steps.
fn watch_the_steps(plan: &mut MotionPlan, falls: &[Footfall], from_s: f32, to_s: f32) {
    let climb_m = falls[0].gait.climb_m;
    if climb_m != 0.0 {
        let nod = if climb_m < 0.0 { 0.34 } else { 0.12 };
        let last = falls[falls.len() - 1].on_s;
        plan.turn(
            Channel::HeadPitch,
            &[(from_s, 0.0), (from_s + 0.4, nod), (last - 0.4, nod), (to_s, 0.0)],
        );
    }
}

/// When limping, sinks and leans over the bad leg while it carries weight.
fn spare_a_leg(plan: &mut MotionPlan, falls: &[Footfall]) {
    for fall in falls.iter().filter(|fall| fall.gait.limp * fall.side.sign() > 0.0) {
        let middle = 0.5 * (fall.off_s + fall.on_s);
        let mut add = |channel, value: f32| {
            let (begins, ends) = (fall.off_s - 0.16, fall.on_s + 0.14);
            plan.channels.add(channel, &[(begins, 0.0), (middle, value), (ends, 0.0)]);
        };
        // the bad leg is on the opposite side of the moving foot
        let towards = fall.side.sign();
        add(Channel::PelvisY, -0.04);
        add(Channel::SpineRoll, 0.38 * towards);
        add(Channel::SpinePitch, 0.12);
        add(Channel::HeadPitch, 0.10);
    }
}

/// When staggering, sways the whole trunk.
fn reel(plan: &mut MotionPlan, falls: &[Footfall], from_s: f32, to_s: f32) {
    let size = falls.iter().map(|fall| fall.gait.wander_m).fold(0.0, f32::max) / 0.24;
    if size <= 0.0 {
        return;
    }
    let phase = plan.variation.phase;
    let mut add = |channel, value: f32, rate: f32| {
        plan.channels.add_with(channel, from_s, to_s, |t| {
            let fade = (t - from_s).min(to_s - t).clamp(0.0, 1.0);
            size * value * fade * sin(rate * t + phase)
        });
    };
    add(Channel::SpineRoll, 0.17, 2.7);
    add(Channel::SpinePitch, 0.13, 3.9);
    add(Channel::HeadRoll, 0.16, 3.1);
    add(Channel::HeadPitch, 0.14, 2.2);
}

/// When sneaking, looks to both sides.
fn look_about(plan: &mut MotionPlan, from_s: f32, to_s: f32) {
    let phase = plan.variation.phase;
    plan.channels.add_with(Channel::HeadYaw, from_s, to_s, |t| {
        let fade = (t - from_s).min(to_s - t).clamp(0.0, 1.0);
        0.45 * fade * sin(2.1 * t + phase)
    });
}

/// Rotates pelvis, thorax and arms in opposition with the stride.
fn swing(plan: &mut MotionPlan, falls: &[Footfall], from_s: f32, to_s: f32) {
    // everything comes to rest after the last stride but one, even if another act follows
    let set_out_s = from_s.max(falls[0].off_s);
    let phases: Vec<(f32, f32, Gait)> = std::iter::once((set_out_s, 0.0, falls[0].gait))
        .chain(falls.iter().enumerate().map(|(i, fall)| {
            let is_last = i + 1 == falls.len();
            let stride = if is_last { 0.0 } else { fall.share.min(1.0) };
            let on_s = if is_last { fall.on_s.min(to_s) } else { fall.on_s };
            (on_s, fall.side.sign() * stride * fall.gait.ahead, fall.gait)
        }))
        .collect();
    let at = |time_s: f32, of: &dyn Fn(&Gait) -> f32| stride_at(&phases, time_s, of);
    let channels = &mut plan.channels;
    channels.add_with(Channel::PelvisYaw, from_s, to_s, |t| -at(t + 0.02, &|g| g.hips_yaw));
    channels.add_with(Channel::SpineYaw, from_s, to_s, |t| at(t, &|g| 1.65 * g.hips_yaw));
    for side in Side::BOTH {
        let s = -side.sign();
        let flex = |t: f32| s * at(t - 0.03, &|g| g.arm_swing);
        channels.add_with(Channel::Arm(side, ArmDial::Flex), from_s, to_s, |t| {
            let value = flex(t);
            if value < 0.0 { 0.85 * value } else { value }
        });
        channels
            .add_with(Channel::Arm(side, ArmDial::Elbow), from_s, to_s, |t| 0.32 * flex(t - 0.05));
    }
}

/// Cosine interpolation between strides: ± the gait's amplitude at each landing.
fn stride_at(phases: &[(f32, f32, Gait)], time_s: f32, of: &dyn Fn(&Gait) -> f32) -> f32 {
    let value = |(_, swing, gait): &(f32, f32, Gait)| swing * of(gait);
    let next = phases.partition_point(|phase| phase.0 <= time_s);
    match (next.checked_sub(1).map(|i| &phases[i]), phases.get(next)) {
        (Some(before), Some(after)) => {
            let u = (time_s - before.0) / (after.0 - before.0).max(1e-3);
            let amount = 0.5 - 0.5 * cos(std::f32::consts::PI * u);
            value(before) + (value(after) - value(before)) * amount
        }
        (Some(only), None) | (None, Some(only)) => value(only),
        (None, None) => 0.0,
    }
}

/// Vertical bob, twice per stride: lowest just after landing when walking, in mid-stance when
/// running.
fn bob(plan: &mut MotionPlan, falls: &[Footfall], from_s: f32, to_s: f32) {
    let last = falls.len() - 1;
    let fade = [
        (from_s, 0.0),
        (falls[0].on_s, 1.0),
        (falls[last.saturating_sub(1)].on_s, 1.0),
        (falls[last].on_s + 0.1, 0.0),
    ];
    plan.channels.add_with(Channel::PelvisY, from_s, to_s, |time_s| {
        let i = falls.partition_point(|fall| fall.on_s <= time_s).clamp(1, last.max(1)) - 1;
        let (here, next) = (&falls[i], &falls[(i + 1).min(last)]);
        let u = (time_s - here.on_s) / (next.on_s - here.on_s).max(0.1);
        let low = here.gait.lowest + (next.gait.lowest - here.gait.lowest) * u;
        let size = here.gait.bob_m * here.share.sqrt();
        let size = size + (next.gait.bob_m * next.share.sqrt() - size) * u.clamp(0.0, 1.0);
        // a leap has its own vertical movement
        let size = if next.leap_m.is_some() || here.leap_m.is_some() { 0.0 } else { size };
        -size * between_keys(&fade, time_s) * cos(std::f32::consts::TAU * (u - low))
    });
}
